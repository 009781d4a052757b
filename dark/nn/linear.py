"""`Linear`, the layer of weights and a bias, and `Identity`, which does nothing."""

import math

from dark.nn import init
from dark.nn.float_dtype import float_type, size
from dark.nn.module import Module
from dark.operations import linear


class Linear(Module):
    """Multiply rows by a matrix of weights and add a bias: ``x @ weight.T + bias``.

    Parameters
    ----------
    in_features, out_features : int
        The length of a row before and after.
    bias : bool, default True
        Whether there is one.
    dtype : type of float, default float64
        The type of the weights. NumPy's own, as that is what a student's arrays have, and what a check by
        differences needs; ``dtype=np.float32``, or ``.float()`` for a whole network, is PyTorch's and faster.
    seed : int or numpy.random.Generator, optional
        From where the weights are drawn; see `dark.nn.init`.

    Attributes
    ----------
    weight : Parameter, shape (out_features, in_features)
        At first drawn evenly between ±1 / sqrt(in_features).
    bias : Parameter, shape (out_features,), or None
        As `weight`.

    Raises
    ------
    ShapeError
        In the call, if the rows have another length.
    UsageError, ValueTypeError
        If a size is none.

    Examples
    --------
    >>> import numpy as np
    >>> layer = Linear(2, 3, seed=0)
    >>> layer(np.ones((5, 2))).shape, layer
    ((5, 3), Linear(in_features=2, out_features=3, bias=True))
    """

    def __init__(self, in_features, out_features, bias=True, *, dtype=float, seed=None):
        super().__init__()
        self.in_features = size(in_features, "Linear", "in_features")
        self.out_features = size(out_features, "Linear", "out_features")
        dtype, rng = float_type(dtype, "Linear"), init.generator(seed)
        bound = 1 / math.sqrt(max(1, self.in_features))
        self.weight = init.uniform_(init.empty((self.out_features, self.in_features), dtype), -bound, bound, rng)
        self.bias = init.uniform_(init.empty(self.out_features, dtype), -bound, bound, rng) if bias else None

    def forward(self, x):
        """Multiply and add: shape (..., in_features) to (..., out_features)."""
        return linear(x, self.weight, self.bias)

    def extra_repr(self):
        """Return the sizes."""
        return f"in_features={self.in_features}, out_features={self.out_features}, bias={self.bias is not None}"


class Identity(Module):
    """Return what comes in; whatever it is built with does not matter.

    Examples
    --------
    >>> Identity(54, dropout=0.1)(3)
    3
    """

    def __init__(self, *inputs, **settings):
        super().__init__()

    def forward(self, x):
        """Return the input."""
        return x
