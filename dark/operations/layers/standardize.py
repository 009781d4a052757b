"""Rows with mean 0 and variance 1, and the derivative, for layer, group and instance normalization."""

import math

import numpy as np

from dark.operations.numeric import at_least_float32


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
    """Do the same for the rows of a matrix of numbers: sums are products with ones, faster than `np.mean`.

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
