"""`LayerNorm`: normalization of each example over its last axes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dark.checks import integers, number
from dark.nn import init
from dark.nn.float_dtype import float_dtype
from dark.nn.module import Module
from dark.nodes import Node, Parameter
from dark.operations import layer_norm

if TYPE_CHECKING:
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
