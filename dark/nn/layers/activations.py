"""Activation functions as modules, for use in a `Sequential`; each calls the operation of the same name."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING

import dark.operations as operations
from dark.checks import boolean, number
from dark.errors import UsageError
from dark.nn.module import Module
from dark.nodes import Node
from dark.nodes.changes import repeated

if TYPE_CHECKING:
    from dark.typing import ArrayLike


class ReLU(Module):
    """Rectified linear unit, ``max(x, 0)`` elementwise; see `dark.relu`.

    Parameters
    ----------
    inplace : bool, default False
        Accepted as in PyTorch; the result is a new node in any case.

    Examples
    --------
    >>> ReLU()(-3.0).value
    0.0
    """

    def __init__(self, inplace: bool = False) -> None:
        super().__init__()
        boolean(inplace, "ReLU", "inplace")

    def forward(self, x: ArrayLike) -> Node:
        """Apply the function elementwise."""
        return operations.relu(x)


class LeakyReLU(Module):
    """Leaky rectified linear unit: `x` if ``x > 0``, else ``negative_slope * x``; see `dark.leaky_relu`.

    Parameters
    ----------
    negative_slope : float, default 0.01
    inplace : bool, default False
        Accepted as in PyTorch; the result is a new node in any case.

    Examples
    --------
    >>> LeakyReLU(0.2)(-10.0).value, LeakyReLU()
    (-2.0, LeakyReLU(negative_slope=0.01))
    """

    def __init__(self, negative_slope: float = 0.01, inplace: bool = False) -> None:
        super().__init__()
        boolean(inplace, "LeakyReLU", "inplace")
        self.negative_slope = number(negative_slope, "LeakyReLU", "negative_slope")

    def forward(self, x: ArrayLike) -> Node:
        """Apply the function elementwise."""
        return operations.leaky_relu(x, self.negative_slope)

    def extra_repr(self) -> str:
        """Return the settings as text."""
        return f"negative_slope={self.negative_slope}"


class ELU(Module):
    """Exponential linear unit: `x` if ``x > 0``, else ``alpha * (exp(x) - 1)``; see `dark.elu`.

    Parameters
    ----------
    alpha : float, default 1.0
    inplace : bool, default False
        Accepted as in PyTorch; the result is a new node in any case.

    Examples
    --------
    >>> ELU()(-1000.0).value
    -1.0
    """

    def __init__(self, alpha: float = 1.0, inplace: bool = False) -> None:
        super().__init__()
        boolean(inplace, "ELU", "inplace")
        self.alpha = number(alpha, "ELU", "alpha")

    def forward(self, x: ArrayLike) -> Node:
        """Apply the function elementwise."""
        return operations.elu(x, self.alpha)

    def extra_repr(self) -> str:
        """Return the settings as text."""
        return f"alpha={self.alpha}"


class GELU(Module):
    """Gaussian error linear unit, ``x * Φ(x)``, where Φ is the standard normal CDF; see `dark.gelu`.

    Parameters
    ----------
    approximate : {"none", "tanh"}, default "none"
        "tanh" uses the approximation by a hyperbolic tangent.

    Examples
    --------
    >>> GELU("tanh")
    GELU(approximate='tanh')
    """

    def __init__(self, approximate: str = "none") -> None:
        super().__init__()
        operations.gelu(0.0, approximate)  # raises if the name is unknown
        self.approximate = approximate

    def forward(self, x: ArrayLike) -> Node:
        """Apply the function elementwise."""
        return operations.gelu(x, self.approximate)

    def extra_repr(self) -> str:
        """Return the settings as text."""
        return f"approximate={self.approximate!r}"


class SiLU(Module):
    """Sigmoid linear unit, ``x * sigmoid(x)``; see `dark.silu`.

    Parameters
    ----------
    inplace : bool, default False
        Accepted as in PyTorch; the result is a new node in any case.

    Examples
    --------
    >>> SiLU()(0.0).value
    0.0
    """

    def __init__(self, inplace: bool = False) -> None:
        super().__init__()
        boolean(inplace, "SiLU", "inplace")

    def forward(self, x: ArrayLike) -> Node:
        """Apply the function elementwise."""
        return operations.silu(x)


class Mish(Module):
    """Mish, ``x * tanh(softplus(x))``; see `dark.mish`.

    Parameters
    ----------
    inplace : bool, default False
        Accepted as in PyTorch; the result is a new node in any case.

    Examples
    --------
    >>> Mish()(0.0).value
    0.0
    """

    def __init__(self, inplace: bool = False) -> None:
        super().__init__()
        boolean(inplace, "Mish", "inplace")

    def forward(self, x: ArrayLike) -> Node:
        """Apply the function elementwise."""
        return operations.mish(x)


class Sigmoid(Module):
    """Sigmoid function, ``1 / (1 + exp(-x))``; see `dark.sigmoid`.

    Examples
    --------
    >>> Sigmoid()(0.0).value
    0.5
    """

    def forward(self, x: ArrayLike) -> Node:
        """Apply the function elementwise."""
        return operations.sigmoid(x)


class LogSigmoid(Module):
    """Logarithm of the sigmoid function, ``-log(1 + exp(-x))``, finite where the sigmoid underflows.

    Examples
    --------
    >>> LogSigmoid()(-1000.0).value
    -1000.0
    """

    def forward(self, x: ArrayLike) -> Node:
        """Apply the function elementwise."""
        return operations.neg(operations.softplus(operations.neg(x)))


class Tanh(Module):
    """Hyperbolic tangent; see `dark.tanh`.

    Examples
    --------
    >>> Tanh()(0.0).value
    0.0
    """

    def forward(self, x: ArrayLike) -> Node:
        """Apply the function elementwise."""
        return operations.tanh(x)


class Softplus(Module):
    """Smooth approximation of ReLU, ``log(1 + exp(beta * x)) / beta``; see `dark.softplus`.

    Parameters
    ----------
    beta : float, default 1.0
        The larger, the closer to ReLU.
    threshold : float, default 20.0
        Where ``beta * x`` exceeds it, the result is `x` itself, as in PyTorch.

    Examples
    --------
    >>> Softplus()(1000.0).value
    1000.0
    """

    def __init__(self, beta: float = 1.0, threshold: float = 20.0) -> None:
        super().__init__()
        self.beta = number(beta, "Softplus", "beta")
        self.threshold = number(threshold, "Softplus", "threshold")
        if not self.beta:
            raise UsageError("Softplus: beta must not be 0.", "a nonzero number.", "omit beta to use 1.")

    def forward(self, x: ArrayLike) -> Node:
        """Apply the function elementwise."""
        scaled = x if self.beta == 1 else self.beta * x
        y = operations.softplus(scaled)
        is_large = repeated(operator.gt, scaled, self.threshold)
        return operations.where(is_large, x, y if self.beta == 1 else y / self.beta)

    def extra_repr(self) -> str:
        """Return the settings as text."""
        return f"beta={self.beta}, threshold={self.threshold}"
