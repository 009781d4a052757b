"""Notes in memory, for tests of the doctor's rules."""

from types import SimpleNamespace

import numpy as np


class Series:
    """A series in memory, as a note has it."""

    def __init__(self, values, steps=None):
        self.values = values if isinstance(values, list) else np.asarray(values, float)
        self.steps = np.arange(1, len(values) + 1) if steps is None else np.asarray(steps)

    def __len__(self):
        return len(self.values)

    def __getitem__(self, k):
        return self.values[k]

    @property
    def shape(self):
        """The shape of the last array."""
        return np.shape(self.values[-1])

    def at(self, step):
        """Return the value at a step, or the nearest one before it."""
        return self.values[int(np.searchsorted(self.steps, step, side="right")) - 1]


def note(scalars=(), tensors=()):
    """Return an object with the series of a note."""
    scalars = {name: Series(values) for name, values in dict(scalars).items()}
    tensors = {name: Series(list(values)) for name, values in dict(tensors).items()}
    return SimpleNamespace(scalar_dict=scalars, tensor_dict=tensors)
