"""A labeled dataset with the names of its features, its source and its license."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dark.data.dataset import take_rows


@dataclass(frozen=True, eq=False)
class LabeledData:
    """Labeled dataset with metadata; its items are tuples (input, target).

    >>> data = LabeledData("two", np.eye(2), np.array([0, 1]), ("a", "b"), ("no", "yes"), "An example.", "here", "MIT")
    >>> len(data), data[1]
    (2, (array([0., 1.]), np.int64(1)))
    >>> data
    LabeledData('two': inputs (2, 2) float64, targets (2,) int64, source: here, license: MIT)
    """

    name: str
    inputs: np.ndarray = field(repr=False)  # (n, features) or (n, channels, height, width)
    targets: np.ndarray = field(repr=False)  # (n,): integers, which index `target_names`; or floats
    feature_names: tuple[str, ...]
    target_names: tuple[str, ...]  # of the classes; for regression, of the target
    description: str
    source: str
    license: str

    def __len__(self) -> int:
        return len(self.inputs)

    def __getitem__(self, index: Any) -> tuple[Any, Any]:
        return self.inputs[index], self.targets[index]

    def batch(self, indices: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the rows at an array of indices as one batch."""
        return take_rows(self.inputs, indices), take_rows(self.targets, indices)

    def __repr__(self) -> str:
        arrays = (
            f"{name} {array.shape} {array.dtype}"
            for name, array in (("inputs", self.inputs), ("targets", self.targets))
        )
        return f"LabeledData({self.name!r}: {', '.join(arrays)}, source: {self.source}, license: {self.license})"
