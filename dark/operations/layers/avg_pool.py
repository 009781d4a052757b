"""Pooling: of what a window sees, the average is left."""

import numpy as np

from dark.nodes import Node, Operation
from dark.operations.layers.windows import as_float, pooling, resized, sampled, windows


def averages(window, n, m, count_include_pad):
    """Return one over how many places each window along an axis sees."""
    begin = np.arange(m) * window.stride - window.padding
    end = np.minimum(begin + window.size, n + window.padding)
    return 1.0 / (end - begin if count_include_pad else np.minimum(end, n) - np.maximum(begin, 0))


def added(x, axis, window, m):
    """Add up what each window along an axis sees."""
    y = np.zeros_like(x, shape=resized(x, axis, m))
    for results, places in window.meetings(axis, x.shape[axis], m):
        y[results] += x[places]
    return y


def handed_out(g, axis, window, n):
    """Give the gradient of each window along an axis to every place it sees: the adjoint of `added`."""
    x = np.zeros_like(g, shape=resized(g, axis, n))
    for results, places in window.meetings(axis, n, g.shape[axis]):
        x[places] += g[results]
    return x


class AvgPool2d(Operation, trusted=True, elementwise=False):
    """The average of each window; zeros beside the image count, if `count_include_pad`."""

    called = "avg_pool2d"
    expects, advice = "images of shape (n, c, h, w)", "print the shape."
    samples: tuple = (
        sampled((2, 2, 4, 4), (2, 2), (2, 2), count_include_pad=True),
        sampled((1, 1, 5, 4), (3, 2), (2, 1), (1, 1), count_include_pad=False),
        sampled((1, 2, 3, 5), (2, 3), (2, 2), (0, 1), True, count_include_pad=True),
        sampled((1, 2, 3, 5), (2, 3), (2, 2), (0, 1), True, count_include_pad=False),
        sampled((0, 1, 2, 2), (2, 2), (1, 1), count_include_pad=True),
    )

    def _shares(shape, kernel_size, stride, padding, ceil_mode, count_include_pad):
        """Return the two windows, the size of the result, and the share of each of its places."""
        both = windows(kernel_size, stride, padding)
        size = [window.count(n, ceil_mode) for window, n in zip(both, shape[2:])]
        down, across = [averages(*each, count_include_pad) for each in zip(both, shape[2:], size)]
        return *both, size, down[:, None] * across

    @staticmethod
    def _f(x, **settings):
        rows, columns, size, shares = AvgPool2d._shares(x.shape, **settings)
        y = added(added(as_float(x), 3, columns, size[1]), 2, rows, size[0])
        return np.multiply(y, shares, dtype=y.dtype)

    def _vjp(dldy, y, x, **settings):
        rows, columns, size, shares = AvgPool2d._shares(x.shape, **settings)
        if isinstance(x, Node):
            ones = [handed_out(np.eye(m), 1, window, n) for m, window, n in zip(size, (rows, columns), x.shape[2:])]
            return np.matmul(ones[0].T, np.matmul(dldy * shares, ones[1]))
        g = np.multiply(dldy, shares, dtype=dldy.dtype)
        return handed_out(handed_out(g, 2, rows, x.shape[2]), 3, columns, x.shape[3])

    _df = (_vjp,)


def avg_pool2d(x, kernel_size, stride=None, padding=0, *, ceil_mode=False, count_include_pad=True):
    """Keep the average of each window.

    Parameters
    ----------
    x : Node or array, shape (batch, channels, height, width)
    kernel_size : int or (int, int)
        The height and the width of the window.
    stride : int or (int, int), optional
        How far it moves; by its own size if not given.
    padding : int or (int, int), default 0
        Rows and columns of zeros around the image; at most half of the window.
    ceil_mode : bool, default False
        Whether there is a result for a window too that begins in the image and ends outside.
    count_include_pad : bool, default True
        Whether the zeros count; False divides by the places in the image only.

    Returns
    -------
    Node, shape (batch, channels, out_height, out_width)

    Raises
    ------
    ShapeError
        If `x` is no batch of images, or the window is larger than the padded image.
    UsageError, ValueTypeError
        If a setting makes no sense.

    Examples
    --------
    >>> import numpy as np
    >>> avg_pool2d(np.arange(16.0).reshape(1, 1, 4, 4), 2).value
    array([[[[ 2.5,  4.5],
             [10.5, 12.5]]]])
    """
    settings, _ = pooling(x, kernel_size, stride, padding, 1, ceil_mode, "avg_pool2d")
    return AvgPool2d.apply(x, **settings, count_include_pad=bool(count_include_pad))
