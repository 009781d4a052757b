"""How a window moves along the axis of an image: which places it sees, and how many results it leaves."""

from dataclasses import dataclass

import numpy as np

from dark.errors import ShapeError, UsageError
from dark.nodes.values import shape_of
from dark.operations.axis_checks import as_integers


@dataclass(frozen=True)
class Window:
    """A window of some places along one axis.

    Attributes
    ----------
    size : int
        How many places it sees.
    stride : int
        How far it moves from one result to the next.
    padding : int
        How far it begins before the axis.
    dilation : int
        The distance of the places it sees.

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
        """Return how many results there are along an axis of a length; less than 1 if it does not match.

        With `ceil_mode` there is one also for a window that begins in the axis and ends outside.
        """
        room = length + 2 * self.padding - self.span
        if not ceil_mode:
            return room // self.stride + 1
        found = -(-room // self.stride) + 1
        return found - ((found - 1) * self.stride >= length + self.padding)

    def misses(self, length, count):
        """Say whether some result sees nothing of the axis, as all places of its window lie beside it."""
        seeing = [self.meeting(place, length, count)[0] for place in range(self.size)]
        return len({result for results in seeing for result in range(count)[results]}) < count

    def meetings(self, axis, length, count):
        """Go through the places of the window: for each, two indices, of the results and of what they see."""
        for place in range(self.size):
            results, places = self.meeting(place, length, count)
            yield (slice(None),) * axis + (results,), (slice(None),) * axis + (places,)

    def meeting(self, place, length, count):
        """Say where one place of the window, moved through `count` results, lies on an axis of a length.

        Returns
        -------
        tuple of slice
            The results for which it does, and the places of the axis that they see there.

        Examples
        --------
        >>> Window(3, stride=2, padding=1).meeting(0, length=8, count=4)
        (slice(1, 4, None), slice(1, 6, 2))
        """
        start = place * self.dilation - self.padding  # what the first result sees
        first = max(0, -(start // self.stride))
        last = max(first, min(count, (length - 1 - start) // self.stride + 1))
        seen = start + first * self.stride
        return slice(first, last), slice(
            seen, seen + (last - first - 1) * self.stride + 1 if last > first else seen, self.stride
        )


def windows(size, stride, padding, dilation=(1, 1)):
    """Return the window along the rows and the one along the columns of an image."""
    return [Window(*along) for along in zip(size, stride, padding, dilation)]


def as_float(x):
    """Make floats of integers; floats of any size stay what they are."""
    return x.astype(np.result_type(x, np.float16), copy=False)


def resized(x, axis, length):
    """Return the shape of an array with another length along an axis."""
    return (*x.shape[:axis], length, *x.shape[axis + 1 :])


def sampled(shape, kernel_size, stride, padding=(0, 0), ceil_mode=False, **more):
    """Write down a case of pooling for the tests: a shape, and the settings."""
    return (shape,), {"kernel_size": kernel_size, "stride": stride, "padding": padding, "ceil_mode": ceil_mode, **more}


def pair(value, who, what, least=0):
    """Return one integer, or two, as a pair for height and width.

    Raises
    ------
    UsageError
        If there are more than two, or one is too small.
    ValueTypeError
        If they are no integers.

    Examples
    --------
    >>> pair(3, "conv2d", "stride"), pair((1, 2), "conv2d", "stride")
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


def images(x, who):
    """Return the shape of a batch of images.

    Raises
    ------
    ShapeError
        If there are not four axes.
    """
    shape = shape_of(x)
    if len(shape) != 4:
        raise ShapeError(
            f"{who}: an input of shape {shape}.",
            "(batch, channels, height, width).",
            "x[None] makes a batch of one image; x[:, None] gives images one channel.",
        )
    return shape


def counts(windows, lengths, who, ceil_mode=False):
    """Return the height and the width of the result.

    Raises
    ------
    ShapeError
        If the window is larger than the padded image.
    """
    windows = tuple(windows)
    found = tuple([window.count(n, ceil_mode) for window, n in zip(windows, lengths)])
    if min(found) < 1:
        padded = tuple([n + 2 * window.padding for window, n in zip(windows, lengths)])
        raise ShapeError(
            f"{who}: a window of {windows[0].span} x {windows[1].span} in a padded image of {padded[0]} x {padded[1]}.",
            "a window that fits into the image.",
            "a smaller kernel or dilation, more padding, or a larger image.",
        )
    return found


def pooling(x, kernel_size, stride, padding, dilation, ceil_mode, who):
    """Check what a function of pooling is given, and return its settings.

    Raises
    ------
    ShapeError
        If the window is larger than the padded image.
    UsageError
        Also if the padding is more than half of the window, or a window sees nothing of the image.
    """
    shape, size = images(x, who), pair(kernel_size, who, "kernel_size", 1)
    stride = size if stride is None else pair(stride, who, "stride", 1)
    padding, dilation = pair(padding, who, "padding"), pair(dilation, who, "dilation", 1)
    both = windows(size, stride, padding, dilation)
    if any(2 * window.padding > window.size for window in both):
        raise UsageError(
            f"{who}: padding={padding} with kernel_size={size}.",
            "at most half of the window.",
            "padding=kernel_size // 2",
        )
    found = counts(both, shape[2:], who, ceil_mode)
    if any(window.dilation > 1 and window.misses(n, m) for window, n, m in zip(both, shape[2:], found)):
        raise UsageError(
            f"{who}: dilation={dilation} and padding={padding} let a window miss an image of {shape[2]} x {shape[3]}.",
            "windows that see something of the image.",
            "padding=0, or a smaller dilation.",
        )
    settings = {"kernel_size": size, "stride": stride, "padding": padding, "ceil_mode": bool(ceil_mode)}
    return settings, dilation
