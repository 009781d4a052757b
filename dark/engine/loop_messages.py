"""The messages of the loop: its errors, its warning and its log lines."""

from __future__ import annotations

import warnings
from logging import Logger
from typing import TYPE_CHECKING

from dark.errors import EngineError, UsageError

if TYPE_CHECKING:
    from dark.engine.events.state import State


def running() -> UsageError:
    """Return the error for a run of an engine that is running."""
    return UsageError(
        "run: an engine that is running cannot be run again.",
        "one run at a time.",
        "another engine for a run inside a handler.",
    )


def explained(error: BaseException) -> BaseException:
    """Return an error as it is, but for a StopIteration that is not the end of the data an `EngineError`."""
    if type(error) is RuntimeError and isinstance(error.__cause__, StopIteration):  # raised by a generator
        error = error.__cause__
    if not isinstance(error, StopIteration):
        return error
    stopped = EngineError(
        "The process function, a handler or a generator must not raise StopIteration.",
        "StopIteration only from the data, at its end.",
        "next(iterator, None) where an iterator may be at its end.",
    )
    stopped.__cause__ = error
    return stopped


def log_start(logger: Logger, state: State) -> None:
    """Log the start of a run, and its limit."""
    start = "starting" if not state.iteration else f"resuming from epoch {state.epoch}, iteration {state.iteration}"
    limit = "max_epochs" if state.max_iters is None else "max_iters"
    logger.info("Engine run %s with %s=%s.", start, limit, getattr(state, limit))


def warn_no_data(state: State, done: int) -> None:
    """Warn that the data yielded nothing when it was iterated over again."""
    wanted = state.max_iters if state.max_epochs is None else (state.epoch_length or 0) * state.max_epochs
    warnings.warn(
        "Data iterator can not provide data anymore but required total number of iterations to run is not "
        f"reached. Current iteration: {state.iteration} vs Total iterations to run : {wanted}. "
        f"Epoch {state.epoch} ends after {done} of {state.epoch_length} iterations: provide data that can be "
        "iterated over again, such as a list or a loader, or assign a new iterator to state.dataloader at "
        "DATALOADER_STOP_ITERATION.",
        UserWarning,
        stacklevel=9,
    )


def too_early() -> EngineError:
    """Return the error for `terminate_epoch` before there is an epoch to end."""
    return EngineError(
        "The method terminate_epoch() should not be called on Event.STARTED or Event.EPOCH_STARTED.",
        "a call during an iteration.",
        "terminate(), to end the run.",
    )


def epoch_lost() -> EngineError:
    """Return the error for `load_state_dict` when an epoch has started, which would continue at another position."""
    return EngineError(
        "A handler of EPOCH_STARTED must not load a state: this epoch would start at another position.",
        "load_state_dict before a run, or in a handler of STARTED.",
        "engine.terminate() in the handler, and engine.load_state_dict(…) after the run.",
    )


def check_interrupt(is_enabled: bool) -> None:
    """Raise an error if an engine may not be interrupted."""
    if not is_enabled:
        raise EngineError(
            "Engine 'interrupt/resume' feature is disabled.",
            "interrupt_resume_enabled to be True.",
            "Engine.interrupt_resume_enabled = True",
        )
