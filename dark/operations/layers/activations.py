"""Activation functions with an axis or a weight: softmax and log-softmax, parametric ReLU, the gated linear unit."""

from __future__ import annotations

from typing import Any

import numpy as np

from dark.errors import ShapeError
from dark.nodes import Node, Operation, value_of
from dark.nodes.values import shape_of
from dark.operations.arrays.shapes import reshape
from dark.operations.axis_checks import ADVICE, input_shape, normalize_axes, normalize_axis
from dark.operations.elementwise.activation_functions import Sigmoid
from dark.operations.numeric import at_least_float32, evaluate, float16_in_float32, where
from dark.spellings import LAST, axis_of
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

    expects, advice = "distinct axes of the array", ADVICE
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


class Prelu(Operation, trusted=True):
    """Leaky ReLU whose slope is an input; the derivative at 0 is the slope."""

    @staticmethod
    def _f(x, slope):
        if type(x) is type(slope) is float:
            return x if x > 0 else slope * x
        return np.where(x > 0, x, slope * x)[()]  # a number, not an array without axes

    _df = (
        lambda dldy, y, x, slope: where(value_of(x) > 0, dldy, dldy * slope),
        lambda dldy, y, x, slope: dldy * where(value_of(x) > 0, 0.0, x),
    )

    kinks = (0.0,)


def prelu(x: ArrayLike, weight: ArrayLike) -> Node:
    """Apply the parametric ReLU: `x` if positive, else ``weight * x``. The derivative at 0 is `weight`, as in PyTorch.

    The weight is one slope for all elements, shape () or (1,), or one for each channel, shape (c,) for x (n, c, ...).

    Reference: K. He, X. Zhang, S. Ren, J. Sun, "Delving deep into rectifiers", arXiv 1502.01852, 2015.

    >>> prelu(np.array([[-2.0, -2.0, 3.0]]), np.array([0.5, 0.1, 0.1])).value
    array([[-1. , -0.2,  3. ]])
    """
    shape, weights = shape_of(x), shape_of(weight)
    if weights == ():
        return Prelu.apply(x, weight)
    if weights != (1,) and weights != shape[1:2]:
        raise ShapeError(
            f"prelu: weight must be one number or one per channel of shape {shape}, got shape {weights}.",
            "one weight, or one for each channel: (c,) for (n, c, ...).",
            "print both shapes; the channels are axis 1.",
        )
    return Prelu.apply(x, reshape(weight, () if weights == (1,) else (-1, *(1,) * (len(shape) - 2))))


def halves(x, axis):
    """Return the first and the second half along an axis."""
    n, before = x.shape[axis] // 2, (slice(None),) * axis
    return x[(*before, slice(n))], x[(*before, slice(n, None))]


class Glu(Operation, trusted=True, elementwise=False):
    """The first half along an axis times the sigmoid of the second."""

    @staticmethod
    def _f(x, axis):
        a, b = halves(x, axis)
        return a * Sigmoid._f(b)

    @staticmethod
    def _vjp(dldy, y, x, axis):
        a, b = halves(x, axis)
        gate = evaluate(Sigmoid, b)
        g = dldy * gate
        return np.concatenate([g, g * a * (1.0 - gate)], axis=axis)

    _df = (_vjp,)

    expects, advice = "an axis of even length", "print the shape."
    samples: tuple = (
        (((2, 4),), {"axis": 1}), (((4,),), {"axis": 0}), (((2, 2, 3),), {"axis": 1}), (((0, 2),), {"axis": 1}),
        (((2, 0),), {"axis": 1}),
    )  # fmt: skip


def glu(x: ArrayLike, axis: int = LAST, **pytorch: Any) -> Node:
    """Apply the gated linear unit: ``a * sigmoid(b)``, of the halves a and b of `x` along an axis of even length.

    Reference: Y. Dauphin, A. Fan, M. Auli, D. Grangier, "Language modeling with gated convolutional networks", arXiv
    1612.08083, 2016.

    >>> glu(np.array([8.0, 6.0, 0.0, 100.0])).value
    array([4., 6.])
    """
    if pytorch:
        axis, _ = axis_of("glu", pytorch, axis)
    shape = input_shape(x, "glu")
    axis = normalize_axis(axis, shape, "glu")
    if shape[axis] % 2:
        raise ShapeError(
            f"glu: axis {axis} of shape {shape} must have an even length, got {shape[axis]}.",
            "an even length, to be halved.",
            "a layer before it with twice as many features as are needed after it.",
        )
    return Glu.apply(x, axis=axis)
