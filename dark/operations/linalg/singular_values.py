"""Singular value decomposition."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, overload

import numpy as np

from dark.checks import boolean
from dark.errors import ShapeError
from dark.nodes import Node, Operation, value_of
from dark.nodes.protocols import implements
from dark.operations.axis_checks import input_shape
from dark.operations.linalg.eigenvalues import differences, make_distinct, quotient, skew
from dark.operations.linalg.matmul import as_column, as_row, transpose_last
from dark.operations.linalg.matrix_checks import MATRIX, check_matrix, convergence_error
from dark.operations.linalg.packing import pack, unpack

if TYPE_CHECKING:
    from dark.typing import ArrayLike


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
    """The factors of ``x = U @ diag(S) @ Vh``."""

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

    Returns
    -------
    SVDResult
        `U`, shape (..., m, k), `S`, shape (..., k), in descending order, and `Vh`, shape (..., k, n),
        with k = min(m, n).

    Examples
    --------
    >>> svd(np.array([[3.0, 0.0], [0.0, -4.0]])).S.value
    array([4., 3.])
    """
    full_matrices, compute_uv = boolean(full_matrices, "svd", "full_matrices"), boolean(compute_uv, "svd", "compute_uv")
    shape = input_shape(x, "svd")
    if full_matrices and compute_uv and len(shape) > 1 and shape[-1] != shape[-2]:
        raise ShapeError(
            f"svd: full_matrices is True for shape {shape}; the further columns are arbitrary, without a derivative.",
            "a square matrix, or full_matrices=False.",
            "svd(x, full_matrices=False).",
        )
    y = SVDResult(*factors(SVD.apply(x), value_of(x)))
    return y if compute_uv else y.S


def svdvals(x: ArrayLike) -> Node:
    """Compute the singular values, in descending order. See `svd`.

    The result has shape (..., min(m, n)).

    Parameters
    ----------
    x : Node or array, shape (..., m, n)

    Examples
    --------
    >>> svdvals(np.array([[3.0, 0.0], [0.0, -4.0]])).value
    array([4., 3.])
    """
    return svd(x, full_matrices=False).S


if hasattr(np.linalg, "svdvals"):  # NumPy 2.0
    implements(np.linalg.svdvals)(svdvals)
