"""Inner and Kronecker products, composed of others."""

from __future__ import annotations

import numpy as np

from dark.errors import ShapeError
from dark.nodes import Node
from dark.nodes.protocols import implements
from dark.operations.arrays.shapes import reshape
from dark.operations.linalg.einsum import tensordot
from dark.operations.numeric import as_node
from dark.typing import ArrayLike


@implements(np.inner)
def inner(a: ArrayLike, b: ArrayLike) -> Node:
    """Compute the inner product: the sum of products along the last axes; a scalar multiplies.

    The result has the other axes of `a`, then those of `b`: it is a number for two vectors.

    >>> inner(np.array([1.0, 2.0]), np.array([3.0, 4.0])).value
    11.0
    """
    shapes = tuple([as_node(x, "inner").shape for x in (a, b)])
    if () in shapes:
        return tensordot(a, b, axes=0)
    if shapes[0][-1] != shapes[1][-1]:
        raise ShapeError(
            f"inner: shapes {shapes[0]} and {shapes[1]} do not match.",
            "the same length of both last axes.",
            "matmul for a product of rows and columns.",
        )
    return tensordot(a, b, axes=((-1,), (-1,)))


@implements(np.kron)
def kron(a: ArrayLike, b: ArrayLike) -> Node:
    """Compute the Kronecker product: blocks of `b`, each multiplied by one element of `a`.

    The one with fewer axes gets axes of length 1 on the left. Along each axis of the result, the length is the product
    of the two lengths.

    >>> kron(np.array([1.0, 10.0]), np.array([1.0, 2.0, 3.0])).value
    array([ 1.,  2.,  3., 10., 20., 30.])
    """
    shapes = [as_node(x, "kron").shape for x in (a, b)]
    ndim = max(map(len, shapes))
    left, right = [(1,) * (ndim - len(shape)) + shape for shape in shapes]
    spread = reshape(a, tuple([length for n in left for length in (n, 1)]))
    block = reshape(b, tuple([length for n in right for length in (1, n)]))
    return reshape(spread * block, tuple([n * m for n, m in zip(left, right)]))
