"""`ConvTranspose1d` and `ConvTranspose2d`: transposed convolutions with learnable filters."""

from __future__ import annotations

from abc import ABC
from collections.abc import Callable
from typing import TYPE_CHECKING

from dark.nn.images.convolution_settings import set_parameters, set_sizes, settings_text
from dark.nn.module import Module
from dark.nodes import Node, Parameter
from dark.operations import conv_transpose1d, conv_transpose2d
from dark.operations.images.image_checks import per_axis

if TYPE_CHECKING:
    from dark.typing import ArrayLike, DType, Seed, Shape


class TransposedConvolution(Module, ABC):
    """Base class of `ConvTranspose1d` and `ConvTranspose2d`; see `ConvTranspose2d` for the parameters."""

    axes: int
    _function: Callable[..., Node]
    in_channels: int
    out_channels: int
    kernel_size: tuple[int, ...]
    stride: tuple[int, ...]
    dilation: tuple[int, ...]
    groups: int
    weight: Parameter
    bias: Parameter | None

    def __init__(
        self, in_channels: int, out_channels: int, kernel_size: int | Shape, stride: int | Shape = 1,
        padding: int | Shape = 0, output_padding: int | Shape = 0, groups: int = 1, bias: bool = True,
        dilation: int | Shape = 1, *, dtype: DType = float, seed: Seed = None,
    ) -> None:  # fmt: skip
        super().__init__()
        set_sizes(self, in_channels, out_channels, kernel_size, stride, dilation, groups)
        who = type(self).__name__
        self.padding = per_axis(padding, who, "padding", 0, self.axes)
        self.output_padding = per_axis(output_padding, who, "output_padding", 0, self.axes)
        set_parameters(self, self.in_channels, self.out_channels, bias, dtype, seed)

    def forward(self, x: ArrayLike) -> Node:
        """Convolve: shape (batch, in_channels, ...) to (batch, out_channels, ...), or both without the batch."""
        settings = {"output_padding": self.output_padding, "dilation": self.dilation, "groups": self.groups}
        return self._function(x, self.weight, self.bias, self.stride, self.padding, **settings)

    def extra_repr(self) -> str:
        """Return the settings that differ from their defaults as text."""
        return settings_text(self)


class ConvTranspose2d(TransposedConvolution):
    """2-D transposed convolution with learnable filters.

    It is the adjoint of a `Conv2d` with the same settings, and restores the shape of its input.

    Parameters
    ----------
    in_channels, out_channels : int
        The number of channels of the input and of the result.
    kernel_size, stride, padding, dilation, groups, bias, dtype, seed
        As for `Conv2d`, but `padding` is not a string.
    output_padding : int or (int, int), default 0
        The number of rows and columns added to the result, at the bottom and on the right.

    Attributes
    ----------
    weight : Parameter, shape (in_channels, out_channels / groups, height, width)
        Initialized uniformly in ±1 / sqrt(out_channels / groups * height * width).
    bias : Parameter, shape (out_channels,), or None
        Initialized like `weight`.

    Examples
    --------
    >>> import numpy as np
    >>> layer = ConvTranspose2d(16, 1, 4, stride=2, padding=1)
    >>> layer(np.ones((5, 16, 8, 8))).shape, layer
    ((5, 1, 16, 16), ConvTranspose2d(16, 1, kernel_size=(4, 4), stride=(2, 2), padding=(1, 1)))
    """

    axes, _function = 2, staticmethod(conv_transpose2d)


class ConvTranspose1d(TransposedConvolution):
    """1-D transposed convolution with learnable filters; the adjoint of a `Conv1d` with the same settings.

    Parameters
    ----------
    in_channels, out_channels : int
        The number of channels of the input and of the result.
    kernel_size, stride, padding, output_padding, groups, bias, dilation, dtype, seed
        As for `ConvTranspose2d`, along the length.

    Attributes
    ----------
    weight : Parameter, shape (in_channels, out_channels / groups, kernel_size)
        Initialized uniformly in ±1 / sqrt(out_channels / groups * kernel_size).
    bias : Parameter, shape (out_channels,), or None
        Initialized like `weight`.

    Examples
    --------
    >>> import numpy as np
    >>> ConvTranspose1d(8, 2, 4, stride=2, padding=1)(np.ones((3, 8, 50))).shape
    (3, 2, 100)
    """

    axes, _function = 1, staticmethod(conv_transpose1d)
