"""Batch and instance normalization of signals, images and volumes, with running statistics in evaluation mode."""

from __future__ import annotations

import math
from abc import ABC
from typing import cast

from dark.checks import number
from dark.errors import ShapeError
from dark.nn.normalization.running_statistics import ChannelNorm
from dark.nodes import Node, value_of
from dark.nodes.changes import effect
from dark.nodes.values import shape_of
from dark.operations import reshape
from dark.operations.layers.batch_norm import BatchNorm as Operation
from dark.operations.layers.batch_norm import GroupNorm, centered, rows_of
from dark.operations.layers.layer_norm import standardize_rows
from dark.typing import Array, ArrayLike, DType, Shape


class BatchNorm(ChannelNorm, ABC):
    """Base class of `BatchNorm1d`, `BatchNorm2d` and `BatchNorm3d`, which differ in the shapes they accept.

    Parameters and attributes are those of `ChannelNorm`. With `momentum` None, running statistics are averages of all
    batches, which `num_batches_tracked` counts; without running statistics, the batch's own are used in evaluation
    mode, too. Only `training` selects between the two; frozen parameters do not. One value per channel raises a
    `ShapeError` in training; an empty batch gives an empty result, and leaves the running statistics as they are.
    """

    axes: tuple[int, ...]  # the accepted numbers of axes
    shapes: str

    def __init__(
        self, num_features: int, eps: float = 1e-5, momentum: float | None = 0.1, affine: bool = True,
        track_running_stats: bool = True, *, bias: bool = True, dtype: DType = float,
    ) -> None:  # fmt: skip
        super().__init__(num_features, eps, momentum, affine, track_running_stats, bias, dtype)

    def forward(self, x: ArrayLike) -> Node:
        """Normalize each channel; the shape is preserved."""
        uses_batch = self.training or self.running_mean is None
        self._check_shape(shape_of(x), uses_batch)
        return self._use_batch_statistics(x) if uses_batch else self._normalize_by_running_statistics(x)

    def _use_batch_statistics(self, x):
        weight, bias = self._weight_and_bias(getattr(x, "dtype", float))
        y = Operation.apply(x, weight, bias, eps=self.eps)
        if self.training and self.running_mean is not None:
            if y.saved is None:  # nothing requires grad
                self._update_running_statistics(centered(value_of(x), self.eps), x.size // max(1, self.num_features))
            else:
                effect(y, self._update_running_statistics, x.size // max(1, self.num_features))
        return y

    def _update_running_statistics(self, saved, count):
        """Move the running statistics toward the statistics of a batch; an empty batch is counted only."""
        _, _, mean, var = saved
        self.num_batches_tracked = seen = cast("Array", self.num_batches_tracked) + 1
        new = 1 / float(seen) if self.momentum is None else self.momentum
        if count:
            self._move_running_statistics(mean, var * (count / max(1, count - 1)), new)

    def _check_shape(self, shape: Shape, uses_batch):
        who, n = type(self).__name__, self.num_features
        if len(shape) not in self.axes or shape[1] != n:
            raise ShapeError(
                f"{who}: the input must have {n} channels, got shape {shape}.",
                self.shapes.replace("c", str(n)) + ".",
                "the channels as axis 1.",
            )
        if uses_batch and n and math.prod(shape) == n:
            raise ShapeError(
                f"{who}: expected more than one value per channel in training, got an input of shape {shape}.",
                "two or more values per channel: the variance of a single value is 0.",
                "a larger batch, drop_last=True, or eval() with running statistics.",
            )


class BatchNorm1d(BatchNorm):
    """Batch normalization of inputs (n, c) or (n, c, length); see `BatchNorm`.

    >>> layer = BatchNorm1d(1, eps=0)
    >>> layer(np.array([[-1.0], [1.0], [-1.0], [1.0]])).value.ravel(), layer.running_var.round(4)
    (array([-1.,  1., -1.,  1.]), array([1.0333]))
    """

    axes, shapes = (2, 3), "(n, c) or (n, c, length)"


class BatchNorm2d(BatchNorm):
    """Batch normalization of images (n, c, height, width); see `BatchNorm`.

    >>> BatchNorm2d(3)
    BatchNorm2d(3, eps=1e-05, momentum=0.1, affine=True, bias=True, track_running_stats=True)
    """

    axes, shapes = (4,), "(n, c, height, width)"


class BatchNorm3d(BatchNorm):
    """Batch normalization of volumes (n, c, depth, height, width); see `BatchNorm`.

    >>> BatchNorm3d(3)(np.ones((2, 3, 4, 4, 4))).shape
    (2, 3, 4, 4, 4)
    """

    axes, shapes = (5,), "(n, c, depth, height, width)"


class InstanceNorm(ChannelNorm, ABC):
    """Base class of `InstanceNorm1d`, `InstanceNorm2d` and `InstanceNorm3d`, which differ in the shapes they accept.

    Parameters and attributes are those of `ChannelNorm`. Running statistics of a batch are the averages over its
    examples; `num_batches_tracked` stays 0, as in PyTorch. An example with one value per channel whose variance is
    needed raises a `ShapeError`.

    Reference: D. Ulyanov, A. Vedaldi, V. Lempitsky, "Instance normalization", arXiv 1607.08022, 2016.
    """

    lengths: tuple[str, ...]  # the axes behind the channels

    def __init__(
        self, num_features: int, eps: float = 1e-5, momentum: float = 0.1, affine: bool = False,
        track_running_stats: bool = False, *, bias: bool = True, dtype: DType = float,
    ) -> None:  # fmt: skip
        momentum = number(momentum, type(self).__name__, "momentum", least=0, most=1)
        super().__init__(num_features, eps, momentum, affine, track_running_stats, bias, dtype)

    def forward(self, x: ArrayLike) -> Node:
        """Normalize each channel of each example, or of a single example without the axis n; preserve the shape."""
        shape, uses_instance = shape_of(x), self.training or self.running_mean is None
        self._check_shape(shape, uses_instance)
        if len(shape) == len(self.lengths) + 1:
            x = reshape(x, (1, *shape))
        y = self._use_instances(x) if uses_instance else self._normalize_by_running_statistics(x)
        return reshape(y, shape) if y.ndim > len(shape) else y

    def _use_instances(self, x):
        weight, bias = self._weight_and_bias(getattr(x, "dtype", float))
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
        """Move the running statistics toward the averages over the examples of a batch."""
        mean, var = (a.reshape(examples, -1).mean(0) for a in saved[2:])
        self._move_running_statistics(mean, var * (count / (count - 1)), self.momentum)

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


class InstanceNorm1d(InstanceNorm):
    """Instance normalization of (n, c, length) or (c, length); see `InstanceNorm`.

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

    >>> InstanceNorm3d(3)(np.zeros((2, 3, 4, 4, 4))).shape
    (2, 3, 4, 4, 4)
    """

    lengths = ("depth", "height", "width")
