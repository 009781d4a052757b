"""Eigenvalues and eigenvectors of symmetric matrices, and singular value decomposition."""

from __future__ import annotations

from typing import Literal, NamedTuple, overload

import numpy as np

from dark.checks import boolean, one_of
from dark.errors import ShapeError
from dark.nodes import Node, Operation, value_of
from dark.nodes.protocols import implements
from dark.operations.axis_checks import input_shape
from dark.operations.linalg.matmul import as_column, as_row, transpose_last
from dark.operations.linalg.matrix_checks import (
    MATRIX,
    SQUARE,
    check_matrix,
    check_square,
    convergence_error,
    pack,
    unpack,
)
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

    Reference: M. B. Giles, "Collected matrix derivative results for forward and reverse mode algorithmic
    differentiation", 2008.

    Parameters
    ----------
    x : Node or array, shape (..., n, n)
    UPLO : {"L", "U"}, default "L"
        The triangle that is read, lower or upper; the gradient is that along symmetric matrices, as in PyTorch.

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
    """Compute the eigenvalues of a symmetric matrix, shape (..., n), in ascending order; parameters as for `eigh`.

    >>> eigvalsh(np.array([[2.0, 0.0], [0.0, 1.0]])).value
    array([1., 2.])
    """
    return eigh(x, UPLO).eigenvalues


def factors(y, x):
    """Return the factors U, S and Vh of a matrix x from the packed ones, or their gradients from the packed ones."""
    m, n = x.shape[-2:]
    return unpack(y, (m, min(m, n)), (min(m, n),), (min(m, n), n))


class SVD(Operation, trusted=True, elementwise=False):
    """Reduced singular value decomposition, packed."""

    @staticmethod
    def _f(x):
        u, s, vh = np.linalg.svd(check_matrix(x, "svd"), full_matrices=False)
        return pack((u, 2), (s, 1), (vh, 2))

    @staticmethod
    def _vjp(dldy, y, x):
        m, n = x.shape[-2:]
        (u, s, vh), (dldu, dlds, dldvh) = factors(y, x), factors(dldy, x)
        left, right = transpose_last(u) @ dldu, vh @ transpose_last(dldvh)
        squares = differences(s) * (as_row(s) + as_column(s))  # s[j]**2 - s[i]**2
        inner = as_row(dlds) * np.eye(min(m, n), dtype=x.dtype)
        inner = inner + quotient(skew(left), squares) * as_row(s) + as_column(s) * quotient(skew(right), squares)
        g = u @ inner @ vh
        if m > n:
            g = g + quotient(dldu - u @ left, as_row(s)) @ vh
        if n > m:
            g = g + u @ quotient(dldvh - transpose_last(right) @ vh, as_column(s))
        return g

    _df = (_vjp,)

    @classmethod
    def _shape_error(op, error, x):
        return convergence_error("svd")

    expects, prepared = MATRIX, staticmethod(make_distinct)
    samples: tuple = tuple(
        ((shape,), {}) for shape in ((3, 3), (4, 2), (2, 4), (2, 3, 2), (1, 1), (3, 1), (0, 0), (0, 2, 3), (2, 0))
    )


class SVDResult(NamedTuple):
    """The factors of ``x = U @ diag(S) @ Vh``: shapes (..., m, k), (..., k) and (..., k, n), with k = min(m, n).

    The singular values `S` are in descending order.
    """

    U: Node
    S: Node
    Vh: Node


@overload
def svd(x: ArrayLike, full_matrices: bool = True, compute_uv: Literal[True] = True) -> SVDResult: ...
@overload
def svd(x: ArrayLike, full_matrices: bool = True, *, compute_uv: Literal[False]) -> Node: ...
@implements(np.linalg.svd)
def svd(x: ArrayLike, full_matrices: bool = True, compute_uv: bool = True) -> SVDResult | Node:
    """Compute the singular value decomposition ``x = U @ diag(S) @ Vh``.

    The gradient of a function of the vectors is infinite or NaN at equal singular values; the gradient of `S` alone
    exists. An iteration that does not converge, as for NaN, is an `OperationError`.

    Reference: J. Townsend, "Differentiating the singular value decomposition", 2016.

    Parameters
    ----------
    x : Node or array, shape (..., m, n)
    full_matrices : bool, default True
        As in NumPy. Needs False if m and n differ: the further columns are arbitrary, so they have no derivative.
    compute_uv : bool, default True
        False returns the singular values alone.

    Examples
    --------
    >>> svd(np.array([[3.0, 0.0], [0.0, -4.0]])).S.value
    array([4., 3.])
    """
    full_matrices, compute_uv = boolean(full_matrices, "svd", "full_matrices"), boolean(compute_uv, "svd", "compute_uv")
    shape = input_shape(x, "svd")
    if full_matrices and compute_uv and len(shape) > 1 and shape[-1] != shape[-2]:
        raise ShapeError(
            f"svd: full_matrices must be False for shape {shape}: the further columns have no derivative.",
            "a square matrix, or full_matrices=False.",
            "svd(x, full_matrices=False).",
        )
    y = SVDResult(*factors(SVD.apply(x), value_of(x)))
    return y if compute_uv else y.S


def svdvals(x: ArrayLike) -> Node:
    """Compute the singular values of a matrix, shape (..., min(m, n)), in descending order. See `svd`.

    >>> svdvals(np.array([[3.0, 0.0], [0.0, -4.0]])).value
    array([4., 3.])
    """
    return svd(x, full_matrices=False).S


if hasattr(np.linalg, "svdvals"):  # NumPy 2.0
    implements(np.linalg.svdvals)(svdvals)
