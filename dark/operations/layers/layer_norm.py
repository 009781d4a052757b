"""Layer and root-mean-square normalization; and `standardize`, which all normalizations but the latter share.

On arrays the rules use what the forward pass saved; on nodes they use the composed form, `standardize` and
`standardize_vjp`.
"""

from __future__ import annotations

import math

import numpy as np

from dark.errors import ShapeError
from dark.nodes import Node, Operation
from dark.nodes.values import shape_of
from dark.operations.axis_checks import number
from dark.operations.numeric import at_least_float32, sum_rows
from dark.typing import ArrayLike


def standardize(x, axes, eps):
    """Return the input with mean 0 and variance 1 along axes, and the scale factor."""
    x = at_least_float32(x)
    d = x - mean(x, axes)
    scale = (mean(d * d, axes) + eps) ** -0.5
    return d * scale, scale


def standardize_vjp(g, z, scale, axes):
    """Compute the vector-Jacobian product of `standardize`."""
    return scale * (g - mean(g, axes) - z * mean(g * z, axes))


def mean(x, axes):
    """Return the mean along axes, which are kept; 0 of no elements."""
    return np.sum(x, axis=axes, keepdims=True) / max(1, math.prod([x.shape[axis] for axis in axes]))


def standardize_rows(x, eps):
    """Standardize the rows of a matrix of numbers: sums are products with ones, faster than `np.mean`.

    Return the result (n, m), and scale factor, mean and biased variance of each row.
    """
    x = at_least_float32(x)
    m = max(1, x.shape[1])
    mean = np.matmul(x, np.full(x.shape[1], 1 / m, x.dtype if x.dtype.kind == "f" else float))
    z = x - mean[:, None]
    var = np.vecdot(z, z) / m
    scale = 1 / np.sqrt(var + eps)
    return np.multiply(z, scale[:, None], out=z), scale, mean, var


def standardize_rows_vjp(g, z, scale):
    """Compute the vector-Jacobian product of `standardize_rows`, in the array `g`."""
    m = max(1, g.shape[1])
    g -= np.matmul(g, np.full(g.shape[1], 1 / m, g.dtype))[:, None]
    g -= z * (np.vecdot(g, z) / m)[:, None]
    g *= scale[:, None]
    return g


def narrowed(y, x, *others):
    """Return a result, which was computed in float32 if `x` is float16, in the dtype that all inputs have together."""
    return y.astype(np.result_type(x, *others)) if x.dtype.char == "e" else y


class LayerNorm(Operation, trusted=True, saves=True, elementwise=False):
    """Layer normalization over the last axes.

    The normalized rows and their scale factors are saved for the backward pass.
    """

    @staticmethod
    def _f(x, g, b, eps):
        shapes, n = (shape_of(x), shape_of(g), shape_of(b)), len(shape_of(g))
        if not n or shapes[1] != shapes[2] or shapes[0][len(shapes[0]) - n :] != shapes[1]:
            raise ShapeError(
                "layer_norm: shapes {}, {} and {} do not match.".format(*shapes), LayerNorm.expects, LayerNorm.advice
            )
        z, scale, _, _ = standardize_rows(x.reshape(-1, g.size) if g.size else x.reshape(0, 0), eps)
        y = z * g.reshape(-1)
        y = np.add(y, b.reshape(-1), out=y if y.dtype == np.result_type(y, b) else None)
        return narrowed(y, x, g, b).reshape(x.shape), (z, scale)

    @staticmethod
    def _input(dldy, y, x, g, b, eps, saved):
        if isinstance(x, Node):
            axes = tuple(range(-g.ndim, 0))
            z, scale = standardize(x, axes, eps)
            return standardize_vjp(dldy * g, z, scale, axes)
        z, scale = saved
        dldz = at_least_float32(dldy).reshape(z.shape) * g.reshape(-1)  # (n, m)
        return standardize_rows_vjp(dldz, z, scale).reshape(x.shape)

    @staticmethod
    def _weight(dldy, y, x, g, b, eps, saved):
        if isinstance(x, Node):
            z, _ = standardize(x, tuple(range(-g.ndim, 0)), eps)
            return np.sum(dldy * z, axis=tuple(range(x.ndim - g.ndim)))
        z, _ = saved
        return sum_rows(dldy.reshape(z.shape) * z).reshape(g.shape)

    @staticmethod
    def _bias(dldy, y, x, g, b, eps, saved):
        if isinstance(x, Node):
            return np.sum(dldy, axis=tuple(range(x.ndim - g.ndim)))
        return sum_rows(at_least_float32(dldy).reshape(-1, g.size) if g.size else dldy.reshape(0, 0)).reshape(g.shape)

    _df = (_input, _weight, _bias)

    function_name = "layer_norm"
    expects = "x of shape (..., *s), weight and bias of the same shape s"
    advice = "print the three shapes; x must end with the shape of weight."
    samples: tuple = (
        (((2, 3), (3,), (3,)), {"eps": 1e-5}), (((2, 4, 3), (3,), (3,)), {"eps": 0.1}),
        (((3,), (3,), (3,)), {"eps": 0.0}), (((3, 2, 2), (2, 2), (2, 2)), {"eps": 1e-5}),
        (((0, 3), (3,), (3,)), {"eps": 1e-5}), (((2, 1), (1,), (1,)), {"eps": 0.1}),
    )  # fmt: skip


