"""Maximum, minimum and logsumexp along axes, whose parameters are those of `sum`; and sorting along an axis."""

from __future__ import annotations

from typing import Any

import numpy as np

from dark.checks import boolean, one_of
from dark.nodes import Node, Operation, value_of
from dark.nodes.protocols import implements
from dark.operations.arrays.reduction_axes import EXPECTS, SAMPLES, broadcast_back, reduction_settings
from dark.operations.arrays.shapes import reshape
from dark.operations.axis_checks import ADVICE, input_shape, normalize_axis
from dark.operations.numeric import float16_in_float32, where
from dark.spellings.traps import check_pair, other_meaning
from dark.typing import ArrayLike, Axis


def distribute_to_extrema(dldy, y, x, axis, keepdims):
    """Split a gradient equally among the extrema; it is NaN where the extremum is."""
    shape, values = np.shape(x), value_of(x)
    is_extremum = values == broadcast_back(value_of(y), shape, axis, keepdims)
    extrema = np.add.reduce(is_extremum, axis=axis, keepdims=keepdims, dtype=getattr(values, "dtype", float))
    return (
        broadcast_back(dldy * where(extrema > 0, 1.0 / np.maximum(extrema, 1), np.nan), shape, axis, keepdims)
        * is_extremum
    )


class Max(Operation, trusted=True, elementwise=False):
    """Maximum along axes; ties split the gradient equally; NaN if an element is NaN."""

    _f = staticmethod(lambda x, axis, keepdims: np.maximum.reduce(x, axis=axis, keepdims=keepdims))
    _df = (distribute_to_extrema,)

    expects, advice, samples, kinks = EXPECTS + ", with at least one element", ADVICE, SAMPLES, "tie"


class Min(Operation, trusted=True, elementwise=False):
    """Minimum along axes; ties split the gradient equally; NaN if an element is NaN."""

    _f = staticmethod(lambda x, axis, keepdims: np.minimum.reduce(x, axis=axis, keepdims=keepdims))
    _df = (distribute_to_extrema,)

    expects, advice, samples, kinks = Max.expects, ADVICE, SAMPLES, "tie"


class LogSumExp(Operation, trusted=True, elementwise=False):
    """Logarithm of the sum of exponentials along axes; where all are -inf it is -inf, with derivative 0."""

    @staticmethod
    @float16_in_float32
    def _f(x, axis, keepdims):
        x = 1.0 * x if getattr(x, "dtype", np.dtype(float)).kind != "f" else x  # integers cannot hold -inf
        largest = np.max(x, axis=axis, keepdims=True, initial=-np.inf)
        largest = where(np.isfinite(largest), largest, 0.0)
        with np.errstate(divide="ignore", over="ignore"):  # log(0), and inf - inf
            y = np.log(np.sum(np.exp(x - largest), axis=axis, keepdims=keepdims))
        return y + np.reshape(largest, np.shape(y))

    @staticmethod
    def _vjp(dldy, y, x, axis, keepdims):
        infinite = value_of(y) == -np.inf
        if np.any(infinite):
            y = where(infinite, 0.0, y)
        shape = np.shape(x)
        return broadcast_back(dldy, shape, axis, keepdims) * np.exp(x - broadcast_back(y, shape, axis, keepdims))

    _df = (_vjp,)

    expects, advice, samples = EXPECTS, ADVICE, SAMPLES


@implements(np.max)
@implements(np.amax)
def max(x: ArrayLike, axis: Axis = None, keepdims: bool = False, **pytorch: Any) -> Node:
    """Compute the maximum along axes; ties split the gradient equally.

    Raises a `ShapeError` if an axis is empty.

    >>> max(np.array([[1.0, 5.0], [3.0, 2.0]]), axis=0).value
    array([3., 5.])
    """
    y = Max.apply(x, **reduction_settings("max", x, axis, keepdims, pytorch))
    if pytorch or (axis is not None and y.shape[:1] == (2,)):
        check_pair("max", y.shape, "dim" in pytorch)
    return y


@implements(np.min)
@implements(np.amin)
def min(x: ArrayLike, axis: Axis = None, keepdims: bool = False, **pytorch: Any) -> Node:
    """Compute the minimum along axes; ties split the gradient equally.

    Raises a `ShapeError` if an axis is empty.

    >>> min(np.array([[1.0, 5.0], [3.0, 2.0]]), axis=0).value
    array([1., 2.])
    """
    y = Min.apply(x, **reduction_settings("min", x, axis, keepdims, pytorch))
    if pytorch or (axis is not None and y.shape[:1] == (2,)):
        check_pair("min", y.shape, "dim" in pytorch)
    return y


def logsumexp(x: ArrayLike, axis: Axis = None, keepdims: bool = False, **pytorch: Any) -> Node:
    """Compute the logarithm of the sum of exponentials along axes: ``m + log(sum(exp(x - m)))``, with ``m = max(x)``.

    Of no elements, and where all are -inf, it is -inf, with derivative 0.

    >>> round(logsumexp(np.array([1000.0, 1000.0])).value - 1000, 6)
    0.693147
    """
    return LogSumExp.apply(x, **reduction_settings("logsumexp", x, axis, keepdims, pytorch))


class Sort(Operation, trusted=True, elementwise=False):
    """Elements in ascending order along an axis; each gets the gradient of its position in the result."""

    _f = staticmethod(lambda x, axis: np.sort(x, axis))

    @staticmethod
    def _vjp(dldy, y, x, axis):
        order = np.argsort(value_of(x), axis, kind="stable")
        return np.take_along_axis(dldy, np.argsort(order, axis), axis)

    _df = (_vjp,)

    expects, advice = "an axis of the array", ADVICE
    samples = (
        (((4,),), {"axis": 0}), (((2, 3),), {"axis": 1}), (((3, 2, 2),), {"axis": 0}), (((1,),), {"axis": 0}),
        (((0, 2),), {"axis": 0}), (((2, 0),), {"axis": 0}),
    )  # fmt: skip


@implements(np.sort)
def sort(
    x: ArrayLike, axis: int | None = -1, kind: str | None = None, *, stable: bool | None = None, **pytorch: Any
) -> Node:
    """Sort the elements along an axis in ascending order; NaN comes last.

    Each element gets the gradient of its position in the result. Equal elements keep their order: of a tie, the first
    element gets the gradient of the first position.

    Parameters
    ----------
    axis : int or None, default -1
        None flattens `x` first.
    kind, stable
        Accepted as in NumPy; the sort is stable in any case.

    Examples
    --------
    >>> sort(np.array([3.0, 1.0, 2.0])).value
    array([1., 2., 3.])
    """
    if pytorch:
        raise other_meaning(
            "sort", pytorch, "the sorted elements, upward; PyTorch returns a pair of values and indices.",
            "np.sort(x, axis=-1) for the values, np.argsort(x.value, axis=-1) for the indices; np.flip sorts downward.",
        )  # fmt: skip
    one_of(kind, "sort", "kind", (None, "quicksort", "mergesort", "heapsort", "stable"))
    if stable is not None:
        boolean(stable, "sort", "stable")
    x, axis = (reshape(x, -1), 0) if axis is None else (x, normalize_axis(axis, input_shape(x, "sort"), "sort"))
    y = Sort.apply(x, axis=axis)
    if y.shape[:1] == (2,):
        check_pair("sort", y.shape, is_pytorch=False)
    return y
