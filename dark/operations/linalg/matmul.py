"""Products of matrices and vectors."""

from __future__ import annotations

import math

import numpy as np

from dark.errors import ShapeError
from dark.nodes import Node, Operation
from dark.nodes.protocols import implements
from dark.nodes.values import shape_of
from dark.typing import ArrayLike


def transpose_last(x):
    """Transpose the last two axes."""
    return x.T if x.ndim == 2 else np.swapaxes(x, -1, -2)


def as_column(x):
    """Return vectors (..., n) as matrices with one column (..., n, 1)."""
    return np.reshape(x, (*np.shape(x), 1))


def as_row(x):
    """Return vectors (..., n) as matrices with one row (..., 1, n)."""
    shape = np.shape(x)
    return np.reshape(x, (*shape[:-1], 1, *shape[-1:]))


def as_matrix(x):
    """Return (..., n, k) as one matrix (rows, k), so that one large product replaces many small ones."""
    return x if x.ndim == 2 else np.reshape(x, (math.prod(x.shape[:-1]), x.shape[-1]))


class MatMul(Operation, trusted=True, sign="@", ufunc=np.matmul, elementwise=False):
    """Matrix product, batched, or with a vector on either side."""

    @staticmethod
    def _f(a, b):
        try:
            return np.matmul(a, b)
        except ValueError:
            if shape_of(a) and shape_of(b):
                raise
            raise ShapeError(
                f"matmul: shapes {shape_of(a)} and {shape_of(b)} do not match.",
                MatMul.expects,
                "a * b multiplies by a scalar.",
            ) from None

    @staticmethod
    def _left(dldy, y, a, b):
        if b.ndim == 1:
            return as_column(dldy) * b if a.ndim > 1 else dldy * b
        if a.ndim == 1:
            return np.reshape(np.matmul(b, as_column(dldy)), b.shape[:-1])
        if b.ndim == 2:
            return np.reshape(np.matmul(as_matrix(dldy), b.T), a.shape)
        return np.matmul(dldy, transpose_last(b))

    @staticmethod
    def _right(dldy, y, a, b):
        if a.ndim == 1:
            return as_column(a) * as_row(dldy) if b.ndim > 1 else dldy * a
        if b.ndim == 1:
            return np.matmul(as_matrix(a).T, np.reshape(dldy, -1))
        if b.ndim == 2:
            return np.matmul(as_matrix(a).T, as_matrix(dldy))
        return np.matmul(transpose_last(a), dldy)

    _df = (_left, _right)

    expects = "(..., n, k) and (..., k, m), with the same k and batch dimensions that broadcast; a vector is (k,)"
    advice = "print both shapes; one of the two may need .T"
    samples: tuple = (
        (((2, 3), (3, 4)), {}), (((3,), (3,)), {}), (((2, 3), (3,)), {}), (((3,), (3, 4)), {}),
        (((5, 2, 3), (5, 3, 4)), {}), (((5, 2, 3), (3, 4)), {}), (((2, 3), (5, 3, 4)), {}), (((5, 2, 3), (3,)), {}),
        (((3,), (5, 3, 4)), {}), (((5, 1, 2, 3), (4, 3, 2)), {}), (((1, 2, 3), (5, 3, 4)), {}),
        (((0, 3), (3, 2)), {}), (((2, 0), (0, 2)), {}), (((2, 0, 3), (3, 2)), {}),
    )  # fmt: skip


class Dot(Operation, trusted=True, elementwise=False):
    """Dot product of vectors and matrices, where `MatMul` and NumPy's `dot` agree."""

    @staticmethod
    def _f(a, b):
        if not 0 < len(shape_of(a)) < 3 or not 0 < len(shape_of(b)) < 3:
            raise ShapeError(f"dot: shapes {shape_of(a)} and {shape_of(b)} do not match.", Dot.expects, Dot.advice)
        return np.dot(a, b)

    _df = MatMul.vjps

    expects, advice = "two vectors (k,), two matrices, or one of each", "matmul for stacks, * for scalars."
    samples: tuple = tuple(s for s in MatMul.samples if all(len(shape) < 3 for shape in s[0]))


class Outer(Operation, trusted=True, elementwise=False):
    """Outer product."""

    _f = staticmethod(lambda a, b: np.outer(a, b))
    _df = (
        lambda dldy, y, a, b: np.reshape(np.matmul(dldy, np.reshape(b, -1)), np.shape(a)),
        lambda dldy, y, a, b: np.reshape(np.matmul(np.reshape(a, -1), dldy), np.shape(b)),
    )

    samples: tuple = ((((2,), (3,)), {}), (((2, 3), (4,)), {}), (((), (2,)), {}), (((), ()), {}), (((0,), (2,)), {}))


@implements(np.matmul)
@implements(np.linalg.matmul)
def matmul(a: ArrayLike, b: ArrayLike) -> Node:
    """Multiply matrices, ``a @ b``: shapes (..., n, k) and (..., k, m) give (..., n, m).

    Batch dimensions broadcast. A vector has shape (k,); the result is without the axis that it lacks.

    >>> matmul(np.ones((2, 3)), np.ones((3, 4))).shape
    (2, 4)
    """
    return MatMul.apply(a, b)


@implements(np.dot)
def dot(a: ArrayLike, b: ArrayLike) -> Node:
    """Compute the dot product of two vectors, two matrices, or one of each.

    For scalars use ``*``, for batches of matrices `matmul`.

    >>> dot(np.array([1.0, 2.0]), np.array([3.0, 4.0])).value
    11.0
    """
    return Dot.apply(a, b)


@implements(np.outer)
@implements(np.linalg.outer)
def outer(a: ArrayLike, b: ArrayLike) -> Node:
    """Compute the outer product of two vectors, shape (n, m); other shapes are flattened.

    >>> outer(np.array([1.0, 2.0]), np.array([3.0, 4.0])).value
    array([[3., 4.],
           [6., 8.]])
    """
    return Outer.apply(a, b)
