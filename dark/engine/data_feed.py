"""The feed: an engine's iterator over its data, started at the beginning or at the position of a loaded state."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from itertools import islice, repeat
from typing import TYPE_CHECKING, Any

from dark.engine.run_arguments import length_of
from dark.errors import EngineError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from dark.engine.engine import Engine
    from dark.engine.events.state import State


class DataFeed:
    """The iterator over an engine's data, and the position at which it starts.

    Attributes
    ----------
    iterator : iterator or None
        None before the first epoch of a run, and after its end.
    position : mapping or None
        What the data returned as its own position, at the end of the last run or in a loaded state.
    pass_start : int or None
        The iteration at which the present pass over the data started; None before a loaded state is resumed.
    batches : sequence of (int, int), or None
        From a loaded state: the consumed batches of a pass over a sequence, and its length.
    """

    iterator: Any  # no Optional: the loop fetches from it for each batch, and only after `start`
    position: Mapping[str, Any] | None
    batches: Sequence[int] | None
    pass_start: int | None

    def __init__(self) -> None:
        self.iterator = self.position = self.batches = None
        self.pass_start, self._has_warned = 0, False

    def start(self, engine: Engine) -> None:
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
            consumed = self._find_batch(data, state.iteration if run.is_determined else done)
            self.iterator = islice(data, consumed, None) if consumed else remaining(data)
            self.pass_start = state.iteration - consumed
        self.position = self.batches = None

    def restart(self, state: State) -> None:
        """Start the iterator at the beginning of the data; without data, each batch is None."""
        self.iterator = repeat(None) if state.dataloader is None else iter(state.dataloader)
        self.pass_start = state.iteration

    def reset(self, keep_iterator: bool) -> None:
        """Forget the position, for a new run."""
        self.position, self.batches, self.pass_start = None, None, 0
        if not keep_iterator:
            self.iterator = None

    def replace(self, data: Iterable[Any], iteration: int) -> None:
        """Take batches from other data from now on, after a number of iterations that have their batch."""
        self.iterator, self.position, self.batches, self.pass_start = iter(data), None, None, iteration

    def load(self, position: Mapping[str, Any] | None, batches: Sequence[int] | None) -> None:
        """Forget the data, and where it was, for a loaded state."""
        self.position, self.batches, self.pass_start = position, batches, None

    def read_batches(self, state: State, counted: int, is_over: bool) -> Sequence[int] | None:
        """Return the consumed batches of the pass over a sequence, and its length, if they do not follow from a count.

        Warn of data that a run from the saved state would begin again, though this run is inside a pass over it.

        Parameters
        ----------
        state : State
        counted : int
            The iterations that are counted from the start of a pass: all, unless epochs were cut short.
        is_over : bool
            Whether no iteration is left.
        """
        data = state.dataloader
        if self.pass_start is None or data is None or hasattr(data, "load_state_dict"):
            return self.batches
        length, consumed = length_of(data), state.iteration - self.pass_start
        if length is not None and is_sequence(data):
            follows = consumed == counted % (length or 1) or (consumed == length and is_over)
            return None if follows else [min(consumed, length), length]
        is_at_end = not isinstance(data, Iterator) and not consumed % (length or state.epoch_length or consumed + 1)
        if consumed and not (is_at_end or is_over or self._has_warned):
            self._has_warned = True
            _warn_no_position(data, consumed)
        return None

    def _find_batch(self, data: Any, counted: int) -> int:
        """Return how many batches of the pass over a sequence are consumed: as saved, or as a count tells."""
        length = length_of(data)
        if not length or hasattr(data, "load_state_dict") or not is_sequence(data):
            return 0
        if self.batches is None:
            return counted % length
        consumed, before = self.batches
        if before != length:
            _warn_other_length(consumed, before, length)
        return consumed if before == length or consumed < length else 0  # at its end, the end is still reported

    def release(self, state: State) -> None:
        """Release the iterator, so that others may use the data, and remember its position."""
        if self.iterator is not None:
            self.position, self.iterator = self.read_position(state), None

    def read_position(self, state: State) -> Mapping[str, Any] | None:
        """Return the position of the data, or None if the data has none that it can go back to."""
        return self.position or position_of_data(self.iterator, state.dataloader)

    def knows_position(self) -> bool:
        """Return whether the position of the data is known before the iterator is started."""
        return self.position is not None


def is_sequence(data: Any) -> bool:
    """Return whether data has an order of its own: lists, tuples, ranges, arrays, and whatever is indexed like them.

    Examples
    --------
    >>> is_sequence([1, 2]), is_sequence(range(3)), is_sequence({"a": 1}), is_sequence(iter([1]))
    (True, True, False, False)
    """
    has_items = hasattr(data, "__getitem__") and length_of(data) is not None
    return has_items and not isinstance(data, Mapping)


def position_of_data(iterator: Any, data: Any) -> Any:
    """Return the state of the iterator, else of the data; None if the data cannot load such a state."""
    if not hasattr(data, "load_state_dict"):
        return None
    source = iterator if hasattr(iterator, "state_dict") else data
    return source.state_dict()


def seek(data: Any, position: Mapping[str, Any] | None, iteration: int, passes: tuple[int, int] | None = None) -> None:
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


def remaining(data: Any) -> Iterator[Any]:
    """Return an iterator over the rest of the current pass; a `dark.data.DataLoader` at its end gives nothing."""
    return data.rest() if hasattr(data, "load_state_dict") and hasattr(data, "rest") else iter(data)


def _unknown_length(done: int) -> EngineError:
    return EngineError(
        f"The state is {done} iterations inside a first epoch whose length is not known, and the data has no position.",
        "data with load_state_dict, such as a DataLoader, or an epoch_length.",
        "a DeterministicEngine, which fetches and discards consumed batches; or epoch_length=… in run.",
    )


def _warn_no_position(data: object, consumed: int) -> None:
    warnings.warn(
        f"Engine.state_dict: {consumed} batches of the data were consumed, and {type(data).__name__} has no position "
        "that could be saved: a run that resumes from this state begins with the first batch that its data gives. "
        "Try: a list or a DataLoader, whose positions are found again; a DeterministicEngine, which fetches and "
        "discards the consumed batches; or a state saved at the end of a pass over data that can be iterated again.",
        UserWarning,
        stacklevel=5,
    )


def _warn_other_length(consumed: int, before: int, length: int) -> None:
    goes_on = f"continues after batch {consumed}" if consumed < length else "begins with its first batch"
    warnings.warn(
        f"The state was saved after batch {consumed} of {before}, and this data has {length} batches: the run "
        f"{goes_on}. Try: the data of the saved run; or engine.state.max_epochs = None (max_iters), to start over.",
        UserWarning,
        stacklevel=9,
    )
