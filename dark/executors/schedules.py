"""Schedules: weights that depend on the step, and print what they are."""

import math
from dataclasses import dataclass

from dark.checks import integer, number


@dataclass(frozen=True, repr=False)
class Schedule:
    """A function of the step, from `start` at step 0 to `end` from `steps` on; made by `linear`, `cosine` and `constant`."""

    name: str
    start: float
    end: float
    steps: int

    def __call__(self, step: int) -> float:
        """Return the value at a step, counted from 0."""
        if step >= self.steps:
            return self.end
        part = max(step, 0) / self.steps
        if self.name == "cosine":
            part = (1 - math.cos(math.pi * part)) / 2
        return self.start + (self.end - self.start) * part

    def __repr__(self) -> str:
        if self.name == "constant":
            return f"constant({self.end:.6g})"
        return f"{self.name}({self.start:.6g}, {self.end:.6g}, steps={self.steps})"


def linear(start: float, end: float, steps: int) -> Schedule:
    """Return a weight that changes linearly from `start` at step 0 to `end` at step `steps`, and stays there.

    Examples
    --------
    >>> ramp = linear(0, 1, steps=100)
    >>> ramp, ramp(0), ramp(25), ramp(1000)
    (linear(0, 1, steps=100), 0.0, 0.25, 1.0)
    """
    return _schedule("linear", start, end, steps)


def cosine(start: float, end: float, steps: int) -> Schedule:
    """Return a weight that changes from `start` to `end` as half a wave of a cosine, and stays there.

    ``start + (end - start) * (1 - cos(pi * step / steps)) / 2``

    References
    ----------
    Loshchilov, Hutter, SGDR: Stochastic Gradient Descent with Warm Restarts, 2017, equation 5.

    Examples
    --------
    >>> fade = cosine(1, 0, steps=100)
    >>> fade, fade(0), round(fade(50), 12), fade(100)
    (cosine(1, 0, steps=100), 1.0, 0.5, 0.0)
    """
    return _schedule("cosine", start, end, steps)


def constant(value: float) -> Schedule:
    """Return a weight that is the same at every step.

    Examples
    --------
    >>> constant(10), constant(10)(3)
    (constant(10), 10.0)
    """
    value = number(value, "constant", "value")
    return Schedule("constant", value, value, 0)


def _schedule(name, start, end, steps):
    start, end = number(start, name, "start"), number(end, name, "end")
    return Schedule(name, start, end, integer(steps, name, "steps", 1))
