"""`Budget`: the time and memory that a monitor may take, and the records that it leaves out to keep to it."""

import warnings
from time import perf_counter

from dark.checks import number


class Budget:
    """Time and memory of a monitor.

    An observation that would exceed `milliseconds` per step of training, on average, at the cost of the last one, is
    skipped; a series that would exceed `megabytes` (of 10**6 bytes) is not recorded. `dropped` tells the reasons by
    name; "observations" are the skipped ones.
    """

    def __init__(self, milliseconds: float | None = None, megabytes: float | None = None) -> None:
        self.milliseconds = None if milliseconds is None else number(milliseconds, "Monitor", "budget_ms", least=0)
        self.megabytes = None if megabytes is None else number(megabytes, "Monitor", "budget_mb", least=0)
        self.dropped: dict[str, str] = {}
        self.size_bytes, self.elapsed_seconds, self.steps = 0, 0.0, 0
        self._claims: dict[str, int] = {}
        self._observations = self._skipped = 0
        self._last_seconds, self._spent_before = 0.0, 0.0
        self._has_warned = False

    def claim(self, name: str, size_bytes: int) -> bool:
        """Return whether there is memory for a series; if so, it belongs to that, else the series is dropped."""
        if name in self._claims:
            return True
        left = None if self.megabytes is None else self.megabytes - self.size_bytes / 1e6
        if left is not None and size_bytes / 1e6 > left:
            size = f"{size_bytes / 1e6:.4g} MB"
            self.drop(name, f"{size} more than budget_mb={self.megabytes:g} leaves ({left:.4g})")
            return False
        self._claims[name] = size_bytes
        self.size_bytes += size_bytes
        return True

    def drop(self, name: str, reason: str) -> None:
        """Report a series that is left out: in `dropped`, and the first time by a warning."""
        self.dropped[name] = reason
        if not self._has_warned:
            self._has_warned = True
            warnings.warn(
                f"Monitor: {name} is not recorded: {reason}. `monitor.dropped` lists all that is left out; further "
                "warnings are not shown.",
                UserWarning,
                stacklevel=2,
            )

    def has_time(self) -> bool:
        """Return whether an observation at the cost of the last one is within the budget."""
        expected = self.elapsed_seconds + self._last_seconds
        return self.milliseconds is None or expected <= self.milliseconds / 1000 * self.steps

    def count_observation(self, is_skipped: bool) -> None:
        """Count an observation; report it if it is skipped for lack of time."""
        self._observations += 1
        if is_skipped:
            self._skipped += 1
            skipped = f"{self._skipped} of {self._observations} skipped"
            self.drop("observations", f"{skipped}, to keep to budget_ms={self.milliseconds:g}")

    def spend(self, start: float, is_last: bool = False) -> None:
        """Count the time since a moment of `perf_counter`; after `is_last`, an observation may cost as much again."""
        self.elapsed_seconds += perf_counter() - start
        if is_last:
            self._last_seconds, self._spent_before = self.elapsed_seconds - self._spent_before, self.elapsed_seconds
