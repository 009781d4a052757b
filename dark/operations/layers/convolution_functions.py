"""The public functions of convolution, with the checks of their arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dark.checks import integer
from dark.errors import ShapeError, UsageError
from dark.nodes.values import shape_of
from dark.operations.arrays.padding import pad
from dark.operations.layers.convolution import Conv2d, Conv2dWeight, ConvTranspose2d, transposed_size
from dark.operations.layers.windows import image_shape, integer_pair, output_size, windows

if TYPE_CHECKING:
    from dark.nodes import Node
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

    Parameters
    ----------
    x : Node or array, shape (batch, channels, height, width)
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
    Node, shape (batch, out_channels, out_height, out_width)
        The batch is the last axis in memory, whatever the memory order of `x`.

    Raises
    ------
    ShapeError
        If shapes or groups do not match, or the filter is larger than the padded image.
    UsageError, ValueTypeError
        If a setting is invalid.

    Notes
    -----
    ``y[n, o, i, j] = b[o] + sum(w[o, c, k, l] * x[n, c, i * stride + k * dilation - padding, ...])`` over
    c, k and l.

    References
    ----------
    V. Dumoulin, F. Visin, "A guide to convolution arithmetic for deep learning", arXiv 1603.07285, 2016.

    Examples
    --------
    >>> import numpy as np
    >>> conv2d(np.arange(16.0).reshape(1, 1, 4, 4), np.ones((1, 1, 3, 3))).value
    array([[[[45., 54.],
             [81., 90.]]]])
    """
    who = "conv2d"
    shape, size, groups = image_shape(x, who), filter_shape(w, who), integer(groups, who, "groups")
    check_channels(who, groups, shape[1], size[1] * groups, size[0])
    inputs = weight_and_bias(who, w, b, size[0])
    stride, dilation = integer_pair(stride, who, "stride", 1), integer_pair(dilation, who, "dilation", 1)
    if isinstance(padding, str):
        x, padding = resolve_padding(x, padding, size[2:], stride, dilation)
    padding = integer_pair(padding, who, "padding")
    output_size(windows(size[2:], stride, padding, dilation), shape_of(x)[2:], who)
    return Conv2d.apply(x, *inputs, stride=stride, padding=padding, dilation=dilation, groups=groups)


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

    Parameters
    ----------
    x : Node or array, shape (batch, channels, height, width)
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
    Node, shape (batch, out_channels, out_height, out_width)
        ``out_height = (height - 1) * stride - 2 * padding + dilation * (kernel_height - 1) + 1 + output_padding``.

    Raises
    ------
    ShapeError
        If shapes or groups do not match, or the result is empty.
    UsageError, ValueTypeError
        If a setting is invalid.

    Notes
    -----
    ``sum(conv2d(x, w) * y)`` and ``sum(x * conv_transpose2d(y, w))`` are equal.

    Examples
    --------
    >>> import numpy as np
    >>> x = np.array([[[[1.0, 2.0], [3.0, 4.0]]]])
    >>> conv_transpose2d(x, x).value
    array([[[[ 1.,  4.,  4.],
             [ 6., 20., 16.],
             [ 9., 24., 16.]]]])
    """
    who = "conv_transpose2d"
    shape, size, groups = image_shape(x, who), filter_shape(w, who), integer(groups, who, "groups")
    check_channels(who, groups, shape[1], size[0], size[1] * groups)
    inputs = weight_and_bias(who, w, b, size[1] * groups)
    stride, dilation = integer_pair(stride, who, "stride", 1), integer_pair(dilation, who, "dilation", 1)
    padding, more = integer_pair(padding, who, "padding"), integer_pair(output_padding, who, "output_padding")
    check_output_padding(who, transposed_size(shape[2:], size[2:], stride, padding, dilation), more, stride, dilation)
    settings = {"stride": stride, "padding": padding, "output_padding": more, "dilation": dilation, "groups": groups}
    return ConvTranspose2d.apply(x, *inputs, **settings)


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

    Parameters
    ----------
    x : Node or array, shape (batch, channels, height, width)
    y : Node or array, shape (batch, out_channels, out_height, out_width)
        The shape of the result of `conv2d`.
    kernel_size : int or (int, int)
    stride, padding, dilation, groups
        As for `conv2d`; `padding` must be numeric.

    Returns
    -------
    Node, shape (out_channels, channels / groups, kernel_height, kernel_width)

    Notes
    -----
    ``sum(conv2d(x, w) * y)`` and ``sum(w * conv2d_weight(x, y, kernel_size))`` are equal.

    Examples
    --------
    >>> import numpy as np
    >>> x = np.arange(16.0).reshape(1, 1, 4, 4)
    >>> conv2d_weight(x, np.ones((1, 1, 2, 2)), 3).value
    array([[[[10., 14., 18.],
             [26., 30., 34.],
             [42., 46., 50.]]]])
    """
    who = "conv2d_weight"
    shape, maps, groups = image_shape(x, who), image_shape(y, who), integer(groups, who, "groups")
    check_channels(who, groups, shape[1], shape[1], maps[1])
    stride, dilation = integer_pair(stride, who, "stride", 1), integer_pair(dilation, who, "dilation", 1)
    size, padding = integer_pair(kernel_size, who, "kernel_size", 1), integer_pair(padding, who, "padding")
    right = (shape[0], maps[1], *output_size(windows(size, stride, padding, dilation), shape[2:], who))
    if maps != right:
        raise ShapeError(
            f"{who}: outputs of shape {maps} for images of shape {shape}.",
            f"{right}.",
            "print conv2d(x, w, ...).shape.",
        )
    settings = {"stride": stride, "padding": padding, "dilation": dilation, "groups": groups}
    return Conv2dWeight.apply(x, y, kernel_size=size, **settings)


