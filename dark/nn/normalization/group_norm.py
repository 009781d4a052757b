"""`GroupNorm`: normalization of each example over groups of channels."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from dark.checks import integer, number
from dark.errors import ShapeError, UsageError
from dark.nn import init
from dark.nn.float_dtype import float_dtype
from dark.nn.module import Module
from dark.nodes import Node, Parameter
from dark.nodes.values import shape_of
from dark.operations import group_norm

if TYPE_CHECKING:
    from dark.typing import ArrayLike, DType


class GroupNorm(Module):
    """Group normalization: normalize each group of channels of each example, then apply weight and bias.

    Reference: Y. Wu, K. He, "Group normalization", arXiv 1803.08494, 2018.

    Parameters
    ----------
    num_groups : int
        The number of groups; it divides `num_channels`.
    num_channels : int
        The number of channels, axis 1 of the input.
    eps : float, default 1e-5
        Added to the variance for numerical stability.
    affine : bool, default True
        Whether there are a weight and a bias for each channel.
    bias : bool, default True
        Whether there is a bias, if `affine`.
    dtype : float dtype, default float64
        See `Linear`.

    Attributes
    ----------
    weight, bias : Parameter, shape (num_channels,), or None
        Initialized to 1 and 0.

    Examples
    --------
    >>> import numpy as np
    >>> GroupNorm(2, 4, eps=0)(np.array([[1.0, 3.0, 0.0, 20.0]])).value
    array([[-1.,  1., -1.,  1.]])
    """

    weight: Parameter | None
    bias: Parameter | None

    def __init__(
        self, num_groups: int, num_channels: int, eps: float = 1e-5, affine: bool = True, *, bias: bool = True,
        dtype: DType = float,
    ) -> None:  # fmt: skip
        super().__init__()
        self.num_groups = integer(num_groups, "GroupNorm", "num_groups", 1)
        self.num_channels = integer(num_channels, "GroupNorm", "num_channels", 0)
        if self.num_channels % self.num_groups:
            raise UsageError(
                f"GroupNorm: num_channels must be divisible by num_groups, got {num_channels} and {num_groups}.",
                "num_channels divisible by num_groups.",
                f"math.gcd({num_channels}, {num_groups}) groups.",
            )
        self.eps, self.affine = number(eps, "GroupNorm", "eps", least=0), bool(affine)
        dtype = float_dtype(dtype, "GroupNorm")
        self.weight = init.ones_(init.empty(num_channels, dtype)) if affine else None
        self.bias = init.empty(num_channels, dtype) if affine and bias else None

    def forward(self, x: ArrayLike) -> Node:
        """Normalize; the shape is preserved."""
        shape = shape_of(x)
        if len(shape) < 2 or shape[1] != self.num_channels:
            raise ShapeError(
                f"GroupNorm: the input must have {self.num_channels} channels, got shape {shape}.",
                f"(n, {self.num_channels}, ...).",
                "the channels as axis 1.",
            )
        if math.prod(shape) == self.num_groups:
            raise ShapeError(
                f"GroupNorm: expected more than one value per group, got an input of shape {shape}.",
                "two or more values: the variance of a single value is 0.",
                "fewer groups.",
            )
        return group_norm(x, self.num_groups, self.weight, self.bias, self.eps)

    def extra_repr(self) -> str:
        """Return the settings as text."""
        affine = f"affine={self.affine}, bias={self.bias is not None}"
        return f"{self.num_groups}, {self.num_channels}, eps={self.eps}, {affine}"
