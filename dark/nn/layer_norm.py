"""`LayerNorm`: each example at mean 0 and spread 1."""

import numpy as np

from dark.nn.float_dtype import float_type, not_negative, sizes
from dark.nn.module import Module
from dark.nodes import Parameter, value_of
from dark.operations import layer_norm


class LayerNorm(Module):
    """Move each example to mean 0 and spread 1 over its last axes, then stretch and shift it.

    Parameters
    ----------
    normalized_shape : int or tuple of int
        The lengths of these axes.
    eps : float, default 1e-5
        Added to the variance.
    elementwise_affine : bool, default True
        Whether it stretches and shifts.
    bias : bool, default True
        Whether it shifts, if it stretches.
    dtype : type of float, default float64
        See `Linear`.

    Attributes
    ----------
    weight : Parameter, shape `normalized_shape`, or None
        Ones at first.
    bias : Parameter, shape `normalized_shape`, or None
        Zeros at first.

    Raises
    ------
    ShapeError
        In the call, if the last axes have other lengths.
    UsageError, ValueTypeError
        If a size or `eps` is none.

    References
    ----------
    J. Ba, J. Kiros, G. Hinton, "Layer normalization", arXiv 1607.06450, 2016.

    Examples
    --------
    >>> LayerNorm(2, eps=0)(np.array([[1.0, 3.0], [0.0, 20.0]])).value
    array([[-1.,  1.],
           [-1.,  1.]])
    """

    def __init__(self, normalized_shape, eps=1e-5, elementwise_affine=True, bias=True, *, dtype=float):
        super().__init__()
        self.normalized_shape = sizes(normalized_shape, "LayerNorm", "normalized_shape", 1)
        self.eps = not_negative(eps, "LayerNorm", "eps")
        self.elementwise_affine = bool(elementwise_affine)
        dtype = float_type(dtype, "LayerNorm")
        self.weight = Parameter(np.ones(self.normalized_shape, dtype)) if elementwise_affine else None
        self.bias = Parameter(np.zeros(self.normalized_shape, dtype)) if elementwise_affine and bias else None

    def forward(self, x):
        """Normalise: the shape stays."""
        dtype = getattr(value_of(x), "dtype", float) if self.weight is None else self.weight.dtype
        weight = np.ones(self.normalized_shape, dtype) if self.weight is None else self.weight
        bias = np.zeros(self.normalized_shape, dtype) if self.bias is None else self.bias
        return layer_norm(x, weight, bias, self.eps)

    def extra_repr(self):
        """Return the sizes."""
        affine = f"elementwise_affine={self.elementwise_affine}, bias={self.bias is not None}"
        return f"{self.normalized_shape}, eps={self.eps}, {affine}"
