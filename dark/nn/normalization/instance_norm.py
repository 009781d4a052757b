"""`InstanceNorm1d`, `InstanceNorm2d` and `InstanceNorm3d`: normalization of each channel of each example."""

from __future__ import annotations

import math
from abc import ABC
from typing import TYPE_CHECKING

from dark.checks import integer, number
from dark.errors import ShapeError
from dark.nn import init
from dark.nn.float_dtype import float_dtype
from dark.nn.module import Module
from dark.nn.normalization.running_statistics import (
    add_running_statistics,
    describe_settings,
    move_running_statistics,
    normalize_by_running_statistics,
    weight_and_bias,
)
from dark.nodes import Node, Parameter, value_of
from dark.nodes.changes import effect
from dark.nodes.values import shape_of
from dark.operations import reshape
from dark.operations.layers.group_norm import GroupNorm, rows_of
from dark.operations.layers.standardize import standardize_rows

if TYPE_CHECKING:
    from dark.typing import Array, ArrayLike, DType


class InstanceNorm(Module, ABC):
    """Base class of `InstanceNorm1d`, `InstanceNorm2d` and `InstanceNorm3d`, which differ in the shapes they accept.

    Reference: D. Ulyanov, A. Vedaldi, V. Lempitsky, "Instance normalization", arXiv 1607.08022, 2016.

    Parameters
    ----------
    num_features : int
        The number of channels.
    eps : float, default 1e-5
        Added to the variance for numerical stability.
    momentum : float from 0 to 1, default 0.1
        The weight of the newest batch in the running statistics.
    affine : bool, default False
        Whether there are a weight and a bias for each channel.
    track_running_stats : bool, default False
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
        Initialized to 0 and 1. Those of a batch are the averages over its examples; the variance is the unbiased one.
    num_batches_tracked : array of int, shape (), or None
        Not used: 0, as in PyTorch.
    """

    lengths: tuple[str, ...]  # the axes behind the channels
    weight: Parameter | None
    bias: Parameter | None
    running_mean: Array | None
    running_var: Array | None
    num_batches_tracked: Array | None

    def __init__(
        self, num_features: int, eps: float = 1e-5, momentum: float = 0.1, affine: bool = False,
        track_running_stats: bool = False, *, bias: bool = True, dtype: DType = float,
    ) -> None:  # fmt: skip
        super().__init__()
        who, dtype = type(self).__name__, float_dtype(dtype, type(self).__name__)
        self.num_features = n = integer(num_features, who, "num_features", 0)
        self.eps = number(eps, who, "eps", least=0)
        self.momentum = number(momentum, who, "momentum", least=0, most=1)
        self.affine, self.track_running_stats = bool(affine), bool(track_running_stats)
        self.weight = init.ones_(init.empty(n, dtype)) if affine else None
        self.bias = init.empty(n, dtype) if affine and bias else None
        add_running_statistics(self, dtype, self.track_running_stats)

    def forward(self, x: ArrayLike) -> Node:
        """Normalize each channel of each example, or of a single example without the axis n; preserve the shape."""
        shape, uses_instance = shape_of(x), self.training or self.running_mean is None
        self._check_shape(shape, uses_instance)
        if len(shape) == len(self.lengths) + 1:
            x = reshape(x, (1, *shape))
        y = self._use_instances(x) if uses_instance else normalize_by_running_statistics(self, x)
        return reshape(y, shape) if y.ndim > len(shape) else y

    def _use_instances(self, x):
        weight, bias = weight_and_bias(self, getattr(x, "dtype", float))
        y = GroupNorm.apply(x, weight, bias, num_groups=max(1, self.num_features), eps=self.eps)
        if self.training and self.running_mean is not None and y.size:
            shape = (len(x), y.size // (len(x) * self.num_features))
            if y.saved is None:  # nothing requires grad
                rows = value_of(x).reshape(rows_of(x, self.num_features))
                self._update_running_statistics(standardize_rows(rows, self.eps), *shape)
            else:
                effect(y, self._update_running_statistics, *shape)
        return y

    def _update_running_statistics(self, saved, examples, count):
        """Move the running statistics towards the averages over the examples of a batch."""
        mean, var = (a.reshape(examples, -1).mean(0) for a in saved[2:])
        move_running_statistics(self, mean, var * (count / (count - 1)), self.momentum)

    def _check_shape(self, shape, uses_instance):
        who, n, axes = type(self).__name__, self.num_features, len(self.lengths)
        if len(shape) not in (axes + 1, axes + 2) or shape[-axes - 1] != n:
            one = ", ".join((str(n), *self.lengths))
            raise ShapeError(
                f"{who}: the input must have the axes {one}, with or without a batch axis, got shape {shape}.",
                f"(n, {one}) or ({one}).",
                "the channels as axis 1, or as axis 0.",
            )
        if uses_instance and math.prod(shape[-axes:]) == 1:
            raise ShapeError(
                f"{who}: expected more than one value per channel, got an input of shape {shape}.",
                "two or more values per channel of an example: the variance of a single value is 0.",
                "BatchNorm, or GroupNorm with fewer groups; eval(), if there are running statistics.",
            )

    def extra_repr(self) -> str:
        """Return the settings as text."""
        return describe_settings(self)


class InstanceNorm1d(InstanceNorm):
    """Instance normalization of (n, c, length) or (c, length); see `InstanceNorm` for parameters and attributes.

    >>> import numpy as np
    >>> InstanceNorm1d(2, eps=0)(np.array([[1.0, 3.0], [0.0, 20.0]])).value
    array([[-1.,  1.],
           [-1.,  1.]])
    """

    lengths = ("length",)


class InstanceNorm2d(InstanceNorm):
    """Instance normalization of (n, c, height, width) or (c, height, width); see `InstanceNorm`.

    >>> InstanceNorm2d(3)
    InstanceNorm2d(3, eps=1e-05, momentum=0.1, affine=False, bias=False, track_running_stats=False)
    """

    lengths = ("height", "width")


class InstanceNorm3d(InstanceNorm):
    """Instance normalization of (n, c, depth, height, width) or (c, depth, height, width); see `InstanceNorm`.

    >>> import numpy as np
    >>> InstanceNorm3d(3)(np.zeros((2, 3, 4, 4, 4))).shape
    (2, 3, 4, 4, 4)
    """

    lengths = ("depth", "height", "width")
