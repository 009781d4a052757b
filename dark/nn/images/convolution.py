"""`Conv1d`, `Conv2d`, `ConvTranspose1d` and `ConvTranspose2d`: convolutions with learnable filters."""

from __future__ import annotations

from abc import ABC
from collections.abc import Callable

from dark.checks import one_of
from dark.nn.images.convolution_settings import MODES, pad_by_mode, set_parameters, set_sizes, settings_text
from dark.nn.module import Module
from dark.nodes import Node, Parameter
from dark.operations import conv1d, conv2d, conv_transpose1d, conv_transpose2d
from dark.operations.images.convolution_checks import total_padding
from dark.operations.images.image_checks import is_single, per_axis
from dark.typing import ArrayLike, DType, Seed, Shape


class ConvolutionLayer(Module, ABC):
    """Base class of convolutions and transposed convolutions, in one and two dimensions."""

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

    def extra_repr(self) -> str:
        """Return the settings that differ from their defaults as text."""
        return settings_text(self)


class Convolution(ConvolutionLayer, ABC):
    """Base class of `Conv1d` and `Conv2d`, which differ in the number of axes; see `Conv2d` for the parameters."""

    def __init__(
        self, in_channels: int, out_channels: int, kernel_size: int | Shape, stride: int | Shape = 1,
        padding: int | Shape | str = 0, dilation: int | Shape = 1, groups: int = 1, bias: bool = True,
        padding_mode: str = "zeros", *, dtype: DType = float, seed: Seed = None,
    ) -> None:  # fmt: skip
        super().__init__()
        set_sizes(self, in_channels, out_channels, kernel_size, stride, dilation, groups)
        who = type(self).__name__
        self.padding = padding if isinstance(padding, str) else per_axis(padding, who, "padding", 0, self.axes)
        self.padding_mode = one_of(padding_mode, who, "padding_mode", ("zeros", *MODES))
        set_parameters(self, self.out_channels, self.in_channels, bias, dtype, seed)

    def forward(self, x: ArrayLike) -> Node:
        """Convolve: shape (batch, in_channels, ...) to (batch, out_channels, ...), or both without the batch."""
        padding, dilation, groups = self.padding, self.dilation, self.groups
        if self.padding_mode != "zeros":
            x, padding = self._pad(x), 0
        return self._function(x, self.weight, self.bias, self.stride, padding, dilation=dilation, groups=groups)

    def _pad(self, x):
        """Return the input padded by `padding_mode`."""
        who = type(self).__name__
        is_single(x, who, self.axes)  # raises if it has other axes
        if isinstance(self.padding, str):
            total = total_padding(self.padding, self.kernel_size, self.stride, self.dilation, who)
            widths = [(n // 2, n - n // 2) for n in total]
        else:
            widths = [(n, n) for n in self.padding]
        return pad_by_mode(x, widths, self.padding_mode, who)

    def extra_repr(self) -> str:
        """Return the settings that differ from their defaults as text."""
        text = super().extra_repr()
        return text if self.padding_mode == "zeros" else f"{text}, padding_mode={self.padding_mode}"


class Conv2d(Convolution):
    """2-D convolution (cross-correlation) with learnable filters.

    Parameters
    ----------
    in_channels, out_channels : int
        The number of channels of the input and of the result.
    kernel_size : int or (int, int)
        The height and width of a filter.
    stride : int or (int, int), default 1
        The step between neighboring windows.
    padding : int, (int, int), "same" or "valid", default 0
        The number of elements added on each side.
    dilation : int or (int, int), default 1
        The distance between the elements of a window.
    groups : int, default 1
        The number of groups: each group of output channels sees one group of input channels.
    bias : bool, default True
        Whether there is a bias.
    padding_mode : {"zeros", "reflect", "replicate", "circular"}, default "zeros"
        What is added: zeros, the image reflected at its border, its border, or the opposite side.
    dtype, seed
        As for `Linear`.

    Attributes
    ----------
    weight : Parameter, shape (out_channels, in_channels / groups, height, width)
        Initialized uniformly in ±1 / sqrt(in_channels / groups * height * width).
    bias : Parameter, shape (out_channels,), or None
        Initialized like `weight`.

    Examples
    --------
    >>> layer = Conv2d(1, 16, 3, padding=1)
    >>> layer(np.ones((5, 1, 8, 8))).shape, layer
    ((5, 16, 8, 8), Conv2d(1, 16, kernel_size=(3, 3), stride=(1, 1), padding=(1, 1)))
    """

    axes, _function = 2, staticmethod(conv2d)


class Conv1d(Convolution):
    """1-D convolution (cross-correlation) with learnable filters, along signals such as sound or time series.

    Parameters and attributes are those of `Conv2d`, along the length: the filters, `weight`, have shape (out_channels,
    in_channels / groups, kernel_size).

    >>> layer = Conv1d(2, 8, 5, padding="same")
    >>> layer(np.ones((3, 2, 100))).shape, layer
    ((3, 8, 100), Conv1d(2, 8, kernel_size=(5,), stride=(1,), padding=same))
    """

    axes, _function = 1, staticmethod(conv1d)


class TransposedConvolution(ConvolutionLayer, ABC):
    """Base class of `ConvTranspose1d` and `ConvTranspose2d`; see `ConvTranspose2d` for the parameters."""

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
    >>> layer = ConvTranspose2d(16, 1, 4, stride=2, padding=1)
    >>> layer(np.ones((5, 16, 8, 8))).shape, layer
    ((5, 1, 16, 16), ConvTranspose2d(16, 1, kernel_size=(4, 4), stride=(2, 2), padding=(1, 1)))
    """

    axes, _function = 2, staticmethod(conv_transpose2d)


class ConvTranspose1d(TransposedConvolution):
    """1-D transposed convolution with learnable filters; the adjoint of a `Conv1d` with the same settings.

    Parameters and attributes are those of `ConvTranspose2d`, along the length: the filters, `weight`, have shape
    (in_channels, out_channels / groups, kernel_size).

    >>> ConvTranspose1d(8, 2, 4, stride=2, padding=1)(np.ones((3, 8, 50))).shape
    (3, 2, 100)
    """

    axes, _function = 1, staticmethod(conv_transpose1d)
