"""Cholesky factorization."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dark.errors import OperationError
from dark.nodes import Node, Operation
from dark.nodes.protocols import implements
from dark.operations.linalg.inverses import SAMPLES
from dark.operations.linalg.matmul import transpose_last
from dark.operations.linalg.matrix_checks import SQUARE, check_square

if TYPE_CHECKING:
    from dark.typing import ArrayLike


def make_positive_definite(x):
    """Return positive definite matrices made from any, for the tests."""
    return ((x + transpose_last(x)) / 2 + 7.0 * np.eye(x.shape[-1], dtype=x.dtype),)


class Cholesky(Operation, trusted=True, elementwise=False):
    """Cholesky factor of a positive definite matrix."""

    _f = staticmethod(lambda x: np.linalg.cholesky(check_square(x, "cholesky")))

    @staticmethod
    def _vjp(dldy, y, x):
        n = y.shape[-1]
        half = np.tril(np.ones((n, n), y.dtype)) - 0.5 * np.eye(
            n, dtype=y.dtype
        )  # half of the diagonal, and the strict lower triangle
        z = np.linalg.solve(transpose_last(y), half * (transpose_last(y) @ dldy))
        g = np.linalg.solve(transpose_last(y), transpose_last(z))
        return (g + transpose_last(g)) / 2

    _df = (_vjp,)

    @classmethod
    def _shape_error(op, error, x):
        return OperationError(
            "cholesky: a matrix is not positive definite.",
            "a symmetric matrix with positive eigenvalues.",
            "np.linalg.eigvalsh(x) returns them; x + 1e-6 * np.eye(n) raises them.",
        )

    symmetric = True  # tests differentiate along symmetric matrices, as `_f` reads one triangle
    expects, samples, prepared = SQUARE, SAMPLES, staticmethod(make_positive_definite)


@implements(np.linalg.cholesky)
def cholesky(x: ArrayLike) -> Node:
    """Compute the Cholesky factor: the lower triangular matrix L with ``L @ L.T = x``.

    The result has shape (..., n, n). A matrix that is not positive definite is an `OperationError`.

    Reference: I. Murray, "Differentiation of the Cholesky decomposition", 2016, arXiv:1602.07527.

    Parameters
    ----------
    x : Node or array, shape (..., n, n)
        Positive definite. Only the lower triangle is read, as in NumPy; the gradient is that along symmetric
        matrices, and symmetric, as in PyTorch.

    Examples
    --------
    >>> cholesky(np.array([[4.0, 2.0], [2.0, 5.0]])).value
    array([[2., 0.],
           [1., 2.]])
    """
    return Cholesky.apply(x)
