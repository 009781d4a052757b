"""Sliding windows: which inputs they cover along an axis, and how many outputs they have."""

from dataclasses import dataclass

import numpy as np


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
        return slice(first, last), slice(
            seen, seen + (last - first - 1) * self.stride + 1 if last > first else seen, self.stride
        )


def windows(size, stride, padding, dilation=(1, 1)):
    """Return the windows along the rows and the columns of an image, or the one along a signal."""
    return [Window(*along) for along in zip(size, stride, padding, dilation)]


def as_float(x):
    """Convert integers to floats; floats keep their dtype."""
    return x.astype(np.result_type(x, np.float16), copy=False)


def with_length(x, axis, length):
    """Return the shape of an array with another length along an axis."""
    return (*x.shape[:axis], length, *x.shape[axis + 1 :])
