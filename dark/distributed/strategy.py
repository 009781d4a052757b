"""`Strategy`: the base class for one process, several replicas and several processes."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from dark.checks import callable_with, integer
from dark.distributed import over_shards
from dark.distributed.over_shards import add_gradients
from dark.distributed.shards import LocalBatch, Shard, bounds, row_count, rows_of
from dark.errors import UsageError


class Strategy(ABC):
    """Base class of strategies: how many replicas process a global batch, and which shards this process computes.

    It has the attributes `rank`, the number of this process, from 0 (process 0 writes files); `size`, the number of
    replicas; `shards`, the number of virtual shards into which each global batch is cut; and `own`, the range of shards
    that this process computes.

    The result of a step depends on the number of shards and not on the number of replicas: all sums over shards follow
    one fixed tree (`tree_sum`), generators are seeded by step and shard, and every shard starts from the same buffers.
    So weights have the same bits on 1, 2 and 4 processes, if these compute the same function of their shard to the bit:
    one kind of processor and of BLAS, with one thread per process.

    A layer that looks at several rows at once, such as batch normalization in training, looks at its shard: a shard
    needs two rows there. Running statistics are the averages over the shards.
    """

    def __init__(self, rank: int, size: int, shards: int, own: range) -> None:
        self.rank, self.size, self.shards, self.own = rank, size, shards, own

    @abstractmethod
    def reduce(self, arrays: Sequence[np.ndarray]) -> np.ndarray:
        """Add one flat array (n,) per shard, in the order of the fixed tree, with the same bits on all processes.

        There is an array for each of this process's shards `own`, of the same length and dtype on all processes.
        """

    @abstractmethod
    def all_gather(self, value: Any) -> list[Any]:
        """Return the values of all processes, in the order of their ranks; a value is any plain data."""

    def broadcast(self, value: Any) -> Any:
        """Return the value of process 0 on all processes."""
        return self.all_gather(value if self.rank == 0 else None)[0]

    def barrier(self) -> None:
        """Block until all processes have called this method."""
        self.all_gather(None)

    def rows(self, total: int) -> slice:
        """Return which rows of a global batch belong to this process.

        >>> from dark.distributed import OneProcess
        >>> OneProcess().rows(100)
        slice(0, 100, None)
        """
        edges = bounds(integer(total, type(self).__name__, "total", 0), self.shards)
        return slice(edges[self.own.start], edges[self.own.stop])

    def split(self, batch: Any) -> list[Shard]:
        """Cut a global batch into shards, and return the shards of this process.

        A batch is an array (rows, …), a tuple, list or dict of them, or a `LocalBatch`; what has no rows, such as a
        number, is part of every shard. The rows are divided as evenly as possible, in their order; with fewer rows than
        shards the last ones are empty.

        >>> from dark.distributed import Replicas
        >>> [shard.batch.tolist() for shard in Replicas(1, shards=3).split(np.arange(7))]
        [[0, 1, 2], [3, 4], [5, 6]]
        """
        who, is_local = f"{type(self).__name__}.split", isinstance(batch, LocalBatch)
        total = batch.total if is_local else row_count(batch, who)
        edges, data = bounds(total, self.shards), batch.batch if is_local else batch
        first = edges[self.own.start] if is_local else 0
        present = edges[self.own.stop] - first if is_local else total
        if is_local and present and row_count(data, who) != present:
            raise UsageError(
                f"{who}: a local batch must have {present} of {total} rows, got {row_count(data, who)}.",
                f"{present} rows, for the shards {self.own.start} to {self.own.stop - 1}.",
                "a batch of a DataLoader with this strategy.",
            )
        spans = [(k, edges[k], edges[k + 1]) for k in self.own]
        return [
            Shard(k, rows_of(data, start - first, stop - first, present) if stop > start else None, stop - start, total)
            for k, start, stop in spans
        ]

    def sum_over_shards(self, function: Callable[[Shard], Sequence[Any]], batch: Any, *modules: Any) -> list[Any]:
        """Call a function for each shard of a global batch that has rows (see `split`), and add the results.

        The function takes a `Shard` and returns arrays and numbers, of the same shapes for each shard: gradients,
        losses, counts. The factor `shard.weight` makes means over shards a mean over the batch. All arrays travel as
        one flat buffer, in a dtype that holds all of them. The modules are the networks that the function calls: their
        random generators are seeded for each shard, and their buffers become the averages over the shards.

        >>> from dark.distributed import Replicas
        >>> Replicas(2).sum_over_shards(lambda shard: [shard.batch.sum(axis=0), 1], np.ones((20, 2)))
        [array([20., 20.]), 8]
        """
        callable_with(function, "sum_over_shards", "function", ("shard",))
        return over_shards.add_results(self, function, batch, modules)

    def gather_over_shards(self, function: Callable[[Shard], Any], batch: Any, *modules: Any) -> list[Any]:
        """Call a function for each shard of a global batch that has rows; return all results on all processes.

        The function takes a `Shard` and returns any plain data, such as predictions; the results are in the order of
        the shards. The modules are as in `sum_over_shards`; their buffers stay as they are.

        >>> from dark.distributed import Replicas
        >>> Replicas(2, shards=3).gather_over_shards(lambda shard: shard.batch.tolist(), np.arange(5))
        [[0, 1], [2, 3], [4]]
        """
        callable_with(function, "gather_over_shards", "function", ("shard",))
        return over_shards.gather_results(self, function, batch, modules)

    def backward(self, loss_of: Callable[[Any], Any], batch: Any, module: Any) -> float:
        """Compute the loss of a global batch, and add its gradient to the gradients of a network's parameters.

        ``loss_of(batch)`` takes the rows of a shard, structured like the batch (see `split`), calls the network, and
        returns the mean loss over these rows, a scalar node; the mean over the rows of the global batch is returned.

        As after ``loss.backward()``, gradients accumulate until they are cleared, and a parameter that the loss does
        not depend on in any shard keeps its gradient.

        >>> from dark import nn, optim
        >>> from dark.distributed import Replicas
        >>> strategy, net = Replicas(2), nn.Linear(3, 1, seed=0)
        >>> optimizer = optim.SGD(net.parameters(), lr=0.1)
        >>> for _ in range(3):
        ...     optimizer.zero_grad()
        ...     loss = strategy.backward(lambda x: (net(x) ** 2).mean(), np.ones((16, 3)), net)
        ...     optimizer.step()
        >>> loss < 0.01
        True
        """
        callable_with(loss_of, "backward", "loss_of", ("batch",))
        return add_gradients(self, loss_of, batch, module)

    def __repr__(self) -> str:
        return f"{type(self).__name__}(rank {self.rank} of {self.size}, {self.shards} shards)"
