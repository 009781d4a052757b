"""A timer that events of an engine start, pause and resume."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import TYPE_CHECKING, Any

from dark.checks import check_engine
from dark.engine import Events

if TYPE_CHECKING:
    from dark.engine import Engine


class Timer:
    """A timer, which runs from its construction on; `clock` returns seconds.

    Parameters
    ----------
    average : bool, default False
        Return from `value` the average time per call of `step`, not the total time.

    Attributes
    ----------
    total : float
        Seconds measured up to the last pause.
    step_count : int
        The number of calls of `step`.

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
