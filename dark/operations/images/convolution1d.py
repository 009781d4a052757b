"""1-D convolution and transposed convolution: the 2-D operations, on images with one row or one column."""

from __future__ import annotations

import numpy as np

from dark.nodes import Node, Operation
from dark.operations.images.convolution import Conv2d, ConvTranspose2d
from dark.operations.images.convolution_checks import convolve, convolve_transposed
from dark.typing import ArrayLike, Shape

FEW = 16  # signals, which are faster as rows: one matrix product; many are faster as columns, without a copy
NEUTRAL = {"stride": 1, "padding": 0, "output_padding": 0, "dilation": 1}
PLAIN_1D = {"stride": (1,), "padding": (0,), "dilation": (1,), "groups": 1}


def new_axis(x):
    """Return the axis of length 1 that makes images of signals (batch, channels, length)."""
    return 2 if x.shape[0] < FEW else 3


def as_images(v, axis):
    """Add an axis to signals or filters; a bias, or None, is returned unchanged."""
    return np.expand_dims(v, axis) if getattr(v, "ndim", 0) == 3 else v


def for_images(settings, axis):
    """Return the settings of the 2-D operation, which have no effect along the new axis."""
    pairs = {}
    for name, value in settings.items():
        along = NEUTRAL.get(name)
        pairs[name] = value if along is None else (along, *value) if axis == 2 else (*value, along)
    return pairs


def value_by(image_op):
    """Make the `_f` of a 1-D operation from the `_f` of a 2-D operation."""

    def _f(x, w, b=None, **settings):
        axis = new_axis(x)
        y = image_op._f(as_images(x, axis), as_images(w, axis), b, **for_images(settings, axis))
        return np.squeeze(y, axis)

    return staticmethod(_f)


def gradient_by(vjp):
    """Make the vjp of a 1-D operation, of its signals, filters or bias, from the vjp of the 2-D operation."""

    def of_signals(dldy, y, x, w, b=None, **settings):
        axis = new_axis(x)
        dldy, x, w = [as_images(v, axis) for v in (dldy, x, w)]
        g = vjp(dldy, y, x, w, b, **for_images(settings, axis))
        return np.squeeze(g, axis) if g.ndim == 4 else g

    return of_signals


class Conv1d(Operation, trusted=True, elementwise=False):
    """1-D cross-correlation."""

    _f = value_by(Conv2d)
    _df = (gradient_by(Conv2d._input), gradient_by(Conv2d._weight), gradient_by(Conv2d._bias))

    axes = 1
    expects, advice = "x of shape (n, c, l), w of shape (o, c / groups, k), b of shape (o,)", "print the three shapes."
    samples: tuple = (
        (((2, 1, 4), (2, 1, 2), (2,)), PLAIN_1D),
        (((1, 2, 5), (2, 1, 3)), {"stride": (2,), "padding": (1,), "dilation": (1,), "groups": 2}),
        (((1, 1, 6), (1, 1, 2), (1,)), {"stride": (1,), "padding": (0,), "dilation": (3,), "groups": 1}),
        (((FEW, 1, 2), (1, 1, 2), (1,)), {**PLAIN_1D, "padding": (1,)}),
        (((0, 1, 2), (1, 1, 2), (1,)), PLAIN_1D),
    )


class ConvTranspose1d(Operation, trusted=True, elementwise=False):
    """1-D transposed convolution: the adjoint of `Conv1d` with respect to the signals."""

    _f = value_by(ConvTranspose2d)
    _df = (
        gradient_by(ConvTranspose2d._output_map),
        gradient_by(ConvTranspose2d._weight),
        gradient_by(ConvTranspose2d._bias),
    )

    function_name, axes = "conv_transpose1d", 1
    expects, advice = "x of shape (n, c, l), w of shape (c, o / groups, k), b of shape (o,)", Conv1d.advice
    samples: tuple = (
        (((2, 2, 3), (2, 1, 2), (1,)), {**PLAIN_1D, "output_padding": (0,)}),
        (
            ((1, 2, 3), (2, 1, 3)),
            {"stride": (3,), "padding": (1,), "output_padding": (2,), "dilation": (1,), "groups": 2},
        ),
        (((FEW, 1, 2), (1, 1, 2), (1,)), {**PLAIN_1D, "output_padding": (0,), "dilation": (2,)}),
        (((0, 1, 2), (1, 1, 2)), {**PLAIN_1D, "output_padding": (0,)}),
    )


def conv1d(
    x: ArrayLike,
    w: ArrayLike,
    b: ArrayLike | None = None,
    stride: int | Shape = 1,
    padding: int | Shape | str = 0,
    *,
    dilation: int | Shape = 1,
    groups: int = 1,
) -> Node:
    """Apply a 1-D convolution (cross-correlation: the filters are not flipped).

    Signals have shape (batch, channels, length), or (channels, length) without a batch, filters (out_channels, channels
    / groups, kernel_length), and the bias (out_channels,). The other parameters are those of `conv2d`, along the
    length. In the result, ``out_length = (length + 2 * padding - dilation * (kernel_length - 1) - 1) // stride + 1``.

    >>> conv1d(np.array([[[1.0, 2.0, 4.0, 8.0]]]), np.array([[[-1.0, 1.0]]])).value
    array([[[1., 2., 4.]]])
    """
    return convolve(Conv1d, x, w, b, stride=stride, padding=padding, dilation=dilation, groups=groups)


def conv_transpose1d(
    x: ArrayLike,
    w: ArrayLike,
    b: ArrayLike | None = None,
    stride: int | Shape = 1,
    padding: int | Shape = 0,
    *,
    output_padding: int | Shape = 0,
    groups: int = 1,
    dilation: int | Shape = 1,
) -> Node:
    """Apply a 1-D transposed convolution: the adjoint of `conv1d` with the same filters.

    Signals have shape (batch, channels, length), or (channels, length) without a batch, filters (channels, out_channels
    / groups, kernel_length), and the bias (out_channels,). The other parameters are those of `conv_transpose2d`, along
    the length: ``out_length = (length - 1) * stride - 2 * padding + dilation * (kernel_length - 1) + 1 +
    output_padding``.

    >>> conv_transpose1d(np.array([[[1.0, 2.0]]]), np.array([[[1.0, 10.0]]]), stride=2).value
    array([[[ 1., 10.,  2., 20.]]])
    """
    settings = {"stride": stride, "padding": padding, "output_padding": output_padding, "dilation": dilation}
    return convolve_transposed(ConvTranspose1d, x, w, b, **settings, groups=groups)
