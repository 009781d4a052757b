"""Checks of matrices, and the errors of factorizations."""

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
