"""The interface of save handlers, which write checkpoints, and the event after a checkpoint is saved."""

import inspect
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

from dark.engine import EventEnum


class CheckpointEvents(EventEnum):
    """The event that `Checkpoint` fires: a checkpoint has been saved."""

    SAVED_CHECKPOINT = "saved_checkpoint"


class BaseSaveHandler(ABC):
    """The base class of objects that write checkpoints and can remove them; `DiskSaver` is one."""

    @abstractmethod
    def __call__(self, checkpoint: Mapping[str, Any], filename: str, metadata: Mapping[str, Any] | None = None) -> None:
        """Write a checkpoint: states of objects; metadata has "basename" (prefix and name), "score_name" and "priority"."""

    @abstractmethod
    def remove(self, filename: str) -> None:
        """Remove the checkpoint of this name."""


def write(save_handler, checkpoint, filename, metadata):
    """Call a save handler, with the metadata unless it accepts two arguments only.

    Its signature decides, so that a TypeError raised inside it is an error.
    """
    try:
        inspect.signature(save_handler).bind(checkpoint, filename, metadata)
    except ValueError:  # it has no signature
        pass
    except TypeError:
        return save_handler(checkpoint, filename)
    return save_handler(checkpoint, filename, metadata)
