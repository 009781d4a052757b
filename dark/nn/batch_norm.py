"""`BatchNorm1d` and `BatchNorm2d`: each channel at mean 0 and spread 1 over a batch; in use, by running means."""

from abc import ABC

import numpy as np

from dark.errors import ShapeError
from dark.nn.float_dtype import float_type, not_negative, share, size
from dark.nn.module import Module
from dark.nodes import Parameter, value_of
from dark.nodes.values import shape_of
from dark.operations import add, mul, reshape, sub
from dark.operations.layers.batch_norm import BatchNorm as Operation
from dark.operations.layers.batch_norm import centered


class BatchNorm(Module, ABC):
    """What `BatchNorm1d` and `BatchNorm2d` have in common: everything but the shapes they take.

    Parameters
    ----------
    num_features : int
        How many channels there are.
    eps : float, default 1e-5
        Added to the variance.
    momentum : float or None, default 0.1
        The weight of the newest batch in the running means; None for the plain mean of all batches.
    affine : bool, default True
        Whether it stretches and shifts each channel.
    track_running_stats : bool, default True
        Whether there are running means; without them, a batch is normalised by itself in use too.
    bias : bool, default True
        Whether it shifts, if it stretches.
    dtype : type of float, default float64
        See `Linear`.

    Attributes
    ----------
    weight, bias : Parameter, shape (num_features,), or None
        Ones and zeros at first.
    running_mean, running_var : array, shape (num_features,), or None
        Zeros and ones at first; the variance divides by the count less one.
    num_batches_tracked : array of int, shape (), or None
        How many batches they come from.

    Raises
    ------
    ShapeError
        In the call, if the input has other axes or channels; in training, if there is one number a channel.
    UsageError, ValueTypeError
        If a size, `eps` or `momentum` is none.

    Notes
    -----
    Which of the two it does follows from `training` alone: frozen parameters change nothing about it.
    """

    axes: tuple  # how many axes an input may have
    shapes: str

    def __init__(
        self, num_features, eps=1e-5, momentum=0.1, affine=True, track_running_stats=True, *, bias=True, dtype=float
    ):
        super().__init__()
        who, dtype = type(self).__name__, float_type(dtype, type(self).__name__)
        self.num_features = n = size(num_features, who, "num_features")
        self.eps = not_negative(eps, who, "eps")
        self.momentum = None if momentum is None else share(momentum, who, "momentum")
        self.affine, self.track_running_stats = bool(affine), bool(track_running_stats)
        self.weight = Parameter(np.ones(n, dtype)) if affine else None
        self.bias = Parameter(np.zeros(n, dtype)) if affine and bias else None
        self.register_buffer("running_mean", np.zeros(n, dtype) if track_running_stats else None)
        self.register_buffer("running_var", np.ones(n, dtype) if track_running_stats else None)
        self.register_buffer("num_batches_tracked", np.array(0) if track_running_stats else None)

    def forward(self, x):
        """Normalise: the shape stays."""
        self._refuse_misfit(shape_of(x))
        if self.training or self.running_mean is None:
            return self._by_batch(x)
        return self._by_running_means(x)

    def _scale_and_shift(self, dtype):
        weight = np.ones(self.num_features, dtype) if self.weight is None else self.weight
        return weight, np.zeros(self.num_features, dtype) if self.bias is None else self.bias

    def _by_batch(self, x):
        weight, bias = self._scale_and_shift(getattr(x, "dtype", float))
        y = Operation.apply(x, weight, bias, eps=self.eps)
        if self.training and self.running_mean is not None:
            _, _, mean, var = centered(value_of(x), self.eps) if y.saved is None else y.saved
            self._track(mean, var, count=x.size // max(1, self.num_features))
        return y

    def _track(self, mean, var, count):
        """Move the running means towards those of a batch."""
        self.num_batches_tracked = self.num_batches_tracked + 1
        new = 1 / float(self.num_batches_tracked) if self.momentum is None else self.momentum
        dtype, unbiased = self.running_mean.dtype, var * (count / max(1, count - 1))
        self.running_mean = ((1 - new) * self.running_mean + new * mean).astype(dtype)
        self.running_var = ((1 - new) * self.running_var + new * unbiased).astype(dtype)

    def _by_running_means(self, x):
        weight, bias = self._scale_and_shift(self.running_mean.dtype)
        scale = mul(weight, 1 / np.sqrt(self.running_var + self.eps))
        shift = sub(bias, mul(scale, self.running_mean))
        channels = (self.num_features, *(1,) * (len(shape_of(x)) - 2))
        return add(mul(x, reshape(scale, channels)), reshape(shift, channels))

    def _refuse_misfit(self, shape):
        who, n = type(self).__name__, self.num_features
        if len(shape) not in self.axes or shape[1] != n:
            raise ShapeError(
                f"{who}: an input of shape {shape}.",
                self.shapes.replace("c", str(n)) + ".",
                "print the shape; the channels are axis 1.",
            )
        if self.training and n and np.prod(shape) <= n:
            raise ShapeError(
                f"{who}: an input of shape {shape} has one number a channel, or none, to train with.",
                "two or more: of one number, the spread is 0.",
                "a larger batch, drop_last=True, or eval().",
            )

    def extra_repr(self):
        """Return the sizes."""
        return (
            f"{self.num_features}, eps={self.eps}, momentum={self.momentum}, affine={self.affine}, "
            f"bias={self.bias is not None}, track_running_stats={self.track_running_stats}"
        )


class BatchNorm1d(BatchNorm):
    """Normalise the channels of (n, c) or (n, c, length); parameters and attributes as of `BatchNorm`.

    Examples
    --------
    >>> layer = BatchNorm1d(1, eps=0)
    >>> layer(np.array([[-1.0], [1.0], [-1.0], [1.0]])).value.ravel(), layer.running_var.round(4)
    (array([-1.,  1., -1.,  1.]), array([1.0333]))
    """

    axes, shapes = (2, 3), "(n, c) or (n, c, length)"


class BatchNorm2d(BatchNorm):
    """Normalise the channels of images (n, c, height, width); parameters and attributes as of `BatchNorm`.

    Examples
    --------
    >>> BatchNorm2d(3)
    BatchNorm2d(3, eps=1e-05, momentum=0.1, affine=True, bias=True, track_running_stats=True)
    """

    axes, shapes = (4,), "(n, c, height, width)"
