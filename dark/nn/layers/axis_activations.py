"""Activation functions along an axis, as modules: `Softmax`, `Softmin`, `LogSoftmax` and `GLU`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import dark.operations as operations
from dark.checks import integer
from dark.nn.module import Module

if TYPE_CHECKING:
    from dark.nodes import Node
    from dark.typing import ArrayLike


class Softmax(Module):
    """Apply softmax along an axis: results are positive and sum to 1; see `dark.softmax`.

    Parameters
    ----------
    dim : int, default -1
        The axis along which the results sum to 1.

    Examples
    --------
    >>> import numpy as np
    >>> Softmax(dim=1)(np.zeros((1, 2))).value
    array([[0.5, 0.5]])
    """

    def __init__(self, dim: int = -1) -> None:
        super().__init__()
        self.dim = integer(dim, "Softmax", "dim")

    def forward(self, x: ArrayLike) -> Node:
        """Apply the function along the axis."""
        return operations.softmax(x, self.dim)

    def extra_repr(self) -> str:
        """Return the settings as text."""
        return f"dim={self.dim}"


class Softmin(Module):
    """Apply softmax to the negative input, along an axis: the least element gets the largest result.

    Parameters
    ----------
    dim : int, default -1
        The axis along which the results sum to 1.

    Examples
    --------
    >>> import numpy as np
    >>> Softmin(dim=1)(np.array([[0.0, 1000.0]])).value
    array([[1., 0.]])
    """

    def __init__(self, dim: int = -1) -> None:
        super().__init__()
        self.dim = integer(dim, "Softmin", "dim")

    def forward(self, x: ArrayLike) -> Node:
        """Apply the function along the axis."""
        return operations.softmax(operations.neg(x), self.dim)

    def extra_repr(self) -> str:
        """Return the settings as text."""
        return f"dim={self.dim}"


class LogSoftmax(Module):
    """Compute the logarithm of softmax, stable for large inputs; see `dark.log_softmax`.

    Parameters
    ----------
    dim : int, default -1
        The axis along which the probabilities sum to 1.

    Examples
    --------
    >>> import numpy as np
    >>> LogSoftmax(dim=1)(np.array([[1000.0, 0.0]])).value
    array([[    0., -1000.]])
    """

    def __init__(self, dim: int = -1) -> None:
        super().__init__()
        self.dim = integer(dim, "LogSoftmax", "dim")

    def forward(self, x: ArrayLike) -> Node:
        """Apply the function along the axis."""
        return operations.log_softmax(x, self.dim)

    def extra_repr(self) -> str:
        """Return the settings as text."""
        return f"dim={self.dim}"


class GLU(Module):
    """Gated linear unit: the first half along an axis times the sigmoid of the second; see `dark.glu`.

    Parameters
    ----------
    dim : int, default -1
        The axis that is halved.

    Examples
    --------
    >>> import numpy as np
    >>> GLU()(np.array([8.0, 6.0, 0.0, 100.0])).value
    array([4., 6.])
    """

    def __init__(self, dim: int = -1) -> None:
        super().__init__()
        self.dim = integer(dim, "GLU", "dim")

    def forward(self, x: ArrayLike) -> Node:
        """Apply the function along the axis."""
        return operations.glu(x, self.dim)

    def extra_repr(self) -> str:
        """Return the settings as text."""
        return f"dim={self.dim}"
