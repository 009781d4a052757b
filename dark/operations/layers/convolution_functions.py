"""The functions of convolution: what they are given is checked here, once."""

from dark.checks import integer
from dark.errors import ShapeError, UsageError
from dark.nodes.values import shape_of
from dark.operations.arrays.padding import pad
from dark.operations.layers.convolution import Conv2d, Conv2dWeight, ConvTranspose2d, covered
from dark.operations.layers.windows import counts, images, pair, windows


def conv2d(x, w, b=None, stride=1, padding=0, *, dilation=1, groups=1):
    """Move filters over images: each number of the result is a filter's weighted sum of what lies below it.

    Parameters
    ----------
    x : Node or array, shape (batch, channels, height, width)
    w : Node or array, shape (out_channels, channels / groups, kernel_height, kernel_width)
        The filters.
    b : Node or array, shape (out_channels,), optional
        Added to every place of a channel of the result.
    stride : int or (int, int), default 1
        How far the filter moves, down and to the right.
    padding : int, (int, int), "same" or "valid", default 0
        Rows of zeros above and below, columns left and right. "same": as many as leave the size as it is,
        an odd one below or on the right.
    dilation : int or (int, int), default 1
        The distance of the places that a filter weighs.
    groups : int, default 1
        Into so many parts the channels are cut; each part of the result sees one of them.

    Returns
    -------
    Node, shape (batch, out_channels, out_height, out_width)
        The batch lies innermost in memory, whatever the order in `x`.

    Raises
    ------
    ShapeError
        If shapes or groups do not match, or the filter is larger than the padded image.
    UsageError, ValueTypeError
        If a setting makes no sense.

    Notes
    -----
    ``y[n, o, i, j] = b[o] + sum(w[o, c, k, l] * x[n, c, i * stride + k * dilation - padding, ...])`` over
    c, k and l: a correlation, as in every framework. The filter is not flipped.

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
    shape, size, groups = images(x, who), filters(w, who), integer(groups, who, "groups")
    refuse_channels(who, groups, shape[1], size[1] * groups, size[0])
    inputs = with_bias(who, w, b, size[0])
    stride, dilation = pair(stride, who, "stride", 1), pair(dilation, who, "dilation", 1)
    if isinstance(padding, str):
        x, padding = padded(x, padding, size[2:], stride, dilation)
    padding = pair(padding, who, "padding")
    counts(windows(size[2:], stride, padding, dilation), shape_of(x)[2:], who)
    return Conv2d.apply(x, *inputs, stride=stride, padding=padding, dilation=dilation, groups=groups)


def conv_transpose2d(x, w, b=None, stride=1, padding=0, *, output_padding=0, groups=1, dilation=1):
    """Lay filters down on a larger image, each as often as a number of `x` says, and add them up.

    Parameters
    ----------
    x : Node or array, shape (batch, channels, height, width)
    w : Node or array, shape (channels, out_channels / groups, kernel_height, kernel_width)
        The filters.
    b : Node or array, shape (out_channels,), optional
        Added to every place of a channel of the result.
    stride : int or (int, int), default 1
        How far apart the filters are laid down.
    padding : int or (int, int), default 0
        So many rows and columns are left out at each border of the result.
    output_padding : int or (int, int), default 0
        So many are added, below and on the right; less than stride or dilation.
    groups : int, default 1
        Into so many parts the channels are cut; each part of the result is made of one of them.
    dilation : int or (int, int), default 1
        The distance of the places of a filter.

    Returns
    -------
    Node, shape (batch, out_channels, out_height, out_width)
        ``out_height = (height - 1) * stride - 2 * padding + dilation * (kernel_height - 1) + 1 + output_padding``.

    Raises
    ------
    ShapeError
        If shapes or groups do not match, or nothing is left of the result.
    UsageError, ValueTypeError
        If a setting makes no sense.

    Notes
    -----
    It is the adjoint of `conv2d` with the same filters: ``sum(conv2d(x, w) * y)`` and
    ``sum(x * conv_transpose2d(y, w))`` are equal.

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
    shape, size, groups = images(x, who), filters(w, who), integer(groups, who, "groups")
    refuse_channels(who, groups, shape[1], size[0], size[1] * groups)
    inputs = with_bias(who, w, b, size[1] * groups)
    stride, dilation = pair(stride, who, "stride", 1), pair(dilation, who, "dilation", 1)
    padding, more = pair(padding, who, "padding"), pair(output_padding, who, "output_padding")
    refuse_output(who, covered(shape[2:], size[2:], stride, padding, dilation), more, stride, dilation)
    settings = {"stride": stride, "padding": padding, "output_padding": more, "dilation": dilation, "groups": groups}
    return ConvTranspose2d.apply(x, *inputs, **settings)


