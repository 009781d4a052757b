"""`BatchNorm1d` and `BatchNorm2d`: batch normalization, with running statistics in evaluation mode."""

from __future__ import annotations

import math
from abc import ABC
from typing import TYPE_CHECKING

import numpy as np

from dark.checks import integer, number
from dark.errors import ShapeError
from dark.nn.layers.float_dtype import float_dtype
from dark.nn.module import Module
from dark.nodes import Parameter, value_of
from dark.nodes.values import shape_of
from dark.operations import add, mul, reshape, sub
from dark.operations.layers.batch_norm import BatchNorm as Operation
from dark.operations.layers.batch_norm import centered

if TYPE_CHECKING:
    from dark.nodes import Node
    from dark.typing import ArrayLike, DType, Shape


class BatchNorm(Module, ABC):
    """Base class of `BatchNorm1d` and `BatchNorm2d`, which differ in the shapes they accept.

    Parameters
    ----------
    num_features : int
        The number of channels.
    eps : float, default 1e-5
        Added to the variance for numerical stability.
    momentum : float from 0 to 1 or None, default 0.1
        The weight of the newest batch in the running statistics; None for the average of all batches.
    affine : bool, default True
        Whether there are a weight and a bias for each channel.
    track_running_stats : bool, default True
        Whether there are running statistics; without them, the batch's own are used in evaluation mode, too.
    bias : bool, default True
        Whether there is a bias, if `affine`.
    dtype : float dtype, default float64
        See `Linear`.

    Attributes
    ----------
    weight, bias : Parameter, shape (num_features,), or None
        Initialized to 1 and 0.
    running_mean, running_var : array, shape (num_features,), or None
        Initialized to 0 and 1. The variance is the unbiased one, divided by the count less 1.
    num_batches_tracked : array of int, shape (), or None
        The number of batches in the running statistics.

    Raises
    ------
    ShapeError
        In the call, if the input has other axes or channels; in training, if there is one value per channel.
    UsageError, ValueTypeError
        If an argument is out of range or of the wrong type.

    Notes
    -----
    Only `training` selects between batch and running statistics; frozen parameters do not.
    """

    axes: tuple[int, ...]  # the accepted numbers of axes
    shapes: str
    weight: Parameter | None
    bias: Parameter | None

    def __init__(
        self, num_features: int, eps: float = 1e-5, momentum: float | None = 0.1, affine: bool = True,
        track_running_stats: bool = True, *, bias: bool = True, dtype: DType = float,
    ) -> None:  # fmt: skip
        super().__init__()
        who, dtype = type(self).__name__, float_dtype(dtype, type(self).__name__)
        self.num_features = n = integer(num_features, who, "num_features", 0)
        self.eps = number(eps, who, "eps", least=0)
        self.momentum = None if momentum is None else number(momentum, who, "momentum", least=0, most=1)
        self.affine, self.track_running_stats = bool(affine), bool(track_running_stats)
        self.weight = Parameter(np.ones(n, dtype)) if affine else None
        self.bias = Parameter(np.zeros(n, dtype)) if affine and bias else None
        self.register_buffer("running_mean", np.zeros(n, dtype) if track_running_stats else None)
        self.register_buffer("running_var", np.ones(n, dtype) if track_running_stats else None)
        self.register_buffer("num_batches_tracked", np.array(0) if track_running_stats else None)

    def forward(self, x: ArrayLike) -> Node:
        """Normalize each channel; the shape is preserved."""
        self._check_shape(shape_of(x))
        if self.training or self.running_mean is None:
            return self._use_batch_statistics(x)
        return self._use_running_statistics(x)

    def _weight_and_bias(self, dtype):
        weight = np.ones(self.num_features, dtype) if self.weight is None else self.weight
        return weight, np.zeros(self.num_features, dtype) if self.bias is None else self.bias

    def _use_batch_statistics(self, x):
        weight, bias = self._weight_and_bias(getattr(x, "dtype", float))
        y = Operation.apply(x, weight, bias, eps=self.eps)
        if self.training and self.running_mean is not None:
            _, _, mean, var = centered(value_of(x), self.eps) if y.saved is None else y.saved
            self._update_running_statistics(mean, var, count=x.size // max(1, self.num_features))
        return y

    def _update_running_statistics(self, mean, var, count):
        """Move the running statistics towards those of a batch."""
        self.num_batches_tracked = self.num_batches_tracked + 1
        if not count:  # an empty batch has no statistics; it is counted, as in PyTorch
            return
        new = 1 / float(self.num_batches_tracked) if self.momentum is None else self.momentum
        dtype, unbiased = self.running_mean.dtype, var * (count / max(1, count - 1))
        self.running_mean = ((1 - new) * self.running_mean + new * mean).astype(dtype)
        self.running_var = ((1 - new) * self.running_var + new * unbiased).astype(dtype)

    def _use_running_statistics(self, x):
        weight, bias = self._weight_and_bias(self.running_mean.dtype)
        scale = mul(weight, 1 / np.sqrt(self.running_var + self.eps))
        shift = sub(bias, mul(scale, self.running_mean))
        channels = (self.num_features, *(1,) * (len(shape_of(x)) - 2))
        return add(mul(x, reshape(scale, channels)), reshape(shift, channels))

    def _check_shape(self, shape: Shape):
        who, n = type(self).__name__, self.num_features
        if len(shape) not in self.axes or shape[1] != n:
            raise ShapeError(
                f"{who}: an input of shape {shape}.",
                self.shapes.replace("c", str(n)) + ".",
                "the channels as axis 1.",
            )
        if self.training and n and math.prod(shape) == n:
            raise ShapeError(
                f"{who}: expected more than one value per channel in training, got an input of shape {shape}.",
                "two or more values per channel, as the variance of one is 0.",
                "a larger batch, drop_last=True, or eval().",
            )

    def extra_repr(self) -> str:
        """Return the settings as text."""
        return (
            f"{self.num_features}, eps={self.eps}, momentum={self.momentum}, affine={self.affine}, "
            f"bias={self.bias is not None}, track_running_stats={self.track_running_stats}"
        )


class BatchNorm1d(BatchNorm):
    """Batch normalization of inputs (n, c) or (n, c, length); see `BatchNorm` for parameters and attributes.

    Examples
    --------
    >>> layer = BatchNorm1d(1, eps=0)
    >>> layer(np.array([[-1.0], [1.0], [-1.0], [1.0]])).value.ravel(), layer.running_var.round(4)
    (array([-1.,  1., -1.,  1.]), array([1.0333]))
    """

    axes, shapes = (2, 3), "(n, c) or (n, c, length)"


class BatchNorm2d(BatchNorm):
    """Batch normalization of images (n, c, height, width); see `BatchNorm` for parameters and attributes.

    Examples
    --------
    >>> BatchNorm2d(3)
    BatchNorm2d(3, eps=1e-05, momentum=0.1, affine=True, bias=True, track_running_stats=True)
    """

    axes, shapes = (4,), "(n, c, height, width)"
