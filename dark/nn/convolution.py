"""`Conv2d` and `ConvTranspose2d`: filters that are learned."""

import math

from dark.errors import UsageError
from dark.nn import init
from dark.nn.float_dtype import float_type, size
from dark.nn.module import Module
from dark.operations import conv2d, conv_transpose2d
from dark.operations.layers.windows import pair


class Conv2d(Module):
    """Move filters over images, and add a bias to what each of them gives.

    Parameters
    ----------
    in_channels, out_channels : int
        The channels of the images, and the number of filters.
    kernel_size : int or (int, int)
        The height and the width of a filter.
    stride : int or (int, int), default 1
        How far a filter moves.
    padding : int, (int, int), "same" or "valid", default 0
        Rows and columns of zeros at each side.
    dilation : int or (int, int), default 1
        The distance of the places that a filter weighs.
    groups : int, default 1
        Into so many parts the channels are cut; each part of the result sees one of them.
    bias : bool, default True
        Whether there is one.
    dtype : type of float, default float64
        See `Linear`.
    seed : int or numpy.random.Generator, optional
        From where the weights are drawn; see `dark.nn.init`.

    Attributes
    ----------
    weight : Parameter, shape (out_channels, in_channels / groups, height, width)
        At first drawn evenly between ±1 / sqrt(in_channels / groups * height * width).
    bias : Parameter, shape (out_channels,), or None
        As `weight`.

    Raises
    ------
    ShapeError
        In the call, if the images have other channels, or are smaller than the filters.
    UsageError, ValueTypeError
        If a setting makes no sense.

    Examples
    --------
    >>> import numpy as np
    >>> layer = Conv2d(1, 16, 3, padding=1)
    >>> layer(np.ones((5, 1, 8, 8))).shape, layer
    ((5, 16, 8, 8), Conv2d(1, 16, kernel_size=(3, 3), stride=(1, 1), padding=(1, 1)))
    """

    def __init__(
        self, in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True,
        *, dtype=float, seed=None,
    ):  # fmt: skip
        super().__init__()
        configure(self, in_channels, out_channels, kernel_size, stride, dilation, groups)
        self.padding = padding if isinstance(padding, str) else pair(padding, "Conv2d", "padding")
        shape = (self.out_channels, self.in_channels // self.groups, *self.kernel_size)
        self.weight, self.bias = drawn(shape, self.out_channels if bias else None, float_type(dtype, "Conv2d"), seed)

    def forward(self, x):
        """Move the filters: shape (batch, in_channels, height, width) to (batch, out_channels, ., .)."""
        how = {"dilation": self.dilation, "groups": self.groups}
        return conv2d(x, self.weight, self.bias, self.stride, self.padding, **how)

    def extra_repr(self):
        """Return the sizes, and the settings that are not the usual ones."""
        return describe(self)


class ConvTranspose2d(Module):
    """Lay filters down on a larger image, as often as each number of the input says, and add a bias.

    It undoes the shape of a `Conv2d` with the same settings, and is its adjoint.

    Parameters
    ----------
    in_channels, out_channels : int
        The channels of the input, which has a filter for each pair of them, and of the result.
    kernel_size, stride, padding, dilation, groups, bias, dtype, seed
        As for `Conv2d`; `padding` is no word.
    output_padding : int or (int, int), default 0
        Rows and columns added to the result, below and on the right.

    Attributes
    ----------
    weight : Parameter, shape (in_channels, out_channels / groups, height, width)
        At first drawn evenly between ±1 / sqrt(out_channels / groups * height * width).
    bias : Parameter, shape (out_channels,), or None
        As `weight`.

    Raises
    ------
    ShapeError
        In the call, if the images have other channels, or nothing would be left.
    UsageError, ValueTypeError
        If a setting makes no sense.

    Examples
    --------
    >>> import numpy as np
    >>> layer = ConvTranspose2d(16, 1, 4, stride=2, padding=1)
    >>> layer(np.ones((5, 16, 8, 8))).shape, layer
    ((5, 1, 16, 16), ConvTranspose2d(16, 1, kernel_size=(4, 4), stride=(2, 2), padding=(1, 1)))
    """

    def __init__(
        self, in_channels, out_channels, kernel_size, stride=1, padding=0, output_padding=0, groups=1, bias=True,
        dilation=1, *, dtype=float, seed=None,
    ):  # fmt: skip
        super().__init__()
        configure(self, in_channels, out_channels, kernel_size, stride, dilation, groups)
        self.padding = pair(padding, "ConvTranspose2d", "padding")
        self.output_padding = pair(output_padding, "ConvTranspose2d", "output_padding")
        shape = (self.in_channels, self.out_channels // self.groups, *self.kernel_size)
        dtype = float_type(dtype, "ConvTranspose2d")
        self.weight, self.bias = drawn(shape, self.out_channels if bias else None, dtype, seed)

    def forward(self, x):
        """Lay the filters down: shape (batch, in_channels, height, width) to (batch, out_channels, ., .)."""
        how = {"output_padding": self.output_padding, "dilation": self.dilation, "groups": self.groups}
        return conv_transpose2d(x, self.weight, self.bias, self.stride, self.padding, **how)

    def extra_repr(self):
        """Return the sizes, and the settings that are not the usual ones."""
        return describe(self)


def configure(layer, in_channels, out_channels, kernel_size, stride, dilation, groups):
    """Check the settings that both layers have, and put them into attributes."""
    who = type(layer).__name__
    layer.in_channels = size(in_channels, who, "in_channels", 1)
    layer.out_channels = size(out_channels, who, "out_channels", 1)
    layer.kernel_size, layer.stride = pair(kernel_size, who, "kernel_size", 1), pair(stride, who, "stride", 1)
    layer.dilation, layer.groups = pair(dilation, who, "dilation", 1), size(groups, who, "groups", 1)
    if layer.in_channels % layer.groups or layer.out_channels % layer.groups:
        raise UsageError(
            f"{who}: groups={layer.groups} with {layer.in_channels} channels in and {layer.out_channels} out.",
            "a number that divides both.",
            "groups=1 lets every result see every channel.",
        )


def drawn(shape, out, dtype, seed):
    """Draw filters, and a bias if there is to be one, as PyTorch does."""
    rng, bound = init.generator(seed), 1 / math.sqrt(math.prod(shape[1:]))
    weight = init.uniform_(init.empty(shape, dtype), -bound, bound, rng)
    return weight, None if out is None else init.uniform_(init.empty(out, dtype), -bound, bound, rng)


def describe(layer):
    """Write a layer's settings as PyTorch does."""
    text = f"{layer.in_channels}, {layer.out_channels}, kernel_size={layer.kernel_size}, stride={layer.stride}"
    usual = {"padding": (0, 0), "dilation": (1, 1), "output_padding": (0, 0), "groups": 1}
    for name, value in usual.items():
        if getattr(layer, name, value) != value:
            text += f", {name}={getattr(layer, name)}"
    return text if layer.bias is not None else text + ", bias=False"
