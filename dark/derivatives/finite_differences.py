"""Central finite differences: the slope of a scalar function, the gradient by one input among several; the report."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from dark.checks import callable_with, number
from dark.nodes import Constant, no_grad, value_of


def slope(f: Callable[[float], Any], x: float, nudge: float = 1e-6) -> float:
    """Compute the derivative of a scalar function, of a number, by a central finite difference.

    The result is ``(f(x + nudge) - f(x - nudge)) / (2 * nudge)``, with a truncation error of order ``nudge ** 2``.

    >>> round(slope(lambda x: 2 * x**2 + 5, 10.0), 6)
    40.0
    """
    callable_with(f, "slope", "f", ("x",))
    number(x, "slope", "x", finite=False)
    number(nudge, "slope", "nudge", above=0)
    return float(value_of(f(x + nudge)) - value_of(f(x - nudge))) / (2 * nudge)


@dataclass(frozen=True)
class Probe:
    """Compares the gradient of a scalar function of nodes with finite differences, along its input `k` of `values`.

    The nudge is relative to the scale of each element.
    """

    f: object
    values: list
    k: int
    gradient: np.ndarray
    nudge: float

    @property
    def scales(self):
        """The magnitude of each element of the input, at least 1; steps are proportional to it."""
        return np.maximum(1.0, np.abs(self.values[self.k]))

    def with_input(self, x):
        """Return the inputs with `x` in place of the perturbed one."""
        return [*self.values[: self.k], x, *self.values[self.k + 1 :]]

    def slope(self, step, length):
        """Compute the central difference along a step."""
        x = self.values[self.k]
        above, below = [value_at(self.f, self.with_input(moved)) for moved in (x + step, x - step)]
        return (above - below) / (2 * length)

    def element(self, index):
        """Compare the derivative with respect to one element."""
        length = self.nudge * float(self.scales[index])
        step = np.zeros(self.scales.shape)
        step[index] = length
        return self._report(
            float(self.gradient[index]),
            self.slope(step[()], length),
            at=float(np.asarray(self.values[self.k])[index]),
            index=index,
        )

    def kink(self, index):
        """Return a note if the one-sided derivatives with respect to an element differ, else nothing."""
        x, length = self.values[self.k], self.nudge * float(self.scales[index])
        step = np.zeros(self.scales.shape)
        step[index] = length / 2
        left, right = [
            Probe(self.f, self.with_input(x + shift), self.k, self.gradient, 1).slope(step[()], length / 2)
            for shift in (-step[()], step[()])
        ]
        if abs(left - right) <= 0.01 * max(1.0, abs(left), abs(right)) or math.isnan(left - right):
            return ()
        return (f"the left derivative is {left:.6g}, the right one {right:.6g}: there may be a kink here",)

    def along(self, direction, number=None):
        """Compare the directional derivative, with a step that moves each element by about the nudge."""
        unit = direction / np.linalg.norm(direction)
        length = self.nudge * float(np.sqrt(np.mean(self.scales**2)))
        return self._report(
            float(np.sum(self.gradient * unit)), self.slope((unit * length)[()], length), at=math.nan, direction=number
        )

    def along_random_directions(self, count, rng, tolerance):
        """Compare along random directions; if one disagrees, search for a single element that does."""
        directions = [random_weights(rng, self.scales.shape) * self.scales for _ in range(count)]
        reports = [self.along(direction, number + 1) for number, direction in enumerate(directions)]
        worst = max(reports, key=lambda report: report.error)
        if worst.error <= tolerance:
            return worst
        element = self.element(self._bisect(directions[worst.direction - 1]))
        return element if element.error > tolerance else worst

    def _bisect(self, direction):
        """Halve a direction that disagrees, keeping the half that disagrees more; return the last index."""
        left = np.arange(direction.size)
        while left.size > 1:
            left = max(np.array_split(left, 2), key=lambda half: self.along(_restrict(direction, half)).error)
        return tuple(int(k) for k in np.unravel_index(left[0], direction.shape))

    def _report(self, gradient, measured, at, **where):
        error = abs(gradient - measured) / max(1.0, abs(measured))
        return GradientReport(False, self.k, at, gradient, measured, math.inf if math.isnan(error) else error, **where)


def _restrict(direction, positions):
    """Keep some elements of a direction, and set the others to 0."""
    part = np.zeros(direction.size)
    part[positions] = direction.reshape(-1)[positions]
    return part.reshape(direction.shape)


def random_weights(rng, shape):
    """Draw weights of both signs, bounded away from 0, so that every element counts."""
    return rng.uniform(0.5, 1.5, shape) * rng.choice([-1.0, 1.0], shape)


def value_at(f, xs):
    """Compute the value of a scalar function, without recording a graph."""
    with no_grad():
        return f(*[Constant(x) if is_differentiable(x) else x for x in xs]).item()


def is_differentiable(x):
    """Return whether an input is a float or a floating-point array."""
    return isinstance(x, float) or x.dtype.kind == "f"


@dataclass(frozen=True)
class GradientReport:
    """The result of `gradcheck`; true if the gradients agree with finite differences.

    Attributes
    ----------
    ok : bool
        Whether every error is within the tolerance.
    worst, index, at : int, tuple of int, float
        The input with the largest error, the index of its element, and the value there; () and NaN along a direction.
    gradient, slope, error : float
        The derivative there by `backward` and by finite differences; their absolute difference, relative to the slope
        where that is larger than 1.
    direction : int or None
        The number of the random direction with the largest error, from 1, if no single element is wrong.
    subject : str
        What was compared: "gradients" or "second derivatives".
    notes : tuple of str
        Conversions of the inputs, and possible causes of a difference.
    """

    ok: bool
    worst: int
    at: float
    gradient: float
    slope: float
    error: float
    index: tuple = ()
    direction: int | None = None
    subject: str = "gradients"
    notes: tuple = ()

    def __bool__(self) -> bool:
        return self.ok

    def __str__(self) -> str:
        if math.isnan(self.at) and self.direction is None and self.ok:
            return "\n".join([f"{self.subject} agree; the inputs are empty", *self.notes])
        where = f", index {list(self.index)}" if self.index else ""
        where += f" (value {self.at:.6g})" if self.direction is None else f", along random direction {self.direction}"
        found = (
            f"{self.subject} {'agree' if self.ok else 'differ'}; worst at input {self.worst}{where}: "
            f"backward gave {self.gradient:.9g}, finite differences {self.slope:.9g}, error {self.error:.2g}"
        )
        return "\n".join([found, *self.notes])
