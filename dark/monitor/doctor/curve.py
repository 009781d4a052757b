"""`Curve`: a scalar series, with the values that the rules compare."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from dark.monitor.doctor.diagnosis import Evidence


@dataclass(frozen=True)
class Curve:
    """A scalar series: its name, steps and values, both of shape (notes,); noted as `unit` times the values."""

    name: str
    steps: np.ndarray
    values: np.ndarray
    unit: float = 1

    def __len__(self) -> int:
        return len(self.values)

    @cached_property
    def first_bad(self) -> int | None:
        """The step of the first value that is NaN or infinite; None if all are finite."""
        bad = np.flatnonzero(~np.isfinite(self.values))
        return int(self.steps[bad[0]]) if len(bad) else None

    def until(self, step: float) -> "Curve":
        """Return the part before a step."""
        keep = self.steps < step
        return replace(self, steps=self.steps[keep], values=self.values[keep])

    @property
    def finite(self) -> "Curve":
        """The part that is finite: a quotient may be undefined at times, such as an update over weights of zero."""
        keep = np.isfinite(self.values)
        return self if keep.all() else replace(self, steps=self.steps[keep], values=self.values[keep])

    @property
    def start(self) -> float:
        """The median of the first twentieth, at least the first two values."""
        return float(np.median(self.values[: max(2, len(self) // 20)]))

    @property
    def end(self) -> float:
        """The median of the last quarter, at least the last three values."""
        return float(np.median(self.values[-max(3, len(self) // 4) :]))

    @property
    def late(self) -> np.ndarray:
        """The last half, at least the last value."""
        return self.values[len(self) // 2 :]

    @property
    def low(self) -> float:
        """The minimum."""
        return float(self.values.min())

    @property
    def high(self) -> float:
        """The maximum."""
        return float(self.values.max())

    @property
    def gain(self) -> float:
        """The share of the start by which the curve has fallen at its end."""
        return (self.start - self.end) / max(abs(self.start), 1e-300)

    @property
    def noise(self) -> float:
        """The standard deviation of the values around their trend, by the differences of neighbors."""
        return float(np.median(np.abs(np.diff(self.values)))) * 1.05 if len(self) > 1 else 0.0  # 1 / (0.6745 sqrt(2))

    @property
    def is_signed(self) -> bool:
        """Whether the values lie on both sides of 0, so that shares of the first one mean little."""
        return self.low < 0 < self.high

    def at(self, k: int, text: str | None = None) -> Evidence:
        """Return a value as evidence, by its index."""
        value = float(self.values[k])
        value = value if self.unit == 1 else round(value * self.unit, 12)  # as it was noted
        return Evidence(self.name, int(self.steps[k]), value, text or f"{value:.4g}")

    def first(self, text: str | None = None) -> Evidence:
        """Return the first value as evidence."""
        return self.at(0, text)

    def last(self, text: str | None = None) -> Evidence:
        """Return the last value as evidence."""
        return self.at(-1, text)

    def lowest(self, text: str | None = None) -> Evidence:
        """Return the minimum as evidence."""
        return self.at(int(self.values.argmin()), text)

    def highest(self, text: str | None = None) -> Evidence:
        """Return the maximum as evidence."""
        return self.at(int(self.values.argmax()), text)


def entropy(p: float) -> float:
    """Return -p log(p) - (1 - p) log(1 - p): the least loss of a constant answer, if a class has the share p."""
    return float(-(p * np.log(p) + (1 - p) * np.log(1 - p)))
