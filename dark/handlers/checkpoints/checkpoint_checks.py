"""The checks of a checkpoint's arguments, and the metric that it reads."""

from collections.abc import Mapping, MutableMapping
from pathlib import Path

from dark.checks import brief, is_bool, is_integer, number, one_of
from dark.errors import UsageError, ValueTypeError
from dark.generators import RANDOM_STATES
from dark.handlers.checkpoints import loading, naming


def metric_result(metrics, name):
    """Return the result of a metric."""
    if name not in metrics:
        error = KeyError(name)
        error.add_note(f"  Expected: a metric in engine.state.metrics, which has {list(metrics)}.")
        error.add_note("  Try: metric.attach(engine, name) before attaching the checkpoint, to the same engine.")
        raise error
    return metrics[name]


def check_to_save(to_save, include_self):
    """Check that each object can be saved."""
    if not isinstance(to_save, Mapping):
        raise ValueTypeError(
            f"Argument `to_save` should be a dictionary, but given {type(to_save).__name__}.",
            "a mapping from names to objects.",
            '{"model": model}',
        )
    list(loading.leaves(to_save, "state_dict"))
    if include_self and not isinstance(to_save, MutableMapping):
        raise ValueTypeError(
            f"If `include_self` is True, then `to_save` must be mutable, but given {type(to_save).__name__}.",
            "a dict.",
            "dict(to_save)",
        )
    check_keys_are_free(to_save, include_self)


def check_keys_are_free(to_save, include_self):
    """Check that no object has the key of an entry that a checkpoint adds."""
    added = {RANDOM_STATES: "because random generators are kept under it"}
    if include_self:
        added[loading.SELF] = "if `include_self` is True"
    for key, why in added.items():
        if key in to_save:
            raise UsageError(
                f"Cannot have key '{key}' {why}: {list(to_save)}.",
                "other keys.",
                "another name." if key == RANDOM_STATES else "another name, or include_self=False.",
            )


def check_names(to_save, filename_prefix, score_name, filename_pattern):
    """Check the parts of file names that are known before the training; a score name outside them may be anything."""
    name, _ = naming.name_and_content(to_save)
    parts = {"filename_prefix": filename_prefix, "filename_pattern": filename_pattern}
    if filename_pattern is None or "{score_name" in filename_pattern:
        parts["score_name"] = score_name
    for argument, part in {**parts, "the key in to_save": name}.items():
        if part is not None:
            naming.check_name(part, "Checkpoint", argument)


def check_save_handler(save_handler, save, load):
    """Check the save handler."""
    is_folder = isinstance(save_handler, (str, Path))
    if not (is_folder or callable(save_handler)):
        raise ValueTypeError(
            "Argument `save_handler` should be a string or Path object or callable or inherit from BaseSaveHandler, "
            f"but given {brief(save_handler)}.",
            "a folder, or a function of (states, filename).",
            'save_handler="checkpoints"',
        )
    if not is_folder and (save is not None or load is not None):
        raise UsageError(
            f"Checkpoint: save and load cannot be given with the save handler {type(save_handler).__name__}.",
            "a folder as save_handler, for which they write and read files.",
            "DiskSaver(folder, save=…, load=…) as the save handler.",
        )


def check_functions(score_function, global_step_transform):
    """Check the functions that a checkpoint calls."""
    if score_function is not None and not callable(score_function):
        raise ValueTypeError(
            f"score_function should be a function, got {type(score_function).__name__} instead.",
            "a function of the engine that returns a number; higher is better.",
            'score_name="accuracy", for the metric of this name.',
        )
    if global_step_transform is not None and not callable(global_step_transform):
        raise ValueTypeError(
            f"global_step_transform should be a function, got {type(global_step_transform).__name__} instead.",
            "a function of (engine, event).",
            "global_step_from_engine(trainer)",
        )


def check_n_saved(n_saved):
    """Check the number of checkpoints to keep."""
    if n_saved is not None and not is_integer(n_saved, 1):
        raise UsageError(
            f"n_saved must be a positive integer or None, got {brief(n_saved)}.",
            "1 or more.",
            "n_saved=None, to keep all.",
        )


def check_score_sign(score_sign):
    """Check the sign of a score."""
    if is_bool(score_sign) or score_sign not in (1.0, -1.0):
        raise UsageError(
            f"Argument score_sign should be 1 or -1. Got {score_sign}.", "a sign.", "-1.0, if lower is better."
        )


def checked_comparison(mode, tolerance, score_function):
    """Return how scores are compared: the mode and the tolerance."""
    one_of(mode, "Checkpoint", "mode", ("max", "min"))
    tolerance = number(tolerance, "Checkpoint", "tolerance", least=0)
    if score_function is None and (mode == "min" or tolerance):
        raise UsageError(
            f"Checkpoint: mode {mode!r} and tolerance {tolerance} need a score to compare.",
            "a score that they compare.",
            'score_name="loss", for the metric of this name.',
        )
    return mode, tolerance
