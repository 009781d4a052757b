"""The modified Bessel functions of the first kind, of which NumPy has the first: i0."""

import numpy as np

from dark.errors import ValueTypeError
from dark.nodes import Node, Operation
from dark.nodes.protocols import implements
from dark.operations.door import whole

ANGLES = (np.arange(64) + 0.5) * (np.pi / 128)  # of a quarter turn
LIMIT = 1500.0  # from 714 on the functions are too large for a float


def bessel(x, order):
    """Average ``exp(x cos t) cos(order t)`` over the angles of a turn.

    Exact to the last digits: errors of such an average shrink faster than any power of the spacing.
    """
    a = np.minimum(np.abs(x), LIMIT)
    total = np.zeros_like(a)
    for t in ANGLES.tolist():
        z = a * np.cos(t)  # exp(z) - exp(-z), or their sum, over exp(a)
        both = np.exp(z - a) * (-np.expm1(-2.0 * z) if order % 2 else 1.0 + np.exp(-2.0 * z))
        total += both * float(np.cos(order * t))
    y = total * (0.5 / len(ANGLES)) * np.exp(0.5 * a) * np.exp(0.5 * a)
    return np.copysign(1.0, x) * y if order % 2 else y


class BesselI(Operation):
    """The modified Bessel function of the first kind, of a whole order from 0 on."""

    called = "bessel_i"
    samples = (((), {"order": 0}), ((), {"order": 1}))

    def _f(x, order):
        with np.errstate(over="ignore", invalid="ignore"):
            y = bessel(x, order)
        return float(y) if type(x) is float else y

    def _back(dldy, y, x, order):
        if order == 0:
            return dldy * of_order(x, 1)
        return dldy * (0.5 * (of_order(x, order - 1) + of_order(x, order + 1)))

    _partials = (_back,)


def of_order(x, order):
    """Let a rule use `BesselI` on what it has in hand: a value gives a value, a node a node."""
    return BesselI.quick(x, {"order": order}) if isinstance(x, Node) else BesselI._f(x, order)


class I0(Operation):
    """The modified Bessel function of order 0."""

    _f = staticmethod(lambda x: BesselI._f(x, 0))
    _partials = (lambda dldy, y, x: dldy * of_order(x, 1),)


@implements(np.i0)
def i0(x):
    """Compute the modified Bessel function of the first kind, order 0.

    Parameters
    ----------
    x : Node, float or array, any shape

    Returns
    -------
    Node, the same shape

    Notes
    -----
    The mean of ``exp(x * cos(t))`` over all angles t. Its slope is the function of order 1.

    Examples
    --------
    >>> round(i0(1).value, 12)
    1.266065877752
    """
    return I0.quick(x)


def bessel_i(x, order):
    """Compute the modified Bessel function of the first kind.

    Parameters
    ----------
    x : Node, float or array, any shape
    order : int
        From 0 on.

    Returns
    -------
    Node, the same shape

    Raises
    ------
    ValueTypeError
        If the order is not whole, or below 0.

    Notes
    -----
    The mean of ``exp(x * cos(t)) * cos(order * t)`` over all angles t. Twice the slope is the sum of the
    functions of the orders beside it.

    References
    ----------
    M. Abramowitz, I. A. Stegun, "Handbook of Mathematical Functions", 1964, 9.6.19 and 9.6.26.

    Examples
    --------
    >>> round(bessel_i(1, 1).value, 12)
    0.565159103992
    """
    order = whole(order, "bessel_i", "orders")
    if order < 0:
        raise ValueTypeError(f"bessel_i: the order is {order}.", "0, 1, 2, ...", f"{-order}: the function is the same.")
    return BesselI.quick(x, {"order": order})
