"""Checks of what is handed to an operation beside its inputs: axes, shapes, counts."""

import operator
from numbers import Real

from dark.errors import ShapeError, ValueTypeError
from dark.nodes.values import describe


def whole(n, who, what):
    """Return an integer of any make as Python's own.

    Raises
    ------
    ValueTypeError
        For anything else, also for a float that happens to be whole.

    Examples
    --------
    >>> whole(2, "split", "parts")
    2
    """
    try:
        return operator.index(n)
    except TypeError:
        raise ValueTypeError(
            f"{who}: {what} must be integers, not {describe(n)}.", "an integer, such as 0 or -1.", "int(...), or //."
        ) from None


def wholes(numbers, who, what):
    """Return one integer, or a sequence of them, as a tuple of Python's own.

    Examples
    --------
    >>> wholes(2, "tile", "reps"), wholes([2, 3], "tile", "reps")
    ((2,), (2, 3))
    """
    if isinstance(numbers, str) or not hasattr(numbers, "__iter__") or getattr(numbers, "shape", None) == ():
        numbers = (numbers,)
    return tuple([whole(n, who, what) for n in numbers])


def number(x, who, what):
    """Return one real number as it is, after making sure of one: a node would lose its gradient.

    Raises
    ------
    ValueTypeError
        For anything else.

    Examples
    --------
    >>> number(0.2, "leaky_relu", "slope")
    0.2
    """
    if type(x) is float or isinstance(x, Real):
        return x
    raise ValueTypeError(
        f"{who}: {what} is {describe(x)}.",
        "one number; it takes no gradient.",
        "float(x.value) of a node, or the formula with where, if a gradient is wanted.",
    )


def one_axis(axis, shape, who, new=0):
    """Count an axis from the left, after making sure that the shape, with so many new axes, has it.

    Raises
    ------
    ValueTypeError
        If it is no integer.
    ShapeError
        If the array has no such axis.

    Examples
    --------
    >>> one_axis(-1, (4, 3, 2), "take")
    2
    """
    axis, ndim = whole(axis, who, "axes"), len(shape) + new
    if not -ndim <= axis < ndim:
        raise ShapeError(
            f"{who}: there is no axis {axis} in shape {shape}" + (f" with {new} more." if new else "."),
            f"an axis from {-ndim} to {ndim - 1}." if ndim else "an array; a number has no axes.",
            "count the axes from 0, or from the right with -1.",
        )
    return axis % ndim


def some_axes(axis, shape, who, new=0):
    """Count one axis or several from the left; each may be named once.

    Examples
    --------
    >>> some_axes((0, -1), (4, 3, 2), "flip")
    (0, 2)
    """
    axes = tuple([one_axis(k, shape, who, new) for k in wholes(axis, who, "axes")])
    if len(set(axes)) < len(axes):
        raise ShapeError(f"{who}: axes {axis} name one axis twice.", "each axis once.", "leave one of them out.")
    return axes
