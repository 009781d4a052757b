"""Where an iteration over a loader is, and the iterator that can tell."""

from dataclasses import dataclass

from dark.data.dataset_checks import whole
from dark.errors import UsageError


@dataclass
class Position:
    """Where an iteration is: its epoch, counted from 1, and how many of its batches have been given."""

    epoch: int = 0
    batches: int = 0


class LoaderIterator:
    """One iteration over a loader, which knows its own position, whatever other iterations do meanwhile.

    Parameters
    ----------
    batches : generator
        The batches; it counts them in the position.
    state : callable
        Returns the state of the loader as of this iteration.

    Examples
    --------
    >>> from dark.data import DataLoader
    >>> loader = DataLoader(range(4), batch_size=2, seed=5)
    >>> batches = iter(loader)
    >>> first, others = next(batches), list(loader)
    >>> batches.state_dict()
    {'seed': 5, 'epoch': 1, 'position': 1, 'items': 4, 'batch_size': 2, 'begun': 2}
    >>> loader.epoch, loader.position
    (2, 2)
    """

    def __init__(self, batches, state):
        self._batches, self._state = batches, state

    def __iter__(self):
        return self

    def __next__(self):
        return next(self._batches)

    def state_dict(self):
        """Say where this iteration is: a state for `load_state_dict` of a loader.

        Returns
        -------
        dict
            As of the loader.
        """
        return self._state()

    def close(self):
        """End the iteration and its workers."""
        self._batches.close()


def checked_state(state, mine):
    """Return seed, position and the epoch begun last of a state that belongs to a loader.

    Parameters
    ----------
    state : object
        What is to be loaded.
    mine : dict
        The state of the loader that it is to be loaded into.

    Raises
    ------
    UsageError
        If it has other keys, or comes from a loader of other data or batches.
    """
    keys = [key for key in mine if key != "begun"]
    if not isinstance(state, dict) or state.keys() - {"begun"} != set(keys):
        raise UsageError(
            f"DataLoader: a state with {list(state) if isinstance(state, dict) else type(state).__name__}.",
            f"a dict with the keys {', '.join(keys)}.",
            "give what state_dict() of a DataLoader returned.",
        )
    for key in ("items", "batch_size"):
        if state[key] != mine[key]:
            raise UsageError(
                f"DataLoader: the state is of a loader with {key} {state[key]}; this one has {mine[key]}.",
                "a loader made with the same dataset and batch_size.",
                "make it as it was made, then load the state.",
            )
    seed, epoch, batches = (whole(state[key], "DataLoader", key) for key in ("seed", "epoch", "position"))
    begun = whole(state.get("begun", epoch), "DataLoader", "begun")
    return seed, Position(epoch, batches), max(epoch, begun)
