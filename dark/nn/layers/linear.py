"""`Linear`, the fully connected layer, and `Identity`."""

from __future__ import annotations

import math
from typing import Any

from dark.checks import integer
from dark.nn import init
from dark.nn.casting import float_dtype
from dark.nn.module import Module
from dark.nodes import Node, Parameter
from dark.operations import linear
from dark.typing import ArrayLike, DType, Seed


class Linear(Module):
    """Apply an affine transformation to the last axis: ``x @ weight.T + bias``.

    Parameters
    ----------
    in_features, out_features : int
        The length of the last axis of the input and of the result.
    bias : bool, default True
        Whether there is a bias.
    dtype : float dtype, default float64
        The dtype of the parameters. float64 is NumPy's default and accurate enough for gradient checking;
        ``dtype=np.float32``, or ``.float()`` for a whole network, is PyTorch's default and faster.
    seed : int or numpy.random.Generator, optional
        Seed or generator for the initial weights; see `dark.nn.init`.

    Attributes
    ----------
    weight : Parameter, shape (out_features, in_features)
        Initialized uniformly in ±1 / sqrt(in_features).
    bias : Parameter, shape (out_features,), or None
        Initialized like `weight`.

    Examples
    --------
    >>> layer = Linear(2, 3, seed=0)
    >>> layer(np.ones((5, 2))).shape, layer
    ((5, 3), Linear(in_features=2, out_features=3, bias=True))
    """

    weight: Parameter
    bias: Parameter | None

    def __init__(
        self, in_features: int, out_features: int, bias: bool = True, *, dtype: DType = float, seed: Seed = None
    ) -> None:
        super().__init__()
        self.in_features = integer(in_features, "Linear", "in_features", 0)
        self.out_features = integer(out_features, "Linear", "out_features", 0)
        dtype, rng = float_dtype(dtype, "Linear"), init.generator(seed)
        bound = 1 / math.sqrt(max(1, self.in_features))
        self.weight = init.uniform_(init.empty((self.out_features, self.in_features), dtype), -bound, bound, rng)
        self.bias = init.uniform_(init.empty(self.out_features, dtype), -bound, bound, rng) if bias else None

    def forward(self, x: ArrayLike) -> Node:
        """Transform: shape (..., in_features) to (..., out_features)."""
        return linear(x, self.weight, self.bias)

    def extra_repr(self) -> str:
        """Return the settings as text."""
        return f"in_features={self.in_features}, out_features={self.out_features}, bias={self.bias is not None}"


class Identity(Module):
    """Return the input unchanged; all arguments of the constructor are ignored.

    >>> Identity(54, dropout=0.1)(3)
    3
    """

    def __init__(self, *inputs: Any, **settings: Any) -> None:
        super().__init__()

    def forward(self, x: Any) -> Any:
        """Return the input."""
        return x
