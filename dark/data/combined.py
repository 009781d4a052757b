"""Datasets made of others: a subset at given indices, and a concatenation."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from dark.data.dataset import Dataset, read
from dark.data.dataset_checks import as_indices, as_list, checked_length
from dark.errors import IndexingError, UsageError


class Subset:
    """Subset of a dataset at given indices, in this order; an index may occur more than once.

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


class ConcatDataset:
    """Concatenation of datasets; `cumulative_sizes` are the end indices of each, as in PyTorch.

    >>> both = ConcatDataset([["a", "b"], ["c"]])
    >>> len(both), both[2], both[-3]
    (3, 'c', 'a')
    """

    def __init__(self, datasets: Iterable[Dataset]) -> None:
        self.datasets: list[Dataset] = as_list(datasets, "ConcatDataset", "datasets")
        if not self.datasets:
            empty = "ConcatDataset: the list of datasets must not be empty."
            raise UsageError(empty, "at least one.", "ConcatDataset([first, second])")
        sizes = [checked_length(dataset, "ConcatDataset") for dataset in self.datasets]
        self.cumulative_sizes: np.ndarray = np.cumsum(sizes)

    def __len__(self) -> int:
        return int(self.cumulative_sizes[-1])

    def __getitem__(self, index: int) -> Any:
        n = len(self)
        if not -n <= index < n:
            problem = f"ConcatDataset: index {index} is out of range."
            raise IndexingError(problem, f"an index from {-n} to {n - 1}.", "count from 0.")
        index %= n
        which = int(np.searchsorted(self.cumulative_sizes, index, side="right"))
        return self.datasets[which][int(index - (self.cumulative_sizes[which - 1] if which else 0))]

    def __repr__(self) -> str:
        return f"ConcatDataset({', '.join(str(len(dataset)) for dataset in self.datasets)} items)"
