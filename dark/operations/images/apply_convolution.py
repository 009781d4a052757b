"""The checks and calls that convolutions of images and of signals share, and inputs without a batch."""

from dark.checks import integer
from dark.nodes.values import shape_of
from dark.operations.arrays.shapes import expand_dims, squeeze
from dark.operations.images.convolution import transposed_size
from dark.operations.images.convolution_checks import (
    check_channels,
    check_output_padding,
    filter_shape,
    resolve_padding,
    weight_and_bias,
)
from dark.operations.images.image_checks import image_shape, is_single, output_size, per_axis
from dark.operations.images.windows import windows


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
