"""Activation functions as modules, for use in a `Sequential`; each calls the operation of the same name."""

from __future__ import annotations

import operator
from collections.abc import Callable

import dark.operations as operations
from dark.checks import boolean, integer, number
from dark.errors import UsageError
from dark.nn.casting import float_dtype
from dark.nn.init import constant_, empty
from dark.nn.module import Module
from dark.nodes import Node, Parameter
from dark.nodes.changes import repeated
from dark.operations import prelu
from dark.typing import ArrayLike, DType


class Activation(Module):
    """Base class of activation functions: they apply an operation elementwise, with some attributes as its settings.

    `inplace` is accepted as in PyTorch, and must be a bool; the result is a new node in any case.
    """

    _function: Callable[..., Node]
    _settings: tuple[str, ...] = ()

    def forward(self, x: ArrayLike) -> Node:
        """Apply the function elementwise."""
        return self._function(x, *[getattr(self, name) for name in self._settings])

    def extra_repr(self) -> str:
        """Return the settings as text."""
        values = {name: getattr(self, name) for name in self._settings}
        return ", ".join([f"{name}={v!r}" if isinstance(v, str) else f"{name}={v}" for name, v in values.items()])


class InplaceActivation(Activation):
    """Base class of activation functions with the setting `inplace`."""

    def __init__(self, inplace: bool = False) -> None:
        super().__init__()
        boolean(inplace, type(self).__name__, "inplace")


class ReLU(InplaceActivation):
    """Rectified linear unit, ``max(x, 0)`` elementwise; see `dark.relu`.

    >>> ReLU()(-3.0).value
    0.0
    """

    _function = staticmethod(operations.relu)


class LeakyReLU(InplaceActivation):
    """Leaky rectified linear unit: `x` if ``x > 0``, else ``negative_slope * x``; see `dark.leaky_relu`.

    >>> LeakyReLU(0.2)(-10.0).value, LeakyReLU()
    (-2.0, LeakyReLU(negative_slope=0.01))
    """

    def __init__(self, negative_slope: float = 0.01, inplace: bool = False) -> None:
        super().__init__(inplace)
        self.negative_slope = number(negative_slope, "LeakyReLU", "negative_slope")

    _function, _settings = staticmethod(operations.leaky_relu), ("negative_slope",)


class ELU(InplaceActivation):
    """Exponential linear unit: `x` if ``x > 0``, else ``alpha * (exp(x) - 1)``; see `dark.elu`.

    >>> ELU()(-1000.0).value
    -1.0
    """

    def __init__(self, alpha: float = 1.0, inplace: bool = False) -> None:
        super().__init__(inplace)
        self.alpha = number(alpha, "ELU", "alpha")

    _function, _settings = staticmethod(operations.elu), ("alpha",)


class GELU(Activation):
    """Gaussian error linear unit, ``x * Φ(x)``, where Φ is the standard normal CDF; see `dark.gelu`.

    With `approximate` "tanh" it is the approximation by a hyperbolic tangent; with "none", the default, it is exact.

    >>> GELU("tanh")
    GELU(approximate='tanh')
    """

    def __init__(self, approximate: str = "none") -> None:
        super().__init__()
        operations.gelu(0.0, approximate)  # raises if the name is unknown
        self.approximate = approximate

    _function, _settings = staticmethod(operations.gelu), ("approximate",)


class SiLU(InplaceActivation):
    """Sigmoid linear unit, ``x * sigmoid(x)``; see `dark.silu`.

    >>> SiLU()(0.0).value
    0.0
    """

    _function = staticmethod(operations.silu)


class Mish(InplaceActivation):
    """Mish, ``x * tanh(softplus(x))``; see `dark.mish`.

    >>> Mish()(0.0).value
    0.0
    """

    _function = staticmethod(operations.mish)


class Sigmoid(Activation):
    """Sigmoid function, ``1 / (1 + exp(-x))``; see `dark.sigmoid`.

    >>> Sigmoid()(0.0).value
    0.5
    """

    _function = staticmethod(operations.sigmoid)


class LogSigmoid(Activation):
    """Logarithm of the sigmoid function, ``-log(1 + exp(-x))``, finite where the sigmoid underflows.

    >>> LogSigmoid()(-1000.0).value
    -1000.0
    """

    def forward(self, x: ArrayLike) -> Node:
        """Apply the function elementwise."""
        return operations.neg(operations.softplus(operations.neg(x)))


class Tanh(Activation):
    """Hyperbolic tangent; see `dark.tanh`.

    >>> Tanh()(0.0).value
    0.0
    """

    _function = staticmethod(operations.tanh)


class Softplus(Activation):
    """Smooth approximation of ReLU, ``log(1 + exp(beta * x)) / beta``; see `dark.softplus`.

    The larger beta, the closer to ReLU. Where ``beta * x`` exceeds the threshold, the result is `x` itself, as in
    PyTorch.

    >>> Softplus()(1000.0).value
    1000.0
    """

    _settings = ("beta", "threshold")

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


class PReLU(Module):
    """Parametric ReLU: `x` if ``x > 0``, else ``weight * x`` with a learnable weight; see `dark.prelu`.

    Parameters
    ----------
    num_parameters : int, default 1
        1 for one weight, or the number of channels, axis 1 of the input, for one weight each.
    init : float, default 0.25
        The initial value of the weights.
    dtype : float dtype, default float64
        See `Linear`.

    Attributes
    ----------
    weight : Parameter, shape (num_parameters,)

    Examples
    --------
    >>> PReLU()(-8.0).value, PReLU(3)
    (-2.0, PReLU(num_parameters=3))
    """

    weight: Parameter

    def __init__(self, num_parameters: int = 1, init: float = 0.25, *, dtype: DType = float) -> None:
        super().__init__()
        self.num_parameters = integer(num_parameters, "PReLU", "num_parameters", 1)
        slope = number(init, "PReLU", "init")
        self.weight = constant_(empty(self.num_parameters, float_dtype(dtype, "PReLU")), slope)

    def forward(self, x: ArrayLike) -> Node:
        """Apply the function elementwise."""
        return prelu(x, self.weight)

    def extra_repr(self) -> str:
        """Return the settings as text."""
        return f"num_parameters={self.num_parameters}"
