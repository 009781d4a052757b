"""The arguments of `run`: what a call means for the state, a new run or one that continues, checked first."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from math import ceil
from typing import TYPE_CHECKING, Any

from dark.checks import brief, integer
from dark.errors import UsageError, ValueTypeError

if TYPE_CHECKING:
    from dark.engine.events.state import State
    from dark.engine.run import Run


def is_done(state: State, resume_position: Sequence[Any] | None = None) -> bool:
    """Return whether a state has reached its limit of epochs or of iterations."""
    return has_reached(state, state.max_epochs, state.max_iters, resume_position)


def has_reached(
    state: State, max_epochs: int | None, max_iters: int | None, resume_position: Sequence[Any] | None = None
) -> bool:
    """Return whether a state has reached one of two limits; None means unlimited."""
    if max_epochs is not None and state.epoch >= max_epochs:
        return True
    if is_at_epoch_end(resume_position, state.epoch_length):
        return False
    if max_iters is not None and state.iteration >= max_iters:
        return True
    length = state.epoch_length
    return max_epochs is not None and length is not None and state.iteration >= length * max_epochs


def is_at_epoch_end(resume_position: Sequence[Any] | None, epoch_length: int | None) -> bool:
    """Return whether a resume position (see `resume_position_of`) has only the end of its epoch left."""
    return resume_position is not None and (len(resume_position) == 3 or resume_position[1] == epoch_length)


def length_of(data: Any) -> int | None:
    """Return the number of batches, or None if the data has no length."""
    try:
        return len(data)
    except TypeError:
        return None


def check_limit(name: str, value: int | None, counter: str, reached: int) -> None:
    """Check a limit of a run, and that the counter that it limits has not passed it."""
    if value is None:
        return
    integer(value, "run", f"argument {name}")
    if value < 1:
        raise UsageError(
            f"Argument {name} is invalid. Please, set a correct {name} positive value: got {value}.",
            "1 or more.",
            f"skip the run where {name} may be 0.",
        )
    if value < reached:
        raise UsageError(
            f"Argument {name} should be greater than or equal to the start {counter} defined in the state: "
            f"{value} vs {reached}. Please, set engine.state.{name} = None "
            "before calling engine.run() in order to restart the training from the beginning.",
            f"{reached} or more, to continue.",
            f"engine.state.{name} = None, to start over.",
        )


def check_data(data: object) -> None:
    """Check that data is iterable."""
    if not isinstance(data, Iterable):
        raise ValueTypeError(
            f"Argument data should be iterable, got {brief(data)}.",
            "a loader, a list, a generator; in run, also None with an epoch_length.",
            "call the function that makes it.",
        )


def check_arguments(
    state: State, data: object, max_epochs: int | None, max_iters: int | None, epoch_length: int | None
) -> None:
    """Check the arguments of `run` against each other and against the state."""
    if data is not None:
        check_data(data)
    if max_epochs is not None and max_iters is not None:
        raise UsageError(
            "Arguments max_iters and max_epochs are mutually exclusive."
            f" Please provide only max_epochs or max_iters. Got {max_epochs} and {max_iters}.",
            "one limit.",
            "max_epochs alone; an epoch has epoch_length iterations.",
        )
    limits = (
        ("max_epochs", max_epochs, "epoch", "max_iters", state.max_iters is not None),
        ("max_iters", max_iters, "iteration", "max_epochs", state.max_epochs is not None and state.max_iters is None),
    )
    for name, value, counter, other, switches in limits:
        if value is not None and switches:
            raise UsageError(
                f"To switch from {other} to {name} mode during resume, you must first reset "
                f"by setting 'engine.state.{other} = None' before calling run().",
                f"{other}, as in the run that would continue.",
                f"engine.state.{other} = None, to start over.",
            )
        check_limit(name, value, counter, 0 if getattr(state, name) is None else getattr(state, counter))
    if epoch_length is not None:
        integer(epoch_length, "run", "argument epoch_length", advice="len(data)")


def start(
    state: State, run: Run, data: object, max_epochs: int | None, max_iters: int | None, epoch_length: int | None
) -> bool:
    """Set a state for a call of `Engine.run` with these arguments; return whether a new run starts."""
    given = (max_epochs, max_iters)
    if state.max_iters is None and run.found_epochs is not None and state.max_epochs == run.found_epochs:
        state.max_epochs = None  # it only followed from max_iters, which was reset
    check_arguments(state, data, max_epochs, max_iters, epoch_length)
    limits = (state.max_epochs, state.max_iters) if given == (None, None) else given
    has_limit = state.max_epochs is not None or state.max_iters is not None
    is_new = not has_limit or (run.paused is None and has_reached(state, *limits, run.resume_position))
    length, found = (_length if is_new else _same_length)(state, run, data, epoch_length)
    if length is None and data is None and (is_new or state.dataloader is None):
        raise UsageError(
            "epoch_length should be provided if data is None.",
            "the number of iterations per epoch.",
            "run(epoch_length=100), or run(data).",
        )
    if is_new:
        state.iteration = state.epoch = 0
        limits = (1, None) if given == (None, None) else given
    state.max_epochs, state.max_iters = limits
    state.epoch_length, run.found_length, run.found_epochs = length, found, None
    return is_new


def find_length(state: State, run: Run, done: int) -> None:
    """Set the length of the epochs, which end where the data does, and the number of epochs up to `max_iters`."""
    state.epoch_length = run.found_length = done
    if state.max_iters is not None:
        state.max_epochs = run.found_epochs = ceil(state.max_iters / done) if done else 1


def _length(state: State, run: Run, data: object, epoch_length: int | None) -> tuple[int | None, int | None]:
    """Return the epoch length of a new run, and the length that was found from the data."""
    of_data = None if data is None else length_of(data)
    before = state.epoch_length
    if data is not None and before == run.found_length:
        before = None  # it was the length of other data
    found = of_data if epoch_length is None else None
    for length in (epoch_length, of_data, before):
        if length is not None:
            if length < 1:
                raise UsageError(
                    f"Input data has zero size. Please provide non-empty data: epochs would have {length} iterations.",
                    "at least one batch per epoch.",
                    "print(len(data)), to find where the data was lost.",
                )
            return length, found
    return None, None


def _same_length(state: State, run: Run, data: object, epoch_length: int | None) -> tuple[int | None, int | None]:
    """Return the epoch length of a run that continues, and the length that was found from data."""
    length, found = state.epoch_length, run.found_length
    if length is None:
        return _length(state, run, data, epoch_length)
    if epoch_length not in (None, length):
        raise UsageError(
            f"Argument epoch_length should be same as in the state, but given {epoch_length} vs {length}.",
            f"{length}, or no epoch_length.",
            "engine.state.max_epochs = None (or max_iters), to start over.",
        )
    of_data = None if data is None or epoch_length is not None else length_of(data)
    if run.paused is None and length == found and of_data not in (None, length):
        warnings.warn(
            f"The run continues with epochs of {length} iterations, the length of the previous data; this data has "
            f"{of_data}. Pass epoch_length={length} if that is intended, or set engine.state.max_epochs = None to "
            "start over.",
            UserWarning,
            stacklevel=4,
        )
    return length, found if epoch_length is None else None
