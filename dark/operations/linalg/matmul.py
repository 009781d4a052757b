"""Linear algebra: products of matrices and vectors."""

import math

import numpy as np

from dark.errors import ShapeError
from dark.nodes import Operation
from dark.nodes.protocols import implements
from dark.nodes.values import shape_of


def turned(x):
    """Return a matrix, or a stack of them, with its last two axes exchanged."""
    return x.T if x.ndim == 2 else np.swapaxes(x, -1, -2)


def column(x):
    """Return vectors (..., n) as matrices of one column (..., n, 1)."""
    return np.reshape(x, (*np.shape(x), 1))


def row(x):
    """Return vectors (..., n) as matrices of one row (..., 1, n)."""
    shape = np.shape(x)
    return np.reshape(x, (*shape[:-1], 1, *shape[-1:]))


def rows(x):
    """Return a stack of matrices (..., n, k) as one tall matrix, for one large product in place of many."""
    return x if x.ndim == 2 else np.reshape(x, (math.prod(x.shape[:-1]), x.shape[-1]))


class MatMul(Operation, trusted=True, sign="@", ufunc=np.matmul, elementwise=False):
    """The product of two matrices, of stacks of them, or with a vector on either side."""

    @staticmethod
    def _f(a, b):
        if not shape_of(a) or not shape_of(b):
            raise ShapeError(
                f"matmul: shapes {shape_of(a)} and {shape_of(b)} do not match.", MatMul.expects, "a * b scales by one."
            )
        return np.matmul(a, b)

    def _left(dldy, y, a, b):
        if b.ndim == 1:
            return column(dldy) * b if a.ndim > 1 else dldy * b
        if a.ndim == 1:
            return np.reshape(np.matmul(b, column(dldy)), b.shape[:-1])
        if b.ndim == 2:
            return np.reshape(np.matmul(rows(dldy), b.T), a.shape)
        return np.matmul(dldy, turned(b))

    def _right(dldy, y, a, b):
        if a.ndim == 1:
            return column(a) * row(dldy) if b.ndim > 1 else dldy * a
        if b.ndim == 1:
            return np.matmul(rows(a).T, np.reshape(dldy, -1))
        if b.ndim == 2:
            return np.matmul(rows(a).T, rows(dldy))
        return np.matmul(turned(a), dldy)

    _df = (_left, _right)

    expects = "(..., n, k) and (..., k, m), with the same k, and stacks that broadcast; a vector is (k,)"
    advice = "print both shapes; one of the two may need .T"
    samples: tuple = (
        (((2, 3), (3, 4)), {}), (((3,), (3,)), {}), (((2, 3), (3,)), {}), (((3,), (3, 4)), {}),
        (((5, 2, 3), (5, 3, 4)), {}), (((5, 2, 3), (3, 4)), {}), (((2, 3), (5, 3, 4)), {}), (((5, 2, 3), (3,)), {}),
        (((3,), (5, 3, 4)), {}), (((5, 1, 2, 3), (4, 3, 2)), {}), (((1, 2, 3), (5, 3, 4)), {}),
        (((0, 3), (3, 2)), {}), (((2, 0), (0, 2)), {}), (((2, 0, 3), (3, 2)), {}),
    )  # fmt: skip


class Dot(Operation, trusted=True, elementwise=False):
    """The product of matrices and vectors, where `MatMul` and NumPy's `dot` agree."""

    @staticmethod
    def _f(a, b):
        if not 0 < len(shape_of(a)) < 3 or not 0 < len(shape_of(b)) < 3:
            raise ShapeError(f"dot: shapes {shape_of(a)} and {shape_of(b)} do not match.", Dot.expects, Dot.advice)
        return np.dot(a, b)

    _df = MatMul.vjps

    expects, advice = "two vectors (k,), two matrices, or one of each", "matmul multiplies stacks, * numbers."
    samples: tuple = tuple(s for s in MatMul.samples if all(len(shape) < 3 for shape in s[0]))


class Outer(Operation, trusted=True, elementwise=False):
    """Every number of one vector times every number of another."""

    @staticmethod
    def _f(a, b):
        return np.outer(a, b)

    _df = (
        lambda dldy, y, a, b: np.reshape(np.matmul(dldy, np.reshape(b, -1)), np.shape(a)),
        lambda dldy, y, a, b: np.reshape(np.matmul(np.reshape(a, -1), dldy), np.shape(b)),
    )

    samples: tuple = ((((2,), (3,)), {}), (((2, 3), (4,)), {}), (((), (2,)), {}), (((), ()), {}), (((0,), (2,)), {}))


@implements(np.matmul)
@implements(np.linalg.matmul)
def matmul(a, b):
    """Multiply matrices: ``a @ b``.

    Parameters
    ----------
    a, b : Node or array, shapes (..., n, k) and (..., k, m)
        Matrices, stacks of matrices that broadcast, or vectors of shape (k,).

    Returns
    -------
    Node, shape (..., n, m)
        Without the axis of a vector.

    Raises
    ------
    ShapeError
        If the two shapes do not match, or one of the two is a number.

    Examples
    --------
    >>> import numpy as np
    >>> matmul(np.ones((2, 3)), np.ones((3, 4))).shape
    (2, 4)
    """
    return MatMul.apply(a, b)


@implements(np.dot)
def dot(a, b):
    """Multiply two matrices, two vectors, or one of each.

    Parameters
    ----------
    a, b : Node or array, shapes (n, k) or (k,) and (k, m) or (k,)
        For numbers use ``*``, for stacks of matrices `matmul`.

    Returns
    -------
    Node

    Raises
    ------
    ShapeError
        If the two shapes do not match, or one has no axis, or more than two.

    Examples
    --------
    >>> import numpy as np
    >>> dot(np.array([1.0, 2.0]), np.array([3.0, 4.0])).value
    11.0
    """
    return Dot.apply(a, b)


@implements(np.outer)
@implements(np.linalg.outer)
def outer(a, b):
    """Multiply every number of one vector by every number of another.

    Parameters
    ----------
    a, b : Node, float or array, shapes (n,) and (m,)
        Of another shape, it is read row by row.

    Returns
    -------
    Node, shape (n, m)

    Examples
    --------
    >>> import numpy as np
    >>> outer(np.array([1.0, 2.0]), np.array([3.0, 4.0])).value
    array([[3., 4.],
           [6., 8.]])
    """
    return Outer.apply(a, b)
