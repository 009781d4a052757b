"""Concatenation of datasets."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from dark.data.dataset import Dataset
from dark.data.dataset_checks import as_list, checked_length
from dark.errors import IndexingError, UsageError


class ConcatDataset:
    """Concatenation of datasets.

    Parameters
    ----------
    datasets : sequence of Dataset
        At least one; each has at least one item.

    Attributes
    ----------
    datasets : list of Dataset
    cumulative_sizes : array of int
        The end index of each dataset, as in PyTorch.

    Raises
    ------
    IndexingError
        From indexing, if the index is out of range.

    Examples
    --------
    >>> both = ConcatDataset([["a", "b"], ["c"]])
    >>> len(both), both[2], both[-3]
    (3, 'c', 'a')
    """

    def __init__(self, datasets: Iterable[Dataset]) -> None:
        self.datasets: list[Dataset] = as_list(datasets, "ConcatDataset", "datasets")
        if not self.datasets:
            raise UsageError(
                "ConcatDataset: the list of datasets is empty.", "at least one.", "ConcatDataset([first, second])"
            )
        self.cumulative_sizes: np.ndarray = np.cumsum(
            [checked_length(dataset, "ConcatDataset") for dataset in self.datasets]
        )

    def __len__(self) -> int:
        return int(self.cumulative_sizes[-1])

    def __getitem__(self, index: int) -> Any:
        n = len(self)
        if not -n <= index < n:
            raise IndexingError(
                f"ConcatDataset: index {index} is out of range.", f"an index from {-n} to {n - 1}.", "count from 0."
            )
        index %= n
        which = int(np.searchsorted(self.cumulative_sizes, index, side="right"))
        return self.datasets[which][int(index - (self.cumulative_sizes[which - 1] if which else 0))]

    def __repr__(self) -> str:
        return f"ConcatDataset({', '.join(str(len(dataset)) for dataset in self.datasets)} items)"
