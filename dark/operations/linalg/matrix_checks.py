"""Checks of matrices and the errors of factorizations; and several matrices packed in one node.

A factorization is one node, from which its factors are sliced.
"""

import math
from itertools import accumulate, pairwise

import numpy as np

from dark.errors import OperationError, ShapeError, ValueTypeError
from dark.operations.axis_checks import input_shape

MATRIX = "a matrix (m, n), or a stack of them (..., m, n)"
SQUARE = "a matrix (n, n), or a stack of them (..., n, n)"


def check_matrix(x, who):
    """Return `x`, or raise if it is not a matrix, or a stack of matrices, in a dtype that LAPACK supports."""
    shape = input_shape(x, who)
    if len(shape) < 2:
        raise ShapeError(f"{who}: shape {shape} is not a matrix.", MATRIX + ".", "x[None] adds an axis.")
    if x.dtype == np.float16:
        raise ValueTypeError(
            f"{who}: float16 is not supported by linear algebra.", "float32 or float64.", "x.astype(np.float32)."
        )
    return x


def check_square(x, who):
    """Return `x`, or raise if it is not a square matrix, or a stack of them, in a dtype that LAPACK supports."""
    shape = input_shape(x, who)
    if len(shape) < 2 or shape[-1] != shape[-2]:
        raise ShapeError(f"{who}: shape {shape} is not square.", SQUARE + ".", "print the shape.")
    return check_matrix(x, who)


def singular_error(who):
    """Return the error for a singular matrix."""
    return OperationError(
        f"{who}: a matrix is singular.",
        "linearly independent rows.",
        "np.linalg.cond(x) measures how close to singular it is; x + 1e-6 * np.eye(n) is regularized.",
    )


def convergence_error(who):
    """Return the error for a factorization that LAPACK did not complete."""
    return OperationError(
        f"{who}: the iteration did not converge.", "finite elements.", "np.isfinite(x).all() finds NaN and infinity."
    )


def pack(*factors):
    """Join factors with equal batch dimensions, each given with its number of other axes, along one axis.

    >>> pack((np.ones(2), 1), (np.zeros((2, 2)), 2))
    array([1., 1., 0., 0., 0., 0.])
    """
    parts = []
    for x, axes in factors:
        batch, shape = x.shape[: x.ndim - axes], x.shape[x.ndim - axes :]
        parts.append(np.reshape(x, (*batch, math.prod(shape))))
    return np.concatenate(parts, axis=-1)


def unpack(y, *shapes):
    """Return the factors of these shapes, without their batch dimensions, that `pack` joined.

    >>> unpack(np.array([1.0, 1.0, 0.0, 0.0, 0.0, 0.0]), (2,), (2, 2))
    [array([1., 1.]), array([[0., 0.],
           [0., 0.]])]
    """
    ends = accumulate((math.prod(shape) for shape in shapes), initial=0)
    return [np.reshape(y[..., a:b], (*y.shape[:-1], *shape)) for (a, b), shape in zip(pairwise(ends), shapes)]
