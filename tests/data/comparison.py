"""Comparing batches of any form, and the laws' small datasets."""

import numpy as np

from dark.data import TensorDataset


def assert_same(a, b):
    """Refuse batches that differ in form, type, shape or any bit."""
    assert type(a) is type(b)
    if isinstance(a, dict):
        assert a.keys() == b.keys()
        for key in a:
            assert_same(a[key], b[key])
    elif isinstance(a, (tuple, list)):
        assert len(a) == len(b)
        for x, y in zip(a, b):
            assert_same(x, y)
    elif isinstance(a, np.ndarray):
        np.testing.assert_array_equal(a, b, strict=True)
    else:
        assert a == b


def numbered(n, **_):
    """Make a dataset whose inputs and targets say which row they are."""
    return TensorDataset(np.arange(n * 2, dtype=np.float32).reshape(n, 2), np.arange(n))


def indices_of(batches):
    """Read from the targets of `numbered` which items came, in order."""
    return [index for _, targets in batches for index in targets.tolist()]


def shaken(item, generator):
    """Add a draw to the input: a transform that shows its generator."""
    return (item[0] + generator.normal(), *item[1:])
