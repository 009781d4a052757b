"""What a dataset is, and reading many items of it at once."""

from abc import abstractmethod
from typing import Protocol, runtime_checkable

import numpy as np

from dark.data.collating import collate


@runtime_checkable
class Dataset(Protocol):
    """Items by their number: whatever has a length and gives an item for an index.

    To inherit from this class is allowed and not needed; a list and an array are datasets too. An item is a
    number, a string, an array, or a tuple, list or dict of such.

    A dataset *may* have two more names:

    - ``batch(indices)`` gives the items at an array of indices already collated, in one go; `TensorDataset`
      does. It must give what `collate` makes of the single items.
    - ``targets`` is an array of one class per item, by which `split` deals them out.

    Examples
    --------
    >>> class Squares(Dataset):
    ...     def __len__(self):
    ...         return 5
    ...
    ...     def __getitem__(self, index):
    ...         return index, index**2
    >>> Squares()[3]
    (3, 9)
    >>> isinstance([1, 2, 3], Dataset), isinstance(iter([1, 2, 3]), Dataset)
    (True, False)
    """

    @abstractmethod
    def __len__(self):
        """Count the items."""

    @abstractmethod
    def __getitem__(self, index):
        """Give the item at an index, from 0 to the length less 1."""


def has_batch_method(dataset):
    """Say whether `dataset.batch` speaks for `dataset[index]`: no subclass has changed the items behind it.

    Examples
    --------
    >>> has_batch_method(np.ones((3, 2))), has_batch_method([1, 2, 3])
    (True, False)
    """
    if isinstance(dataset, np.ndarray):
        return True
    for cls in type(dataset).__mro__:
        if "batch" in vars(cls):
            return True
        if "__getitem__" in vars(cls):
            return False
    return False


def read(dataset, indices):
    """Read several items as one batch.

    Parameters
    ----------
    dataset : Dataset
        Where from.
    indices : array of int, shape (n,)
        Which items, in this order.

    Returns
    -------
    batch
        What `collate` makes of the items.

    Examples
    --------
    >>> read([10, 20, 30], np.array([2, 0]))
    array([30, 10])
    """
    if isinstance(dataset, np.ndarray):
        return take_rows(dataset, indices)
    if has_batch_method(dataset):
        return dataset.batch(indices)
    return collate([get_item(dataset, index) for index in indices.tolist()])


def take_rows(array, indices):
    """Copy rows of an array; twice as fast as `array[indices]` where the rows lie behind each other."""
    return array.take(indices, axis=0) if array.flags.c_contiguous else array[indices]


def get_item(dataset, index):
    """Read one item; an error says which."""
    try:
        return dataset[index]
    except Exception as error:
        error.add_note(f"while reading item {index} of {type(dataset).__name__}")
        raise
