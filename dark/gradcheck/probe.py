"""Measuring slopes: of a function of one number, and of one input among several, entry by entry or along directions."""

import math
from dataclasses import dataclass

import numpy as np

from dark.gradcheck.report import GradientReport
from dark.nodes import Constant, no_grad, value_of


def slope(f, x, nudge=1e-6):
    """Measure how steeply a function climbs, by nudging its input to both sides.

    Parameters
    ----------
    f : callable
        Takes a number and returns a number or a node.
    x : float
        Where to measure.
    nudge : float, default 1e-6
        How far to go to each side.

    Returns
    -------
    float
        ``(f(x + nudge) - f(x - nudge)) / (2 * nudge)``; its error shrinks with the square of the nudge.

    Examples
    --------
    >>> round(slope(lambda x: 2 * x**2 + 5, 10.0), 6)
    40.0
    """
    return float(value_of(f(x + nudge)) - value_of(f(x - nudge))) / (2 * nudge)


@dataclass(frozen=True)
class Probe:
    """Nudges one input of a function of one number, and compares with its gradient there."""

    f: object
    values: list
    k: int
    gradient: np.ndarray
    nudge: float

    @property
    def sizes(self):
        """How large each number of the input is, at least 1: nudges are in proportion."""
        return np.maximum(1.0, np.abs(self.values[self.k]))

    def slope(self, step, length):
        """Measure the slope along a step to both sides."""
        x = self.values[self.k]
        up, down = (
            value_at(self.f, [*self.values[: self.k], moved, *self.values[self.k + 1 :]])
            for moved in (x + step, x - step)
        )
        return (up - down) / (2 * length)

    def entry(self, index):
        """Compare one entry."""
        length = self.nudge * float(self.sizes[index])
        step = np.zeros(self.sizes.shape)
        step[index] = length
        return self._report(
            float(self.gradient[index]),
            self.slope(step[()], length),
            at=float(np.asarray(self.values[self.k])[index]),
            index=index,
        )

    def kink(self, index):
        """Say so if the function climbs differently to the two sides of an entry."""
        x, length = self.values[self.k], self.nudge * float(self.sizes[index])
        step = np.zeros(self.sizes.shape)
        step[index] = length / 2
        left, right = (
            Probe(
                self.f, [*self.values[: self.k], x + side, *self.values[self.k + 1 :]], self.k, self.gradient, 1
            ).slope(step[()], length / 2)
            for side in (-step[()], step[()])
        )
        if abs(left - right) <= 0.01 * max(1.0, abs(left), abs(right)) or math.isnan(left - right):
            return ()
        return (f"to the left the slope is {left:.6g}, to the right {right:.6g}: there may be a kink here",)

    def along(self, direction, number=None):
        """Compare along a direction, which is scaled so that its entries move by about the nudge together."""
        unit = direction / np.linalg.norm(direction)
        length = self.nudge * float(np.sqrt(np.mean(self.sizes**2)))
        return self._report(
            float(np.sum(self.gradient * unit)), self.slope((unit * length)[()], length), at=math.nan, direction=number
        )

    def directions(self, count, rng, tolerance):
        """Compare along random directions; name one entry where one is to blame."""
        ways = [draw_weights(rng, self.sizes.shape) * self.sizes for _ in range(count)]
        reports = [self.along(way, number + 1) for number, way in enumerate(ways)]
        worst = max(reports, key=lambda report: report.error)
        if worst.error <= tolerance:
            return worst
        entry = self.entry(self._culprit(ways[worst.direction - 1]))
        return entry if entry.error > tolerance else worst

    def _culprit(self, way):
        """Halve a direction that disagrees, and go on with the half that disagrees more, to the last entry."""
        left = np.arange(way.size)
        while left.size > 1:
            left = max(np.array_split(left, 2), key=lambda half: self.along(_only(way, half)).error)
        return tuple(int(k) for k in np.unravel_index(left[0], way.shape))

    def _report(self, gradient, measured, **place):
        error = abs(gradient - measured) / max(1.0, abs(measured))
        return GradientReport(
            False, self.k, place.pop("at"), gradient, measured, math.inf if math.isnan(error) else error, **place
        )


def _only(way, places):
    """Keep some entries of a direction, and set the others to 0."""
    kept = np.zeros(way.size)
    kept[places] = way.reshape(-1)[places]
    return kept.reshape(way.shape)


def draw_weights(rng, shape):
    """Draw numbers of both signs, none of them near 0, so that no entry is left out."""
    return rng.uniform(0.5, 1.5, shape) * rng.choice([-1.0, 1.0], shape)


def value_at(f, xs):
    """Compute the one number that a function gives, without recording a graph."""
    with no_grad():
        return f(*[Constant(x) if is_trained(x) else x for x in xs]).item()


def is_trained(x):
    """Say whether an input is nudged: integers and truth values are not."""
    return isinstance(x, float) or x.dtype.kind == "f"
