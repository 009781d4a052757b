"""Softmax and log-softmax, without overflow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from dark.nodes import Node, Operation
from dark.operations.axis_checks import input_shape, normalize_axes
from dark.operations.numeric import at_least_float32, float16_in_float32
from dark.spellings import LAST, axis_of

if TYPE_CHECKING:
    from dark.typing import ArrayLike, Axis


def shifted(x, axis):
    """Subtract the maximum along the axes, so that exponentials are at most 1; an infinite one is not subtracted."""
    if not np.size(x):
        return x
    largest = np.max(x, axis=axis, keepdims=True)
    return x - np.where(np.isfinite(largest), largest, 0.0)


class Softmax(Operation, trusted=True, elementwise=False):
    """Softmax along axes."""

    @staticmethod
    @float16_in_float32
    def _f(x, axis):
        e = np.exp(shifted(x, axis))
        e /= np.sum(e, axis=axis, keepdims=True)
        return e

    _df = (lambda dldy, y, x, axis: y * (dldy - np.sum(dldy * y, axis=axis, keepdims=True)),)

    expects = "distinct axes of the array"
    advice = "count the axes from 0, or from the right with -1."
    samples = (
        (((2, 3),), {"axis": -1}), (((2, 3),), {"axis": 0}), (((2, 3),), {"axis": None}), (((4,),), {"axis": 0}),
        (((2, 3, 2),), {"axis": (0, -1)}), (((1, 3),), {"axis": 0}), (((),), {"axis": None}), (((0, 3),), {"axis": 0}),
    )  # fmt: skip


class LogSoftmax(Operation, trusted=True, elementwise=False):
    """Logarithm of the softmax along axes."""

    @staticmethod
    @float16_in_float32
    def _f(x, axis):
        d = shifted(x, axis)
        with np.errstate(divide="ignore"):  # the log of an empty sum
            return d - np.log(np.sum(np.exp(d), axis=axis, keepdims=True))

    _df = (lambda dldy, y, x, axis: dldy - np.exp(y) * np.sum(at_least_float32(dldy), axis=axis, keepdims=True),)

    function_name = "log_softmax"
    expects, advice, samples = Softmax.expects, Softmax.advice, Softmax.samples


def softmax(x: ArrayLike, axis: Axis = LAST, **pytorch: Any) -> Node:
    """Apply softmax along axes: ``exp(x) / sum(exp(x))``; results are positive and sum to 1.

    Parameters
    ----------
    x : Node, float or array
        -inf gives 0. Where all are -inf, or one is inf, the result is NaN.
    axis : int, tuple of int or None, default -1
        None for all axes.
    **pytorch
        `dim`, PyTorch's name of the axis.

    Examples
    --------
    >>> softmax(np.array([1000.0, 1000.0, -np.inf])).value
    array([0.5, 0.5, 0. ])
    """
    if pytorch:
        axis, _ = axis_of("softmax", pytorch, axis)
    shape = input_shape(x, "softmax")
    return Softmax.apply(x, axis=None if axis is None else normalize_axes(axis, shape, "softmax"))


def log_softmax(x: ArrayLike, axis: Axis = LAST, **pytorch: Any) -> Node:
    """Apply the logarithm of `softmax` along axes: ``x - log(sum(exp(x)))``; finite where softmax underflows.

    >>> log_softmax(np.array([1000.0, 0.0])).value
    array([    0., -1000.])
    """
    if pytorch:
        axis, _ = axis_of("log_softmax", pytorch, axis)
    shape = input_shape(x, "log_softmax")
    return LogSoftmax.apply(x, axis=None if axis is None else normalize_axes(axis, shape, "log_softmax"))
