"""The position of a run as data: the content of an engine's state dict, and how a state is set from it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dark.checks import is_integer
from dark.engine.run_arguments import check_limit
from dark.errors import UsageError, near_misses

if TYPE_CHECKING:
    from dark.engine.events.state import State


def position_of(
    state: State, user_keys: Iterable[str], data_position: Mapping[str, Any] | None,
    resume_position: Sequence[Any] | None, batches: Sequence[int] | None = None,
) -> OrderedDict[str, Any]:  # fmt: skip
    """Return the state dict of an engine."""
    limit = "max_epochs" if state.max_iters is None else "max_iters"
    for key in user_keys:
        if not hasattr(state, key):
            raise UsageError(
                f"The state has no attribute '{key}' to save, which is listed in state_dict_user_keys.",
                "attributes of the state.",
                f"engine.state.{key} = … before the run; {near_misses(key, vars(state))}.",
            )
    position = OrderedDict((key, getattr(state, key)) for key in ("epoch_length", "iteration", limit, *user_keys))
    if data_position is not None:
        position["dataloader"] = data_position
    if batches is not None:
        position["batches"] = batches
    if resume_position is not None:
        position["place"] = resume_position
    return position


def resume_position_of(state: State, epoch_start: int | None, terminated: bool | str) -> list[Any] | None:
    """Return the completed epochs and the completed iterations of the next one; None if the iteration determines both.

    An epoch is completed when its EPOCH_COMPLETED begins: between its last iteration and that event, the position is at
    the end of an epoch that is not completed. If the end of that epoch was requested, its value is the third item.
    """
    position: list[Any] = [state.epoch, 0]
    if epoch_start is not None:
        position = [state.epoch - 1, state.iteration - epoch_start] + ([terminated] if terminated else [])
    derived = divmod(state.iteration, state.epoch_length) if state.epoch_length else (0, 0)
    return None if tuple(position) == derived else position


def is_determined(state: State, resume_position: Sequence[Any] | None) -> bool:
    """Return whether the completed epochs had `epoch_length` iterations each, as far as its resume position shows."""
    if resume_position is None:
        return True
    epochs, done, *_ = resume_position
    iteration: int = epochs * (state.epoch_length or 0) + done
    return iteration == state.iteration


@dataclass(frozen=True)
class FirstEpoch:
    """The place in its first epoch at which a run starts."""

    done: int = 0  # its completed iterations
    terminated: bool | str = False  # the value of the request to end it
    is_determined: bool = True  # whether all epochs before had the same length


def first_epoch_of(state: State, resume_position: Sequence[Any] | None) -> FirstEpoch:
    """Return the place in its epoch at which a run starts from a loaded state, with or without a resume position."""
    if resume_position is None:
        length = state.epoch_length
        return FirstEpoch(state.iteration % length if length else state.iteration)
    _, done, *terminated = resume_position
    return FirstEpoch(done, terminated[0] if terminated else False, is_determined(state, resume_position))


def completed(position: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a state dict with both counters: completed epochs and completed iterations."""
    if "iteration" in position and "epoch" in position:
        raise UsageError(
            "State dictionary should contain only one of 'iteration' or 'epoch' keys. "
            f"Found both: iteration={position['iteration']}, epoch={position['epoch']}.",
            "one of them: the number of completed iterations or epochs.",
            "omit epoch.",
        )
    if "iteration" not in position and "epoch" not in position:
        return position
    known = "iteration" if "iteration" in position else "epoch"
    value, length = position[known], position.get("epoch_length")
    if not is_integer(value, 0):
        raise UsageError(
            f"State dictionary must have a valid {known}, got {value!r}.",
            f"the number of completed {known}s: an integer, 0 or more.",
            "pass the result of state_dict().",
        )
    if position.get("batches") is not None:
        _check_batches(position["batches"])
    if position.get("place") is not None:
        _check_resume_position(position["place"], known, length)
        return {**position, "epoch": position["place"][0]}
    if value == 0:
        return {**position, "iteration": 0, "epoch": 0}
    if not is_integer(length, 1):
        raise UsageError(
            "epoch_length must be a positive integer to calculate missing 'iteration' or 'epoch' key."
            f" Got {known}={value} and epoch_length={length}.",
            "the number of iterations per epoch.",
            "epoch_length=len(data)",
        )
    counts = (value, value // length) if known == "iteration" else (value * length, value)
    return {**position, **dict(zip(("iteration", "epoch"), counts))}


def _check_resume_position(position: Any, known: str, length: int | None) -> None:
    fits = known == "iteration" and isinstance(position, (list, tuple)) and len(position) in (2, 3)
    fits = fits and all(is_integer(count, 0) for count in position[:2])
    if not fits or (length is not None and position[1] > length):
        raise UsageError(
            f"State dictionary must have a valid place, got {position!r} with {known} and epoch_length={length}.",
            "with iteration: the number of completed epochs, and of completed iterations of the next one, at most"
            " epoch_length.",
            "pass the result of state_dict(); omit place in a state written manually.",
        )


def _check_batches(batches: Any) -> None:
    fits = isinstance(batches, (list, tuple)) and len(batches) == 2 and all(is_integer(count, 0) for count in batches)
    if not fits or batches[0] > batches[1]:
        raise UsageError(
            f"State dictionary must have valid batches, got {batches!r}.",
            "the number of consumed batches of the pass over a sequence, and the length of the sequence.",
            "pass the result of state_dict(); omit batches in a state written manually.",
        )


def check_position(position: Mapping[str, Any], user_keys: Iterable[str]) -> None:
    """Check that a state dict has the attributes in `user_keys`, and is not past its own limit."""
    for key in user_keys:
        if key not in position:
            raise UsageError(
                f"Required user state attribute '{key}' is absent in provided state_dict with {list(position)}.",
                f"the keys {list(user_keys)}.",
                "remove it from engine.state_dict_user_keys, or add it to the state dict.",
            )
    for limit, counter in (("max_epochs", "epoch"), ("max_iters", "iteration")):
        check_limit(limit, position.get(limit), counter, position[counter])


def set_position(state: State, position: Mapping[str, Any], user_keys: Iterable[str]) -> None:
    """Set a state from a checked state dict; its other attributes stay as they are."""
    state.max_epochs, state.max_iters = position.get("max_epochs"), position.get("max_iters")
    for key in ("epoch_length", "iteration", "epoch", *user_keys):
        setattr(state, key, position[key])
