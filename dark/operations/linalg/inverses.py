"""Inverses of square matrices, and the solution of linear systems."""

import numpy as np

from dark.errors import OperationError, ShapeError
from dark.nodes import Operation
from dark.nodes.protocols import implements
from dark.nodes.values import shape_of
from dark.operations.linalg.matmul import column, row, turned

SQUARE = "a matrix (n, n), or a stack of them (..., n, n)"
SAMPLES: tuple = ((((3, 3),), {}), (((2, 3, 3),), {}), (((1, 1),), {}), (((0, 0),), {}), (((0, 2, 2),), {}))


def check_square(x, who):
    """Make sure of a square matrix, or a stack of them.

    Raises
    ------
    ShapeError
        For another shape.
    """
    shape = shape_of(x)
    if len(shape) < 2 or shape[-1] != shape[-2]:
        raise ShapeError(f"{who}: shape {shape} is not that of a square matrix.", SQUARE + ".", "print the shape.")
    return x


def singular(who):
    """Make the error for a matrix that has no inverse."""
    return OperationError(
        f"{who}: the matrix, or one of the stack, is singular: it has no inverse.",
        "rows that are no combination of each other.",
        "np.linalg.cond(x) tells how near to singular it is; adding a little to the diagonal helps.",
    )


def inverse(x, who):
    """Invert a matrix inside a rule that is called `who`."""
    try:
        return np.linalg.inv(x)
    except (np.linalg.LinAlgError, OperationError):
        raise singular(who) from None


def regular(x, *others):
    """Make matrices of any numbers that are far from singular, for the tests."""
    x = x + 7.0 * np.eye(x.shape[-1], dtype=x.dtype)
    return (x, *others)


class Inv(Operation, trusted=True, elementwise=False):
    """The inverse of a matrix, or of each of a stack."""

    @staticmethod
    def _f(x):
        return np.linalg.inv(check_square(x, "inv"))

    _df = (lambda dldy, y, x: -turned(y) @ dldy @ turned(y),)

    @classmethod
    def _shape_error(op, error, x):
        return singular("inv")

    expects, samples, prepared = SQUARE, SAMPLES, staticmethod(regular)


class Solve(Operation, trusted=True, elementwise=False):
    """The solution of linear systems; both gradients come from one further system."""

    @staticmethod
    def _f(a, b):
        check_square(a, "solve")
        if not shape_of(b):
            raise ShapeError("solve: the right side is one number.", Solve.expects + ".", Solve.advice)
        return np.linalg.solve(a, b)

    @classmethod
    def _gradients(op, node, dldy, y, x):
        """Solve the transposed system for the gradient of the right side, which gives that of the matrix."""
        a, b = x
        if b.ndim == 1:
            g = np.linalg.solve(turned(a), column(dldy))  # (..., n, 1)
            of_a, of_b = (lambda: -g @ row(y)), (lambda: np.reshape(g, g.shape[:-1]))
        else:
            g = np.linalg.solve(turned(a), dldy)  # (..., n, k)
            of_a, of_b = (lambda: -g @ turned(y)), (lambda: g)
        return [rule() if n.requires_grad else None for n, rule in zip(node.inputs, (of_a, of_b))]

    @classmethod
    def _shape_error(op, error, x):
        return singular("solve") if isinstance(error, np.linalg.LinAlgError) else super()._shape_error(error, x)

    expects = "a matrix (..., n, n), and a right side (..., n, k), or one vector (n,) for all"
    advice = "print both shapes; a stack of vectors needs an axis more, b[..., None]."
    samples: tuple = (
        (((3, 3), (3,)), {}), (((3, 3), (3, 2)), {}), (((2, 3, 3), (2, 3, 2)), {}), (((2, 3, 3), (3,)), {}),
        (((3, 3), (2, 3, 2)), {}), (((2, 3, 3), (3, 2)), {}), (((0, 2, 2), (2,)), {}), (((0, 0), (0,)), {}),
    )  # fmt: skip
    prepared = staticmethod(regular)


@implements(np.linalg.inv)
def inv(x):
    """Invert a matrix.

    Parameters
    ----------
    x : Node or array, shape (..., n, n)
        A matrix, or a stack of them.

    Returns
    -------
    Node, shape (..., n, n)

    Raises
    ------
    ShapeError
        If it is not square.
    OperationError
        If it is singular.

    Notes
    -----
    To multiply by the inverse, `solve` is quicker and more exact.

    Examples
    --------
    >>> import numpy as np
    >>> inv(np.array([[2.0, 0.0], [0.0, 4.0]])).value
    array([[0.5 , 0.  ],
           [0.  , 0.25]])
    """
    return Inv.apply(x)


@implements(np.linalg.solve)
def solve(a, b):
    """Solve ``a @ x = b``.

    Parameters
    ----------
    a : Node or array, shape (..., n, n)
        A matrix, or a stack of them.
    b : Node or array, shape (..., n, k) or (n,)
        The right sides, as columns; or one vector.

    Returns
    -------
    Node, shape (..., n, k) or (..., n)

    Raises
    ------
    ShapeError
        If the matrix is not square, or the right side does not match it.
    OperationError
        If it is singular.

    Examples
    --------
    >>> import numpy as np
    >>> solve(np.array([[2.0, 0.0], [0.0, 4.0]]), np.array([2.0, 2.0])).value
    array([1. , 0.5])
    """
    return Solve.apply(a, b)
