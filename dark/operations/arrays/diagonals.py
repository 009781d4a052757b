"""Diagonals of matrices, and their triangular parts."""

from __future__ import annotations

import numpy as np

from dark.checks import integer
from dark.errors import ShapeError
from dark.nodes import Node, Operation, unbroadcast
from dark.nodes.protocols import implements
from dark.operations.arrays.indexing import scatter
from dark.operations.arrays.reductions import sum as sum_along
from dark.operations.axis_checks import input_shape, normalize_axes
from dark.spellings import keywords_checked
from dark.typing import ArrayLike

TRY = "x[None] adds an axis; offset=1 is the diagonal above the main one."


class Diagonal(Operation, trusted=True, elementwise=False):
    """Diagonal of the matrices in two axes; it becomes the last axis."""

    _f = staticmethod(lambda x, offset, axis1, axis2: np.diagonal(x, offset, axis1, axis2))

    @staticmethod
    def _vjp(dldy, y, x, offset, axis1, axis2):
        shape = np.shape(x)
        rows, columns = shape[axis1], shape[axis2]
        others = [n for k, n in enumerate(shape) if k not in (axis1, axis2)]
        on_diagonal = np.eye(rows, columns, offset, dtype=bool)
        matrices = scatter(dldy, (..., on_diagonal), (*others, rows, columns))
        return np.moveaxis(matrices, (-2, -1), (axis1, axis2))

    _df = (_vjp,)

    expects, advice = "an array with two axes or more", TRY
    samples = (
        (((3, 3),), {"offset": 0, "axis1": 0, "axis2": 1}), (((2, 4),), {"offset": 1, "axis1": 0, "axis2": 1}),
        (((4, 2),), {"offset": -2, "axis1": 1, "axis2": 0}), (((2, 3, 2),), {"offset": 0, "axis1": 2, "axis2": 0}),
        (((3, 2),), {"offset": 5, "axis1": 0, "axis2": 1}), (((0, 2),), {"offset": 0, "axis1": 0, "axis2": 1}),
    )  # fmt: skip


class Diag(Operation, trusted=True, elementwise=False):
    """Square matrix with a vector on its k-th diagonal and zeros elsewhere."""

    _f = staticmethod(lambda x, k: np.diag(x, k))
    _df = (lambda dldy, y, x, k: np.diagonal(dldy, k),)

    expects, advice = "a vector or a matrix", TRY
    samples = ((((3,),), {"k": 0}), (((2,),), {"k": 2}), (((2,),), {"k": -1}), (((0,),), {"k": 1}), (((0,),), {"k": 0}))


class Tril(Operation, trusted=True, elementwise=False):
    """Lower triangle: elements above the k-th diagonal are 0."""

    _f = staticmethod(lambda x, k: np.tril(x, k))
    _df = (lambda dldy, y, x, k: unbroadcast(np.tril(dldy, k), np.shape(x)),)

    expects, advice = "a vector or a matrix", TRY
    samples = (
        (((3, 3),), {"k": 0}), (((2, 4),), {"k": 1}), (((4, 2),), {"k": -1}), (((2, 2, 3),), {"k": 0}),
        (((3,),), {"k": 0}), (((0, 2),), {"k": 0}),
    )  # fmt: skip


class Triu(Operation, trusted=True, elementwise=False):
    """Upper triangle: elements below the k-th diagonal are 0."""

    _f = staticmethod(lambda x, k: np.triu(x, k))
    _df = (lambda dldy, y, x, k: unbroadcast(np.triu(dldy, k), np.shape(x)),)

    expects, advice, samples = Tril.expects, TRY, Tril.samples


@implements(np.diagonal)
def diagonal(x: ArrayLike, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Node:
    """Take the diagonal of the matrices in two axes; it becomes the last axis of the result.

    Parameters
    ----------
    offset : int, default 0
        Positive above the main diagonal, negative below it.
    axis1, axis2 : int, default 0 and 1
        The axes of rows and columns.

    Examples
    --------
    >>> x = np.arange(6.0).reshape(2, 3)
    >>> diagonal(x).value, diagonal(x, offset=1).value
    (array([0., 4.]), array([1., 5.]))
    """
    shape = input_shape(x, "diagonal")
    if len(shape) < 2:
        raise ShapeError(
            f"diagonal: the input must have at least two axes, got shape {shape}.", Diagonal.expects + ".", TRY
        )
    axis1, axis2 = normalize_axes((axis1, axis2), shape, "diagonal")
    return Diagonal.apply(x, offset=integer(offset, "diagonal", "offset"), axis1=axis1, axis2=axis2)


@implements(np.linalg.diagonal)
def _last_axes(x, /, *, offset=0):
    """Take the diagonals of the matrices in the last two axes."""
    return diagonal(x, offset, -2, -1)


@implements(np.trace)
def trace(x: ArrayLike, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Node:
    """Sum along the diagonal. Parameters are those of `diagonal`.

    >>> trace(np.arange(6.0).reshape(2, 3)).value
    4.0
    """
    return sum_along(diagonal(x, offset, axis1, axis2), axis=-1)


@implements(np.linalg.trace)
def _last_axes_trace(x, /, *, offset=0):
    """Sum along the diagonals of the matrices in the last two axes."""
    return trace(x, offset, -2, -1)


@implements(np.diag)
@keywords_checked
def diag(x: ArrayLike, k: int = 0) -> Node:
    """Build a matrix with a vector on its k-th diagonal, or take the k-th diagonal of a matrix.

    The matrix is square, with ``n + abs(k)`` rows; k is positive above the main diagonal, negative below it.

    >>> diag(np.array([1.0, 2.0])).value
    array([[1., 0.],
           [0., 2.]])
    >>> diag(np.array([[1.0, 2.0], [3.0, 4.0]])).value
    array([1., 4.])
    """
    shape, k = input_shape(x, "diag"), integer(k, "diag", "k")
    if len(shape) not in (1, 2):
        raise ShapeError(
            f"diag: the input must have one or two axes, got shape {shape}.",
            Diag.expects + ".",
            "diagonal(x, axis1=-2, axis2=-1) for stacks.",
        )
    return Diag.apply(x, k=k) if len(shape) == 1 else Diagonal.apply(x, offset=k, axis1=0, axis2=1)


@implements(np.tril)
@keywords_checked
def tril(x: ArrayLike, k: int = 0) -> Node:
    """Return the lower triangle of matrices (..., n, m): a copy in which elements above the k-th diagonal are 0.

    k is positive above the main diagonal, negative below it. A vector is broadcast to a square matrix first.

    >>> tril(np.ones((2, 3))).value
    array([[1., 0., 0.],
           [1., 1., 0.]])
    """
    return _triangle(Tril, x, k)


@implements(np.triu)
@keywords_checked
def triu(x: ArrayLike, k: int = 0) -> Node:
    """Return the upper triangle of matrices; see `tril`.

    >>> triu(np.ones((2, 3)), k=1).value
    array([[0., 1., 1.],
           [0., 0., 1.]])
    """
    return _triangle(Triu, x, k)


def _triangle(op, x, k):
    if not input_shape(x, op.label()):
        raise ShapeError(f"{op.label()}: the input must have an axis, got a scalar.", Tril.expects + ".", TRY)
    return op.apply(x, k=integer(k, op.label(), "k"))
