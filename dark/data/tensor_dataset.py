"""Dataset wrapping arrays: item i is row i of each array."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from dark.data.dataset import take_rows
from dark.data.dataset_checks import as_array
from dark.errors import ShapeError, UsageError, ValueTypeError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


class TensorDataset:
    """Dataset wrapping arrays of equal length; item i is the tuple of their rows i, or a dict if they have names.

    They are neither copied nor modified: an item consists of views, a batch of copies.

    >>> data = TensorDataset(np.arange(6.0).reshape(3, 2), np.array([0, 1, 0]))
    >>> data[1]
    (array([2., 3.]), np.int64(1))
    >>> TensorDataset(x=np.arange(3.0), y=np.array([0, 1, 0]))[1]
    {'x': np.float64(1.0), 'y': np.int64(1)}
    """

    def __init__(self, *arrays: ArrayLike, **named: ArrayLike) -> None:
        if bool(arrays) == bool(named):
            raise UsageError(
                f"TensorDataset: expected positional or named arrays, got {len(arrays)} and {len(named)}.",
                "either positional or named arrays, at least one.",
                "TensorDataset(inputs, targets), or TensorDataset(x=inputs, y=targets).",
            )
        given: dict[Any, Any] = dict(named) or dict(enumerate(arrays))
        checked = {name: _checked(array, name) for name, array in given.items()}
        if len({len(array) for array in checked.values()}) > 1:
            raise ShapeError(
                "TensorDataset: arrays must have the same length along the first axis, got shapes "
                + ", ".join(str(a.shape) for a in checked.values())
                + ".",
                "the same length along the first axis.",
                "print the shapes; one array may need .T or a slice.",
            )
        self.arrays: tuple[np.ndarray, ...] | dict[str, np.ndarray] = checked if named else tuple(checked.values())

    @property
    def targets(self) -> np.ndarray:
        """The last of several arrays, or the one named `targets` or `y`; AttributeError if there is no such array."""
        if isinstance(self.arrays, dict):
            name = next((name for name in ("targets", "y") if name in self.arrays), None)
            if name:
                return self.arrays[name]
        elif len(self.arrays) > 1:
            return self.arrays[-1]
        raise AttributeError("TensorDataset: cannot tell which array holds the targets")

    def __len__(self) -> int:
        return len(next(iter(self.arrays.values() if isinstance(self.arrays, dict) else self.arrays)))

    def __getitem__(self, index: Any) -> Any:
        return self._each(lambda array: array[index])

    def batch(self, indices: np.ndarray) -> Any:
        """Return the rows at an array of indices, with one indexing of each array."""
        return self._each(lambda array: take_rows(array, indices))

    def __repr__(self) -> str:
        if isinstance(self.arrays, dict):
            return f"TensorDataset({', '.join(f'{name}={a.shape}' for name, a in self.arrays.items())})"
        return f"TensorDataset({', '.join(str(a.shape) for a in self.arrays)})"

    def _each(self, function):
        """Return the results of a function for all arrays: a tuple, or a dict if they have names."""
        if isinstance(self.arrays, dict):
            return {name: function(array) for name, array in self.arrays.items()}
        return tuple([function(array) for array in self.arrays])


def _checked(array, name):
    array = as_array(array, "TensorDataset", f"array {name}")
    if array.dtype.hasobject:
        raise ValueTypeError(
            f"TensorDataset: array {name} must not contain Python objects.",
            "numbers or strings, in rows of equal length.",
            "np.asarray(rows, dtype=float), or a list as the dataset if the rows are ragged.",
        )
    if not array.ndim:
        problem = f"TensorDataset: arrays must have a first axis, but array {name} is 0-d."
        raise ShapeError(problem, "an array of rows, shape (n, …).", "array[None]")
    return array
