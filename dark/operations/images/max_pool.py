"""Max pooling of images and of signals."""

from __future__ import annotations

import numpy as np

from dark.nodes import Node, Operation
from dark.operations.arrays.indexing import scatter
from dark.operations.images.image_checks import Window, as_float, pool, pooling_sample, windows, with_length
from dark.typing import ArrayLike, Shape


def max_along(x, axis, window, m, is_larger):
    """Compute the maximum of each window along an axis, and the position of its first occurrence in the window."""
    shape, taps = with_length(x, axis, m), list(window.slices(axis, x.shape[axis], m))
    argmax = np.zeros_like(x, np.min_scalar_type(window.size), shape=shape)
    maxima = np.array(x[taps[0][1]])  # the first element of each window, if it lies in the image
    is_whole = maxima.shape == shape
    if not is_whole:
        maxima = np.full_like(x, -np.inf, shape=shape)
        for k, (outputs, _) in reversed(list(enumerate(taps))):
            argmax[outputs] = k  # where all are -inf, the first position in the image
    for k, (outputs, inputs) in list(enumerate(taps))[is_whole:]:
        inputs_here, so_far, first = x[inputs], maxima[outputs], argmax[outputs]
        np.maximum(first, is_larger(inputs_here, so_far) * argmax.dtype.type(k), out=first)
        np.maximum(inputs_here, so_far, out=so_far)
    return maxima, argmax


def is_larger_or_nan(a, b):
    """Return where a maximum moves on to `a`, which is NaN if any element of the window is."""
    return (a > b) | np.isnan(a)


def has_nan(y):
    """Return whether maxima contain NaN; their maximum is found faster than each of them is checked."""
    return y.size > 0 and np.isnan(np.maximum.reduce(y, axis=None))


def max_along_vjp(g, argmax, axis, window, n):
    """Send the gradient of each window along an axis to the position of its maximum."""
    shape, taps = with_length(g, axis, n), window.slices(axis, n, g.shape[axis])
    if window == Window(window.size, stride=window.size) and n == g.shape[axis] * window.size:
        # each element is in one window
        x = np.empty_like(argmax, g.dtype, shape=shape)
        for k, (_, inputs) in enumerate(taps):
            np.multiply(g, argmax == k, out=x[inputs])
        return x
    x = np.zeros_like(argmax, g.dtype, shape=shape)
    for k, (outputs, inputs) in enumerate(taps):
        x[inputs] += g[outputs] * (argmax[outputs] == k)
    return x


class MaxPool2d(Operation, trusted=True, saves=True, elementwise=False):
    """Maximum of each window; of equal elements the first one, in row-major order, gets the gradient, or a NaN.

    The rows are reduced first: among the first maxima of a window's rows, the first is the window's first maximum. The
    positions of the maxima are saved for the backward pass.
    """

    @staticmethod
    def _f(x, kernel_size, stride, padding, dilation, ceil_mode):
        x, along = as_float(x), windows(kernel_size, stride, padding, dilation)
        y, positions = MaxPool2d._maxima(x, along, ceil_mode, np.greater)
        return MaxPool2d._maxima(x, along, ceil_mode, is_larger_or_nan) if has_nan(y) else (y, positions)

    @staticmethod
    def _maxima(y, along, ceil_mode, is_larger):
        positions = []
        for axis, window in reversed(list(enumerate(along, 2))):
            y, argmax = max_along(y, axis, window, window.count(y.shape[axis], ceil_mode), is_larger)
            positions.append(argmax)
        return y, tuple(reversed(positions))

    @staticmethod
    def _vjp(dldy, y, x, kernel_size, stride, padding, dilation, ceil_mode, saved):
        along = list(zip(range(2, x.ndim), windows(kernel_size, stride, padding, dilation), saved))
        if isinstance(x, Node):
            return scatter(dldy, argmax_index(along), x.shape)
        g = np.empty_like(saved[0], dldy.dtype)  # in the memory order of the image
        g[...] = dldy
        for axis, window, argmax in along:
            g = max_along_vjp(g, argmax, axis, window, x.shape[axis])
        return g

    _df = (_vjp,)

    function_name, axes = "max_pool2d", 2
    expects, advice = "images of shape (n, c, h, w)", "print the shape."
    samples: tuple = (
        pooling_sample((2, 2, 4, 4), (2, 2), (2, 2), dilation=(1, 1)),
        pooling_sample((1, 1, 5, 4), (3, 2), (2, 1), (1, 1), dilation=(1, 1)),
        pooling_sample((1, 2, 3, 5), (2, 3), (2, 2), (0, 1), True, dilation=(1, 1)),
        pooling_sample((1, 1, 4, 3), (2, 2), (1, 1), dilation=(2, 1)),
        pooling_sample((0, 1, 2, 2), (2, 2), (1, 1), dilation=(1, 1)),
        pooling_sample((1, 1, 2, 1), (1, 1), (1, 1), dilation=(1, 1)),
    )


