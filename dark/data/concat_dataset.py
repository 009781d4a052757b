"""Concatenation of datasets."""

import numpy as np

from dark.data.dataset_checks import as_list, checked_length
from dark.errors import IndexingError, UsageError


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
        self.datasets = as_list(datasets, "ConcatDataset", "datasets")
        if not self.datasets:
            raise UsageError("ConcatDataset: no dataset.", "at least one.", "ConcatDataset([first, second])")
        self.cumulative_sizes = np.cumsum([checked_length(dataset, "ConcatDataset") for dataset in self.datasets])

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
