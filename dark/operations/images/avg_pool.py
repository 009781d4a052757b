"""Average pooling of images and of signals."""

from __future__ import annotations

from functools import reduce

import numpy as np

from dark.checks import boolean
from dark.nodes import Node, Operation
from dark.operations.images.image_checks import as_float, pool, pooling_sample, windows, with_length
from dark.operations.numeric import float16_in_float32
from dark.typing import ArrayLike, Shape


def window_weights(window, n, m, count_include_pad):
    """Return 1 over the number of elements in each window along an axis."""
    begin = np.arange(m) * window.stride - window.padding
    end = np.minimum(begin + window.size, n + window.padding)
    return 1.0 / (end - begin if count_include_pad else np.minimum(end, n) - np.maximum(begin, 0))


def sum_along(x, axis, window, m):
    """Sum each window along an axis."""
    y = np.zeros_like(x, shape=with_length(x, axis, m))
    for outputs, inputs in window.slices(axis, x.shape[axis], m):
        y[outputs] += x[inputs]
    return y


def sum_along_vjp(g, axis, window, n):
    """Add the gradient of each window to its elements: the adjoint of `sum_along`."""
    x = np.zeros_like(g, shape=with_length(g, axis, n))
    for outputs, inputs in window.slices(axis, n, g.shape[axis]):
        x[inputs] += g[outputs]
    return x


class AvgPool2d(Operation, trusted=True, elementwise=False):
    """Average of each window; padding counts if `count_include_pad`."""

    @staticmethod
    def _along(shape, kernel_size, stride, padding, ceil_mode, count_include_pad):
        """Return each axis, its window and the number of results along it; and the weight of each result."""
        axes = list(enumerate(windows(kernel_size, stride, padding), 2))
        along = [(axis, window, window.count(shape[axis], ceil_mode)) for axis, window in axes]
        weights = [window_weights(window, shape[axis], m, count_include_pad) for axis, window, m in along]
        return along, reduce(np.multiply.outer, weights)

    @staticmethod
    @float16_in_float32
    def _f(x, **settings):
        along, weights = AvgPool2d._along(x.shape, **settings)
        y = as_float(x)
        for axis, window, m in reversed(along):
            y = sum_along(y, axis, window, m)
        return np.multiply(y, weights, dtype=y.dtype)

    @staticmethod
    def _vjp(dldy, y, x, **settings):
        along, weights = AvgPool2d._along(x.shape, **settings)
        if isinstance(x, Node):
            *rows, columns = [sum_along_vjp(np.eye(m), 1, window, x.shape[axis]) for axis, window, m in along]
            g = np.matmul(dldy * weights, columns)
            return np.matmul(rows[0].T, g) if rows else g
        g = np.multiply(dldy, weights, dtype=dldy.dtype)
        for axis, window, _ in along:
            g = sum_along_vjp(g, axis, window, x.shape[axis])
        return g

    _df = (_vjp,)

    function_name, axes = "avg_pool2d", 2
    expects, advice = "images of shape (n, c, h, w)", "print the shape."
    samples: tuple = (
        pooling_sample((2, 2, 4, 4), (2, 2), (2, 2), count_include_pad=True),
        pooling_sample((1, 1, 5, 4), (3, 2), (2, 1), (1, 1), count_include_pad=False),
        pooling_sample((1, 2, 3, 5), (2, 3), (2, 2), (0, 1), True, count_include_pad=True),
        pooling_sample((1, 2, 3, 5), (2, 3), (2, 2), (0, 1), True, count_include_pad=False),
        pooling_sample((0, 1, 2, 2), (2, 2), (1, 1), count_include_pad=True),
    )


class AvgPool1d(Operation, trusted=True, elementwise=False):
    """Average of each window of a signal; padding counts if `count_include_pad`."""

    _f, _df = staticmethod(AvgPool2d._f), AvgPool2d.vjps
    function_name, axes = "avg_pool1d", 1
    expects, advice = "signals of shape (n, c, l)", "print the shape."
    samples: tuple = (
        pooling_sample((2, 2, 4), (2,), (2,), (0,), count_include_pad=True),
        pooling_sample((1, 1, 5), (3,), (2,), (1,), True, count_include_pad=False),
        pooling_sample((1, 2, 5), (3,), (1,), (1,), count_include_pad=True),
        pooling_sample((0, 1, 2), (2,), (1,), (0,), count_include_pad=True),
    )


def avg_pool2d(
    x: ArrayLike,
    kernel_size: int | Shape,
    stride: int | Shape | None = None,
    padding: int | Shape = 0,
    *,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
) -> Node:
    """Apply 2-D average pooling.

    The result has shape (batch, channels, out_height, out_width), or without the batch.

    Parameters
    ----------
    x : Node or array, shape (batch, channels, height, width), or (channels, height, width) without a batch
    kernel_size, stride, padding, ceil_mode
        As for `max_pool2d`; padding adds zeros.
    count_include_pad : bool, default True
        Whether padding counts in the average.

    Examples
    --------
    >>> avg_pool2d(np.arange(16.0).reshape(1, 1, 4, 4), 2).value
    array([[[[ 2.5,  4.5],
             [10.5, 12.5]]]])
    """
    included = boolean(count_include_pad, "avg_pool2d", "count_include_pad")
    return pool(AvgPool2d, x, kernel_size, stride, padding, ceil_mode, count_include_pad=included)


def avg_pool1d(
    x: ArrayLike,
    kernel_size: int | Shape,
    stride: int | Shape | None = None,
    padding: int | Shape = 0,
    *,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
) -> Node:
    """Apply 1-D average pooling to signals (batch, channels, length), or without the batch.

    The result has shape (batch, channels, out_length), or without the batch. Parameters are those of `avg_pool2d`,
    along the length.

    >>> avg_pool1d(np.array([[[1.0, 3.0, 2.0, 0.0]]]), 2).value
    array([[[2., 1.]]])
    """
    included = boolean(count_include_pad, "avg_pool1d", "count_include_pad")
    return pool(AvgPool1d, x, kernel_size, stride, padding, ceil_mode, count_include_pad=included)
