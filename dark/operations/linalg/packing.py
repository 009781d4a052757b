"""Several matrices in one: a factorization is one node, from which its factors are sliced."""

import math
from itertools import accumulate, pairwise

import numpy as np


def pack(*factors):
    """Join factors with equal batch dimensions, each given with its number of other axes, along one axis.

    >>> pack((np.ones(2), 1), (np.zeros((2, 2)), 2))
    array([1., 1., 0., 0., 0., 0.])
    """
    parts = []
    for x, axes in factors:
        batch, shape = x.shape[: x.ndim - axes], x.shape[x.ndim - axes :]
        parts.append(np.reshape(x, (*batch, math.prod(shape))))
    return np.concatenate(parts, axis=-1)


def unpack(y, *shapes):
    """Return the factors of these shapes, without their batch dimensions, that `pack` joined.

    >>> unpack(np.array([1.0, 1.0, 0.0, 0.0, 0.0, 0.0]), (2,), (2, 2))
    [array([1., 1.]), array([[0., 0.],
           [0., 0.]])]
    """
    ends = accumulate((math.prod(shape) for shape in shapes), initial=0)
    return [np.reshape(y[..., a:b], (*y.shape[:-1], *shape)) for (a, b), shape in zip(pairwise(ends), shapes)]
