"""A timer that events of an engine start, pause and resume; and a handler that stops a run at a time limit."""

from __future__ import annotations

import logging
from collections.abc import Callable
from time import monotonic, perf_counter
from typing import TYPE_CHECKING, Any

from dark.checks import brief, check_engine, is_integer
from dark.engine import Events
from dark.errors import UsageError, ValueTypeError

if TYPE_CHECKING:
    from dark.engine import Engine


class Timer:
    """A timer, which runs from its construction on; `clock` returns seconds.

    `value` returns the total time, or with `average` the time per call of `step`; `total` has the seconds up to the
    last pause, `step_count` the number of steps.

    Examples
    --------
    The time per batch, without the time between batches, with a clock that advances by 1 at each call:

    >>> from itertools import count
    >>> from dark.engine import Engine
    >>> timer, trainer = Timer(average=True, clock=count().__next__), Engine(lambda engine, batch: None)
    >>> done = Events.ITERATION_COMPLETED
    >>> timer = timer.attach(trainer, pause=done, resume=Events.ITERATION_STARTED, step=done)
    >>> state = trainer.run([1, 2, 3, 4])
    >>> timer.value(), timer.step_count, timer.running
    (1.0, 4, False)
    """

    def __init__(self, average: bool = False, *, clock: Callable[[], float] = perf_counter) -> None:
        self._average = average
        self._clock = clock
        self.reset()

    def attach(
        self, engine: Engine, start: Any = Events.STARTED, pause: Any = Events.COMPLETED, resume: Any = None,
        step: Any = None,
    ) -> Timer:  # fmt: skip
        """Call `reset`, `pause`, `resume` and `step` at events of an engine, `reset` at `start`; return this timer."""
        check_engine(self, engine)
        wanted = (start, self.reset), (pause, self.pause), (resume, self.resume), (step, self.step)
        for event, method in wanted:
            if event is not None:
                engine.add_event_handler(event, method)
        return self

    def reset(self) -> Timer:
        """Reset the timer to 0 and start it; return it."""
        self.total, self.step_count, self.running = 0.0, 0, True
        self._started = self._clock()
        return self

    def pause(self) -> None:
        """Pause the timer."""
        if self.running:
            self.total += self._clock() - self._started
            self.running = False

    def resume(self) -> None:
        """Resume the timer."""
        if not self.running:
            self.running = True
            self._started = self._clock()

    def value(self) -> float:
        """Return the measured seconds: in total, or per step."""
        seconds = self.total + (self._clock() - self._started if self.running else 0.0)
        return seconds / max(self.step_count, 1) if self._average else seconds

    def step(self) -> None:
        """Count one step for the average."""
        self.step_count += 1


class TimeLimit:
    """A handler that terminates a run when a number of seconds has passed since the handler was made.

    The time before the run counts, too, for example that of loading data. `limit_sec` is 1 or more, by default eight
    hours; `clock` returns seconds.
    """

    def __init__(self, limit_sec: int = 28800, *, clock: Callable[[], float] = monotonic) -> None:
        if not is_integer(limit_sec):
            raise ValueTypeError(
                f"Argument limit_sec should be an integer. Got {brief(limit_sec)}.",
                "seconds, 1 or more.",
                "TimeLimit(8 * 3600)",
            )
        if limit_sec <= 0:
            raise UsageError(
                f"Argument limit_sec should be a positive integer. Got {limit_sec}.", "1 or more.", "TimeLimit(3600)"
            )
        self.limit_sec = limit_sec
        self.logger = logging.getLogger(f"{__name__}.{type(self).__name__}")
        self._clock = clock
        self.start_time = clock()

    def __call__(self, engine: Engine) -> None:
        """Check the time."""
        if self._clock() - self.start_time > self.limit_sec:
            self.logger.info("The limit of %s seconds is reached: the run is terminated.", self.limit_sec)
            engine.terminate()
