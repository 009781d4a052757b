"""Arrays as a dataset: item i is row i of each of them."""

import numpy as np

from dark.data.dataset import take_rows
from dark.errors import ShapeError, UsageError, ValueTypeError


class TensorDataset:
    """Arrays with as many rows each; item i is the tuple of their rows i.

    Parameters
    ----------
    *arrays : array, shape (n, …)
        Their lengths are equal. They are kept as they are, not copied, and never written to.
    **named : array, shape (n, …)
        Instead of `arrays`: then items are dicts with these keys.

    Attributes
    ----------
    arrays : tuple or dict of array
        The arrays, in the form of an item.

    Raises
    ------
    ShapeError
        If the lengths differ, or an array has no axis.
    UsageError
        If there is no array, or some have names and some do not.
    ValueTypeError
        If an array holds Python objects.

    Notes
    -----
    A batch is read with one indexing of each array. The rows of a single item are views; those of a batch are
    copies.

    Examples
    --------
    >>> data = TensorDataset(np.arange(6.0).reshape(3, 2), np.array([0, 1, 0]))
    >>> data[1]
    (array([2., 3.]), np.int64(1))
    >>> TensorDataset(x=np.arange(3.0), y=np.array([0, 1, 0]))[1]
    {'x': np.float64(1.0), 'y': np.int64(1)}
    """

    def __init__(self, *arrays, **named):
        if bool(arrays) == bool(named):
            raise UsageError(
                f"TensorDataset: {len(arrays)} arrays without a name and {len(named)} with one.",
                "arrays that all have names, or none of them.",
                "TensorDataset(inputs, targets), or TensorDataset(x=inputs, y=targets).",
            )
        given = named or dict(enumerate(arrays))
        made = {name: _checked(array, name) for name, array in given.items()}
        if len({len(array) for array in made.values()}) > 1:
            raise ShapeError(
                "TensorDataset: arrays of shapes " + ", ".join(str(a.shape) for a in made.values()) + ".",
                "the same first length in all.",
                "look at the first number of each shape; one may need .T or a slice.",
            )
        self.arrays = made if named else tuple(made.values())

    @property
    def targets(self):
        """The last of several arrays, or the one named `targets` or `y`; AttributeError where there is none."""
        if isinstance(self.arrays, dict):
            name = next((name for name in ("targets", "y") if name in self.arrays), None)
            if name:
                return self.arrays[name]
        elif len(self.arrays) > 1:
            return self.arrays[-1]
        raise AttributeError("no array here is known to be the targets")

    def __len__(self):
        return len(next(iter(self._all())))

    def __getitem__(self, index):
        if isinstance(self.arrays, dict):
            return {name: array[index] for name, array in self.arrays.items()}
        return tuple([array[index] for array in self.arrays])

    def batch(self, indices):
        """Give the rows at an array of indices, of each array in one go."""
        if isinstance(self.arrays, dict):
            return {name: take_rows(array, indices) for name, array in self.arrays.items()}
        return tuple([take_rows(array, indices) for array in self.arrays])

    def __repr__(self):
        if isinstance(self.arrays, dict):
            return f"TensorDataset({', '.join(f'{name}={a.shape}' for name, a in self.arrays.items())})"
        return f"TensorDataset({', '.join(str(a.shape) for a in self.arrays)})"

    def _all(self):
        return self.arrays.values() if isinstance(self.arrays, dict) else self.arrays


def _checked(array, name):
    array = np.asarray(array)
    if array.dtype.hasobject:
        raise ValueTypeError(
            f"TensorDataset: array {name} holds Python objects.",
            "numbers or strings, in rows of one length.",
            "np.asarray(rows, dtype=float), or a list as the dataset where the rows are ragged.",
        )
    if not array.ndim:
        raise ShapeError(
            f"TensorDataset: array {name} is a single number.", "an array of rows, shape (n, …).", "array[None]"
        )
    return array
