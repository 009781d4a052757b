"""`Conv2d` and `ConvTranspose2d`: convolutions with learnable filters."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from dark.checks import integer
from dark.errors import UsageError
from dark.nn import init
from dark.nn.layers.float_dtype import float_dtype
from dark.nn.module import Module
from dark.operations import conv2d, conv_transpose2d
from dark.operations.images.image_checks import per_axis

if TYPE_CHECKING:
    from dark.nodes import Node, Parameter
    from dark.typing import ArrayLike, DType, Seed


class Conv2d(Module):
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
        The number of zeros added on each side.
    dilation : int or (int, int), default 1
        The distance between the elements of a window.
    groups : int, default 1
        The number of groups: each group of output channels sees one group of input channels.
    bias : bool, default True
        Whether there is a bias.
    dtype : float dtype, default float64
        See `Linear`.
    seed : int or numpy.random.Generator, optional
        Seed or generator for the initial weights; see `dark.nn.init`.

    Attributes
    ----------
    weight : Parameter, shape (out_channels, in_channels / groups, height, width)
        Initialized uniformly in ±1 / sqrt(in_channels / groups * height * width).
    bias : Parameter, shape (out_channels,), or None
        Initialized like `weight`.

    Raises
    ------
    ShapeError
        In the call, if the number of channels differs, or the input is smaller than a filter.
    UsageError, ValueTypeError
        If an argument is out of range or of the wrong type.

    Examples
    --------
    >>> import numpy as np
    >>> layer = Conv2d(1, 16, 3, padding=1)
    >>> layer(np.ones((5, 1, 8, 8))).shape, layer
    ((5, 16, 8, 8), Conv2d(1, 16, kernel_size=(3, 3), stride=(1, 1), padding=(1, 1)))
    """

    in_channels: int
    out_channels: int
    kernel_size: tuple[int, int]
    stride: tuple[int, int]
    dilation: tuple[int, int]
    groups: int
    weight: Parameter
    bias: Parameter | None

    def __init__(
        self, in_channels: int, out_channels: int, kernel_size: int | tuple[int, int],
        stride: int | tuple[int, int] = 1, padding: int | tuple[int, int] | str = 0,
        dilation: int | tuple[int, int] = 1, groups: int = 1, bias: bool = True,
        *, dtype: DType = float, seed: Seed = None,
    ) -> None:  # fmt: skip
        super().__init__()
        set_sizes(self, in_channels, out_channels, kernel_size, stride, dilation, groups)
        self.padding = padding if isinstance(padding, str) else per_axis(padding, "Conv2d", "padding")
        shape = (self.out_channels, self.in_channels // self.groups, *self.kernel_size)
        dtype = float_dtype(dtype, "Conv2d")
        self.weight, self.bias = initial_parameters(shape, self.out_channels if bias else None, dtype, seed)

    def forward(self, x: ArrayLike) -> Node:
        """Convolve: shape (batch, in_channels, height, width) to (batch, out_channels, ., .)."""
        dilation, groups = self.dilation, self.groups
        return conv2d(x, self.weight, self.bias, self.stride, self.padding, dilation=dilation, groups=groups)

    def extra_repr(self) -> str:
        """Return the settings that differ from their defaults as text."""
        return settings_text(self)


class ConvTranspose2d(Module):
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

    Raises
    ------
    ShapeError
        In the call, if the number of channels differs, or the result would be empty.
    UsageError, ValueTypeError
        If an argument is out of range or of the wrong type.

    Examples
    --------
    >>> import numpy as np
    >>> layer = ConvTranspose2d(16, 1, 4, stride=2, padding=1)
    >>> layer(np.ones((5, 16, 8, 8))).shape, layer
    ((5, 1, 16, 16), ConvTranspose2d(16, 1, kernel_size=(4, 4), stride=(2, 2), padding=(1, 1)))
    """

    in_channels: int
    out_channels: int
    kernel_size: tuple[int, int]
    stride: tuple[int, int]
    dilation: tuple[int, int]
    groups: int
    weight: Parameter
    bias: Parameter | None

    def __init__(
        self, in_channels: int, out_channels: int, kernel_size: int | tuple[int, int],
        stride: int | tuple[int, int] = 1, padding: int | tuple[int, int] = 0,
        output_padding: int | tuple[int, int] = 0, groups: int = 1, bias: bool = True,
        dilation: int | tuple[int, int] = 1, *, dtype: DType = float, seed: Seed = None,
    ) -> None:  # fmt: skip
        super().__init__()
        set_sizes(self, in_channels, out_channels, kernel_size, stride, dilation, groups)
        self.padding = per_axis(padding, "ConvTranspose2d", "padding")
        self.output_padding = per_axis(output_padding, "ConvTranspose2d", "output_padding")
        shape = (self.in_channels, self.out_channels // self.groups, *self.kernel_size)
        dtype = float_dtype(dtype, "ConvTranspose2d")
        self.weight, self.bias = initial_parameters(shape, self.out_channels if bias else None, dtype, seed)

    def forward(self, x: ArrayLike) -> Node:
        """Convolve: shape (batch, in_channels, height, width) to (batch, out_channels, ., .)."""
        settings = {"output_padding": self.output_padding, "dilation": self.dilation, "groups": self.groups}
        return conv_transpose2d(x, self.weight, self.bias, self.stride, self.padding, **settings)

    def extra_repr(self) -> str:
        """Return the settings that differ from their defaults as text."""
        return settings_text(self)


def set_sizes(layer, in_channels, out_channels, kernel_size, stride, dilation, groups):
    """Check the settings that both layers share, and assign them to attributes."""
    who = type(layer).__name__
    layer.in_channels = integer(in_channels, who, "in_channels", 1)
    layer.out_channels = integer(out_channels, who, "out_channels", 1)
    layer.kernel_size = per_axis(kernel_size, who, "kernel_size", 1)
    layer.stride = per_axis(stride, who, "stride", 1)
    layer.dilation, layer.groups = per_axis(dilation, who, "dilation", 1), integer(groups, who, "groups", 1)
    if layer.in_channels % layer.groups or layer.out_channels % layer.groups:
        raise UsageError(
            f"{who}: groups={layer.groups} with {layer.in_channels} channels in and {layer.out_channels} out.",
            "a common divisor of both numbers of channels.",
            "groups=1, with which every output channel sees every input channel.",
        )


def initial_parameters(shape, n_biases, dtype, seed):
    """Create filters, and a bias unless `n_biases` is None, initialized as in PyTorch."""
    rng, bound = init.generator(seed), 1 / math.sqrt(math.prod(shape[1:]))
    weight = init.uniform_(init.empty(shape, dtype), -bound, bound, rng)
    return weight, None if n_biases is None else init.uniform_(init.empty(n_biases, dtype), -bound, bound, rng)


def settings_text(layer):
    """Return the settings of a layer in PyTorch's format."""
    text = f"{layer.in_channels}, {layer.out_channels}, kernel_size={layer.kernel_size}, stride={layer.stride}"
    defaults = {"padding": (0, 0), "dilation": (1, 1), "output_padding": (0, 0), "groups": 1}
    for name, value in defaults.items():
        if getattr(layer, name, value) != value:
            text += f", {name}={getattr(layer, name)}"
    return text if layer.bias is not None else text + ", bias=False"
