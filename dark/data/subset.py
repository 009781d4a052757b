"""A subset of a dataset at given indices."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from dark.data.dataset import Dataset, read
from dark.data.dataset_checks import as_indices, checked_length
from dark.errors import IndexingError


class Subset:
    """Subset of a dataset at given indices.

    Parameters
    ----------
    dataset : Dataset
        The whole dataset.
    indices : array of int, shape (n,)
        The items, in this order; an index may occur more than once.

    Attributes
    ----------
    dataset : Dataset
    indices : array of int, shape (n,)

    Raises
    ------
    IndexingError
        If an index is out of range.
    ValueTypeError, ShapeError
        If the indices are not a one-dimensional array of integers.

    Examples
    --------
    >>> part = Subset(["a", "b", "c", "d"], [3, 1])
    >>> len(part), part[0]
    (2, 'd')
    """

    def __init__(self, dataset: Dataset, indices: np.ndarray | Iterable[int]) -> None:
        n = checked_length(dataset, "Subset")
        self.dataset = dataset
        self.indices: np.ndarray = as_indices(indices, "Subset")
        out_of_range = (self.indices < -n) | (self.indices >= n)
        if out_of_range.any():
            raise IndexingError(
                f"Subset: index {self.indices[out_of_range][0]} is out of range.",
                f"indices from 0 to {n - 1}.",
                "count from 0; the indices may belong to another dataset.",
            )

    @property
    def targets(self) -> np.ndarray:
        """The targets of these items; AttributeError if the dataset has none."""
        return np.asarray(self.dataset.targets)[self.indices]  # type: ignore[attr-defined]

    def __len__(self) -> int:
        return len(self.indices)

    def __getitem__(self, index: Any) -> Any:
        if np.ndim(index) or isinstance(index, slice):
            return self.batch(np.arange(len(self))[index])
        if not -len(self) <= index < len(self):
            n = len(self)
            raise IndexingError(f"Subset: index {index} is out of range.", f"indices below {n}.", "len(subset).")
        return self.dataset[int(self.indices[index])]

    def batch(self, indices: np.ndarray) -> Any:
        """Return the items at an array of indices as one batch."""
        return read(self.dataset, self.indices[indices])

    def __repr__(self) -> str:
        return f"Subset({len(self)} of the {len(self.dataset)} items of {type(self.dataset).__name__})"
