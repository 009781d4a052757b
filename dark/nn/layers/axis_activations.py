"""Activation functions along an axis, as modules: `Softmax`, `Softmin`, `LogSoftmax` and `GLU`."""

from __future__ import annotations

from collections.abc import Callable

import dark.operations as operations
from dark.checks import integer
from dark.nn.module import Module
from dark.nodes import Node
from dark.typing import ArrayLike


class AlongAxis(Module):
    """Base class of activation functions that apply an operation along an axis, `dim`."""

    _function: Callable[..., Node]

    def __init__(self, dim: int = -1) -> None:
        super().__init__()
        self.dim = integer(dim, type(self).__name__, "dim")

    def forward(self, x: ArrayLike) -> Node:
        """Apply the function along the axis."""
        return self._function(x, self.dim)

    def extra_repr(self) -> str:
        """Return the settings as text."""
        return f"dim={self.dim}"


class Softmax(AlongAxis):
    """Apply softmax along an axis, `dim`: results are positive and sum to 1 along it; see `dark.softmax`.

    >>> Softmax(dim=1)(np.zeros((1, 2))).value
    array([[0.5, 0.5]])
    """

    _function = staticmethod(operations.softmax)


class Softmin(AlongAxis):
    """Apply softmax to the negative input, along an axis, `dim`: the least element gets the largest result.

    >>> Softmin(dim=1)(np.array([[0.0, 1000.0]])).value
    array([[1., 0.]])
    """

    _function = staticmethod(lambda x, dim: operations.softmax(operations.neg(x), dim))


class LogSoftmax(AlongAxis):
    """Compute the logarithm of softmax along an axis, `dim`, stable for large inputs; see `dark.log_softmax`.

    >>> LogSoftmax(dim=1)(np.array([[1000.0, 0.0]])).value
    array([[    0., -1000.]])
    """

    _function = staticmethod(operations.log_softmax)


class GLU(AlongAxis):
    """Gated linear unit: the first half along an axis, `dim`, times the sigmoid of the second; see `dark.glu`.

    >>> GLU()(np.array([8.0, 6.0, 0.0, 100.0])).value
    array([4., 6.])
    """

    _function = staticmethod(operations.glu)
