"""Datasets made of others: a part of one, and several behind each other."""

import numpy as np

from dark.data.dataset import read
from dark.data.doors import index_array, length_of, listed
from dark.errors import IndexingError, UsageError


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
        n = length_of(dataset, "Subset")
        self.dataset = dataset
        self.indices = index_array(indices, "Subset")
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


class ConcatDataset:
    """Several datasets behind each other.

    Parameters
    ----------
    datasets : sequence of Dataset
        At least one, none of them empty.

    Attributes
    ----------
    datasets : list of Dataset
    cumulative_sizes : array of int
        Where each ends, as in PyTorch.

    Raises
    ------
    UsageError
        If there is no dataset, or an empty one.
    IndexingError
        If an item is asked for that is not there.

    Examples
    --------
    >>> both = ConcatDataset([["a", "b"], ["c"]])
    >>> len(both), both[2], both[-3]
    (3, 'c', 'a')
    """

    def __init__(self, datasets):
        self.datasets = listed(datasets, "ConcatDataset", "datasets")
        if not self.datasets:
            raise UsageError("ConcatDataset: no dataset.", "at least one.", "ConcatDataset([first, second])")
        self.cumulative_sizes = np.cumsum([length_of(dataset, "ConcatDataset") for dataset in self.datasets])

    def __len__(self):
        return int(self.cumulative_sizes[-1])

    def __getitem__(self, index):
        n = len(self)
        if not -n <= index < n:
            raise IndexingError(
                f"ConcatDataset: there is no item {index}.", f"an index from {-n} to {n - 1}.", "count from 0."
            )
        index %= n
        which = int(np.searchsorted(self.cumulative_sizes, index, side="right"))
        return self.datasets[which][int(index - (self.cumulative_sizes[which - 1] if which else 0))]

    def __repr__(self):
        return f"ConcatDataset({', '.join(str(len(dataset)) for dataset in self.datasets)} items)"
