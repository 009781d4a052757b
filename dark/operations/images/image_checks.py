"""Checks of images, signals and the settings of windows.

Windows slide along two axes of images, (batch, channels, height, width), and along one of signals, (batch, channels,
length).
"""

import numpy as np

from dark.errors import ShapeError, UsageError
from dark.nodes import Node
from dark.nodes.values import operand, shape_of
from dark.operations.axis_checks import as_integers

AXES = {1: "length", 2: "height, width"}


def per_axis(value, who, what, least=0, axes=2):
    """Return one integer, or one for each axis, as a tuple with one for each axis.

    >>> per_axis(3, "conv2d", "stride"), per_axis((1, 2), "conv2d", "stride"), per_axis(3, "conv1d", "stride", axes=1)
    ((3, 3), (1, 2), (3,))
    """
    numbers = as_integers(value, who, what)
    if len(numbers) not in (1, axes) or min(numbers) < least:
        pair = ", or a pair (height, width), each" if axes == 2 else ","
        raise UsageError(f"{who}: {what}={value!r}.", f"one integer{pair} at least {least}.", f"{what}={max(least, 1)}")
    return numbers * axes if len(numbers) == 1 else numbers


def image_shape(x, who, axes=2):
    """Return the shape of a batch of images, which must have four axes, or of signals, which must have three."""
    shape = shape_of(x)
    if len(shape) != axes + 2:
        raise axes_error(x, who, f"(batch, channels, {AXES[axes]})")
    return shape


def is_single(x, who, axes):
    """Return whether the input is one image or signal, without a batch."""
    shape = shape_of(x)
    if len(shape) == axes + 2:
        return False
    if len(shape) != axes + 1:
        raise axes_error(x, who, f"(batch, channels, {AXES[axes]}), or (channels, {AXES[axes]}) without a batch")
    return True


def axes_error(x, who, expected):
    """Return the error for an input with other axes; raise one for its type if it is not an array."""
    value = x.value if isinstance(x, Node) else operand(x, who)
    return ShapeError(
        f"{who}: the input has shape {np.shape(value)}.",
        f"{expected}.",
        "x[None] adds a batch dimension, x[:, None] a channel to a batch.",
    )


def by(lengths):
    """Format the lengths of axes: "3 x 4", or "3"."""
    return " x ".join(map(str, lengths))


def output_size(windows, lengths, who, ceil_mode=False):
    """Return the size of the result; raise a `ShapeError` if the window is larger than the padded image or signal."""
    windows = tuple(windows)
    found = tuple([window.count(n, ceil_mode) for window, n in zip(windows, lengths)])
    if min(found) < 1:
        padded = by([n + 2 * window.padding for window, n in zip(windows, lengths)])
        thing, more = ("image of", "a larger image") if len(windows) == 2 else ("signal of length", "a longer signal")
        raise ShapeError(
            f"{who}: a window of {by(window.span for window in windows)} in a padded {thing} {padded}.",
            "a window that is not larger.",
            f"a smaller kernel or dilation, more padding, or {more}.",
        )
    return found
