"""QR factorization."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, overload

import numpy as np

from dark.checks import one_of
from dark.errors import OperationError, ShapeError
from dark.nodes import Node, Operation, value_of
from dark.nodes.protocols import implements
from dark.operations.linalg.eigenvalues import make_distinct
from dark.operations.linalg.matmul import transpose_last
from dark.operations.linalg.matrix_checks import MATRIX, check_matrix, singular_error
from dark.operations.linalg.packing import pack, unpack

if TYPE_CHECKING:
    from dark.typing import ArrayLike


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
    """The factors of ``x = Q @ R``."""

    Q: Node
    R: Node


@overload
def qr(x: ArrayLike, mode: Literal["reduced", "complete"] = "reduced") -> QRResult: ...
@overload
def qr(x: ArrayLike, mode: Literal["r"]) -> Node: ...
@implements(np.linalg.qr)
def qr(x: ArrayLike, mode: str = "reduced") -> QRResult | Node:
    """Compute the QR factorization ``x = Q @ R``: orthonormal columns, and an upper triangular matrix.

    Parameters
    ----------
    x : Node or array, shape (..., m, n)
        The first min(m, n) columns linearly independent, for a derivative: otherwise an `OperationError`.
    mode : {"reduced", "complete", "r"}, default "reduced"
        As in NumPy: "r" returns R alone. "complete" is the same as "reduced" unless m > n, where the further
        columns of Q are arbitrary, so they have no derivative.

    Returns
    -------
    QRResult
        `Q`, shape (..., m, k), and `R`, shape (..., k, n), with k = min(m, n).

    References
    ----------
    S. F. Walter and L. Lehmann, "Algorithmic differentiation of linear algebra functions", 2010, arXiv:1009.6112.

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
            f"qr: mode is 'complete' for shape {shape}; the further columns are arbitrary, without a derivative.",
            "at most as many rows as columns, or mode='reduced'.",
            "qr(x).",
        )
    y = QRResult(*factors(QR.apply(x), value_of(x)))
    return y.R if mode == "r" else y
