"""Series: the values of a name over the steps of a run."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from dark.checks import integer
from dark.errors import IndexingError, UsageError
from dark.monitor.notes.taken import checked_step

MOMENT = ("time", "elapsed", "epoch")  # of a record
SAMPLES = "samples/"  # the beginning of the names of Type II


class Part(NamedTuple):
    """The part of a series that one process has written, in the order of writing: steps, and a payload for each.

    `moments` has a column for each of `MOMENT`: the time of each record, in Unix seconds, the seconds since the run
    began, and the epoch; NaN where they were not written.
    """

    steps: np.ndarray
    payload: np.ndarray
    moments: np.ndarray

    def before(self, end: float) -> "Part":
        """Return the records of the steps before an end."""
        is_before = self.steps < end
        return self if is_before.all() else Part(*(array[is_before] for array in self))


def merged(parts: Sequence[Part]) -> Part:
    """Return the parts of a series, one for each process, as one with increasing steps.

    Of equal steps of a process the last one counts. A process that began later continues the run: from its first step
    on, it replaces the records before it.

    >>> first = Part(np.array([1, 2, 2, 3]), np.array([1, 0, 2, 3]), np.zeros((4, 3)))
    >>> resumed = Part(np.array([3]), np.array([30]), np.ones((1, 3)))
    >>> steps, payload, moments = merged([first, resumed])
    >>> steps, payload, moments[:, 1]
    (array([1, 2, 3]), array([ 1,  2, 30]), array([0., 0., 1.]))
    """
    found = Part(np.empty(0, np.int64), parts[0].payload[:0], np.empty((0, len(MOMENT))))
    for part in parts:
        order = np.argsort(part.steps, kind="stable")
        steps = part.steps[order]
        order = order[np.append(steps[1:] != steps[:-1], True)[: len(steps)]]
        kept = np.searchsorted(found.steps, steps[0]) if len(steps) else len(found.steps)
        found = Part(*(np.concatenate([old[:kept], new[order]]) for old, new in zip(found, part)))
    for array in found:
        array.setflags(write=False)
    return found


class Series:
    """The steps and the values that were recorded at them; abstract."""

    def __init__(self, name: str, parts: Callable[[], Sequence[Part]]) -> None:
        self.name = name
        self._parts, self._merged = parts, None

    @property
    def _all(self):
        if self._merged is None:
            self._merged = merged(self._parts())
        return self._merged

    @property
    def steps(self) -> np.ndarray:
        """The steps, increasing: int64, or float64 if one of them is a part of an epoch."""
        return self._all.steps

    @property
    def times(self) -> np.ndarray:
        """The time at which each value was taken, in Unix seconds; NaN where an older version did not write it."""
        return self._all.moments[:, 0]

    @property
    def elapsed(self) -> np.ndarray:
        """The seconds from the beginning of the run to each value; a run that is resumed counts on."""
        return self._all.moments[:, 1]

    @property
    def epochs(self) -> np.ndarray:
        """The epoch of each value, as a float: 1 at the end of the first one; NaN where it is not known."""
        return self._all.moments[:, 2]

    def __len__(self) -> int:
        return len(self.steps)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self._value(k) for k in range(*index.indices(len(self)))]
        k = integer(index, self.name, "the index")
        if not -len(self) <= k < len(self):
            wanted = f"an index from {-len(self)} to {len(self) - 1}."
            advice = "at(step), for the value at a step."
            raise IndexingError(f"{self.name}: index {k} is out of bounds for {len(self)} values.", wanted, advice)
        return self._value(k % len(self))

    def __iter__(self) -> Iterator[Any]:
        return (self._value(k) for k in range(len(self)))

    def at(self, step: float) -> Any:
        """Return the value at a step, or else at the nearest step before it."""
        k = int(np.searchsorted(self.steps, checked_step(step), side="right")) - 1
        if k < 0:
            first = f"begins at step {self.steps[0]}" if len(self) else "is empty"
            raise UsageError(f"{self.name} {first}; it has no value at step {step}.", "a later step.", "series.steps")
        return self._value(k)

    def _value(self, k):
        raise NotImplementedError

    def __repr__(self) -> str:
        if not len(self):
            return f"<{type(self).__name__} {self.name!r}: empty>"
        return f"<{type(self).__name__} {self.name!r}: {len(self)} steps from {self.steps[0]} to {self.steps[-1]}>"


class ScalarSeries(Series):
    """The values of a scalar, as floats."""

    @property
    def values(self) -> np.ndarray:
        """The values, an array of float64, read-only."""
        return self._all.payload

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        """Return the values as an array, for NumPy and Matplotlib."""
        return np.array(self.values, dtype)

    def _value(self, k):
        return float(self.values[k])


class TensorSeries(Series):
    """The arrays of a name; each is read from the disk when it is requested, and can only be read.

    `kind` is 2 for arrays that depend on a sample (Type II), which are those below ``samples/``, and 1 for all others.
    """

    def __init__(self, name: str, parts: Callable[[], Sequence[Part]], segments: Any) -> None:
        super().__init__(name, parts)
        self.kind = 2 if name.startswith(SAMPLES) else 1
        self._segments = segments

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the last array; the others usually have the same."""
        return self._entry.shape

    @property
    def dtype(self) -> Any:
        """The dtype of the last array."""
        return self._entry.dtype.newbyteorder("=")

    @property
    def _entry(self):
        return self._segments.entry(self.name, *self._all.payload[-1])

    def _value(self, k):
        return self._segments.array(self.name, *self._all.payload[k], step=self.steps[k])
