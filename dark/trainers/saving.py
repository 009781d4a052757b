"""Save and restore a trainer's state, and report which of its objects a checkpoint contains."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Real
from pathlib import Path
from typing import Any

import numpy as np

from dark.atomic_write import path_string
from dark.distributed import check_same_weights
from dark.errors import UsageError
from dark.generators import RANDOM_STATES
from dark.handlers import Checkpoint, DiskSaver
from dark.handlers.checkpoints.folder import read
from dark.handlers.checkpoints.loading import SELF
from dark.storage import load_file

OPTIONAL = ("callbacks", "also")  # what a checkpoint may lack: it was added after the checkpoint was written


@dataclass(frozen=True)
class RestoreReport:
    """The objects found in a checkpoint, the completed epochs and steps.

    >>> print(RestoreReport(Path("run_12.pt"), 2, 12, ("trainer", "generator"), missing=("callbacks.log",)))
    run_12.pt: epoch 2, step 12
      restored: trainer, generator
      not in the checkpoint: callbacks.log
    """

    path: Path | None  # the checkpoint; None if the folder has none
    epoch: int = 0
    global_step: int = 0
    restored: tuple[str, ...] = ()  # what got its state from the checkpoint
    missing: tuple[str, ...] = ()  # what it has no state of, and stays as it was: what was added since
    unused: tuple[str, ...] = ()  # what only the checkpoint has

    def __str__(self) -> str:
        if self.path is None:
            return "no checkpoint was found; nothing changed"
        lines = [f"{self.path}: epoch {self.epoch}, step {self.global_step}"]
        for text, names in (
            ("restored", self.restored),
            ("not in the checkpoint", self.missing),
            ("only in the checkpoint", self.unused),
        ):
            lines += [f"  {text}: {', '.join(names)}"] if names else []
        return "\n".join(lines)


class Progress:
    """The step of a context and the last measurement of the validation set, as an object with a state."""

    def __init__(self, trainer: Any) -> None:
        self.trainer = trainer

    def state_dict(self) -> dict[str, Any]:
        """Return the step, and the results that are numbers or arrays."""
        found = {n: x for n, x in self.trainer.validation.items() if isinstance(x, (Real, np.ndarray, np.generic))}
        return {"global_step": self.trainer.context.global_step, "validation": found}

    def load_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Set the step and the results."""
        self.trainer.context.global_step = state_dict["global_step"]
        self.trainer.validation = dict(state_dict.get("validation", {}))


def attach(trainer, event, checkpoint):
    """Attach a checkpoint to a trainer; before each, several processes compare their weights."""
    if len(trainer.strategy.own) < trainer.strategy.shards:
        trainer.engine.add_event_handler(event, lambda: check_same_weights(trainer.strategy, trainer._models()))
    trainer.engine.add_event_handler(event, checkpoint)


def restore(objects, path, dry_run, strategy, logger):
    """Load a checkpoint into objects; objects under the keys in `OPTIONAL` may be missing from it.

    The path is a file, or a folder, whose newest undamaged checkpoint is loaded. Process 0 chooses it for all.
    """
    if path is None:
        advice = "checkpoint.last_checkpoint, once it has saved."
        raise UsageError("restore: a path is required, got None.", "a checkpoint, or the folder of some.", advice)
    text = path_string(path, "restore")
    path = strategy.broadcast(_file(text) if strategy.rank == 0 else None)
    report = RestoreReport(None) if path is None else _restored(objects, path, dry_run)
    if strategy.rank == 0:
        logger.log(logging.WARNING if report.missing else logging.INFO, "%s", report)
    return report


def _restored(objects, path, dry_run):
    states = read(load_file, path)
    if not isinstance(states.get("context"), Mapping) or "trainer" not in states:
        raise UsageError(
            f"restore: {path} is not a checkpoint of a trainer: it has {', '.join(map(str, states)) or 'nothing'}.",
            "a checkpoint that Trainer.save wrote.",
            "Checkpoint.load_objects, for other checkpoints.",
        )
    found, missing = _present(objects, states)
    if not dry_run:
        Checkpoint.load_objects(found, states)
    names, saved = _names(found), _names({key: states[key] for key in states if key != RANDOM_STATES})
    unused = tuple(name for name in saved if name not in names and name != SELF)
    return RestoreReport(path, _epoch(states), states["context"]["global_step"], names, missing, unused)


def _file(path):
    """Return a checkpoint: the file, or the newest undamaged one of the folder; None if that has none."""
    path = Path(path).expanduser()
    if not path.exists():
        raise UsageError(
            f"restore: {path} does not exist.",
            "a checkpoint, or a folder of checkpoints.",
            "the folder that was passed to save, which creates it.",
        )
    return DiskSaver(path, require_empty=False).last_good() if path.is_dir() else path


def _present(objects, states):
    """Return the objects to restore, and the names of those whose state is missing."""
    found, missing = dict(objects), []
    for key in OPTIONAL:
        there = states.get(key, {})
        found[key] = {name: thing for name, thing in objects.get(key, {}).items() if name in there}
        missing += [f"{key}.{name}" for name in objects.get(key, {}) if name not in there]
        if not found[key]:
            del found[key]
    if SELF in found and SELF not in states:
        del found[SELF]
    return found, tuple(missing)


def _names(states):
    """Return the keys of states, including the nested keys under `OPTIONAL`."""
    names = [[f"{key}.{name}" for name in value] if key in OPTIONAL else [key] for key, value in states.items()]
    return tuple(name for group in names for name in group)


def _epoch(states):
    """Return the number of completed epochs of a saved engine."""
    position = states["trainer"]
    if position.get("place") is not None:
        return position["place"][0]
    return position["iteration"] // position["epoch_length"] if position["epoch_length"] else 0
