"""Reductions: sum and mean."""

from __future__ import annotations

from typing import Any

import numpy as np

from dark.nodes import Node, Operation
from dark.nodes.protocols import implements
from dark.nodes.values import shape_of
from dark.operations.arrays.reduction_axes import EXPECTS, SAMPLES, broadcast_back, reduced_size, reduction_settings
from dark.operations.axis_checks import ADVICE
from dark.operations.numeric import at_least_float32
from dark.typing import ArrayLike, Axis

FLOAT16_MAX = 65504


class Sum(Operation, trusted=True, elementwise=False):
    """Sum along axes."""

    _f = staticmethod(lambda x, axis, keepdims: np.add.reduce(x, axis=axis, keepdims=keepdims))
    _df = (lambda dldy, y, x, axis, keepdims: broadcast_back(dldy, shape_of(x), axis, keepdims),)

    expects, advice = EXPECTS, ADVICE
    samples = (*SAMPLES, (((0, 3),), {"axis": 0, "keepdims": False}))


class Mean(Operation, trusted=True, elementwise=False):
    """Mean along axes; NaN for zero elements, with NumPy's warning."""

    @staticmethod
    def _f(x, axis, keepdims):
        n = reduced_size(shape_of(x), axis)
        if n == 0 or getattr(x, "dtype", None) == np.float16:  # NumPy warns, or accumulates in float32
            return np.mean(x, axis=axis, keepdims=keepdims)
        return np.add.reduce(x, axis=axis, keepdims=keepdims) / n

    @staticmethod
    def _vjp(dldy, y, x, axis, keepdims):
        shape = shape_of(x)
        n = max(reduced_size(shape, axis), 1)
        if n > FLOAT16_MAX:
            dldy = at_least_float32(dldy)
        return broadcast_back(dldy / n, shape, axis, keepdims)

    _df = (_vjp,)

    expects, advice, samples = EXPECTS, ADVICE, SAMPLES


@implements(np.sum)
def sum(x: ArrayLike, axis: Axis = None, keepdims: bool = False, **pytorch: Any) -> Node:
    """Compute the sum along axes.

    Parameters
    ----------
    axis : int or tuple of int, optional
        By default all axes.
    keepdims : bool, default False
        Keep the reduced axes, with length 1.
    **pytorch
        `dim` and `keepdim`, PyTorch's names of the two.

    Examples
    --------
    >>> sum(np.ones((2, 3)), axis=0).value
    array([2., 2., 2.])
    """
    return Sum.apply(x, **reduction_settings("sum", x, axis, keepdims, pytorch))


@implements(np.mean)
def mean(x: ArrayLike, axis: Axis = None, keepdims: bool = False, **pytorch: Any) -> Node:
    """Compute the mean along axes. Parameters are those of `sum`.

    >>> mean(np.array([1.0, 2.0, 6.0])).value
    3.0
    """
    return Mean.apply(x, **reduction_settings("mean", x, axis, keepdims, pytorch))
