"""A matrix as a product of simpler ones: the triangular root of a positive definite matrix."""

import numpy as np

from dark.errors import OperationError
from dark.nodes import Operation
from dark.nodes.protocols import implements
from dark.operations.linalg.inverses import SAMPLES, SQUARE, check_square
from dark.operations.linalg.matmul import turned


def positive_definite(x):
    """Make positive definite matrices of any numbers, for the tests."""
    return ((x + turned(x)) / 2 + 7.0 * np.eye(x.shape[-1], dtype=x.dtype),)


class Cholesky(Operation, trusted=True, elementwise=False):
    """The lower triangular root of a positive definite matrix."""

    @staticmethod
    def _f(x):
        return np.linalg.cholesky((check_square(x, "cholesky") + turned(x)) / 2)

    def _vjp(dldy, y, x):
        n = y.shape[-1]
        half = np.tril(np.ones((n, n), y.dtype)) - 0.5 * np.eye(n, dtype=y.dtype)  # the lower half of a symmetric whole
        z = np.linalg.solve(turned(y), half * (turned(y) @ dldy))
        g = np.linalg.solve(turned(y), turned(z))
        return (g + turned(g)) / 2

    _df = (_vjp,)

    @classmethod
    def _shape_error(op, error, x):
        return OperationError(
            "cholesky: the matrix, or one of the stack, is not positive definite.",
            "a symmetric matrix with positive eigenvalues.",
            "np.linalg.eigvalsh(x) lists them; adding a little to the diagonal raises them.",
        )

    expects, samples, prepared = SQUARE, SAMPLES, staticmethod(positive_definite)


@implements(np.linalg.cholesky)
def cholesky(x):
    """Compute the lower triangular matrix L with ``L @ L.T = x``.

    Parameters
    ----------
    x : Node or array, shape (..., n, n)
        A positive definite matrix, or a stack of them. Its symmetric part ``(x + x.T) / 2`` counts,
        so that the gradient is symmetric.

    Returns
    -------
    Node, shape (..., n, n)

    Raises
    ------
    ShapeError
        If it is not square.
    OperationError
        If it is not positive definite.

    References
    ----------
    I. Murray, "Differentiation of the Cholesky decomposition", 2016, arXiv:1602.07527.

    Examples
    --------
    >>> import numpy as np
    >>> cholesky(np.array([[4.0, 2.0], [2.0, 5.0]])).value
    array([[2., 0.],
           [1., 2.]])
    """
    return Cholesky.apply(x)
