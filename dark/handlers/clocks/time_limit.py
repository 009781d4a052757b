"""Stop the run when a time limit is reached."""

from __future__ import annotations

import logging
from collections.abc import Callable
from time import monotonic
from typing import TYPE_CHECKING

from dark.checks import brief, is_integer
from dark.errors import UsageError, ValueTypeError

if TYPE_CHECKING:
    from dark.engine import Engine


class TimeLimit:
    """A handler that terminates a run when a number of seconds has passed since the handler was made.

    The time before the run counts, too, for example that of loading data. `limit_sec` is 1 or more, by default eight
    hours; `clock` returns seconds.

    Examples
    --------
    With a clock that advances by 1 at each call:

    >>> from itertools import count
    >>> from dark.engine import Engine, Events
    >>> trainer = Engine(lambda engine, batch: None)
    >>> handle = trainer.add_event_handler(Events.ITERATION_COMPLETED, TimeLimit(5, clock=count().__next__))
    >>> trainer.run(range(100)).iteration
    6
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
