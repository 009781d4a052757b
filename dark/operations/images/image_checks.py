"""Sliding windows, and the checks of images, signals and the settings of windows.

Windows slide along two axes of images, (batch, channels, height, width), and along one of signals, (batch, channels,
length).
"""

from dataclasses import dataclass

import numpy as np

from dark.checks import boolean
from dark.errors import ShapeError, UsageError
from dark.nodes import Node
from dark.nodes.values import operand, shape_of
from dark.operations.arrays.shapes import expand_dims, squeeze
from dark.operations.axis_checks import as_integers


@dataclass(frozen=True)
class Window:
    """A sliding window along one axis: its elements are `dilation` apart, and it starts `padding` before the axis.

    >>> window = Window(3, stride=2, padding=1)
    >>> window.count(8)
    4
    """

    size: int
    stride: int = 1
    padding: int = 0
    dilation: int = 1

    @property
    def span(self):
        """The length of axis that it covers."""
        return self.dilation * (self.size - 1) + 1

    def count(self, length, ceil_mode=False):
        """Return the number of outputs along an axis of a length; less than 1 if the window is too large.

        With `ceil_mode`, a window that starts inside the axis and ends outside counts.
        """
        room = length + 2 * self.padding - self.span
        if not ceil_mode:
            return room // self.stride + 1
        found = -(-room // self.stride) + 1
        return found - ((found - 1) * self.stride >= length + self.padding)

    def has_empty_window(self, length, count):
        """Return whether some window contains no element of the axis."""
        reached = [self.tap_slices(tap, length, count)[0] for tap in range(self.size)]
        return len({result for outputs in reached for result in range(count)[outputs]}) < count

    def slices(self, axis, length, count):
        """Yield for each element of the window two indices: of the outputs, and of the inputs that it meets."""
        for tap in range(self.size):
            outputs, inputs = self.tap_slices(tap, length, count)
            yield (slice(None),) * axis + (outputs,), (slice(None),) * axis + (inputs,)

    def tap_slices(self, tap, length, count):
        """Return where one element of the window meets an axis: slices of the `count` outputs, and of the axis.

        >>> Window(3, stride=2, padding=1).tap_slices(0, length=8, count=4)
        (slice(1, 4, None), slice(1, 6, 2))
        """
        start = tap * self.dilation - self.padding  # the position of the first output
        first = max(0, -(start // self.stride))
        last = max(first, min(count, (length - 1 - start) // self.stride + 1))
        seen = start + first * self.stride
        end = seen + (last - first - 1) * self.stride + 1 if last > first else seen
        return slice(first, last), slice(seen, end, self.stride)


def windows(size, stride, padding, dilation=(1, 1)):
    """Return the windows along the rows and the columns of an image, or the one along a signal."""
    return [Window(*along) for along in zip(size, stride, padding, dilation)]


def as_float(x):
    """Convert integers to floats; floats keep their dtype."""
    return x.astype(np.result_type(x, np.float16), copy=False)


def with_length(x, axis, length):
    """Return the shape of an array with another length along an axis."""
    return (*x.shape[:axis], length, *x.shape[axis + 1 :])


AXES = {1: "length", 2: "height, width"}


def per_axis(value, who, what, least=0, axes=2):
    """Return one integer, or one for each axis, as a tuple with one for each axis.

    >>> per_axis(3, "conv2d", "stride"), per_axis((1, 2), "conv2d", "stride"), per_axis(3, "conv1d", "stride", axes=1)
    ((3, 3), (1, 2), (3,))
    """
    numbers = as_integers(value, who, what)
    if len(numbers) not in (1, axes) or min(numbers) < least:
        pair = ", or a pair (height, width), each" if axes == 2 else ","
        raise UsageError(
            f"{who}: {what} must be one integer{pair} at least {least}, got {value!r}.",
            f"one integer{pair} at least {least}.",
            f"{what}={max(least, 1)}",
        )
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
        f"{who}: wrong number of axes, got an input of shape {np.shape(value)}.",
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
            f"{who}: a window of {by(window.span for window in windows)} must fit in a padded {thing} {padded}.",
            "a window that is not larger.",
            f"a smaller kernel or dilation, more padding, or {more}.",
        )
    return found


def pool(op, x, kernel_size, stride, padding, ceil_mode, **more):
    """Check the arguments of a pooling function, and apply its operation."""
    who, axes = op.function_name, op.axes
    if is_single(x, who, axes):
        return squeeze(pool(op, expand_dims(x, 0), kernel_size, stride, padding, ceil_mode, **more), 0)
    size = per_axis(kernel_size, who, "kernel_size", 1, axes)
    stride = size if stride is None else per_axis(stride, who, "stride", 1, axes)
    padding, ceil_mode = per_axis(padding, who, "padding", 0, axes), boolean(ceil_mode, who, "ceil_mode")
    if "dilation" in more:
        more["dilation"] = per_axis(more["dilation"], who, "dilation", 1, axes)
    along = windows(size, stride, padding, more.get("dilation", (1,) * axes))
    check_windows(along, image_shape(x, who, axes)[2:], who, ceil_mode)
    return op.apply(x, kernel_size=size, stride=stride, padding=padding, ceil_mode=ceil_mode, **more)


def check_windows(along, lengths, who, ceil_mode):
    """Raise if a padding is more than half of its window, or a window contains no element of the input."""
    padding, dilation = [tuple([getattr(window, name) for window in along]) for name in ("padding", "dilation")]
    if any(2 * window.padding > window.size for window in along):
        raise UsageError(
            f"{who}: padding must be at most half of kernel_size={tuple([w.size for w in along])}, got {padding}.",
            "at most half of the window.",
            "padding=kernel_size // 2",
        )
    found = output_size(along, lengths, who, ceil_mode)
    if any((w.dilation > 1 or n == 0) and w.has_empty_window(n, m) for w, n, m in zip(along, lengths, found)):
        things = f"{by(lengths)} images" if len(along) == 2 else f"signals of length {lengths[0]}"
        raise UsageError(
            f"{who}: dilation={dilation} and padding={padding} must not leave a window of {things} empty.",
            "at least one element in each window.",
            "padding=0, or a smaller dilation.",
        )


def pooling_sample(shape, kernel_size, stride, padding=(0, 0), ceil_mode=False, **more):
    """Return a test case of pooling: a shape and the settings."""
    return (shape,), {"kernel_size": kernel_size, "stride": stride, "padding": padding, "ceil_mode": ceil_mode, **more}