def layer_norm(x: ArrayLike, weight: ArrayLike, bias: ArrayLike, eps: float = 1e-5) -> Node:
    """Apply layer normalization: ``(x - mean) / sqrt(var + eps) * weight + bias``.

    Reference: J. Ba, J. Kiros, G. Hinton, "Layer normalization", arXiv 1607.06450, 2016.

    Parameters
    ----------
    x : Node or array, shape (..., *s)
    weight, bias : Node or array, shape s
        Mean and variance are computed over the last axes, of shape s.
    eps : float, default 1e-5
        Added to the biased variance.

    Examples
    --------
    >>> layer_norm(np.array([[1.0, 3.0], [0.0, 20.0]]), np.ones(2), np.zeros(2), eps=0).value
    array([[-1.,  1.],
           [-1.,  1.]])
    """
    eps = eps if type(eps) is float and eps == eps else number(eps, "layer_norm", "eps")
    return LayerNorm.apply(x, weight, bias, eps=eps)


class RMSNorm(Operation, trusted=True, saves=True, elementwise=False):
    """Root-mean-square normalization over the last axes.

    The normalized rows and their scale factors are saved for the backward pass.
    """

    @staticmethod
    def _f(x, g, eps):
        shapes, n = (shape_of(x), shape_of(g)), len(shape_of(g))
        if not n or shapes[0][len(shapes[0]) - n :] != shapes[1]:
            raise ShapeError(
                "rms_norm: shapes {} and {} do not match.".format(*shapes), RMSNorm.expects, RMSNorm.advice
            )
        rows = at_least_float32(x).reshape(-1, g.size) if g.size else at_least_float32(x).reshape(0, 0)
        scale = (np.vecdot(rows, rows)[:, None] / max(1, g.size) + _eps(eps, rows)) ** -0.5
        z = rows * scale
        return narrowed(z * g.reshape(-1), x, g).reshape(x.shape), (z, scale)

    @staticmethod
    def _input(dldy, y, x, g, eps, saved):
        if isinstance(x, Node):
            x, axes = at_least_float32(x), tuple(range(-g.ndim, 0))
            scale = (mean(x * x, axes) + _eps(eps, x)) ** -0.5
            dldz, z = dldy * g, x * scale
            return scale * (dldz - z * mean(dldz * z, axes))
        z, scale = saved
        dldz = at_least_float32(dldy).reshape(z.shape) * g.reshape(-1)
        dldz -= z * (np.vecdot(dldz, z) / max(1, g.size))[:, None]
        dldz *= scale
        return dldz.reshape(x.shape)

    @staticmethod
    def _weight(dldy, y, x, g, eps, saved):
        if isinstance(x, Node):
            x, axes = at_least_float32(x), tuple(range(-g.ndim, 0))
            z = x * (mean(x * x, axes) + _eps(eps, x)) ** -0.5
            return np.sum(dldy * z, axis=tuple(range(x.ndim - g.ndim)))
        z, _ = saved
        return sum_rows(dldy.reshape(z.shape) * z).reshape(g.shape)

    _df = (_input, _weight)

    function_name = "rms_norm"
    expects = "x of shape (..., *s), and weight of shape s"
    advice = "print both shapes; x must end with the shape of weight."
    samples: tuple = (
        (((2, 3), (3,)), {"eps": None}), (((2, 4, 3), (3,)), {"eps": 0.1}), (((3,), (3,)), {"eps": 1e-3}),
        (((3, 2, 2), (2, 2)), {"eps": 1e-5}), (((0, 3), (3,)), {"eps": None}),
    )  # fmt: skip


def _eps(eps, x):
    """Return `eps`, or by default the machine epsilon of the dtype of the computation."""
    return float(np.finfo(x.dtype if x.dtype.kind == "f" else float).eps) if eps is None else eps


def rms_norm(x: ArrayLike, weight: ArrayLike, eps: float | None = None) -> Node:
    """Apply root-mean-square normalization: ``x / sqrt(mean(x**2) + eps) * weight``.

    Reference: B. Zhang, R. Sennrich, "Root mean square layer normalization", arXiv 1910.07467, 2019.

    Parameters
    ----------
    x : Node or array, shape (..., *s)
    weight : Node or array, shape s
        The mean is computed over the last axes, of shape s.
    eps : float, optional
        By default the machine epsilon of the dtype of `x`, that of float32 for float16.

    Examples
    --------
    >>> rms_norm(np.array([[3.0, 4.0], [0.0, 20.0]]), np.ones(2), eps=0).value.round(3)
    array([[0.849, 1.131],
           [0.   , 1.414]])
    """
    return RMSNorm.apply(x, weight, eps=None if eps is None else number(eps, "rms_norm", "eps"))
