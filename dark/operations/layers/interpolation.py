"""Images in another size: each place of the result takes its number from the places of the image nearest to it."""

import math

import numpy as np

from dark.errors import ShapeError, UsageError
from dark.nodes import Node, Operation
from dark.operations.layers.im2col import innermost, outermost
from dark.operations.layers.windows import as_float, images, pair


def nearest(n, m, scale):
    """Return for each of m places the place of an axis of length n that lies there, as PyTorch rounds."""
    if m in (n, 2 * n):
        return np.arange(m) * n // max(m, 1)
    scale = np.float32(n / m if scale is None else 1.0 / scale)
    return np.minimum(np.floor(np.arange(m, dtype=np.float32) * scale).astype(int), n - 1)


def between(n, m, scale, align_corners):
    """Return for each of m places the two places of an axis of length n around it, and the share of the second."""
    if align_corners:
        place = np.arange(m) * ((n - 1) / (m - 1) if m > 1 else 0.0)
    else:
        place = np.maximum((np.arange(m) + 0.5) * (n / m if scale is None else 1.0 / scale) - 0.5, 0.0)
    if m == n:
        place = np.arange(m)
    low = np.minimum(place.astype(int), n - 1)
    return low, np.minimum(low + 1, n - 1), np.clip(place - low, 0.0, 1.0)


def shares(n, m, scale, mode, align_corners):
    """Return the matrix (m, n) that resizes an axis: what each place of the result takes from each of the image."""
    matrix = np.zeros((m, n))
    if mode == "nearest":
        matrix[np.arange(m), nearest(n, m, scale)] = 1.0
    else:
        low, high, share = between(n, m, scale, align_corners)
        matrix[np.arange(m), low] = 1.0 - share
        matrix[np.arange(m), high] += share
    return matrix


class Interpolate(Operation, trusted=True, elementwise=False):
    """Images in another size: the nearest number, or a mean of the four around, weighed by distance."""

    expects, advice = "images of shape (n, c, h, w)", "print the shape."
    samples: tuple = (
        (((2, 2, 2, 3),), {"size": (4, 6), "scale_factor": None, "mode": "nearest", "align_corners": None}),
        (((1, 1, 3, 2),), {"size": (7, 1), "scale_factor": (2.4, 0.9), "mode": "nearest", "align_corners": None}),
        (((1, 2, 2, 3),), {"size": (3, 5), "scale_factor": None, "mode": "bilinear", "align_corners": False}),
        (((1, 1, 4, 2),), {"size": (3, 4), "scale_factor": (0.8, 2.2), "mode": "bilinear", "align_corners": False}),
        (((1, 1, 3, 2),), {"size": (5, 1), "scale_factor": None, "mode": "bilinear", "align_corners": True}),
        (((0, 1, 2, 2),), {"size": (3, 3), "scale_factor": None, "mode": "bilinear", "align_corners": True}),
    )

    @staticmethod
    def _f(x, size, scale_factor, mode, align_corners):
        y = as_float(innermost(x)[0])  # (c, h, w, n)
        for axis, m, scale in zip((1, 2), size, scale_factor or (None, None)):
            n = y.shape[axis]
            if mode == "nearest":
                y = y.take(nearest(n, m, scale), axis)
                continue
            low, high, share = between(n, m, scale, align_corners)
            share = share.astype(y.dtype).reshape(-1, *(1,) * (3 - axis))
            y = y.take(low, axis) * (1 - share) + y.take(high, axis) * share
        return outermost(y[None], *size)

    def _vjp(dldy, y, x, size, scale_factor, mode, align_corners):
        along = zip(x.shape[2:], size, scale_factor or (None, None))
        down, across = [shares(n, m, scale, mode, align_corners).astype(x.dtype) for n, m, scale in along]
        if isinstance(x, Node):
            return np.matmul(down.T, np.matmul(dldy, across))
        n, c, h, w = x.shape
        g = np.matmul(down.T, innermost(dldy).reshape(c, size[0], size[1] * n))  # (c, h, wide * n)
        g = np.matmul(across.T, g.reshape(c, h, size[1], n))
        return outermost(g[None], h, w)

    _df = (_vjp,)


def interpolate(x, size=None, scale_factor=None, mode="nearest", align_corners=None):
    """Give images another size.

    Parameters
    ----------
    x : Node or array, shape (batch, channels, height, width)
    size : int or (int, int), optional
        The new height and width.
    scale_factor : float or (float, float), optional
        In place of `size`: by what height and width are multiplied; the result is rounded down.
    mode : {"nearest", "bilinear"}, default "nearest"
        What a place of the result takes: the number there, or a mean of the four around it.
    align_corners : bool, optional
        Of "bilinear": True lays the middles of the corner pixels on each other, False (the default)
        the corners themselves.

    Returns
    -------
    Node, shape (batch, channels, new height, new width)
        The batch lies innermost in memory, as `conv2d` likes it.

    Raises
    ------
    ShapeError
        If `x` is no batch of images, or nothing would be left of it.
    UsageError
        If a setting makes no sense, or not one of `size` and `scale_factor` is given.

    Notes
    -----
    The rounding is PyTorch's: place i of m results lies at ``floor(i / scale)`` for "nearest", at
    ``(i + 0.5) / scale - 0.5`` for "bilinear", and with aligned corners at ``i * (n - 1) / (m - 1)``; the
    scale is `scale_factor`, or else m / n.

    Examples
    --------
    >>> import numpy as np
    >>> x = np.array([[[[1.0, 2.0], [3.0, 4.0]]]])
    >>> interpolate(x, scale_factor=2).value
    array([[[[1., 1., 2., 2.],
             [1., 1., 2., 2.],
             [3., 3., 4., 4.],
             [3., 3., 4., 4.]]]])
    >>> interpolate(x, size=(1, 3), mode="bilinear", align_corners=True).value
    array([[[[1. , 1.5, 2. ]]]])
    """
    shape = images(x, "interpolate")
    if mode not in ("nearest", "bilinear") or (mode == "nearest" and align_corners is not None):
        raise UsageError(
            f"interpolate: mode={mode!r} with align_corners={align_corners}.",
            '"nearest", or "bilinear" with align_corners True or False.',
            'mode="bilinear", align_corners=True',
        )
    size, scale_factor = new_size(size, scale_factor, shape[2:])
    if min(size) < 1 or min(shape[2:]) < 1:
        raise ShapeError(
            f"interpolate: images of {shape[2]} x {shape[3]} to be {size[0]} x {size[1]}.",
            "sizes of at least 1 x 1.",
            "a larger scale_factor, or size=(1, 1).",
        )
    align_corners = bool(align_corners) if mode == "bilinear" else None
    return Interpolate.apply(x, size=size, scale_factor=scale_factor, mode=mode, align_corners=align_corners)


def new_size(size, scale_factor, shape):
    """Return the new size, and the factors if these were given."""
    if (size is None) == (scale_factor is None):
        raise UsageError(
            f"interpolate: size={size} and scale_factor={scale_factor}.", "one of the two.", "scale_factor=2"
        )
    if size is not None:
        return pair(size, "interpolate", "size"), None
    factors = tuple(scale_factor) if isinstance(scale_factor, (tuple, list)) else (scale_factor,) * 2
    if len(factors) != 2 or not all(isinstance(f, (int, float)) and 0 < f < math.inf for f in factors):
        raise UsageError(
            f"interpolate: scale_factor={scale_factor!r}.", "a number above 0, or a pair of them.", "scale_factor=2"
        )
    factors = tuple(map(float, factors))
    return tuple([math.floor(n * f) for n, f in zip(shape, factors)]), factors
