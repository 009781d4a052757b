"""Pooling: of what a window sees, the largest number is left."""

import numpy as np

from dark.nodes import Node, Operation
from dark.operations.arrays.indexing import scatter
from dark.operations.layers.windows import Window, as_float, pooling, resized, sampled, windows


def largest(x, axis, window, m):
    """Find the largest number in each window along an axis, and the first place in the window that has it."""
    shape, met = resized(x, axis, m), list(window.meetings(axis, x.shape[axis], m))
    which = np.zeros_like(x, np.min_scalar_type(window.size), shape=shape)
    best = np.array(x[met[0][1]])  # what the first place of each window sees, if that lies in the image
    is_whole = best.shape == shape
    if not is_whole:
        best = np.full_like(x, -np.inf, shape=shape)
        for k, (results, _) in reversed(list(enumerate(met))):
            which[results] = k  # where all are -inf, the first place that lies in the image
    for k, (results, places) in list(enumerate(met))[is_whole:]:
        seen, so_far, first = x[places], best[results], which[results]
        np.maximum(first, (seen > so_far) * which.dtype.type(k), out=first)
        np.maximum(seen, so_far, out=so_far)
    return best, which


def returned(g, which, axis, window, n):
    """Send the gradient of each window along an axis back to the place that had the largest number."""
    shape, each = resized(g, axis, n), window.meetings(axis, n, g.shape[axis])
    if (
        window == Window(window.size, stride=window.size) and n == g.shape[axis] * window.size
    ):  # each place is seen once
        x = np.empty_like(which, g.dtype, shape=shape)
        for k, (_, places) in enumerate(each):
            np.multiply(g, which == k, out=x[places])
        return x
    x = np.zeros_like(which, g.dtype, shape=shape)
    for k, (results, places) in enumerate(each):
        x[places] += g[results] * (which[results] == k)
    return x


class MaxPool2d(Operation, trusted=True, saves=True, elementwise=False):
    """The largest number in each window; of several, the gradient goes to the first, row by row.

    The first in each row of a window, and of these the first, is the first in the window.
    The indices of the largest numbers are saved for the backward pass.
    """

    called = "max_pool2d"
    expects, advice = "images of shape (n, c, h, w)", "print the shape."
    samples: tuple = (
        sampled((2, 2, 4, 4), (2, 2), (2, 2), dilation=(1, 1)),
        sampled((1, 1, 5, 4), (3, 2), (2, 1), (1, 1), dilation=(1, 1)),
        sampled((1, 2, 3, 5), (2, 3), (2, 2), (0, 1), True, dilation=(1, 1)),
        sampled((1, 1, 4, 3), (2, 2), (1, 1), dilation=(2, 1)),
        sampled((0, 1, 2, 2), (2, 2), (1, 1), dilation=(1, 1)),
        sampled((1, 1, 2, 1), (1, 1), (1, 1), dilation=(1, 1)),
    )

    @staticmethod
    def _f(x, kernel_size, stride, padding, dilation, ceil_mode):
        rows, columns = windows(kernel_size, stride, padding, dilation)
        y, across = largest(as_float(x), 3, columns, columns.count(x.shape[3], ceil_mode))
        y, down = largest(y, 2, rows, rows.count(x.shape[2], ceil_mode))
        return y, (down, across)

    def _back(dldy, y, x, kernel_size, stride, padding, dilation, ceil_mode, saved):
        down, across = saved
        rows, columns = windows(kernel_size, stride, padding, dilation)
        if isinstance(x, Node):
            return scatter(dldy, sources(down, across, rows, columns), x.shape)
        g = np.empty_like(down, dldy.dtype)  # in the order in memory that the image has
        g[...] = dldy
        return returned(returned(g, down, 2, rows, x.shape[2]), across, 3, columns, x.shape[3])

    _df = (_back,)


def sources(down, across, rows, columns):
    """Return the index of the largest number of each window in the image."""
    n, c, i, j = np.ogrid[tuple(slice(k) for k in down.shape)]
    i = i * rows.stride - rows.padding + down * np.intp(rows.dilation)
    return n, c, i, j * columns.stride - columns.padding + across[n, c, i, j] * np.intp(columns.dilation)


def max_pool2d(x, kernel_size, stride=None, padding=0, dilation=1, *, ceil_mode=False):
    """Keep the largest number of each window.

    Parameters
    ----------
    x : Node or array, shape (batch, channels, height, width)
    kernel_size : int or (int, int)
        The height and the width of the window.
    stride : int or (int, int), optional
        How far it moves; by its own size if not given.
    padding : int or (int, int), default 0
        How far it begins outside of the image, where there is nothing; at most half of the window.
    dilation : int or (int, int), default 1
        The distance of the places it sees.
    ceil_mode : bool, default False
        Whether there is a result for a window too that begins in the image and ends outside.

    Returns
    -------
    Node, shape (batch, channels, out_height, out_width)

    Raises
    ------
    ShapeError
        If `x` is no batch of images, or the window is larger than the padded image.
    UsageError, ValueTypeError
        If a setting makes no sense.

    Notes
    -----
    Where several places of a window have the largest number, the gradient goes to the first of them,
    row by row, as in PyTorch.

    Examples
    --------
    >>> import numpy as np
    >>> max_pool2d(np.arange(25.0).reshape(1, 1, 5, 5), 3, stride=2).value
    array([[[[12., 14.],
             [22., 24.]]]])
    """
    settings, dilation = pooling(x, kernel_size, stride, padding, dilation, ceil_mode, "max_pool2d")
    return MaxPool2d.apply(x, **settings, dilation=dilation)
