"""Interpolation of images, nearest or bilinear, and of signals, nearest or linear."""

from __future__ import annotations

import math
from numbers import Real
from typing import Any

import numpy as np

from dark.checks import boolean, brief, is_bool
from dark.errors import ShapeError, UsageError
from dark.nodes import Node, Operation
from dark.nodes.values import shape_of
from dark.operations.arrays.shapes import expand_dims, squeeze
from dark.operations.images.im2col import batch_first, batch_last
from dark.operations.images.image_checks import as_float, axes_error, by, per_axis
from dark.spellings import keywords_checked
from dark.typing import ArrayLike, Shape


def nearest_neighbors(n, m, scale):
    """Return for each of m output positions its nearest neighbor on an axis of length n, rounded as in PyTorch."""
    if m in (n, 2 * n):
        return np.arange(m) * n // max(m, 1)
    scale = np.float32(n / m if scale is None else 1.0 / scale)
    return np.minimum(np.floor(np.arange(m, dtype=np.float32) * scale).astype(int), n - 1)


def linear_neighbors(n, m, scale, align_corners):
    """Return for each of m output positions its two neighbors on an axis of length n, and the weight of the second."""
    if align_corners:
        position = np.arange(m) * ((n - 1) / (m - 1) if m > 1 else 0.0)
    else:
        position = np.maximum((np.arange(m) + 0.5) * (n / m if scale is None else 1.0 / scale) - 0.5, 0.0)
    if m == n:
        position = np.arange(m)
    low = np.minimum(position.astype(int), n - 1)
    return low, np.minimum(low + 1, n - 1), np.clip(position - low, 0.0, 1.0)


def interpolation_matrix(n, m, scale, mode, align_corners):
    """Return the matrix (m, n) of the weights with which outputs depend on inputs along an axis."""
    matrix = np.zeros((m, n))
    if mode == "nearest":
        matrix[np.arange(m), nearest_neighbors(n, m, scale)] = 1.0
    else:
        low, high, weight = linear_neighbors(n, m, scale, align_corners)
        matrix[np.arange(m), low] = 1.0 - weight
        matrix[np.arange(m), high] += weight
    return matrix


class Interpolate(Operation, trusted=True, elementwise=False):
    """Interpolation of images to another size."""

    @staticmethod
    def _f(x, size, scale_factor, mode, align_corners):
        y = as_float(batch_last(x)[0])  # (c, h, w, n)
        for axis, m, scale in zip((1, 2), size, scale_factor or (None, None)):
            n = y.shape[axis]
            if m == n:
                continue
            if mode == "nearest":
                y = y.take(nearest_neighbors(n, m, scale), axis)
                continue
            low, high, weight = linear_neighbors(n, m, scale, align_corners)
            weight = weight.astype(y.dtype).reshape(-1, *(1,) * (3 - axis))
            y = y.take(low, axis) * (1 - weight) + y.take(high, axis) * weight
        return batch_first(y[None], size[0], size[1], y.shape[3])

    @staticmethod
    def _vjp(dldy, y, x, size, scale_factor, mode, align_corners):
        along = zip(x.shape[2:], size, scale_factor or (None, None))
        down, across = [interpolation_matrix(n, m, scale, mode, align_corners).astype(x.dtype) for n, m, scale in along]
        if isinstance(x, Node):
            return np.matmul(down.T, np.matmul(dldy, across))
        n, c, h, w = x.shape
        g = np.matmul(down.T, batch_last(dldy).reshape(c, size[0], size[1] * n))  # (c, h, wide * n)
        g = np.matmul(across.T, g.reshape(c, h, size[1], n))
        return batch_first(g[None], h, w, g.shape[3])

    _df = (_vjp,)

    expects, advice = "images of shape (n, c, h, w)", "print the shape."
    samples: tuple = (
        (((2, 2, 2, 3),), {"size": (4, 6), "scale_factor": None, "mode": "nearest", "align_corners": None}),
        (((1, 1, 3, 2),), {"size": (7, 1), "scale_factor": (2.4, 0.9), "mode": "nearest", "align_corners": None}),
        (((1, 2, 2, 3),), {"size": (3, 5), "scale_factor": None, "mode": "bilinear", "align_corners": False}),
        (((1, 1, 4, 2),), {"size": (3, 4), "scale_factor": (0.8, 2.2), "mode": "bilinear", "align_corners": False}),
        (((1, 1, 3, 2),), {"size": (5, 1), "scale_factor": None, "mode": "bilinear", "align_corners": True}),
        (((0, 1, 2, 2),), {"size": (3, 3), "scale_factor": None, "mode": "bilinear", "align_corners": True}),
    )


