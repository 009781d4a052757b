"""The position of data: how many batches are consumed, saved and found again."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from dark.engine.run_arguments import length_of
from dark.errors import EngineError

if TYPE_CHECKING:
    from dark.engine.data_feed import DataFeed
    from dark.engine.events.state import State
    from dark.engine.resume.position import FirstEpoch


def resumed(feed: DataFeed, state: State, first: FirstEpoch) -> tuple[Iterator[Any], int]:
    """Return an iterator over the rest of the data at the position of a loaded state, and the start of its pass."""
    data: Any = state.dataloader
    if first.done and state.epoch_length is None and not hasattr(data, "load_state_dict"):
        raise _unknown_length(first.done)
    seek(data, feed.position, state.iteration)
    consumed = _consumed(data, feed.batches, state.iteration if first.is_determined else first.done)
    return islice(data, consumed, None) if consumed else remaining(data), state.iteration - consumed


def _consumed(data: Any, batches: Sequence[int] | None, counted: int) -> int:
    """Return how many batches of the pass over a sequence are consumed: as saved, or by a count."""
    length = length_of(data)
    if not length or hasattr(data, "load_state_dict") or not is_sequence(data):
        return 0
    if batches is None:
        return counted % length
    consumed, before = batches
    if before != length:
        _warn_other_length(consumed, before, length)
    return consumed if before == length or consumed < length else 0  # at its end, the end is still reported


def batches_to_save(feed: DataFeed, state: State, counted: int, is_over: bool) -> Sequence[int] | None:
    """Return the consumed batches of the pass over a sequence, and its length, if they do not follow from a count.

    `counted` is the number of iterations since the start of a pass: all, unless epochs were cut short. Warn of data
    that a run from the saved state would begin again, though this run is inside a pass over it.
    """
    data = state.dataloader
    if feed.pass_start is None or data is None or hasattr(data, "load_state_dict"):
        return feed.batches
    length, consumed = length_of(data), state.iteration - feed.pass_start
    if length is not None and is_sequence(data):
        follows = consumed == counted % (length or 1) or (consumed == length and is_over)
        return None if follows else [min(consumed, length), length]
    is_at_end = not isinstance(data, Iterator) and not consumed % (length or state.epoch_length or consumed + 1)
    if consumed and not (is_at_end or is_over or feed.has_warned):
        feed.has_warned = True
        _warn_no_position(data, consumed)
    return None


def is_sequence(data: Any) -> bool:
    """Return whether data has an order of its own: lists, tuples, ranges, arrays, and whatever is indexed like them.

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

    Without a state of the data, data that has not been started moves to the iteration, or to `passes`: the completed
    passes over the data, and the completed batches of the current one.
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
        f"The state is {done} iterations inside a first epoch, so its length or the data's position must be known.",
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
        stacklevel=10,
    )
