"""Helpers of the tests: comparing batches, and small datasets."""

import numpy as np

from dark.data import TensorDataset


def assert_same(a, b):
    """Assert that two batches agree in structure, type, shape and every bit."""
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
    """Return a dataset whose inputs and targets identify the row."""
    return TensorDataset(np.arange(n * 2, dtype=np.float32).reshape(n, 2), np.arange(n))


def indices_of(batches):
    """Return the indices of the items in batches of `numbered`, in order."""
    return [index for _, targets in batches for index in targets.tolist()]


def with_noise(item, generator):
    """Add a random number to the input: a transform that reveals its generator."""
    return (item[0] + generator.normal(), *item[1:])
