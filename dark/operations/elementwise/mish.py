"""Mish, a smooth activation function, elementwise."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dark.nodes import Operation
from dark.operations.elementwise.logistic import Sigmoid, Softplus
from dark.operations.numeric import evaluate, tanh

if TYPE_CHECKING:
    from dark.nodes import Node
    from dark.typing import ArrayLike


class Mish(Operation, trusted=True):
    """``x * tanh(softplus(x))``."""

    @staticmethod
    def _f(x):
        return x * tanh(Softplus._f(x))

    def _vjp(dldy, y, x):
        t = tanh(evaluate(Softplus, x))
        return dldy * (t + x * (1.0 - t * t) * evaluate(Sigmoid, x))

    _df = (_vjp,)


def mish(x: ArrayLike) -> Node:
    """Apply the mish function: ``x * tanh(softplus(x))``, elementwise.

    References
    ----------
    D. Misra, "Mish: a self regularized non-monotonic activation function", arXiv 1908.08681, 2019.

    Examples
    --------
    >>> mish(0).value, mish(1000).value, round(mish(1).value, 6)
    (0.0, 1000.0, 0.865098)
    """
    return Mish.apply(x)
