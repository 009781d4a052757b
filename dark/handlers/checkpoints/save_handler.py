"""What a checkpoint asks of the thing that writes it, and the event that tells of a written one."""

import inspect
from abc import ABC, abstractmethod

from dark.engine import EventEnum


class CheckpointEvents(EventEnum):
    """The event that `Checkpoint` fires.

    ==================  ============================
    SAVED_CHECKPOINT    a checkpoint has been saved
    ==================  ============================
    """

    SAVED_CHECKPOINT = "saved_checkpoint"


class BaseSaveHandler(ABC):
    """The base class of what writes checkpoints and can take them away again.

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
    def __call__(self, checkpoint, filename, metadata=None):
        """Write a checkpoint.

        Parameters
        ----------
        checkpoint : dict
            States of objects.
        filename : str
        metadata : dict, optional
            "basename" (prefix and name), "score_name" and "priority".
        """

    @abstractmethod
    def remove(self, filename):
        """Take a checkpoint away that was written under this name."""


def write(save_handler, checkpoint, filename, metadata):
    """Call a save handler, with the metadata unless it takes two arguments only.

    What it takes is read from its signature: an error from inside it, of whatever type, is an error.

    Examples
    --------
    >>> write(lambda checkpoint, filename: print(filename), {}, "model_1.pt", {})
    model_1.pt
    """
    try:
        inspect.signature(save_handler).bind(checkpoint, filename, metadata)
    except ValueError:  # it does not tell
        pass
    except TypeError:
        return save_handler(checkpoint, filename)
    return save_handler(checkpoint, filename, metadata)
