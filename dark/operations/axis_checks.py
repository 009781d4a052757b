"""Checks of arguments that are not inputs of the graph: axes, shapes, counts, numbers."""

import math

from dark.checks import describe, integer, integers
from dark.checks import number as checked_number
from dark.errors import ShapeError, ValueTypeError
from dark.nodes import Node
from dark.nodes.values import operand, shape_of
from dark.spellings import Default

INTEGERS = frozenset({int, Default})  # the types of most axes
ADVICE = "count the axes from 0, or from the right with -1."


def as_integers(values, who, name):
    """Return an integer, or an iterable of integers, as a tuple of Python integers.

    >>> as_integers(2, "tile", "reps"), as_integers([2, 3], "tile", "reps")
    ((2,), (2, 3))
    """
    if type(values) is tuple and all(type(n) is int for n in values):
        return values
    if isinstance(values, str) or not hasattr(values, "__iter__") or getattr(values, "shape", None) == ():
        values = (values,)
    return integers(tuple(values), who, name)


def number(x, who, name, nan=False):
    """Return a real number; infinity is allowed, a node and, unless `nan` is set, NaN are not.

    >>> number(0.2, "leaky_relu", "slope")
    0.2
    """
    if (type(x) is float or type(x) is int) and (nan or x == x):
        return x
    if isinstance(x, Node):
        raise ValueTypeError(
            f"{who}: {name} must be a number, got {describe(x)}.",
            "a number; no gradient is computed for it.",
            "float(x.value), or write the formula with where, if a gradient is needed.",
        )
    return math.nan if nan and getattr(x, "ndim", 0) == 0 and x != x else checked_number(x, who, name, finite=False)


def input_shape(x, who):
    """Return the shape of an input of an operation."""
    return x.shape if isinstance(x, Node) else shape_of(operand(x, who))


def normalize_axis(axis, shape, who, new=0):
    """Return an axis counted from the left, as a non-negative integer.

    >>> normalize_axis(-1, (4, 3, 2), "take")
    2
    """
    axis = axis if type(axis) in INTEGERS else integer(axis, who, "axis", advice="axis=0, or axis=-1 for the last one.")
    ndim = len(shape) + new
    if not -ndim <= axis < ndim:
        raise ShapeError(
            f"{who}: axis {axis} is out of bounds for shape {shape}" + (f" with {new} added." if new else "."),
            f"an axis from {-ndim} to {ndim - 1}." if ndim else "an array; a scalar has no axes.",
            ADVICE,
        )
    return axis % ndim


def normalize_axes(axis, shape, who, new=0):
    """Return one axis or several as a tuple of distinct non-negative integers.

    >>> normalize_axes((0, -1), (4, 3, 2), "flip")
    (0, 2)
    """
    if type(axis) in INTEGERS:
        return (normalize_axis(axis, shape, who, new),)
    axes = tuple([normalize_axis(k, shape, who, new) for k in as_integers(axis, who, "axis")])
    if len(set(axes)) < len(axes):
        raise ShapeError(f"{who}: duplicate axes in {axis}.", "each axis once.", "remove the duplicate.")
    return axes
