"""Products along axes, and sums that run along one."""

import numpy as np

from dark.nodes import Node, Operation, value_of
from dark.nodes.protocols import implements
from dark.operations.arrays.reduction_axes import ADVICE, EXPECTS, SAMPLES, along, count, reduced_axes, spread
from dark.operations.axis_checks import normalize_axis


def products_of_others(x):
    """Multiply, for each number of a row, all the others of the row: right also where some are 0.

    Parameters
    ----------
    x : array or Node, shape (..., n)

    Returns
    -------
    array or Node, shape (..., n)

    Examples
    --------
    >>> products_of_others(np.array([2.0, 0.0, 3.0]))
    array([0., 6., 0.])
    """
    n = x.shape[-1]
    if isinstance(x, Node):  # the row once for each number, with 1 in its place: (..., n, n)
        return np.prod(np.where(np.eye(n, dtype=bool), 1.0, np.reshape(x, (*x.shape[:-1], 1, n))), axis=-1)
    before, after = np.ones_like(x), np.ones_like(x)
    np.cumprod(x[..., :-1], axis=-1, out=before[..., 1:])
    np.cumprod(x[..., :0:-1], axis=-1, out=after[..., -2::-1])
    return before * after


class Prod(Operation, trusted=True, elementwise=False):
    """The product along axes; its gradient, the product of the others, is right at 0 too."""

    expects, advice = EXPECTS, ADVICE
    samples = (*SAMPLES, (((0, 3),), {"axis": 0, "keepdims": False}))

    @staticmethod
    def _f(x, axis, keepdims):
        return np.multiply.reduce(x, axis=axis, keepdims=keepdims)

    def _vjp(dldy, y, x, axis, keepdims):
        shape = np.shape(x)
        if not shape:
            return dldy
        dldy = spread(dldy, shape, axis, keepdims)
        if isinstance(x, Node) and np.all(value_of(y) != 0) and np.all(np.isfinite(value_of(y))):
            return dldy * spread(y, shape, axis, keepdims) / x
        last = reduced_axes(shape, axis)
        order = (*[k for k in range(len(shape)) if k not in last], *last)
        rows = np.transpose(x, order)
        others = products_of_others(np.reshape(rows, (*rows.shape[: -len(last) or None], count(shape, axis))))
        return dldy * np.transpose(np.reshape(others, rows.shape), np.argsort(order))

    _df = (_vjp,)


class CumSum(Operation, trusted=True, elementwise=False):
    """The sum of each number and those before it along an axis; of all numbers in one row without an axis."""

    expects, advice = "an axis that the array has", ADVICE
    samples = (
        (((2, 3),), {"axis": None}), (((2, 3),), {"axis": 0}), (((2, 3, 2),), {"axis": -2}), (((4,),), {"axis": -1}),
        (((),), {"axis": None}), (((0, 3),), {"axis": 0}), (((0,),), {"axis": None}),
    )  # fmt: skip

    @staticmethod
    def _f(x, axis):
        return np.cumsum(x, axis=axis)

    def _vjp(dldy, y, x, axis):
        axis = 0 if axis is None else axis
        return np.reshape(np.flip(np.cumsum(np.flip(dldy, axis), axis=axis), axis), np.shape(x))

    _df = (_vjp,)


@implements(np.prod)
def prod(x, axis=None, keepdims=False):
    """Multiply the numbers along axes.

    Parameters
    ----------
    x : Node, float or array
        Any shape.
    axis : int or tuple of int, optional
        Along which axes; all if not given.
    keepdims : bool, default False
        Keep the axes, with length 1.

    Returns
    -------
    Node, shape of `x` without the axes

    Raises
    ------
    ShapeError
        If there is no such axis.

    Notes
    -----
    The slope along one number is the product of the others. Nothing is divided by a number that is 0,
    so it is right there, and so are derivatives of derivatives.

    Examples
    --------
    >>> import numpy as np
    >>> prod(np.array([2.0, 3.0, 4.0])).value
    24.0
    """
    return Prod.apply(x, **along("prod", x, axis, keepdims))


@implements(np.cumsum)
def cumsum(x, axis=None):
    """Add up as one goes along an axis.

    Parameters
    ----------
    x : Node, float or array
        Any shape.
    axis : int, optional
        Along which axis; without one, all numbers in one row.

    Returns
    -------
    Node, shape of `x`, or (n,) without an axis

    Raises
    ------
    ShapeError
        If there is no such axis.

    Examples
    --------
    >>> import numpy as np
    >>> cumsum(np.array([1.0, 2.0, 3.0])).value
    array([1., 3., 6.])
    """
    return CumSum.apply(x, axis=None if axis is None else normalize_axis(axis, np.shape(x), "cumsum"))
