"""`RMSNorm`: division of each example by the root mean square of its last axes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dark.checks import integers, number
from dark.nn import init
from dark.nn.float_dtype import float_dtype
from dark.nn.module import Module
from dark.nodes import Node, Parameter
from dark.operations import rms_norm

if TYPE_CHECKING:
    from dark.typing import ArrayLike, DType, Shape


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
