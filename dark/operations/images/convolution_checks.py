"""Checks of the arguments of convolutions: channels, groups, bias, padding."""

from dark.errors import ShapeError, UsageError
from dark.nodes.values import shape_of
from dark.operations.arrays.padding import pad


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
