"""Comparing gradients with what nudging the inputs shows."""

import math
from dataclasses import dataclass

from dark.errors import UsageError
from dark.nodes import Node, Parameter, no_grad, value_of


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
class GradientReport:
    """What `gradcheck` found; true if every gradient agrees.

    Attributes
    ----------
    ok : bool
        Whether every entry is within the tolerance.
    worst : int
        Which input disagrees most, counted from 0.
    at : float
        The value of that input.
    gradient, slope : float
        What `backward` gave there, and what nudging measured.
    error : float
        Their distance, relative where the slope is larger than 1.
    """

    ok: bool
    worst: int
    at: float
    gradient: float
    slope: float
    error: float

    def __bool__(self):
        return self.ok

    def __str__(self):
        verdict = "gradients agree" if self.ok else "gradients differ"
        return (
            f"{verdict}; worst at input {self.worst} (value {self.at:.6g}): "
            f"backward gave {self.gradient:.9g}, nudging measured {self.slope:.9g}, error {self.error:.2g}"
        )


def gradcheck(f, *xs, nudge=1e-5, tolerance=1e-6):
    """Compare the gradient of a function with central differences, input by input.

    Parameters
    ----------
    f : callable
        Takes one node for each of `xs` and returns a node.
    *xs : float or Node
        Where to compare. Choose points away from kinks, where a slope is no single number.
    nudge : float, default 1e-5
        How far to go to each side, for an input of size 1; larger inputs are nudged in proportion.
    tolerance : float, default 1e-6
        The largest error that still agrees.

    Returns
    -------
    GradientReport
        True or false as a condition; prints the worst entry.

    Raises
    ------
    UsageError
        If there is no input, or `f` does not return a node.

    Examples
    --------
    >>> import dark
    >>> bool(gradcheck(lambda a, b: a * dark.exp(b), 2.0, 0.5))
    True
    """
    if not xs:
        raise UsageError("gradcheck: no input to nudge.", "gradcheck(f, x, ...).", "give one number an input of f.")
    xs = [float(value_of(x)) for x in xs]
    entries = []
    for k, gradient in enumerate(_gradients(f, xs)):
        measured = slope(lambda v: _value(f, xs[:k] + [v] + xs[k + 1 :]), xs[k], nudge * max(1.0, abs(xs[k])))
        entries.append((_error(gradient, measured), k, xs[k], gradient, measured))
    error, worst, at, gradient, measured = max(entries)
    return GradientReport(error <= tolerance, worst, at, gradient, measured, error)


def _gradients(f, xs):
    parameters = [Parameter(x) for x in xs]
    y = f(*parameters)
    if not isinstance(y, Node):
        raise UsageError(
            f"gradcheck: the function returned {y!r} ({type(y).__name__}).",
            "a node, computed from its inputs.",
            "use the functions of dark or arithmetic signs inside it.",
        )
    if y.requires_grad:
        y.backward()
    return [0.0 if p.grad is None else float(p.grad) for p in parameters]


def _value(f, xs):
    with no_grad():
        return value_of(f(*map(Parameter, xs)))


def _error(gradient, measured):
    error = abs(gradient - measured) / max(1.0, abs(measured))
    return math.inf if math.isnan(error) else error
