"""The iterator over a loader, and the position that it can save."""

from contextlib import closing
from dataclasses import dataclass
from itertools import chain

from dark.checks import integer
from dark.data.fetcher import EndOfStream
from dark.errors import UsageError


@dataclass
class Position:
    """Position of an iteration: the epoch, counted from 1, and the number of its batches yielded so far."""

    epoch: int = 0
    batches: int = 0


class LoaderIterator:
    """One iteration over a loader, with its own position, independent of other iterations."""

    def __init__(self, batches, state):
        self._batches, self._state = batches, state

    def __iter__(self):
        return self

    def __next__(self):
        return next(self._batches)

    def state_dict(self):
        """Return the position of this iteration, as a state for `DataLoader.load_state_dict`."""
        return self._state()

    def close(self):
        """End the iteration and its workers."""
        self._batches.close()


def read_here(tasks, fetcher):
    """Yield the batches of tasks, loaded in this process, until the tasks or the data are exhausted."""
    for task in tasks:
        batch = fetcher(task)
        if batch is EndOfStream:
            return
        yield batch


def count_batches(batches, ahead, position):
    """Yield the batches that were read ahead, then a generator's, which is closed at the end; count them."""
    with closing(batches):
        for batch in chain(ahead, batches):
            position.batches += 1
            yield batch


def checked_state(state, own):
    """Return seed, position and last epoch from a saved state that matches the loader's own."""
    keys = [key for key in own if key != "begun"]
    if not isinstance(state, dict) or state.keys() - {"begun"} != set(keys):
        raise UsageError(
            "DataLoader: the state must have the keys of a loader's state_dict, got "
            f"{list(state) if isinstance(state, dict) else type(state).__name__}.",
            f"a dict with the keys {', '.join(keys)}.",
            "pass the result of DataLoader.state_dict().",
        )
    for key in ("items", "batch_size"):
        if state[key] != own[key]:
            raise UsageError(
                f"DataLoader: the state must be of a loader with {key} {own[key]}, got {state[key]}.",
                "a loader with the same dataset and batch_size.",
                "create the loader with the same arguments, then load the state.",
            )
    seed = integer(state["seed"], "DataLoader", "seed", 0, wide=True)
    epoch, batches = (integer(state[key], "DataLoader", key, 0) for key in ("epoch", "position"))
    last_epoch = integer(state.get("begun", epoch), "DataLoader", "begun", 0)
    return seed, Position(epoch, batches), max(epoch, last_epoch)
