"""Average pooling of images and of signals."""

from __future__ import annotations

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
    def _windows_and_weights(shape, kernel_size, stride, padding, ceil_mode, count_include_pad):
        """Return the two windows, the size of the result, and the weight of each of its elements."""
        pair = windows(kernel_size, stride, padding)
        size = [window.count(n, ceil_mode) for window, n in zip(pair, shape[2:])]
        vertical, horizontal = [window_weights(*each, count_include_pad) for each in zip(pair, shape[2:], size)]
        return *pair, size, vertical[:, None] * horizontal

    @staticmethod
    @float16_in_float32
    def _f(x, **settings):
        rows, columns, size, weights = AvgPool2d._windows_and_weights(x.shape, **settings)
        y = sum_along(sum_along(as_float(x), 3, columns, size[1]), 2, rows, size[0])
        return np.multiply(y, weights, dtype=y.dtype)

    @staticmethod
    def _vjp(dldy, y, x, **settings):
        rows, columns, size, weights = AvgPool2d._windows_and_weights(x.shape, **settings)
        if isinstance(x, Node):
            ones = [sum_along_vjp(np.eye(m), 1, window, n) for m, window, n in zip(size, (rows, columns), x.shape[2:])]
            return np.matmul(ones[0].T, np.matmul(dldy * weights, ones[1]))
        g = np.multiply(dldy, weights, dtype=dldy.dtype)
        return sum_along_vjp(sum_along_vjp(g, 2, rows, x.shape[2]), 3, columns, x.shape[3])

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

    @staticmethod
    def _window_and_weights(n, kernel_size, stride, padding, ceil_mode, count_include_pad):
        """Return the window, the length of the result, and the weight of each of its elements."""
        (window,) = windows(kernel_size, stride, padding)
        m = window.count(n, ceil_mode)
        return window, m, window_weights(window, n, m, count_include_pad)

    @staticmethod
    def _f(x, **settings):
        window, m, weights = AvgPool1d._window_and_weights(x.shape[2], **settings)
        y = sum_along(as_float(x), 2, window, m)
        return np.multiply(y, weights, dtype=y.dtype)

    @staticmethod
    def _vjp(dldy, y, x, **settings):
        window, m, weights = AvgPool1d._window_and_weights(x.shape[2], **settings)
        if isinstance(x, Node):
            return np.matmul(dldy * weights, sum_along_vjp(np.eye(m), 1, window, x.shape[2]))
        return sum_along_vjp(np.multiply(dldy, weights, dtype=dldy.dtype), 2, window, x.shape[2])

    _df = (_vjp,)

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
    """Apply 1-D average pooling.

    The result has shape (batch, channels, out_length), or without the batch.

    Parameters
    ----------
    x : Node or array, shape (batch, channels, length), or (channels, length) without a batch
    kernel_size, stride, padding : int
        As for `avg_pool2d`, along the length.
    ceil_mode, count_include_pad : bool
        As for `avg_pool2d`.

    Examples
    --------
    >>> avg_pool1d(np.array([[[1.0, 3.0, 2.0, 0.0]]]), 2).value
    array([[[2., 1.]]])
    """
    included = boolean(count_include_pad, "avg_pool1d", "count_include_pad")
    return pool(AvgPool1d, x, kernel_size, stride, padding, ceil_mode, count_include_pad=included)
