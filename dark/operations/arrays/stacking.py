"""Scalars and vectors as arrays of more axes, and stacks of arrays by rows, columns or depth."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dark.nodes import Node
from dark.nodes.protocols import implements
from dark.operations.arrays.concatenation import as_list, concatenate
from dark.operations.arrays.shapes import reshape
from dark.operations.numeric import as_node
from dark.typing import ArrayLike


def _reshaped(who, x, shapes):
    """Reshape an input to the shape that is listed for its number of axes; with more axes it stays as it is."""
    x = as_node(x, who)
    return reshape(x, shapes[x.ndim](*x.shape)) if x.ndim < len(shapes) else x


def _each(function, xs):
    """Apply a function to one input, or to each of several, which gives a tuple."""
    return function(xs[0]) if len(xs) == 1 else tuple([function(x) for x in xs])


def _as_1d(x):
    return _reshaped("atleast_1d", x, [lambda: (1,)])


def _as_2d(x):
    return _reshaped("atleast_2d", x, [lambda: (1, 1), lambda n: (1, n)])


def _as_3d(x):
    return _reshaped("atleast_3d", x, [lambda: (1, 1, 1), lambda n: (1, n, 1), lambda n, m: (n, m, 1)])


@implements(np.atleast_1d)
def atleast_1d(*xs: ArrayLike) -> Node | tuple[Node, ...]:
    """Return scalars as arrays of shape (1,), and arrays as they are; a tuple for several inputs, as in NumPy.

    >>> atleast_1d(3.0).value
    array([3.])
    """
    return _each(_as_1d, xs)


@implements(np.atleast_2d)
def atleast_2d(*xs: ArrayLike) -> Node | tuple[Node, ...]:
    """Return scalars and vectors as arrays of shape (1, 1) and (1, n), and others as they are.

    >>> atleast_2d(np.ones(3)).shape
    (1, 3)
    """
    return _each(_as_2d, xs)


@implements(np.atleast_3d)
def atleast_3d(*xs: ArrayLike) -> Node | tuple[Node, ...]:
    """Return scalars, vectors and matrices as arrays of shape (1, 1, 1), (1, n, 1) and (n, m, 1).

    >>> [x.shape for x in atleast_3d(np.ones(3), np.ones((2, 3)))]
    [(1, 3, 1), (2, 3, 1)]
    """
    return _each(_as_3d, xs)


@implements(np.hstack)
def hstack(nodes: Sequence[ArrayLike]) -> Node:
    """Concatenate arrays along the second axis, in which their shapes may differ; scalars and vectors along the first.

    >>> hstack([np.zeros((2, 3)), np.ones((2, 1))]).shape, hstack([1.0, np.ones(2)]).value
    ((2, 4), array([1., 1., 1.]))
    """
    parts = [_as_1d(x) for x in as_list(nodes, "hstack")]
    return concatenate(parts, axis=0 if parts[0].ndim == 1 else 1)


@implements(np.vstack)
def vstack(nodes: Sequence[ArrayLike]) -> Node:
    """Concatenate arrays along the first axis; a vector counts as one row. See `hstack`.

    >>> vstack([np.zeros(3), np.ones((2, 3))]).shape
    (3, 3)
    """
    return concatenate([_as_2d(x) for x in as_list(nodes, "vstack")], axis=0)


@implements(np.column_stack)
def column_stack(nodes: Sequence[ArrayLike]) -> Node:
    """Concatenate matrices along the second axis; a vector counts as one column. See `hstack`.

    >>> column_stack([np.array([1.0, 2.0]), np.array([3.0, 4.0])]).value
    array([[1., 3.],
           [2., 4.]])
    """
    parts = [as_node(x, "column_stack") for x in as_list(nodes, "column_stack")]
    return concatenate([x if x.ndim > 1 else reshape(x, (-1, 1)) for x in parts], axis=1)


@implements(np.dstack)
def dstack(nodes: Sequence[ArrayLike]) -> Node:
    """Concatenate arrays along the third axis, which vectors and matrices get first. See `hstack`.

    >>> dstack([np.ones((2, 3)), np.ones((2, 3))]).shape
    (2, 3, 2)
    """
    return concatenate([_as_3d(x) for x in as_list(nodes, "dstack")], axis=2)
