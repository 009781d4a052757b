"""Activations as modules, for a `Sequential`; each calls the operation of its name."""

from dark import operations
from dark.errors import UsageError
from dark.nn.float_dtype import finite
from dark.nn.module import Module
from dark.nodes import value_of


class ReLU(Module):
    """Keep what is positive, replace the rest by 0; see `dark.relu`.

    Examples
    --------
    >>> ReLU()(-3.0).value
    0.0
    """

    def forward(self, x):
        """Apply it place by place."""
        return operations.relu(x)


class LeakyReLU(Module):
    """Keep what is positive, multiply the rest by a small slope; see `dark.leaky_relu`.

    Parameters
    ----------
    negative_slope : float, default 0.01

    Examples
    --------
    >>> LeakyReLU(0.2)(-10.0).value, LeakyReLU()
    (-2.0, LeakyReLU(negative_slope=0.01))
    """

    def __init__(self, negative_slope=0.01):
        super().__init__()
        self.negative_slope = finite(negative_slope, "LeakyReLU", "negative_slope")

    def forward(self, x):
        """Apply it place by place."""
        return operations.leaky_relu(x, self.negative_slope)

    def extra_repr(self):
        """Return the slope."""
        return f"negative_slope={self.negative_slope}"


class ELU(Module):
    """Keep what is positive, bend the rest towards ``-alpha``; see `dark.elu`.

    Parameters
    ----------
    alpha : float, default 1.0

    Examples
    --------
    >>> ELU()(-1000.0).value
    -1.0
    """

    def __init__(self, alpha=1.0):
        super().__init__()
        self.alpha = finite(alpha, "ELU", "alpha")

    def forward(self, x):
        """Apply it place by place."""
        return operations.elu(x, self.alpha)

    def extra_repr(self):
        """Return how far below 0 it comes."""
        return f"alpha={self.alpha}"


class GELU(Module):
    """Multiply by the chance of a normal deviate below the number; see `dark.gelu`.

    Parameters
    ----------
    approximate : {"none", "tanh"}, default "none"

    Examples
    --------
    >>> GELU("tanh")
    GELU(approximate='tanh')
    """

    def __init__(self, approximate="none"):
        super().__init__()
        operations.gelu(0.0, approximate)  # refuses another word
        self.approximate = approximate

    def forward(self, x):
        """Apply it place by place."""
        return operations.gelu(x, self.approximate)

    def extra_repr(self):
        """Return which formula it is."""
        return f"approximate={self.approximate!r}"


class SiLU(Module):
    """Multiply by the sigmoid; see `dark.silu`.

    Examples
    --------
    >>> SiLU()(0.0).value
    0.0
    """

    def forward(self, x):
        """Apply it place by place."""
        return operations.silu(x)


class Sigmoid(Module):
    """Press all numbers between 0 and 1; see `dark.sigmoid`.

    Examples
    --------
    >>> Sigmoid()(0.0).value
    0.5
    """

    def forward(self, x):
        """Apply it place by place."""
        return operations.sigmoid(x)


class Tanh(Module):
    """Press all numbers between -1 and 1; see `dark.tanh`.

    Examples
    --------
    >>> Tanh()(0.0).value
    0.0
    """

    def forward(self, x):
        """Apply it place by place."""
        return operations.tanh(x)


class Softplus(Module):
    """A relu without a kink: ``log(1 + exp(beta * x)) / beta``; see `dark.softplus`.

    Parameters
    ----------
    beta : float, default 1.0
        The larger, the nearer to relu.
    threshold : float, default 20.0
        Where ``beta * x`` is above this, the result is x itself, as in PyTorch.

    Raises
    ------
    UsageError
        If `beta` is 0.

    Examples
    --------
    >>> Softplus()(1000.0).value
    1000.0
    """

    def __init__(self, beta=1.0, threshold=20.0):
        super().__init__()
        self.beta = finite(beta, "Softplus", "beta")
        self.threshold = finite(threshold, "Softplus", "threshold")
        if not self.beta:
            raise UsageError("Softplus: beta is 0.", "a number that is not 0.", "leave beta out for 1.")

    def forward(self, x):
        """Apply it place by place."""
        scaled = x if self.beta == 1 else self.beta * x
        y = operations.softplus(scaled)
        return operations.where(value_of(scaled) > self.threshold, x, y if self.beta == 1 else y / self.beta)

    def extra_repr(self):
        """Return the two numbers."""
        return f"beta={self.beta}, threshold={self.threshold}"


class Softmax(Module):
    """Turn numbers into shares that are positive and add up to 1; see `dark.softmax`.

    Parameters
    ----------
    dim : int, default -1
        The axis along which they do.

    Examples
    --------
    >>> import numpy as np
    >>> Softmax(dim=1)(np.zeros((1, 2))).value
    array([[0.5, 0.5]])
    """

    def __init__(self, dim=-1):
        super().__init__()
        self.dim = dim

    def forward(self, x):
        """Apply it along the axis."""
        return operations.softmax(x, self.dim)

    def extra_repr(self):
        """Return the axis."""
        return f"dim={self.dim}"


class LogSoftmax(Module):
    """The logarithm of `Softmax`; see `dark.log_softmax`.

    Parameters
    ----------
    dim : int, default -1
        The axis along which the shares add up to 1.

    Examples
    --------
    >>> import numpy as np
    >>> LogSoftmax(dim=1)(np.array([[1000.0, 0.0]])).value
    array([[    0., -1000.]])
    """

    def __init__(self, dim=-1):
        super().__init__()
        self.dim = dim

    def forward(self, x):
        """Apply it along the axis."""
        return operations.log_softmax(x, self.dim)

    def extra_repr(self):
        """Return the axis."""
        return f"dim={self.dim}"
