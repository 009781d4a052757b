"""When a note takes everything, apart from its event: when NaN appears, and on a new best value."""

import math
from collections.abc import Callable
from typing import Any


class WhenNan:
    """A handler that calls a function when a NaN or infinity appears, and again after it had disappeared."""

    def __init__(self, function: Callable[[Any], None], is_nan: Callable[[], bool]) -> None:
        self._function, self._is_nan, self._before = function, is_nan, False

    def __call__(self, engine: Any) -> None:
        """Look whether there is one."""
        found = bool(self._is_nan())
        if found and not self._before:
            self._function(engine)
        self._before = found


class OnBest:
    """A handler that calls a function when a value is better than all before."""

    def __init__(self, function: Callable[[Any], None], value: Callable[[], float | None], better: str) -> None:
        self._function, self._value = function, value
        self._sign, self._best = (1 if better == "higher" else -1), -math.inf
        self.has_value = False

    def __call__(self, engine: Any) -> None:
        """Compare the value with the best one."""
        value = self._value()
        if value is None:
            return
        self.has_value = True
        if self._sign * value > self._best:
            self._best = self._sign * value
            self._function(engine)
