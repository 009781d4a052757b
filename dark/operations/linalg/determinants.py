"""Determinants, plain and as logarithms."""

from typing import NamedTuple

import numpy as np

from dark.nodes import Constant, Node, Operation, value_of
from dark.nodes.protocols import implements
from dark.operations.arrays.cumulative import products_of_others
from dark.operations.linalg.inverses import SAMPLES, SQUARE, check_square, inverse, regular
from dark.operations.linalg.matmul import column, row, turned


def cofactors(x, y):
    """Return the slopes of the determinant `y` along each number: ``y * inv(x).T``, or its limit at a singular matrix.

    Raises
    ------
    OperationError
        For nodes of a singular matrix: the limit is computed from singular values, which end a graph here.
    """
    if not x.size or isinstance(x, Node) or np.all(y != 0):
        return column(column(y)) * turned(inverse(x, "det")) if x.size else x
    u, s, v = np.linalg.svd(x)  # x = u @ diag(s) @ v
    sign = column(column(np.linalg.det(u) * np.linalg.det(v)))
    return sign * (u * row(products_of_others(s))) @ v


class Det(Operation, trusted=True, elementwise=False):
    """The determinant; its slope is right at a singular matrix too."""

    @staticmethod
    def _f(x):
        return np.linalg.det(check_square(x, "det"))

    _df = (lambda dldy, y, x: column(column(dldy)) * cofactors(x, y),)

    expects, samples = SQUARE, SAMPLES


class LogAbsDet(Operation, trusted=True, elementwise=False):
    """The logarithm of the determinant's absolute value; -inf at a singular matrix, which has no slope."""

    @staticmethod
    def _f(x):
        return np.linalg.slogdet(check_square(x, "logabsdet")).logabsdet

    _df = (lambda dldy, y, x: column(column(dldy)) * turned(inverse(x, "logabsdet")),)

    expects, samples, prepared = SQUARE, SAMPLES, staticmethod(regular)


@implements(np.linalg.det)
def det(x):
    """Compute the determinant.

    Parameters
    ----------
    x : Node or array, shape (..., n, n)
        A matrix, or a stack of them.

    Returns
    -------
    Node, shape (...)

    Raises
    ------
    ShapeError
        If it is not square.
    OperationError
        From a second derivative at a singular matrix.

    Notes
    -----
    The slopes are the cofactors, ``det(x) * inv(x).T``; at a singular matrix they come from its singular values.

    Examples
    --------
    >>> import numpy as np
    >>> round(det(np.array([[2.0, 0.0], [0.0, 4.0]])).value, 6)
    8.0
    """
    return Det.apply(x)


def logabsdet(x):
    """Compute the logarithm of the determinant's absolute value, without overflow on the way.

    Parameters
    ----------
    x : Node or array, shape (..., n, n)
        A matrix, or a stack of them.

    Returns
    -------
    Node, shape (...)

    Raises
    ------
    ShapeError
        If it is not square.
    OperationError
        From a derivative at a singular matrix, where the logarithm is -inf.

    Examples
    --------
    >>> import numpy as np
    >>> logabsdet(np.array([[0.0, 1.0], [1.0, 0.0]])).value
    0.0
    """
    return LogAbsDet.apply(x)


class SignAndLog(NamedTuple):
    """A determinant as its sign and the logarithm of its absolute value."""

    sign: Constant
    logabsdet: Node


@implements(np.linalg.slogdet)
def slogdet(x):
    """Compute the sign of the determinant beside `logabsdet`.

    Parameters
    ----------
    x
        As for `logabsdet`.

    Returns
    -------
    SignAndLog
        `sign`, a Constant of -1, 0 or 1, and `logabsdet`, both of shape (...).

    Raises
    ------
    ShapeError, OperationError
        As for `logabsdet`.

    Examples
    --------
    >>> import numpy as np
    >>> slogdet(np.array([[0.0, 1.0], [1.0, 0.0]]))
    SignAndLog(sign=Constant(value=-1.0), logabsdet=Constant(value=0.0))
    """
    y = logabsdet(x)
    return SignAndLog(Constant(np.linalg.slogdet(value_of(x)).sign), y)
