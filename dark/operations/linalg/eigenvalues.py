"""Eigenvalues and eigenvectors of symmetric matrices."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from dark.checks import one_of
from dark.nodes import Node, Operation, value_of
from dark.nodes.protocols import implements
from dark.operations.linalg.matmul import as_column, as_row, transpose_last
from dark.operations.linalg.matrix_checks import SQUARE, check_square, convergence_error
from dark.operations.linalg.packing import pack, unpack

if TYPE_CHECKING:
    from dark.typing import ArrayLike


def quotient(a, b):
    """Divide elementwise; 0 / 0 is 0, as pairs of equal eigenvalues contribute nothing where no gradient arrives."""
    return a / (b + ((value_of(a) == 0) & (value_of(b) == 0)))


def differences(x):
    """Return ``x[j] - x[i]`` in row i and column j, for the vectors (..., n)."""
    return as_row(x) - as_column(x)


def skew(x):
    """Return ``x - x.T``."""
    return x - transpose_last(x)


def make_distinct(x):
    """Return matrices with well-separated singular values and eigenvalues, made from any, for the tests."""
    m, n = x.shape[-2:]
    return (x + 12.0 * np.eye(m, n, dtype=x.dtype) * np.arange(1, n + 1, dtype=x.dtype),)


class Eigh(Operation, trusted=True, elementwise=False):
    """Eigenvalues and eigenvectors of a symmetric matrix, packed."""

    @staticmethod
    def _f(x, UPLO):
        w, v = np.linalg.eigh(check_square(x, "eigh"), UPLO)
        return pack((w, 1), (v, 2))

    @staticmethod
    def _vjp(dldy, y, x, UPLO):
        n = x.shape[-1]
        (w, v), (dldw, dldv) = unpack(y, (n,), (n, n)), unpack(dldy, (n,), (n, n))
        eye = np.eye(n, dtype=x.dtype)
        inner = quotient(0.5 * skew(transpose_last(v) @ dldv), differences(w)) + as_row(dldw) * eye
        return v @ inner @ transpose_last(v)

    _df = (_vjp,)

    @classmethod
    def _shape_error(op, error, x):
        return convergence_error("eigh")

    symmetric = True  # tests differentiate along symmetric matrices, as `_f` reads one triangle
    expects, prepared = SQUARE, staticmethod(make_distinct)
    samples: tuple = tuple(
        ((shape,), {"UPLO": part}) for shape in ((3, 3), (2, 3, 3), (1, 1), (0, 0), (0, 2, 2)) for part in "LU"
    )


class EighResult(NamedTuple):
    """Eigenvalues (..., n), in ascending order, and eigenvectors (..., n, n), as columns."""

    eigenvalues: Node
    eigenvectors: Node


@implements(np.linalg.eigh)
def eigh(x: ArrayLike, UPLO: str = "L") -> EighResult:
    """Compute the eigenvalues and eigenvectors of a symmetric matrix.

    ``dx = V (diag(dw) + (V.T dV - dV.T V) / 2 / E) V.T`` with ``E[i, j] = w[j] - w[i]``. Eigenvectors are
    unique up to their signs, and only for distinct eigenvalues: the gradient of a function of the vectors is infinite
    or NaN at equal ones. An iteration that does not converge, as for NaN, is an `OperationError`.

    Parameters
    ----------
    x : Node or array, shape (..., n, n)
    UPLO : {"L", "U"}, default "L"
        The triangle that is read, lower or upper; the gradient is that along symmetric matrices, as in PyTorch.

    Returns
    -------
    EighResult
        `eigenvalues`, shape (..., n), in ascending order, and `eigenvectors`, shape (..., n, n), as columns.

    References
    ----------
    M. B. Giles, "Collected matrix derivative results for forward and reverse mode algorithmic differentiation", 2008.

    Examples
    --------
    >>> eigh(np.array([[2.0, 0.0], [0.0, 1.0]])).eigenvalues.value
    array([1., 2.])
    """
    y = Eigh.apply(x, UPLO=one_of(UPLO, "eigh", "UPLO", ("L", "U")))
    n = np.shape(value_of(x))[-1]
    return EighResult(*unpack(y, (n,), (n, n)))


@implements(np.linalg.eigvalsh)
def eigvalsh(x: ArrayLike, UPLO: str = "L") -> Node:
    """Compute the eigenvalues of a symmetric matrix, in ascending order. See `eigh`.

    The result has shape (..., n).

    Parameters
    ----------
    x : Node or array, shape (..., n, n)
    UPLO : {"L", "U"}, default "L"
        The triangle that is read.

    Examples
    --------
    >>> eigvalsh(np.array([[2.0, 0.0], [0.0, 1.0]])).value
    array([1., 2.])
    """
    return eigh(x, UPLO).eigenvalues
