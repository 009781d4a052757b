"""The checks and calls that convolutions of images and of signals share, and inputs without a batch."""

from dark.checks import integer
from dark.errors import ShapeError, UsageError
from dark.nodes.values import shape_of
from dark.operations.arrays.padding import pad
from dark.operations.arrays.shapes import expand_dims, squeeze
from dark.operations.images.convolution import transposed_size
from dark.operations.images.image_checks import AXES, by, image_shape, is_single, output_size, per_axis, windows


def filter_shape(w, who, axes=2):
    """Return the shape of filters, which must have four axes for images, and three for signals."""
    shape = shape_of(w)
    if len(shape) != axes + 2 or min(shape[2:]) < 1:
        channels = "channels, out_channels" if "transpose" in who else "out_channels, channels"
        raise ShapeError(
            f"{who}: the filters must have {axes + 2} axes, the last ones not empty, got shape {shape}.",
            f"({channels} / groups, {AXES[axes]}), with {AXES[axes].replace(', ', ' and ')} at least 1.",
            f"w[None, None] makes a filter of a {'matrix' if axes == 2 else 'vector'}.",
        )
    return shape


def check_channels(who, groups, channels, wanted, out):
    """Check that groups divide the channels, and that images and filters have the same number of channels."""
    if groups < 1 or channels % groups or out % groups:
        raise ShapeError(
            f"{who}: groups must divide the numbers of channels, {channels} in and {out} out, got {groups}.",
            "a common divisor.",
            "groups=1 connects all channels.",
        )
    if channels != wanted:
        things = "signals" if "1d" in who else "images"
        raise ShapeError(
            f"{who}: {things} must have the channels of the filters, {wanted} with groups={groups}, got {channels}.",
            "the same number of channels.",
            f"print both shapes; the channels are axis 1 of a batch of {things}.",
        )


def weight_and_bias(who, w, b, out):
    """Return the filters, and the bias if given."""
    if b is None:
        return (w,)
    if shape_of(b) != (out,):
        raise ShapeError(
            f"{who}: the bias must have one axis of length {out}, got shape {shape_of(b)}.",
            f"({out},), one value for each filter.",
            "b.reshape(-1)",
        )
    return w, b


def check_output_padding(who, least, more, stride, dilation):
    """Check that the output padding is small enough, and that the result is not empty."""
    if any(m >= max(s, d) for m, s, d in zip(more, stride, dilation)):
        raise UsageError(
            f"{who}: output_padding must be less than stride={stride} or dilation={dilation}, got {more}.",
            "less than the stride or the dilation.",
            "output_padding = stride - 1 gives the largest result.",
        )
    if any(n + m < 1 for n, m in zip(least, more)):
        raise ShapeError(
            f"{who}: the result must not be empty, got size {by(n + m for n, m in zip(least, more))}.",
            f"at least {by(1 for _ in least)}.",
            "less padding, a larger kernel, or a larger input.",
        )


def total_padding(word, size, stride, dilation, who):
    """Return the sum of the padding on both sides of each axis for "same" or "valid"."""
    if word not in ("same", "valid") or (word == "same" and max(stride) > 1):
        raise UsageError(
            f"{who}: padding must be numeric, 'valid', or 'same' with stride 1, got {word!r} and stride={stride}.",
            f'a number,{" a pair," if len(size) == 2 else ""} "valid", or "same" with stride 1.',
            "padding=kernel_size // 2 keeps the size divided by the stride.",
        )
    return [d * (k - 1) if word == "same" else 0 for k, d in zip(size, dilation)]


def resolve_padding(x, word, size, stride, dilation, who):
    """Return the input and a numeric padding for "same" or "valid"; odd padding is added to the input."""
    total = total_padding(word, size, stride, dilation, who)
    if any(n % 2 for n in total):
        x = pad(x, ((0, 0), (0, 0), *[(0, n % 2) for n in total]))
    return x, tuple([n // 2 for n in total])


def convolve(op, x, w, b, *, stride, padding, dilation, groups):
    """Check the arguments of `conv1d` or `conv2d`, and apply its operation."""
    who, axes = op.label(), op.axes
    if is_single(x, who, axes):
        settings = {"stride": stride, "padding": padding, "dilation": dilation, "groups": groups}
        return squeeze(convolve(op, expand_dims(x, 0), w, b, **settings), 0)
    shape, size, groups = image_shape(x, who, axes), filter_shape(w, who, axes), integer(groups, who, "groups")
    check_channels(who, groups, shape[1], size[1] * groups, size[0])
    inputs = weight_and_bias(who, w, b, size[0])
    stride, dilation = per_axis(stride, who, "stride", 1, axes), per_axis(dilation, who, "dilation", 1, axes)
    if isinstance(padding, str):
        x, padding = resolve_padding(x, padding, size[2:], stride, dilation, who)
    padding = per_axis(padding, who, "padding", 0, axes)
    output_size(windows(size[2:], stride, padding, dilation), shape_of(x)[2:], who)
    return op.apply(x, *inputs, stride=stride, padding=padding, dilation=dilation, groups=groups)


def convolve_transposed(op, x, w, b, *, stride, padding, output_padding, dilation, groups):
    """Check the arguments of `conv_transpose1d` or `conv_transpose2d`, and apply its operation."""
    who, axes = op.label(), op.axes
    if is_single(x, who, axes):
        settings = {"stride": stride, "padding": padding, "output_padding": output_padding, "dilation": dilation}
        return squeeze(convolve_transposed(op, expand_dims(x, 0), w, b, **settings, groups=groups), 0)
    shape, size, groups = image_shape(x, who, axes), filter_shape(w, who, axes), integer(groups, who, "groups")
    check_channels(who, groups, shape[1], size[0], size[1] * groups)
    inputs = weight_and_bias(who, w, b, size[1] * groups)
    stride, dilation = per_axis(stride, who, "stride", 1, axes), per_axis(dilation, who, "dilation", 1, axes)
    padding = per_axis(padding, who, "padding", 0, axes)
    more = per_axis(output_padding, who, "output_padding", 0, axes)
    check_output_padding(who, transposed_size(shape[2:], size[2:], stride, padding, dilation), more, stride, dilation)
    settings = {"stride": stride, "padding": padding, "output_padding": more, "dilation": dilation, "groups": groups}
    return op.apply(x, *inputs, **settings)
