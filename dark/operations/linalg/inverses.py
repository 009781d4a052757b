"""Inverses of square matrices, and the solution of linear systems."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dark.errors import OperationError, ShapeError
from dark.nodes import Node, Operation
from dark.nodes.protocols import implements
from dark.nodes.values import shape_of
from dark.operations.linalg.matmul import as_column, as_row, transpose_last
from dark.operations.linalg.matrix_checks import SQUARE, check_square, singular_error

if TYPE_CHECKING:
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
            raise ShapeError("solve: the right-hand side is a scalar.", Solve.expects + ".", Solve.advice)
        return np.linalg.solve(a, b)

    @classmethod
    def _gradients(op, node, dldy, y, x):
        """Solve the transposed system for the gradient of the right-hand side, then compute the matrix's from it."""
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
    """Invert a matrix. To multiply by the inverse, `solve` is faster and more accurate.

    The result has shape (..., n, n). A singular matrix is an `OperationError`.

    Parameters
    ----------
    x : Node or array, shape (..., n, n)

    Examples
    --------
    >>> inv(np.array([[2.0, 0.0], [0.0, 4.0]])).value
    array([[0.5 , 0.  ],
           [0.  , 0.25]])
    """
    return Inv.apply(x)


@implements(np.linalg.solve)
def solve(a: ArrayLike, b: ArrayLike) -> Node:
    """Solve the linear system ``a @ x = b``.

    The result has shape (..., n, k) or (..., n). A singular matrix is an `OperationError`.

    Parameters
    ----------
    a : Node or array, shape (..., n, n)
    b : Node or array, shape (..., n, k) or (n,)
        The right-hand sides, as columns; or one vector.

    Examples
    --------
    >>> solve(np.array([[2.0, 0.0], [0.0, 4.0]]), np.array([2.0, 2.0])).value
    array([1. , 0.5])
    """
    return Solve.apply(a, b)