@keywords_checked
def interpolate(
    x: ArrayLike,
    size: int | Shape | None = None,
    scale_factor: Any = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
) -> Node:
    """Resize images or signals by interpolation.

    The rounding is PyTorch's: output i of m is at ``floor(i / scale)`` for "nearest", at
    ``(i + 0.5) / scale - 0.5`` for "bilinear", and with aligned corners at ``i * (n - 1) / (m - 1)``; the
    scale is `scale_factor`, or else m / n.

    Parameters
    ----------
    x : Node or array, shape (batch, channels, height, width) or (batch, channels, length)
        Images, or signals; as in PyTorch, an input with three axes is a batch of signals.
    size : int or (int, int), optional
        The new height and width, or the new length.
    scale_factor : float or (float, float), optional
        Alternatively, the multiplier of height and width, or of the length; the result is rounded down.
    mode : {"nearest", "bilinear", "linear"}, default "nearest"
        "bilinear" for images, "linear" for signals.
    align_corners : bool, optional
        For "bilinear" and "linear": whether the centers of the corner pixels are aligned, or (the default) the
        corners of the images.

    Returns
    -------
    Node, shape (batch, channels, new height, new width) or (batch, channels, new length)
        The batch is the last axis in memory, as for `conv2d`.

    Examples
    --------
    >>> x = np.array([[[[1.0, 2.0], [3.0, 4.0]]]])
    >>> interpolate(x, scale_factor=2).value
    array([[[[1., 1., 2., 2.],
             [1., 1., 2., 2.],
             [3., 3., 4., 4.],
             [3., 3., 4., 4.]]]])
    >>> interpolate(x, size=(1, 3), mode="bilinear", align_corners=True).value
    array([[[[1. , 1.5, 2. ]]]])
    >>> interpolate(np.array([[[1.0, 2.0]]]), size=3, mode="linear", align_corners=True).value
    array([[[1. , 1.5, 2. ]]])
    """
    lengths = check_input(x, mode, align_corners)
    new, factors = new_size(size, scale_factor, lengths)
    if min(new) < 1 or min(lengths) < 1:
        raise ShapeError(
            f"interpolate: cannot resize {'images' if len(new) == 2 else 'signals'} of {by(lengths)} to {by(new)}.",
            f"sizes of at least {by(1 for _ in new)}.",
            f"a larger scale_factor, or size={(1,) * len(new) if len(new) == 2 else 1}.",
        )
    if mode != "nearest":
        align_corners = align_corners is not None and boolean(align_corners, "interpolate", "align_corners")
        mode = "bilinear"
    if len(new) == 2:
        return Interpolate.apply(x, size=new, scale_factor=factors, mode=mode, align_corners=align_corners)
    x, size, factors = expand_dims(x, 2), (1, *new), None if factors is None else (1.0, *factors)  # images of one row
    return squeeze(Interpolate.apply(x, size=size, scale_factor=factors, mode=mode, align_corners=align_corners), 2)


def check_input(x, mode, align_corners):
    """Return the lengths of the last axes of images or signals; raise unless they and the mode fit together."""
    shape = shape_of(x)
    if len(shape) not in (3, 4):
        raise axes_error(x, "interpolate", "(batch, channels, height, width), or (batch, channels, length)")
    linear = "bilinear" if len(shape) == 4 else "linear"
    if mode not in ("nearest", linear) or (mode == "nearest" and align_corners is not None):
        raise UsageError(
            f"interpolate: mode and align_corners must fit {len(shape)} axes, got {mode!r} and {align_corners}.",
            f'"nearest", or "{linear}" with align_corners True or False.',
            f'mode="{linear}", align_corners=True',
        )
    return shape[2:]


def new_size(size, scale_factor, lengths):
    """Return the new size, and the scale factors if given."""
    if (size is None) == (scale_factor is None):
        raise UsageError(
            f"interpolate: one of size and scale_factor must be None, got {size} and {scale_factor}.",
            "exactly one of the two.",
            "scale_factor=2",
        )
    if size is not None:
        return per_axis(size, "interpolate", "size", 0, len(lengths)), None
    factors = scale_factors(scale_factor, len(lengths))
    return tuple([math.floor(n * f) for n, f in zip(lengths, factors)]), factors


def scale_factors(scale_factor, axes):
    """Return one factor, or one for each axis, as a tuple with one for each axis."""
    factors = tuple(scale_factor) if isinstance(scale_factor, (tuple, list)) else (scale_factor,) * axes
    are_real = all(isinstance(f, Real) and not is_bool(f) for f in factors)
    if len(factors) != axes or not are_real or not all(0 < f < math.inf for f in factors):
        pair = ", or a pair of them" if axes == 2 else ""
        raise UsageError(
            f"interpolate: scale_factor must be positive and finite, got {brief(scale_factor)}.",
            f"a positive number{pair}.",
            "scale_factor=2",
        )
    return tuple(map(float, factors))
