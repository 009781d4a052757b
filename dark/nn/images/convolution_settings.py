"""The base of convolution layers: the checks of their settings, initialization, their repr, and padding modes."""

import math
from typing import Any

import numpy as np

from dark.checks import integer
from dark.errors import ShapeError, UsageError
from dark.nn import init
from dark.nn.casting import float_dtype
from dark.nodes.values import shape_of
from dark.operations import take
from dark.operations.images.image_checks import per_axis


def set_sizes(layer, in_channels, out_channels, kernel_size, stride, dilation, groups):
    """Check the settings that all of these layers have, and assign them to attributes."""
    who, axes = type(layer).__name__, layer.axes
    layer.in_channels = integer(in_channels, who, "in_channels", 1)
    layer.out_channels = integer(out_channels, who, "out_channels", 1)
    layer.kernel_size = per_axis(kernel_size, who, "kernel_size", 1, axes)
    layer.stride = per_axis(stride, who, "stride", 1, axes)
    layer.dilation, layer.groups = per_axis(dilation, who, "dilation", 1, axes), integer(groups, who, "groups", 1)
    if layer.in_channels % layer.groups or layer.out_channels % layer.groups:
        raise UsageError(
            f"{who}: groups={layer.groups} must divide in_channels={layer.in_channels} and "
            f"out_channels={layer.out_channels}.",
            "a common divisor of both numbers of channels.",
            "groups=1, with which every output channel sees every input channel.",
        )


def set_parameters(layer, first, second, bias, dtype, seed):
    """Create filters of shape (first, second / groups, ...), and perhaps a bias, initialized as in PyTorch."""
    shape = (first, second // layer.groups, *layer.kernel_size)
    dtype, rng = float_dtype(dtype, type(layer).__name__), init.generator(seed)
    bound = 1 / math.sqrt(math.prod(shape[1:]))
    layer.weight = init.uniform_(init.empty(shape, dtype), -bound, bound, rng)
    layer.bias = init.uniform_(init.empty(layer.out_channels, dtype), -bound, bound, rng) if bias else None


def settings_text(layer):
    """Return the settings of a layer in PyTorch's format."""
    text = f"{layer.in_channels}, {layer.out_channels}, kernel_size={layer.kernel_size}, stride={layer.stride}"
    zeros, ones = (0,) * layer.axes, (1,) * layer.axes
    defaults = {"padding": zeros, "dilation": ones, "output_padding": zeros, "groups": 1}
    for name, value in defaults.items():
        if getattr(layer, name, value) != value:
            text += f", {name}={getattr(layer, name)}"
    return text if layer.bias is not None else text + ", bias=False"


MODES: dict[str, Any] = {"reflect": "reflect", "replicate": "edge", "circular": "wrap"}  # PyTorch's names, and NumPy's
LARGEST = {"reflect": ("less than the length", -1), "circular": ("at most the length", 0)}


def pad_by_mode(x, widths, mode, who):
    """Pad the last axes of images or signals.

    >>> pad_by_mode(np.array([[1.0, 2.0, 3.0]]), [(2, 1)], "reflect", "Conv1d").value
    array([[3., 2., 1., 2., 3., 2.]])
    """
    for axis, width in enumerate(widths, -len(widths)):
        n = shape_of(x)[axis]
        words, more = LARGEST.get(mode, ("0 for an empty axis", 0 if n == 0 else max(width)))
        if max(width) > max(0, n + more):
            raise ShapeError(
                f"{who}: padding {max(width)} is too large for padding_mode={mode!r} along an axis of length {n}.",
                f"{words}.",
                "less padding, or padding_mode='zeros'.",
            )
        if any(width):
            x = take(x, np.pad(np.arange(n), width, MODES[mode]), axis)
    return x
