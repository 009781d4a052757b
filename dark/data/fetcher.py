"""Reading one batch: items, their transforms, and how they are put together."""

from dataclasses import dataclass

from dark.data.collating import collate
from dark.data.dataset import get_item, has_batch_method, read
from dark.data.seeding import item_generator
from dark.errors import IndexingError

SHOWN = 8  # items named in a note


@dataclass(frozen=True)
class Task:
    """One batch to read.

    Parameters
    ----------
    indices : array of int, shape (n,)
        The items.
    repeats : tuple of int, or None
        How often each has come before in this epoch; None where no transform asks for it.
    """

    indices: object
    repeats: object = None


@dataclass(frozen=True)
class Fetcher:
    """Reads the batches of one epoch; the same in this process and in a worker."""

    dataset: object
    collate_fn: object
    transform: object
    seed: int
    epoch: int

    def __call__(self, task):
        """Read one batch; an error says which items it was."""
        try:
            if self.transform is None and self.collate_fn is None and has_batch_method(self.dataset):
                return read(self.dataset, task.indices)
            return (self.collate_fn or collate)(self._items(task))
        except Exception as error:
            shown = ", ".join(map(str, task.indices[:SHOWN]))
            said = self._outside(task.indices) if isinstance(error, IndexError) else None
            (said or error).add_note(f"in the batch of the items {shown}{', …' * (len(task.indices) > SHOWN)}")
            if said:
                raise said from error
            raise

    def _outside(self, indices):
        """Make the error for an index that the dataset has not; None if it has all of them."""
        n = len(self.dataset)
        outside = indices[(indices < -n) | (indices >= n)]
        if not outside.size:
            return None
        return IndexingError(
            f"DataLoader: the dataset has no item {outside[0]}.",
            f"indices from 0 to {n - 1}.",
            "look at the sampler; it may have been made for another dataset.",
        )

    def _items(self, task):
        items = [get_item(self.dataset, index) for index in task.indices.tolist()]
        if self.transform is None:
            return items
        n = len(self.dataset)
        return [
            self.transform(item, item_generator(self.seed, self.epoch, index % n, repeat))
            for item, index, repeat in zip(items, task.indices.tolist(), task.repeats)
        ]
