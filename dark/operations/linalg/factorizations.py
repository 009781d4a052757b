"""Cholesky and QR factorization."""

from __future__ import annotations

from typing import Literal, NamedTuple, overload

import numpy as np

from dark.checks import one_of
from dark.errors import OperationError, ShapeError
from dark.nodes import Node, Operation, value_of
from dark.nodes.protocols import implements
from dark.operations.linalg.eigenvalues import make_distinct
from dark.operations.linalg.inverses import SAMPLES
from dark.operations.linalg.matmul import transpose_last
from dark.operations.linalg.matrix_checks import (
    MATRIX,
    SQUARE,
    check_matrix,
    check_square,
    pack,
    singular_error,
    unpack,
)
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
        # half of the diagonal, and the strict lower triangle
        half = np.tril(np.ones((n, n), y.dtype)) - 0.5 * np.eye(n, dtype=y.dtype)
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
    """Compute the Cholesky factor: the lower triangular matrix L with ``L @ L.T = x``, both of shape (..., n, n).

    Only the lower triangle of `x` is read, as in NumPy; the gradient is that along symmetric matrices, and symmetric,
    as in PyTorch. A matrix that is not positive definite is an `OperationError`.

    Reference: I. Murray, "Differentiation of the Cholesky decomposition", 2016, arXiv:1602.07527.

    >>> cholesky(np.array([[4.0, 2.0], [2.0, 5.0]])).value
    array([[2., 0.],
           [1., 2.]])
    """
    return Cholesky.apply(x)


def factors(y, x):
    """Return the factors Q and R of a matrix x from the packed ones, or their gradients from the packed ones."""
    m, n = x.shape[-2:]
    return unpack(y, (m, min(m, n)), (min(m, n), n))


def vjp_of_square_r(dldq, dldr, q, r):
    """Return the gradient of x, where R is square: ``(dQ + Q sym(R dR.T - dQ.T Q)) R**-T``."""
    k = r.shape[-1]
    m = r @ transpose_last(dldr) - transpose_last(dldq) @ q
    below = np.tril(np.ones((k, k), r.dtype), -1)
    lower = below * m
    g = dldq + q @ (lower + transpose_last(lower) + np.eye(k, dtype=r.dtype) * m)
    try:
        return transpose_last(np.linalg.solve(r, transpose_last(g)))
    except (np.linalg.LinAlgError, OperationError):
        raise singular_error("qr") from None


class QR(Operation, trusted=True, elementwise=False):
    """Reduced QR factorization, packed."""

    @staticmethod
    def _f(x):
        q, r = np.linalg.qr(check_matrix(x, "qr"))
        return pack((q, 2), (r, 2))

    @staticmethod
    def _vjp(dldy, y, x):
        m, n = x.shape[-2:]
        (q, r), (dldq, dldr) = factors(y, x), factors(dldy, x)
        if m >= n:
            return vjp_of_square_r(dldq, dldr, q, r)
        # x = [a | b], r = [c | d]: a = q c is square, and d = q.T b
        right = dldr[..., m:]
        a = vjp_of_square_r(dldq + x[..., m:] @ transpose_last(right), dldr[..., :m], q, r[..., :m])
        return np.concatenate([a, q @ right], axis=-1)

    _df = (_vjp,)

    expects, prepared = MATRIX, staticmethod(make_distinct)
    samples: tuple = tuple(
        ((shape,), {}) for shape in ((3, 3), (4, 2), (2, 4), (2, 3, 2), (1, 1), (3, 1), (0, 0), (0, 2, 3), (2, 0))
    )


class QRResult(NamedTuple):
    """The factors of ``x = Q @ R``: shapes (..., m, k) and (..., k, n), with k = min(m, n)."""

    Q: Node
    R: Node


@overload
def qr(x: ArrayLike, mode: Literal["reduced", "complete"] = "reduced") -> QRResult: ...
@overload
def qr(x: ArrayLike, mode: Literal["r"]) -> Node: ...
@implements(np.linalg.qr)
def qr(x: ArrayLike, mode: str = "reduced") -> QRResult | Node:
    """Compute the QR factorization ``x = Q @ R``: orthonormal columns, and an upper triangular matrix.

    Reference: S. Walter, L. Lehmann, "Algorithmic differentiation of linear algebra functions", arXiv 1009.6112, 2010.

    Parameters
    ----------
    x : Node or array, shape (..., m, n)
        The first min(m, n) columns linearly independent, for a derivative: otherwise an `OperationError`.
    mode : {"reduced", "complete", "r"}, default "reduced"
        As in NumPy: "r" returns R alone. "complete" is the same as "reduced" unless m > n, where the further
        columns of Q are arbitrary, so they have no derivative.

    Examples
    --------
    >>> q, r = qr(np.array([[3.0, 1.0], [4.0, 2.0]]))
    >>> np.allclose((q @ r).value, [[3, 1], [4, 2]])
    True
    """
    mode = one_of(mode, "qr", "mode", ("reduced", "complete", "r"))
    shape = np.shape(value_of(x))
    if mode == "complete" and len(shape) > 1 and shape[-2] > shape[-1]:
        raise ShapeError(
            f"qr: mode must not be 'complete' for shape {shape}: the further columns have no derivative.",
            "at most as many rows as columns, or mode='reduced'.",
            "qr(x).",
        )
    y = QRResult(*factors(QR.apply(x), value_of(x)))
    return y.R if mode == "r" else y
