"""Batch and group normalization; with one channel in each group it is instance normalization."""

from __future__ import annotations

import math

import numpy as np

from dark.checks import integer
from dark.errors import ShapeError
from dark.nodes import Node, Operation
from dark.nodes.values import shape_of
from dark.operations.axis_checks import input_shape, number
from dark.operations.layers.layer_norm import (
    narrowed,
    standardize,
    standardize_rows,
    standardize_rows_vjp,
    standardize_vjp,
)
from dark.operations.numeric import at_least_float32, sum_rows
from dark.typing import ArrayLike


class BatchNorm(Operation, trusted=True, saves=True, elementwise=False):
    """Batch normalization over all axes but the channels: axis 1.

    What is saved for the backward pass holds mean and variance of each channel, too.
    """

    @staticmethod
    def _f(x, g, b, eps):
        shapes = shape_of(x), shape_of(g), shape_of(b)
        if len(shapes[0]) < 2 or shapes[0][1:2] != shapes[1] or shapes[1] != shapes[2]:
            raise ShapeError(
                "batch_norm: shapes {}, {} and {} do not match.".format(*shapes), BatchNorm.expects, BatchNorm.advice
            )
        saved = d, scale, _, _ = centered(x, eps)
        y = d * broadcast_channels(g * scale, d)
        y = np.add(y, broadcast_channels(b, d), out=y if y.dtype == np.result_type(y, b) else None)
        return narrowed(y, x, g, b).reshape(x.shape), saved

    @staticmethod
    def _input(dldy, y, x, g, b, eps, saved):
        if isinstance(x, Node):
            z, scale = standardize(x, reduced_axes(x), eps)
            return standardize_vjp(dldy * per_channel(g, x), z, scale, reduced_axes(x))
        d, scale, _, _ = saved
        m = max(1, d.size // max(1, d.shape[1]))
        dldy = at_least_float32(dldy).reshape(d.shape)
        dldx = d * broadcast_channels(-sum_per_channel(dldy, d) * scale * scale / m, d)
        dldx += dldy
        dldx -= broadcast_channels(sum_per_channel(dldy) / m, d)
        dldx *= broadcast_channels(g * scale, d)
        return dldx.reshape(x.shape)

    @staticmethod
    def _weight(dldy, y, x, g, b, eps, saved):
        if isinstance(x, Node):
            return np.sum(dldy * standardize(x, reduced_axes(x), eps)[0], axis=reduced_axes(x))
        d, scale, _, _ = saved
        return sum_per_channel(at_least_float32(dldy).reshape(d.shape), d) * scale

    @staticmethod
    def _bias(dldy, y, x, g, b, eps, saved):
        if isinstance(x, Node):
            return np.sum(dldy, axis=reduced_axes(x))
        return sum_per_channel(as_channels(at_least_float32(dldy)))

    _df = (_input, _weight, _bias)

    function_name = "batch_norm"
    expects = "x of shape (n, c, ...), weight and bias of shape (c,)"
    advice = "print the three shapes; the channels are axis 1."
    samples: tuple = (
        (((4, 3), (3,), (3,)), {"eps": 1e-5}), (((2, 3, 2, 2), (3,), (3,)), {"eps": 0.1}),
        (((5, 1), (1,), (1,)), {"eps": 1e-3}), (((1, 2, 4), (2,), (2,)), {"eps": 1e-5}),
    )  # fmt: skip


def centered(x, eps):
    """Return x minus the means of its channels, (n, c, s) or (n, c), and 1 / std, mean and variance of each channel."""
    d = as_channels(at_least_float32(x))
    m = max(1, d.size // max(1, d.shape[1]))
    mean = sum_per_channel(d) / m
    d = d - broadcast_channels(mean, d)
    var = sum_per_channel(d, d) / m
    return d, 1 / np.sqrt(var + eps), mean, var


def as_channels(x):
    """Return an array (n, c, ...) as (n, c, s) or (n, c)."""
    return x.reshape(*x.shape[:2], math.prod(x.shape[2:])) if x.ndim > 2 else x


def reduced_axes(x):
    """Return all axes except the channel axis."""
    return (0, *range(2, x.ndim))


def per_channel(g, x):
    """Reshape one value per channel to broadcast against `x`."""
    return np.reshape(g, (-1, *(1,) * (x.ndim - 2)))


def broadcast_channels(numbers, d):
    """Reshape one value per channel to broadcast against (n, c, s) or (n, c)."""
    return numbers[:, None] if d.ndim == 3 else numbers


def sum_per_channel(a, b=None):
    """Sum (n, c, s) or (n, c), or its product with another such array, over all but the channels."""
    if a.ndim == 2:
        return sum_rows(a if b is None else a * b)
    a = np.matmul(a, np.ones(a.shape[2], a.dtype)) if b is None else np.vecdot(a, b)
    return sum_rows(a)


def batch_norm(x: ArrayLike, weight: ArrayLike, bias: ArrayLike, eps: float = 1e-5) -> Node:
    """Apply batch normalization: ``(x - mean) / sqrt(var + eps) * weight + bias``, by the statistics of the batch.

    The layers `dark.nn.BatchNorm1d` and `dark.nn.BatchNorm2d` keep running statistics, too.

    Reference: S. Ioffe, C. Szegedy, "Batch normalization", arXiv 1502.03167, 2015.

    Parameters
    ----------
    x : Node or array, shape (n, c, ...)
    weight, bias : Node or array, shape (c,)
    eps : float, default 1e-5
        Added to the biased variance.

    Examples
    --------
    >>> batch_norm(np.array([[1.0, 0.0], [3.0, 20.0]]), np.ones(2), np.zeros(2), eps=0).value
    array([[-1., -1.],
           [ 1.,  1.]])
    """
    eps = eps if type(eps) is float and eps == eps else number(eps, "batch_norm", "eps")
    return BatchNorm.apply(x, weight, bias, eps=eps)


class GroupNorm(Operation, trusted=True, saves=True, elementwise=False):
    """Group normalization of each example over groups of channels, axis 1.

    What is saved for the backward pass holds mean and variance of each group, too.
    """

    @staticmethod
    def _f(x, g, b, num_groups, eps):
        shapes = shape_of(x), shape_of(g), shape_of(b)
        if len(shapes[0]) < 2 or shapes[0][1:2] != shapes[1] or shapes[1] != shapes[2] or shapes[0][1] % num_groups:
            raise ShapeError(
                "group_norm: shapes {}, {} and {} do not match {} groups.".format(*shapes, num_groups),
                GroupNorm.expects,
                GroupNorm.advice,
            )
        saved = z, *_ = standardize_rows(x.reshape(rows_of(x, num_groups)), eps)
        y = z.reshape(x.shape) * per_channel(g, x) + per_channel(b, x)
        return narrowed(y, x, g, b), saved

    @staticmethod
    def _input(dldy, y, x, g, b, num_groups, eps, saved):
        if isinstance(x, Node):
            z, scale = standardize(x.reshape(rows_of(x, num_groups)), (1,), eps)
            return standardize_vjp((dldy * per_channel(g, x)).reshape(z.shape), z, scale, (1,)).reshape(x.shape)
        z, scale, _, _ = saved
        dldz = at_least_float32(dldy) * per_channel(g, x)
        return standardize_rows_vjp(dldz.reshape(z.shape), z, scale).reshape(x.shape)

    @staticmethod
    def _weight(dldy, y, x, g, b, num_groups, eps, saved):
        if isinstance(x, Node):
            z, _ = standardize(x.reshape(rows_of(x, num_groups)), (1,), eps)
            return np.sum(dldy * z.reshape(x.shape), axis=reduced_axes(x))
        return sum_per_channel(as_channels(at_least_float32(dldy)), as_channels(saved[0].reshape(x.shape)))

    @staticmethod
    def _bias(dldy, y, x, g, b, num_groups, eps, saved):
        if isinstance(x, Node):
            return np.sum(dldy, axis=reduced_axes(x))
        return sum_per_channel(as_channels(at_least_float32(dldy)))

    _df = (_input, _weight, _bias)

    function_name = "group_norm"
    expects = "x of shape (n, c, ...), weight and bias of shape (c,), and a number of groups that divides c"
    advice = "print the three shapes; the channels are axis 1."
    samples: tuple = (
        (((2, 4), (4,), (4,)), {"num_groups": 2, "eps": 1e-5}),
        (((2, 4, 3), (4,), (4,)), {"num_groups": 2, "eps": 0.1}),
        (((1, 3, 2, 2), (3,), (3,)), {"num_groups": 3, "eps": 1e-3}),
        (((2, 2, 3), (2,), (2,)), {"num_groups": 1, "eps": 1e-5}),
        (((0, 4, 2), (4,), (4,)), {"num_groups": 2, "eps": 1e-5}),
    )  # fmt: skip


def rows_of(x, num_groups):
    """Return the shape of `x` with each group of channels of each example as a row."""
    n, c, *rest = x.shape
    return n * num_groups, c // num_groups * math.prod(rest)


def group_norm(
    x: ArrayLike, num_groups: int, weight: ArrayLike | None = None, bias: ArrayLike | None = None, eps: float = 1e-5
) -> Node:
    """Apply group normalization: ``(x - mean) / sqrt(var + eps) * weight + bias``.

    Reference: Y. Wu, K. He, "Group normalization", arXiv 1803.08494, 2018.

    Parameters
    ----------
    x : Node or array, shape (n, c, ...)
    num_groups : int
        Mean and variance are computed for each example over groups of ``c // num_groups`` channels and all further
        axes. With 1, all channels are in one group; with c, this is instance normalization.
    weight, bias : Node or array, shape (c,), optional
        1 and 0 if not given.
    eps : float, default 1e-5
        Added to the biased variance.

    Examples
    --------
    >>> group_norm(np.array([[1.0, 3.0, 0.0, 20.0]]), 2, eps=0).value
    array([[-1.,  1., -1.,  1.]])
    """
    num_groups, eps = integer(num_groups, "group_norm", "num_groups", 1), number(eps, "group_norm", "eps")
    channels, dtype = input_shape(x, "group_norm")[1:2], getattr(x, "dtype", float)
    weight = np.ones(channels, dtype) if weight is None else weight
    bias = np.zeros(channels, dtype) if bias is None else bias
    return GroupNorm.apply(x, weight, bias, num_groups=num_groups, eps=eps)
