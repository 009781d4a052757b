"""Inverses of square matrices, the solution of linear systems, determinants and their logarithms."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dark.errors import OperationError, ShapeError
from dark.nodes import Constant, Node, Operation, value_of
from dark.nodes.protocols import implements
from dark.nodes.values import shape_of
from dark.operations.arrays.cumulative import products_of_others
from dark.operations.linalg.matmul import as_column, as_row, transpose_last
from dark.operations.linalg.matrix_checks import SQUARE, check_square, singular_error
from dark.typing import ArrayLike

SAMPLES: tuple = ((((3, 3),), {}), (((2, 3, 3),), {}), (((1, 1),), {}), (((0, 0),), {}), (((0, 2, 2),), {}))


def inverse_or_error(x, who):
    """Invert a matrix inside a gradient rule; a singular one raises an error that names the function."""
    try:
        return np.linalg.inv(x)
    except (np.linalg.LinAlgError, OperationError):
        raise singular_error(who) from None


def make_invertible(x, *others):
    """Return well-conditioned matrices made from any, for the tests."""
    x = x + 7.0 * np.eye(x.shape[-1], dtype=x.dtype)
    return (x, *others)


class Inv(Operation, trusted=True, elementwise=False):
    """Inverse of a matrix."""

    _f = staticmethod(lambda x: np.linalg.inv(check_square(x, "inv")))
    _df = (lambda dldy, y, x: -transpose_last(y) @ dldy @ transpose_last(y),)

    @classmethod
    def _shape_error(op, error, x):
        return singular_error("inv")

    expects, samples, prepared = SQUARE, SAMPLES, staticmethod(make_invertible)


class Solve(Operation, trusted=True, elementwise=False):
    """Solution of a linear system; both gradients come from one more system."""

    @staticmethod
    def _f(a, b):
        check_square(a, "solve")
        if not shape_of(b):
            raise ShapeError(
                "solve: the right-hand side must have an axis, got a scalar.", Solve.expects + ".", Solve.advice
            )
        return np.linalg.solve(a, b)

    @classmethod
    def _gradients(op, node, dldy, y, x):
        """Solve the transposed system for the gradient of the right-hand side, then the gradient of the matrix."""
        a, b = x
        if b.ndim == 1:
            g = np.linalg.solve(transpose_last(a), as_column(dldy))  # (..., n, 1)
            vjp_a, vjp_b = (lambda: -g @ as_row(y)), (lambda: np.reshape(g, g.shape[:-1]))
        else:
            g = np.linalg.solve(transpose_last(a), dldy)  # (..., n, k)
            vjp_a, vjp_b = (lambda: -g @ transpose_last(y)), (lambda: g)
        return [rule() if n.requires_grad else None for n, rule in zip(node.inputs, (vjp_a, vjp_b))]

    @classmethod
    def _shape_error(op, error, x):
        return singular_error("solve") if isinstance(error, np.linalg.LinAlgError) else super()._shape_error(error, x)

    expects = "a matrix (..., n, n), and a right-hand side (..., n, k), or one vector (n,) for all"
    advice = "print both shapes; a stack of vectors needs another axis, b[..., None]."
    samples: tuple = (
        (((3, 3), (3,)), {}), (((3, 3), (3, 2)), {}), (((2, 3, 3), (2, 3, 2)), {}), (((2, 3, 3), (3,)), {}),
        (((3, 3), (2, 3, 2)), {}), (((2, 3, 3), (3, 2)), {}), (((0, 2, 2), (2,)), {}), (((0, 0), (0,)), {}),
    )  # fmt: skip
    prepared = staticmethod(make_invertible)


@implements(np.linalg.inv)
def inv(x: ArrayLike) -> Node:
    """Invert a matrix, shape (..., n, n). To multiply by the inverse, `solve` is faster and more accurate.

    A singular matrix is an `OperationError`.

    >>> inv(np.array([[2.0, 0.0], [0.0, 4.0]])).value
    array([[0.5 , 0.  ],
           [0.  , 0.25]])
    """
    return Inv.apply(x)


@implements(np.linalg.solve)
def solve(a: ArrayLike, b: ArrayLike) -> Node:
    """Solve the linear system ``a @ x = b`` for matrices (..., n, n).

    The right-hand sides `b` are columns, shape (..., n, k), or one vector (n,), which gives a result (..., n). A
    singular matrix is an `OperationError`.

    >>> solve(np.array([[2.0, 0.0], [0.0, 4.0]]), np.array([2.0, 2.0])).value
    array([1. , 0.5])
    """
    return Solve.apply(a, b)


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
    """Compute the determinant of a matrix (..., n, n). The gradient consists of the cofactors, ``det(x) * inv(x).T``.

    A second derivative at a singular matrix is an `OperationError`.

    >>> round(det(np.array([[2.0, 0.0], [0.0, 4.0]])).value, 6)
    8.0
    """
    return Det.apply(x)


def logabsdet(x: ArrayLike) -> Node:
    """Compute the logarithm of the absolute value of the determinant, without overflow.

    A derivative at a singular matrix, where the logarithm is -inf, is an `OperationError`.

    >>> logabsdet(np.array([[0.0, 1.0], [1.0, 0.0]])).value
    0.0
    """
    return LogAbsDet.apply(x)


class SlogdetResult(NamedTuple):
    """The sign of a determinant, a Constant of -1, 0 or 1, and the logarithm of its absolute value; shapes (...)."""

    sign: Constant
    logabsdet: Node


@implements(np.linalg.slogdet)
def slogdet(x: ArrayLike) -> SlogdetResult:
    """Compute the sign and the logarithm of the absolute value of the determinant. See `logabsdet`.

    >>> slogdet(np.array([[0.0, 1.0], [1.0, 0.0]]))
    SlogdetResult(sign=Constant(value=-1.0), logabsdet=Constant(value=0.0))
    """
    y = logabsdet(x)
    return SlogdetResult(Constant(np.linalg.slogdet(value_of(x)).sign), y)
