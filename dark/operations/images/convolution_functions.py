"""The public functions of convolution of images."""

from __future__ import annotations

from dark.checks import integer
from dark.errors import ShapeError
from dark.nodes import Node
from dark.operations.images.convolution import Conv2d, Conv2dWeight, ConvTranspose2d
from dark.operations.images.convolution_checks import check_channels, convolve, convolve_transposed
from dark.operations.images.image_checks import image_shape, output_size, per_axis, windows
from dark.typing import ArrayLike, Shape


def conv2d(
    x: ArrayLike,
    w: ArrayLike,
    b: ArrayLike | None = None,
    stride: int | Shape = 1,
    padding: int | Shape | str = 0,
    *,
    dilation: int | Shape = 1,
    groups: int = 1,
) -> Node:
    """Apply a 2-D convolution (cross-correlation: the filters are not flipped).

    ``y[n, o, i, j] = b[o] + sum(w[o, c, k, l] * x[n, c, i * stride + k * dilation - padding, ...])`` over
    c, k and l.

    Reference: V. Dumoulin, F. Visin, "A guide to convolution arithmetic for deep learning", arXiv 1603.07285, 2016.

    Parameters
    ----------
    x : Node or array, shape (batch, channels, height, width), or (channels, height, width) without a batch
    w : Node or array, shape (out_channels, channels / groups, kernel_height, kernel_width)
    b : Node or array, shape (out_channels,), optional
    stride : int or (int, int), default 1
    padding : int, (int, int), "same" or "valid", default 0
        Zeros on both sides. "same" keeps the size; an odd total adds one more below or on the right.
    dilation : int or (int, int), default 1
        The distance between elements of the filter.
    groups : int, default 1
        Number of groups: each group of outputs sees one group of inputs.

    Returns
    -------
    Node, shape (batch, out_channels, out_height, out_width), or without the batch
        The batch is the last axis in memory, whatever the memory order of `x`.

    Examples
    --------
    >>> conv2d(np.arange(16.0).reshape(1, 1, 4, 4), np.ones((1, 1, 3, 3))).value
    array([[[[45., 54.],
             [81., 90.]]]])
    """
    return convolve(Conv2d, x, w, b, stride=stride, padding=padding, dilation=dilation, groups=groups)


def conv_transpose2d(
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
    """Apply a 2-D transposed convolution: the adjoint of `conv2d` with the same filters.

    ``sum(conv2d(x, w) * y)`` and ``sum(x * conv_transpose2d(y, w))`` are equal.

    Parameters
    ----------
    x : Node or array, shape (batch, channels, height, width), or (channels, height, width) without a batch
    w : Node or array, shape (channels, out_channels / groups, kernel_height, kernel_width)
    b : Node or array, shape (out_channels,), optional
    stride, groups, dilation
        As for `conv2d`.
    padding : int or (int, int), default 0
        The rows and columns that are removed on both sides of the result.
    output_padding : int or (int, int), default 0
        The rows and columns that are added below and on the right; less than stride or dilation.

    Returns
    -------
    Node, shape (batch, out_channels, out_height, out_width), or without the batch
        ``out_height = (height - 1) * stride - 2 * padding + dilation * (kernel_height - 1) + 1 + output_padding``.

    Examples
    --------
    >>> x = np.array([[[[1.0, 2.0], [3.0, 4.0]]]])
    >>> conv_transpose2d(x, x).value
    array([[[[ 1.,  4.,  4.],
             [ 6., 20., 16.],
             [ 9., 24., 16.]]]])
    """
    settings = {"stride": stride, "padding": padding, "output_padding": output_padding, "dilation": dilation}
    return convolve_transposed(ConvTranspose2d, x, w, b, **settings, groups=groups)


def conv2d_weight(
    x: ArrayLike,
    y: ArrayLike,
    kernel_size: int | Shape,
    stride: int | Shape = 1,
    padding: int | Shape = 0,
    *,
    dilation: int | Shape = 1,
    groups: int = 1,
) -> Node:
    """Compute the gradient of the filters of `conv2d`: the correlation of images and outputs.

    The result has shape (out_channels, channels / groups, kernel_height, kernel_width).

    ``sum(conv2d(x, w) * y)`` and ``sum(w * conv2d_weight(x, y, kernel_size))`` are equal.

    Parameters
    ----------
    x : Node or array, shape (batch, channels, height, width)
    y : Node or array, shape (batch, out_channels, out_height, out_width)
        The shape of the result of `conv2d`.
    kernel_size : int or (int, int)
    stride, padding, dilation, groups
        As for `conv2d`; `padding` must be numeric.

    Examples
    --------
    >>> x = np.arange(16.0).reshape(1, 1, 4, 4)
    >>> conv2d_weight(x, np.ones((1, 1, 2, 2)), 3).value
    array([[[[10., 14., 18.],
             [26., 30., 34.],
             [42., 46., 50.]]]])
    """
    who = "conv2d_weight"
    shape, maps, groups = image_shape(x, who), image_shape(y, who), integer(groups, who, "groups")
    check_channels(who, groups, shape[1], shape[1], maps[1])
    stride, dilation = per_axis(stride, who, "stride", 1), per_axis(dilation, who, "dilation", 1)
    size, padding = per_axis(kernel_size, who, "kernel_size", 1), per_axis(padding, who, "padding")
    right = (shape[0], maps[1], *output_size(windows(size, stride, padding, dilation), shape[2:], who))
    if maps != right:
        raise ShapeError(
            f"{who}: outputs must have the shape of conv2d(x, w), got {maps} for images of shape {shape}.",
            f"{right}.",
            "print conv2d(x, w, ...).shape.",
        )
    settings = {"stride": stride, "padding": padding, "dilation": dilation, "groups": groups}
    return Conv2dWeight.apply(x, y, kernel_size=size, **settings)
