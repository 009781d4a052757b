"""The feed: an engine's iterator over its data, started at the beginning or at the position of a loaded state."""

from itertools import repeat

from dark.engine.run_arguments import length_of
from dark.errors import EngineError


class DataFeed:
    """The iterator over an engine's data, and the position at which it starts.

    Attributes
    ----------
    iterator : iterator or None
        None before the first epoch of a run, and after its end.
    position : mapping or None
        What the data returned as its own position, at the end of the last run or in a loaded state.
    """

    def __init__(self):
        self.iterator = self.position = None

    def start(self, engine):
        """Start the iterator at the position of the engine's state.

        Raises
        ------
        EngineError
            If the state is inside a first epoch of unknown length, and the data cannot go to a position.
        """
        state, run = engine.state, engine.current_run
        data, done = state.dataloader, run.count_first_epoch(state)
        if run.has_run or data is None:
            self.restart(state)
        else:
            if done and state.epoch_length is None and not hasattr(data, "load_state_dict"):
                raise _unknown_length(done)
            seek(data, self.position, state.iteration)
            self.iterator = remaining(data)
        self.position = None

    def restart(self, state):
        """Start the iterator at the beginning of the data; without data, each batch is None."""
        self.iterator = repeat(None) if state.dataloader is None else iter(state.dataloader)

    def reset(self, keep_iterator):
        """Forget the position, for a new run."""
        self.position = None
        if not keep_iterator:
            self.iterator = None

    def replace(self, data):
        """Take batches from other data from now on."""
        self.iterator, self.position = iter(data), None

    def release(self, state):
        """Release the iterator, so that others may use the data, and remember its position."""
        if self.iterator is not None:
            self.position, self.iterator = self.read_position(state), None

    def read_position(self, state):
        """Return the position of the data, or None if the data has none that it can go back to."""
        return self.position or position_of_data(self.iterator, state.dataloader)

    def knows_position(self):
        """Return whether the position of the data is known before the iterator is started."""
        return self.position is not None


def position_of_data(iterator, data):
    """Return the state of the iterator, else of the data; None if the data cannot load such a state."""
    if not hasattr(data, "load_state_dict"):
        return None
    source = iterator if hasattr(iterator, "state_dict") else data
    return source.state_dict()


def seek(data, position, iteration, passes=None):
    """Move data that can load a state to a position; iterate with `remaining` afterwards. Other data is left alone.

    Parameters
    ----------
    data : iterable or None
    position : mapping or None
        A state of the data. If None, data that has not been started moves to the iteration.
    iteration : int
        The number of completed iterations.
    passes : tuple of (int, int), optional
        The completed passes over the data, and the completed batches of the current one; computed from the iteration
        and the length of the data if not given.
    """
    if not hasattr(data, "load_state_dict"):
        return
    if position is not None:
        data.load_state_dict(position)
        return
    own = data.state_dict() if iteration and hasattr(data, "state_dict") else {}
    if own.get("epoch") == own.get("position") == 0:
        done, batches = passes or divmod(iteration, length_of(data) or iteration + 1)
        data.load_state_dict({**own, "epoch": done + 1, "position": batches})


def remaining(data):
    """Return an iterator over the rest of the current pass; a `dark.data.DataLoader` at its end gives nothing."""
    return data.rest() if hasattr(data, "load_state_dict") and hasattr(data, "rest") else iter(data)


def _unknown_length(done):
    return EngineError(
        f"The state is {done} iterations inside a first epoch whose length is not known, and the data has no position.",
        "data with load_state_dict, such as a DataLoader, or an epoch_length.",
        "a DeterministicEngine, which fetches and discards consumed batches; or epoch_length=… in run.",
    )
