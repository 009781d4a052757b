"""The interface of save handlers, which write checkpoints, and the event after a checkpoint is saved."""

import inspect
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

from dark.engine import EventEnum


class CheckpointEvents(EventEnum):
    """The event that `Checkpoint` fires.

    ==================  ============================
    SAVED_CHECKPOINT    a checkpoint has been saved
    ==================  ============================
    """

    SAVED_CHECKPOINT = "saved_checkpoint"


class BaseSaveHandler(ABC):
    """The base class of objects that write checkpoints and can remove them.

    Examples
    --------
    >>> class Memory(BaseSaveHandler):
    ...     def __init__(self):
    ...         self.files = {}
    ...
    ...     def __call__(self, checkpoint, filename, metadata=None):
    ...         self.files[filename] = checkpoint
    ...
    ...     def remove(self, filename):
    ...         del self.files[filename]
    >>> memory = Memory()
    >>> memory({"weight": 1.0}, "model_1.pt")
    >>> memory.files
    {'model_1.pt': {'weight': 1.0}}
    """

    @abstractmethod
    def __call__(self, checkpoint: Mapping[str, Any], filename: str, metadata: Mapping[str, Any] | None = None) -> None:
        """Write a checkpoint.

        Parameters
        ----------
        checkpoint : dict
            States of objects.
        metadata : dict, optional
            "basename" (prefix and name), "score_name" and "priority".
        """

    @abstractmethod
    def remove(self, filename: str) -> None:
        """Remove the checkpoint of this name."""


def write(save_handler, checkpoint, filename, metadata):
    """Call a save handler, with the metadata unless it accepts two arguments only.

    Its signature decides, so that a TypeError raised inside it is an error.

    Examples
    --------
    >>> write(lambda checkpoint, filename: print(filename), {}, "model_1.pt", {})
    model_1.pt
    """
    try:
        inspect.signature(save_handler).bind(checkpoint, filename, metadata)
    except ValueError:  # it has no signature
        pass
    except TypeError:
        return save_handler(checkpoint, filename)
    return save_handler(checkpoint, filename, metadata)
