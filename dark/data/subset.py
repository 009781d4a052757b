"""A subset of a dataset at given indices."""

import numpy as np

from dark.data.dataset import read
from dark.data.dataset_checks import as_indices, checked_length
from dark.errors import IndexingError


class Subset:
    """The items of a dataset at some indices.

    Parameters
    ----------
    dataset : Dataset
        Where the items are.
    indices : array of int, shape (n,)
        Which, in this order; an index may stand twice.

    Attributes
    ----------
    dataset : Dataset
    indices : array of int, shape (n,)

    Raises
    ------
    IndexingError
        If the dataset has no such item.
    ValueTypeError, ShapeError
        If the indices are no flat list of integers.

    Examples
    --------
    >>> part = Subset(["a", "b", "c", "d"], [3, 1])
    >>> len(part), part[0]
    (2, 'd')
    """

    def __init__(self, dataset, indices):
        n = checked_length(dataset, "Subset")
        self.dataset = dataset
        self.indices = as_indices(indices, "Subset")
        outside = (self.indices < -n) | (self.indices >= n)
        if outside.any():
            raise IndexingError(
                f"Subset: the dataset has no item {self.indices[outside][0]}.",
                f"indices from 0 to {n - 1}.",
                "count from 0; the indices may belong to another dataset.",
            )

    @property
    def targets(self):
        """The targets of these items, where the dataset knows its targets."""
        return np.asarray(self.dataset.targets)[self.indices]

    def __len__(self):
        return len(self.indices)

    def __getitem__(self, index):
        if np.ndim(index) or isinstance(index, slice):
            return self.batch(np.arange(len(self))[index])
        return self.dataset[int(self.indices[index])]

    def batch(self, indices):
        """Give the items at an array of indices as one batch."""
        return read(self.dataset, self.indices[indices])

    def __repr__(self):
        return f"Subset({len(self)} of the {len(self.dataset)} items of {type(self.dataset).__name__})"
