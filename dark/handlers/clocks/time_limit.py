"""Ending a training when its time is up."""

import logging
from numbers import Integral
from time import monotonic

from dark.errors import UsageError, ValueTypeError


class TimeLimit:
    """A handler that terminates a run when a number of seconds has passed since it was made.

    The clock starts here and not with the run, so that loading data counts.

    Parameters
    ----------
    limit_sec : int, default 28800
        Seconds, 1 or more; eight hours if not given.
    clock : callable, default time.monotonic
        Tells seconds.

    Raises
    ------
    ValueTypeError
        If it is no whole number.
    UsageError
        If it is below 1.

    Examples
    --------
    The clock here moves by 1 each time it is asked:

    >>> from itertools import count
    >>> from dark.engine import Engine, Events
    >>> trainer = Engine(lambda engine, batch: None)
    >>> handle = trainer.add_event_handler(Events.ITERATION_COMPLETED, TimeLimit(5, clock=count().__next__))
    >>> trainer.run(range(100)).iteration
    6
    """

    def __init__(self, limit_sec=28800, *, clock=monotonic):
        if not isinstance(limit_sec, Integral):
            raise ValueTypeError(
                f"Argument limit_sec should be an integer. Got {limit_sec!r}.", "whole seconds.", "TimeLimit(8 * 3600)"
            )
        if limit_sec <= 0:
            raise UsageError(
                f"Argument limit_sec should be a positive integer. Got {limit_sec}.", "1 or more.", "TimeLimit(3600)"
            )
        self.limit_sec = limit_sec
        self.logger = logging.getLogger(f"{__name__}.{type(self).__name__}")
        self._clock = clock
        self.start_time = clock()

    def __call__(self, engine):
        """Look at the clock."""
        if self._clock() - self.start_time > self.limit_sec:
            self.logger.info("The limit of %s seconds is reached: the run ends.", self.limit_sec)
            engine.terminate()
