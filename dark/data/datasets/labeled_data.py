"""One small record for every dataset: the numbers, what they mean, and where they come from."""

from dataclasses import dataclass, field

import numpy as np

from dark.data.dataset import take_rows


@dataclass(frozen=True, eq=False)
class LabeledData:
    """Inputs and targets with their names and their origin; a dataset of tuples (input, target).

    Parameters
    ----------
    name : str
    inputs : array, shape (n, features) or (n, channels, height, width)
    targets : array, shape (n,)
        Integers from 0, which count `target_names`; or floats, which are measured.
    feature_names : tuple of str
        One for each feature.
    target_names : tuple of str
        One for each class; a single one for what was measured.
    description : str
        What a row is and what the numbers are.
    source, license : str
        Where it comes from, and what may be done with it.

    Examples
    --------
    >>> data = LabeledData("two", np.eye(2), np.array([0, 1]), ("a", "b"), ("no", "yes"), "An example.", "here", "MIT")
    >>> len(data), data[1]
    (2, (array([0., 1.]), np.int64(1)))
    >>> data
    LabeledData('two': inputs (2, 2) float64, targets (2,) int64, source: here, license: MIT)
    """

    name: str
    inputs: np.ndarray = field(repr=False)
    targets: np.ndarray = field(repr=False)
    feature_names: tuple
    target_names: tuple
    description: str
    source: str
    license: str

    def __len__(self):
        return len(self.inputs)

    def __getitem__(self, index):
        return self.inputs[index], self.targets[index]

    def batch(self, indices):
        """Give the rows at an array of indices, in one go."""
        return take_rows(self.inputs, indices), take_rows(self.targets, indices)

    def __repr__(self):
        arrays = (
            f"{name} {array.shape} {array.dtype}"
            for name, array in (("inputs", self.inputs), ("targets", self.targets))
        )
        return f"LabeledData({self.name!r}: {', '.join(arrays)}, source: {self.source}, license: {self.license})"