class MaxPool1d(Operation, trusted=True, saves=True, elementwise=False):
    """Maximum of each window of a signal; of equal elements the first one gets the gradient."""

    _f, _df = staticmethod(MaxPool2d._f), MaxPool2d.vjps
    function_name, axes = "max_pool1d", 1
    expects, advice = "signals of shape (n, c, l)", "print the shape."
    samples: tuple = (
        pooling_sample((2, 2, 4), (2,), (2,), (0,), dilation=(1,)),
        pooling_sample((1, 1, 5), (3,), (2,), (1,), True, dilation=(1,)),
        pooling_sample((1, 2, 5), (2,), (1,), (0,), dilation=(3,)),
        pooling_sample((0, 1, 2), (2,), (1,), (0,), dilation=(1,)),
    )


def argmax_index(along):
    """Return the index of the maximum of each window in the image, from the positions along each axis."""
    index = [*np.ogrid[tuple(slice(n) for n in along[0][2].shape)]]
    for axis, window, argmax in along:
        argmax = argmax[tuple(index)] * np.intp(window.dilation)
        index[axis] = index[axis] * window.stride - window.padding + argmax
    return tuple(index)


def max_pool2d(
    x: ArrayLike,
    kernel_size: int | Shape,
    stride: int | Shape | None = None,
    padding: int | Shape = 0,
    dilation: int | Shape = 1,
    *,
    ceil_mode: bool = False,
) -> Node:
    """Apply 2-D max pooling.

    The result has shape (batch, channels, out_height, out_width), or without the batch.

    Of several equal maxima in a window the first one, in row-major order, gets the gradient, as in PyTorch.

    Parameters
    ----------
    x : Node or array, shape (batch, channels, height, width), or (channels, height, width) without a batch
    kernel_size : int or (int, int)
        Height and width of the window.
    stride : int or (int, int), optional
        The step of the window; by default `kernel_size`.
    padding : int or (int, int), default 0
        Implicit padding with -inf on both sides; at most half of the window.
    dilation : int or (int, int), default 1
        The distance between elements of the window.
    ceil_mode : bool, default False
        Whether a window that starts inside the image and ends outside counts.

    Examples
    --------
    >>> max_pool2d(np.arange(25.0).reshape(1, 1, 5, 5), 3, stride=2).value
    array([[[[12., 14.],
             [22., 24.]]]])
    """
    return pool(MaxPool2d, x, kernel_size, stride, padding, ceil_mode, dilation=dilation)


def max_pool1d(
    x: ArrayLike,
    kernel_size: int | Shape,
    stride: int | Shape | None = None,
    padding: int | Shape = 0,
    dilation: int | Shape = 1,
    *,
    ceil_mode: bool = False,
) -> Node:
    """Apply 1-D max pooling to signals (batch, channels, length), or without the batch.

    The result has shape (batch, channels, out_length), or without the batch. Parameters are those of `max_pool2d`,
    along the length.

    >>> max_pool1d(np.array([[[1.0, 3.0, 2.0, 0.0]]]), 2).value
    array([[[3., 2.]]])
    """
    return pool(MaxPool1d, x, kernel_size, stride, padding, ceil_mode, dilation=dilation)
