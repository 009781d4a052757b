"""Determinants and their logarithms."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from dark.nodes import Constant, Node, Operation, value_of
from dark.nodes.protocols import implements
from dark.operations.arrays.cumulative import products_of_others
from dark.operations.linalg.inverses import SAMPLES, inverse_or_error, make_invertible
from dark.operations.linalg.matmul import as_column, as_row, transpose_last
from dark.operations.linalg.matrix_checks import SQUARE, check_square

if TYPE_CHECKING:
    from dark.typing import ArrayLike


def cofactors(x, y):
    """Return the gradient of the determinant `y`: ``y * inv(x).T``, or its limit at a singular matrix."""
    if not x.size or isinstance(x, Node) or np.all(y != 0):
        return as_column(as_column(y)) * transpose_last(inverse_or_error(x, "det")) if x.size else x
    u, s, v = np.linalg.svd(x)  # x = u @ diag(s) @ v
    sign = as_column(as_column(np.linalg.det(u) * np.linalg.det(v)))
    return sign * (u * as_row(products_of_others(s))) @ v


class Det(Operation, trusted=True, elementwise=False):
    """Determinant; the gradient is correct at singular matrices, too."""

    _f = staticmethod(lambda x: np.linalg.det(check_square(x, "det")))
    _df = (lambda dldy, y, x: as_column(as_column(dldy)) * cofactors(x, y),)

    expects, samples = SQUARE, SAMPLES


class LogAbsDet(Operation, trusted=True, elementwise=False):
    """Logarithm of the absolute value of the determinant; -inf at singular matrices, where it is not differentiable."""

    _f = staticmethod(lambda x: np.linalg.slogdet(check_square(x, "logabsdet")).logabsdet)
    _df = (lambda dldy, y, x: as_column(as_column(dldy)) * transpose_last(inverse_or_error(x, "logabsdet")),)

    expects, samples, prepared = SQUARE, SAMPLES, staticmethod(make_invertible)


@implements(np.linalg.det)
def det(x: ArrayLike) -> Node:
    """Compute the determinant. The gradient consists of the cofactors, ``det(x) * inv(x).T``.

    The result has shape (...). A second derivative at a singular matrix is an `OperationError`.

    Parameters
    ----------
    x : Node or array, shape (..., n, n)

    Examples
    --------
    >>> round(det(np.array([[2.0, 0.0], [0.0, 4.0]])).value, 6)
    8.0
    """
    return Det.apply(x)


def logabsdet(x: ArrayLike) -> Node:
    """Compute the logarithm of the absolute value of the determinant, without overflow.

    The result has shape (...). A derivative at a singular matrix, where the logarithm is -inf, is an `OperationError`.

    Parameters
    ----------
    x : Node or array, shape (..., n, n)

    Examples
    --------
    >>> logabsdet(np.array([[0.0, 1.0], [1.0, 0.0]])).value
    0.0
    """
    return LogAbsDet.apply(x)


class SlogdetResult(NamedTuple):
    """The sign of a determinant and the logarithm of its absolute value."""

    sign: Constant
    logabsdet: Node


@implements(np.linalg.slogdet)
def slogdet(x: ArrayLike) -> SlogdetResult:
    """Compute the sign and the logarithm of the absolute value of the determinant.

    Returns
    -------
    SlogdetResult
        `sign`, a Constant of -1, 0 or 1, and `logabsdet`, both of shape (...). See `logabsdet`.

    Examples
    --------
    >>> slogdet(np.array([[0.0, 1.0], [1.0, 0.0]]))
    SlogdetResult(sign=Constant(value=-1.0), logabsdet=Constant(value=0.0))
    """
    y = logabsdet(x)
    return SlogdetResult(Constant(np.linalg.slogdet(value_of(x)).sign), y)
