"""`LayerNorm`, `RMSNorm` and `GroupNorm`: normalization of each example by itself."""

from __future__ import annotations

import math

import numpy as np

from dark.checks import integer, integers, number
from dark.errors import ShapeError, UsageError
from dark.nn import init
from dark.nn.casting import float_dtype
from dark.nn.module import Module
from dark.nodes import Node, Parameter
from dark.nodes.values import shape_of
from dark.operations import group_norm, layer_norm, rms_norm
from dark.typing import ArrayLike, DType, Shape


class LayerNorm(Module):
    """Layer normalization: normalize the last axes to mean 0 and variance 1, then apply weight and bias.

    Reference: J. Ba, J. Kiros, G. Hinton, "Layer normalization", arXiv 1607.06450, 2016.

    Parameters
    ----------
    normalized_shape : int or tuple of int
        The lengths of these axes.
    eps : float, default 1e-5
        Added to the variance for numerical stability.
    elementwise_affine : bool, default True
        Whether there are a weight and a bias.
    bias : bool, default True
        Whether there is a bias, if there is a weight.
    dtype : float dtype, default float64
        See `Linear`.

    Attributes
    ----------
    weight : Parameter, shape `normalized_shape`, or None
        Initialized to 1.
    bias : Parameter, shape `normalized_shape`, or None
        Initialized to 0.

    Examples
    --------
    >>> LayerNorm(2, eps=0)(np.array([[1.0, 3.0], [0.0, 20.0]])).value
    array([[-1.,  1.],
           [-1.,  1.]])
    """

    weight: Parameter | None
    bias: Parameter | None

    def __init__(
        self,
        normalized_shape: int | Shape,
        eps: float = 1e-5,
        elementwise_affine: bool = True,
        bias: bool = True,
        *,
        dtype: DType = float,
    ) -> None:
        super().__init__()
        self.normalized_shape = integers(normalized_shape, "LayerNorm", "normalized_shape", 1)
        self.eps = number(eps, "LayerNorm", "eps", least=0)
        self.elementwise_affine = bool(elementwise_affine)
        dtype = float_dtype(dtype, "LayerNorm")
        self.weight = init.ones_(init.empty(self.normalized_shape, dtype)) if elementwise_affine else None
        self.bias = init.empty(self.normalized_shape, dtype) if elementwise_affine and bias else None

    def forward(self, x: ArrayLike) -> Node:
        """Normalize; the shape is preserved."""
        dtype = getattr(x, "dtype", float) if self.weight is None else self.weight.dtype
        weight = np.ones(self.normalized_shape, dtype) if self.weight is None else self.weight
        bias = np.zeros(self.normalized_shape, dtype) if self.bias is None else self.bias
        return layer_norm(x, weight, bias, self.eps)

    def extra_repr(self) -> str:
        """Return the settings as text."""
        affine = f"elementwise_affine={self.elementwise_affine}, bias={self.bias is not None}"
        return f"{self.normalized_shape}, eps={self.eps}, {affine}"


class RMSNorm(Module):
    """Root-mean-square normalization: divide the last axes by their root mean square, then apply the weight.

    Reference: B. Zhang, R. Sennrich, "Root mean square layer normalization", arXiv 1910.07467, 2019.

    Parameters
    ----------
    normalized_shape : int or tuple of int
        The lengths of these axes.
    eps : float, optional
        Added to the mean square; by default the machine epsilon of the input's dtype, that of float32 for float16.
    elementwise_affine : bool, default True
        Whether there is a weight.
    dtype : float dtype, default float64
        See `Linear`.

    Attributes
    ----------
    weight : Parameter, shape `normalized_shape`, or None
        Initialized to 1.

    Examples
    --------
    >>> RMSNorm(2)(np.array([[3.0, 4.0], [0.0, 20.0]])).value.round(3)
    array([[0.849, 1.131],
           [0.   , 1.414]])
    """

    weight: Parameter | None

    def __init__(
        self,
        normalized_shape: int | Shape,
        eps: float | None = None,
        elementwise_affine: bool = True,
        *,
        dtype: DType = float,
    ) -> None:
        super().__init__()
        self.normalized_shape = integers(normalized_shape, "RMSNorm", "normalized_shape", 1)
        self.eps = None if eps is None else number(eps, "RMSNorm", "eps", least=0)
        self.elementwise_affine = bool(elementwise_affine)
        dtype = float_dtype(dtype, "RMSNorm")
        self.weight = init.ones_(init.empty(self.normalized_shape, dtype)) if elementwise_affine else None

    def forward(self, x: ArrayLike) -> Node:
        """Normalize; the shape is preserved."""
        weight = self.weight
        if weight is None:
            return rms_norm(x, np.ones(self.normalized_shape, getattr(x, "dtype", float)), self.eps)
        return rms_norm(x, weight, self.eps)

    def extra_repr(self) -> str:
        """Return the settings as text."""
        return f"{self.normalized_shape}, eps={self.eps}, elementwise_affine={self.elementwise_affine}"


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
