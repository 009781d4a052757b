"""`ChannelNorm`: weight, bias and running statistics of each channel, for batch and instance normalization."""

from __future__ import annotations

from abc import ABC
from typing import cast

import numpy as np

from dark.checks import integer, number
from dark.nn import init
from dark.nn.casting import float_dtype
from dark.nn.module import Module
from dark.nodes import Parameter
from dark.nodes.values import shape_of
from dark.operations import add, mul, reshape, sub
from dark.typing import Array, DType


class ChannelNorm(Module, ABC):
    """Base class of `BatchNorm` and `InstanceNorm`; `affine` and `track_running_stats` have other defaults there.

    Parameters
    ----------
    num_features : int
        The number of channels.
    eps : float, default 1e-5
        Added to the variance for numerical stability.
    momentum : float from 0 to 1 or None, default 0.1
        The weight of the newest batch in the running statistics.
    affine : bool
        Whether there are a weight and a bias for each channel.
    track_running_stats : bool
        Whether there are running statistics, which are then used in evaluation mode.
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
    """

    weight: Parameter | None
    bias: Parameter | None
    running_mean: Array | None
    running_var: Array | None
    num_batches_tracked: Array | None

    def __init__(
        self, num_features: int, eps: float, momentum: float | None, affine: bool, track_running_stats: bool,
        bias: bool, dtype: DType,
    ) -> None:  # fmt: skip
        super().__init__()
        who, dtype = type(self).__name__, float_dtype(dtype, type(self).__name__)
        self.num_features = n = integer(num_features, who, "num_features", 0)
        self.eps = number(eps, who, "eps", least=0)
        self.momentum = None if momentum is None else number(momentum, who, "momentum", least=0, most=1)
        self.affine, self.track_running_stats = bool(affine), bool(track_running_stats)
        self.weight = init.ones_(init.empty(n, dtype)) if affine else None
        self.bias = init.empty(n, dtype) if affine and bias else None
        self.register_buffer("running_mean", np.zeros(n, dtype) if track_running_stats else None)
        self.register_buffer("running_var", np.ones(n, dtype) if track_running_stats else None)
        self.register_buffer("num_batches_tracked", np.array(0) if track_running_stats else None)

    def _move_running_statistics(self, mean, var, new):
        """Move the running statistics toward the statistics of a batch, by the fraction `new`."""
        dtype = cast("Array", self.running_mean).dtype
        self.running_mean = ((1 - new) * self.running_mean + new * mean).astype(dtype)
        self.running_var = ((1 - new) * self.running_var + new * var).astype(dtype)

    def _weight_and_bias(self, dtype):
        """Return weight and bias of each channel, 1 and 0 where the module has none."""
        weight = np.ones(self.num_features, dtype) if self.weight is None else self.weight
        return weight, np.zeros(self.num_features, dtype) if self.bias is None else self.bias

    def _normalize_by_running_statistics(self, x):
        """Normalize each channel, axis 1, by the running statistics."""
        mean, var = cast("tuple[Array, Array]", (self.running_mean, self.running_var))
        weight, bias = self._weight_and_bias(mean.dtype)
        scale = mul(weight, 1 / np.sqrt(var + self.eps))
        shift = sub(bias, mul(scale, mean))
        channels = (self.num_features, *(1,) * (len(shape_of(x)) - 2))
        return add(mul(x, reshape(scale, channels)), reshape(shift, channels))

    def extra_repr(self) -> str:
        """Return the settings as text."""
        return (
            f"{self.num_features}, eps={self.eps}, momentum={self.momentum}, affine={self.affine}, "
            f"bias={self.bias is not None}, track_running_stats={self.track_running_stats}"
        )
