"""Sliding windows: which inputs they cover along an axis, and how many outputs they have."""

from dataclasses import dataclass

import numpy as np

from dark.checks import boolean
from dark.errors import ShapeError, UsageError
from dark.nodes.values import shape_of
from dark.operations.axis_checks import as_integers


@dataclass(frozen=True)
class Window:
    """A sliding window along one axis.

    Attributes
    ----------
    size : int
        The number of elements.
    stride : int
        The step from one output to the next.
    padding : int
        The number of positions before the axis at which it starts.
    dilation : int
        The distance between elements.

    Examples
    --------
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
        """Return where one element of the window meets an axis of a length, over `count` outputs.

        Returns
        -------
        tuple of slice
            The outputs for which it does, and the positions on the axis.

        Examples
        --------
        >>> Window(3, stride=2, padding=1).tap_slices(0, length=8, count=4)
        (slice(1, 4, None), slice(1, 6, 2))
        """
        start = tap * self.dilation - self.padding  # the position of the first output
        first = max(0, -(start // self.stride))
        last = max(first, min(count, (length - 1 - start) // self.stride + 1))
        seen = start + first * self.stride
        return slice(first, last), slice(
            seen, seen + (last - first - 1) * self.stride + 1 if last > first else seen, self.stride
        )


def windows(size, stride, padding, dilation=(1, 1)):
    """Return the windows along the rows and the columns of an image."""
    return [Window(*along) for along in zip(size, stride, padding, dilation)]


def as_float(x):
    """Convert integers to floats; floats keep their dtype."""
    return x.astype(np.result_type(x, np.float16), copy=False)


def with_length(x, axis, length):
    """Return the shape of an array with another length along an axis."""
    return (*x.shape[:axis], length, *x.shape[axis + 1 :])


def pooling_sample(shape, kernel_size, stride, padding=(0, 0), ceil_mode=False, **more):
    """Return a test case of pooling: a shape and the settings."""
    return (shape,), {"kernel_size": kernel_size, "stride": stride, "padding": padding, "ceil_mode": ceil_mode, **more}


def integer_pair(value, who, what, least=0):
    """Return one integer, or two, as a pair for height and width.

    Raises
    ------
    UsageError
        If there are more than two, or one is too small.
    ValueTypeError
        If one is not an integer.

    Examples
    --------
    >>> integer_pair(3, "conv2d", "stride"), integer_pair((1, 2), "conv2d", "stride")
    ((3, 3), (1, 2))
    """
    numbers = as_integers(value, who, what)
    if len(numbers) not in (1, 2) or min(numbers) < least:
        raise UsageError(
            f"{who}: {what}={value!r}.",
            f"one integer, or a pair (height, width), each at least {least}.",
            f"{what}={max(least, 1)}",
        )
    return numbers * 2 if len(numbers) == 1 else numbers


def image_shape(x, who):
    """Return the shape of a batch of images, which must have four axes."""
    shape = shape_of(x)
    if len(shape) != 4:
        raise ShapeError(
            f"{who}: the input has shape {shape}.",
            "(batch, channels, height, width).",
            "x[None] adds a batch dimension, x[:, None] a channel.",
        )
    return shape


def output_size(windows, lengths, who, ceil_mode=False):
    """Return height and width of the result; raise a `ShapeError` if the window is larger than the padded image."""
    windows = tuple(windows)
    found = tuple([window.count(n, ceil_mode) for window, n in zip(windows, lengths)])
    if min(found) < 1:
        padded = tuple([n + 2 * window.padding for window, n in zip(windows, lengths)])
        raise ShapeError(
            f"{who}: a window of {windows[0].span} x {windows[1].span} in a padded image of {padded[0]} x {padded[1]}.",
            "a window that is not larger.",
            "a smaller kernel or dilation, more padding, or a larger image.",
        )
    return found


def pooling_settings(x, kernel_size, stride, padding, dilation, ceil_mode, who):
    """Check the arguments of a pooling function, and return its settings.

    Raises
    ------
    UsageError
        If the padding is more than half of the window, or a window contains no element of the image.
    """
    shape, size = image_shape(x, who), integer_pair(kernel_size, who, "kernel_size", 1)
    stride = size if stride is None else integer_pair(stride, who, "stride", 1)
    padding, dilation = integer_pair(padding, who, "padding"), integer_pair(dilation, who, "dilation", 1)
    axes = windows(size, stride, padding, dilation)
    if any(2 * window.padding > window.size for window in axes):
        raise UsageError(
            f"{who}: padding={padding} with kernel_size={size}.",
            "at most half of the window.",
            "padding=kernel_size // 2",
        )
    found = output_size(axes, shape[2:], who, ceil_mode)
    if any(window.dilation > 1 and window.has_empty_window(n, m) for window, n, m in zip(axes, shape[2:], found)):
        raise UsageError(
            f"{who}: dilation={dilation} and padding={padding} leave a window of {shape[2]} x {shape[3]} images empty.",
            "at least one element in each window.",
            "padding=0, or a smaller dilation.",
        )
    settings = {
        "kernel_size": size,
        "stride": stride,
        "padding": padding,
        "ceil_mode": boolean(ceil_mode, who, "ceil_mode"),
    }
    return settings, dilation