def filter_shape(w, who):
    """Return the shape of filters, which must have four axes."""
    shape = shape_of(w)
    if len(shape) != 4 or min(shape[2:]) < 1:
        raise ShapeError(
            f"{who}: the filters have shape {shape}.",
            "(out_channels, channels / groups, height, width), with height and width at least 1.",
            "w[None, None] makes a filter of a matrix.",
        )
    return shape


def check_channels(who, groups, channels, wanted, out):
    """Check that groups divide the channels, and that images and filters have the same number of channels."""
    if groups < 1 or channels % groups or out % groups:
        raise ShapeError(
            f"{who}: groups={groups} with {channels} channels in and {out} out.",
            "a number that divides both.",
            "groups=1 connects all channels.",
        )
    if channels != wanted:
        raise ShapeError(
            f"{who}: images have {channels} channels, filters {wanted} (groups={groups}).",
            "the same number of channels.",
            "print both shapes; the channels are the second axis of the images.",
        )


def weight_and_bias(who, w, b, out):
    """Return the filters, and the bias if given."""
    if b is None:
        return (w,)
    if shape_of(b) != (out,):
        raise ShapeError(
            f"{who}: the bias has shape {shape_of(b)}.", f"({out},), one value for each filter.", "b.reshape(-1)"
        )
    return w, b


def check_output_padding(who, least, more, stride, dilation):
    """Check that the output padding is small enough, and that the result is not empty."""
    if any(m >= max(s, d) for m, s, d in zip(more, stride, dilation)):
        raise UsageError(
            f"{who}: output_padding={more} with stride={stride} and dilation={dilation}.",
            "less than the stride or the dilation.",
            "output_padding = stride - 1 gives the largest result.",
        )
    if any(n + m < 1 for n, m in zip(least, more)):
        raise ShapeError(
            f"{who}: the size of the result is {least[0] + more[0]} x {least[1] + more[1]}.",
            "at least 1 x 1.",
            "less padding, a larger kernel, or larger images.",
        )


def resolve_padding(x, word, size, stride, dilation):
    """Return the images and a numeric padding for "same" or "valid"; odd padding is added to the images."""
    total = [d * (k - 1) for k, d in zip(size, dilation)]
    if word not in ("same", "valid") or (word == "same" and stride != (1, 1)):
        raise UsageError(
            f"conv2d: padding={word!r} with stride={stride}.",
            'a number, a pair, "valid", or "same" with stride 1.',
            "padding=kernel_size // 2 keeps the size divided by the stride.",
        )
    if word == "valid":
        return x, 0
    if any(n % 2 for n in total):
        x = pad(x, ((0, 0), (0, 0), (0, total[0] % 2), (0, total[1] % 2)))
    return x, (total[0] // 2, total[1] // 2)