def conv2d_weight(x, y, kernel_size, stride=1, padding=0, *, dilation=1, groups=1):
    """Multiply what each place of a filter sees in `conv2d` by maps, and add it up: the gradient of the filters.

    Parameters
    ----------
    x : Node or array, shape (batch, channels, height, width)
    y : Node or array, shape (batch, out_channels, out_height, out_width)
        As the result of `conv2d`.
    kernel_size : int or (int, int)
        The size of the filters.
    stride, padding, dilation, groups
        As for `conv2d`; `padding` is no word.

    Returns
    -------
    Node, shape (out_channels, channels / groups, kernel_height, kernel_width)

    Raises
    ------
    ShapeError
        If `y` has not the shape that `conv2d` gives.

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
    shape, maps, groups = images(x, who), images(y, who), integer(groups, who, "groups")
    refuse_channels(who, groups, shape[1], shape[1], maps[1])
    stride, dilation = pair(stride, who, "stride", 1), pair(dilation, who, "dilation", 1)
    size, padding = pair(kernel_size, who, "kernel_size", 1), pair(padding, who, "padding")
    right = (shape[0], maps[1], *counts(windows(size, stride, padding, dilation), shape[2:], who))
    if maps != right:
        raise ShapeError(
            f"{who}: maps of shape {maps} for images of shape {shape}.",
            f"{right}.",
            "conv2d(x, w, ...) has that shape.",
        )
    settings = {"stride": stride, "padding": padding, "dilation": dilation, "groups": groups}
    return Conv2dWeight.apply(x, y, kernel_size=size, **settings)


def filters(w, who):
    """Return the shape of filters."""
    shape = shape_of(w)
    if len(shape) != 4 or min(shape[2:]) < 1:
        raise ShapeError(
            f"{who}: filters of shape {shape}.",
            "four axes, the last two the height and the width of a filter, at least 1.",
            "w[None, None] makes one filter of a matrix.",
        )
    return shape


def refuse_channels(who, groups, channels, wanted, out):
    """Refuse channels that are not those of the filters, or that groups do not divide."""
    if groups < 1 or channels % groups or out % groups:
        raise ShapeError(
            f"{who}: groups={groups} with {channels} channels in and {out} out.",
            "a number that divides both.",
            "groups=1 lets every result see every channel.",
        )
    if channels != wanted:
        raise ShapeError(
            f"{who}: images with {channels} channels, and filters for {wanted} (groups={groups}).",
            "the same number of channels.",
            "print both shapes; the channels are the second axis of images.",
        )


def with_bias(who, w, b, out):
    """Return filters, and the bias if there is one, of the right length."""
    if b is None:
        return (w,)
    if shape_of(b) != (out,):
        raise ShapeError(
            f"{who}: a bias of shape {shape_of(b)}.", f"({out},), a number for each filter.", "b.reshape(-1)"
        )
    return w, b


def refuse_output(who, least, more, stride, dilation):
    """Refuse an output padding that is too large, or a result of which nothing is left."""
    if any(m >= max(s, d) for m, s, d in zip(more, stride, dilation)):
        raise UsageError(
            f"{who}: output_padding={more} with stride={stride} and dilation={dilation}.",
            "less than the stride or the dilation.",
            "output_padding = stride - 1 gives the largest result.",
        )
    if any(n + m < 1 for n, m in zip(least, more)):
        raise ShapeError(
            f"{who}: the result would have the size {least[0] + more[0]} x {least[1] + more[1]}.",
            "at least 1 x 1.",
            "less padding, a larger kernel, or a larger image.",
        )


def padded(x, word, size, stride, dilation):
    """Turn a word for the padding into a number; what it asks for more on one side is added to the image."""
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
