"""What a checkpoint is made of: refused here, when it is made, if it makes no sense."""

from collections.abc import Mapping, MutableMapping
from numbers import Integral, Number
from pathlib import Path

from dark.errors import UsageError, ValueTypeError
from dark.handlers.checkpoints import loading


def checked_score(score):
    """Return a score if it is a number, or an array that holds one and has no axis.

    Raises
    ------
    UsageError
        If it is none.
    """
    if getattr(score, "ndim", None) == 0:
        score = score.item()
    if not isinstance(score, Number):
        raise UsageError(
            f"Output of score_function should be a number, but it is {score!r}.",
            "a number.",
            "a function with a return: lambda engine: engine.state.metrics[…].",
        )
    return score


def result(metrics, name):
    """Return the result of a metric.

    Raises
    ------
    KeyError
        If there is none of this name.
    """
    if name not in metrics:
        error = KeyError(name)
        error.add_note(f"  Expected: a metric in engine.state.metrics, which has {list(metrics)}.")
        error.add_note("  Try: metric.attach(engine, name) before the checkpoint is attached, to the same engine.")
        raise error
    return metrics[name]


def check(to_save, save_handler, n_saved, score_function, global_step_transform, include_self):
    """Refuse what a checkpoint cannot be made of.

    Raises
    ------
    ValueTypeError, UsageError
        If an argument is of the wrong type, or makes no sense.
    """
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
    if include_self and loading.SELF in to_save:
        raise UsageError(
            f"Cannot have key '{loading.SELF}' if `include_self` is True: {list(to_save)}.",
            "other keys.",
            "another name, or include_self=False.",
        )
    if not (isinstance(save_handler, (str, Path)) or callable(save_handler)):
        raise ValueTypeError(
            "Argument `save_handler` should be a string or Path object or callable or inherit from BaseSaveHandler, "
            f"but given {save_handler!r}.",
            "a folder, or a function of (states, filename).",
            'save_handler="checkpoints"',
        )
    if score_function is not None and not callable(score_function):
        raise ValueTypeError(
            f"score_function should be a function, got {type(score_function).__name__} instead.",
            "a function of the engine that returns a number; more is better.",
            'score_name="accuracy", for the metric of this name.',
        )
    if global_step_transform is not None and not callable(global_step_transform):
        raise ValueTypeError(
            f"global_step_transform should be a function, got {type(global_step_transform).__name__} instead.",
            "a function of (engine, event).",
            "global_step_from_engine(trainer)",
        )
    if n_saved is not None and not (isinstance(n_saved, Integral) and n_saved >= 1):
        raise UsageError(
            f"n_saved must be a positive integer or None, got {n_saved}.", "1 or more.", "n_saved=None, to keep all."
        )
