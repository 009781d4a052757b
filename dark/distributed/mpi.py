"""`MPI`: the strategy of several processes, on one machine or many."""

import sys
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from dark.checks import number
from dark.distributed.messages import Messages
from dark.distributed.shards import bounds, check_arrays, owned, shards_of
from dark.distributed.strategy import Strategy
from dark.distributed.tree import merge
from dark.errors import DistributedError, UsageError, missing_extra

STARTUP_SECONDS = 60  # while processes import their packages
MESSAGE_BYTES = 1 << 19  # longer arrays are added part by part, in memory that stays in the cache


class MPI(Strategy):
    """The strategy of several processes that exchange messages by MPI; it needs the extra `mpi`.

    Start the program by ``mpiexec -n 4 python -m mpi4py program.py``; all processes run it from its first line.

    Parameters
    ----------
    shards : int, default 8
        The number of virtual shards of a batch, at least one for each process. The result depends on it, and not on
        the number of processes.
    timeout : float, default 8
        Seconds to wait for another process: longer than a step, an evaluation or a checkpoint takes that only some
        processes compute.

    Notes
    -----
    *Messages.* Each process adds the subtrees that it has complete (one, if the numbers of shards and processes are
    powers of two) and is responsible for one slice of the result: it receives this slice of the sums of the others,
    adds them, and sends the slice to all. So each process sends about twice the size of the gradient, whatever their
    number, as in a ring.

    *Faults.* A process that raises ends all others (`python -m mpi4py` does that), and so does one that is killed
    (`mpiexec`). One that is frozen is noticed by the others after `timeout`; they raise, which ends all. Nothing of the
    training is lost but the steps since the last checkpoint, which process 0 writes and all read; the next start may
    have another number of processes.

    *Calls.* All processes make the same calls, in the same order and at the same places of the program. Processes that
    run apart raise an error that says where each of them is.

    *Threads.* Let each process compute with one thread (``OPENBLAS_NUM_THREADS=1``): several processes share the cores,
    and the sums of a BLAS may depend on its number of threads.
    """

    def __init__(self, shards: int = 8, *, timeout: float = 8.0) -> None:
        timeout = number(timeout, "MPI", "timeout", above=0)
        shards, _ = shards_of("MPI", shards, 0, 1)
        self._messages = Messages(started_mpi(), max(timeout, STARTUP_SECONDS))
        rank, size = self._messages.rank, self._messages.size
        shards, own = shards_of("MPI", shards, rank, size)
        super().__init__(rank, size, shards, own)
        given = self._messages.all_gather(shards)
        if len(set(given)) > 1:
            problem = f"MPI: all processes must have the same number of shards, got {given}."
            raise DistributedError(problem, "the same number on each.", "run the same program on each.")
        self._messages.timeout = timeout
        self._keys = [list(merge({(k, k + 1): 0 for k in owned(rank, size, shards)}, shards)) for rank in range(size)]
        self._others = [other for other in range(size) if other != rank]

    @property
    def timeout(self) -> float:
        """Seconds to wait for another process."""
        return self._messages.timeout

    def reduce(self, arrays: Sequence[np.ndarray]) -> np.ndarray:
        """Add the arrays of all shards; see `Strategy.reduce`."""
        arrays = check_arrays("MPI", arrays, len(self.own))
        total = np.empty_like(arrays[0])
        self._messages.begin(f"{total.size} {total.dtype}")
        step = max(1, MESSAGE_BYTES // total.itemsize) * self.size
        for start in range(0, max(1, total.size), step):
            part = slice(start, start + step)
            self._reduce_part([array[part] for array in arrays], total[part])
        return total

    def _reduce_part(self, arrays, total):
        """Write the sum of arrays to `total`; each process adds one slice of it."""
        mine = merge({(k, k + 1): array for k, array in zip(self.own, arrays)}, self.shards)
        edges = bounds(arrays[0].size, self.size)
        spans = [slice(start, stop) for start, stop in pairwise(edges)]
        span, like = spans[self.rank], arrays[0].dtype
        received = {r: np.empty((len(self._keys[r]), span.stop - span.start), like) for r in self._others}
        sent = {r: np.stack([part[spans[r]] for part in mine.values()]) for r in self._others}
        self._messages.exchange(sent, received)
        sums = {key: part[span] for key, part in mine.items()}
        for rank, parts in received.items():
            sums |= zip(self._keys[rank], parts)
        total[span] = merge(sums, self.shards)[0, self.shards]
        self._messages.exchange(dict.fromkeys(self._others, total[span]), {r: total[spans[r]] for r in self._others})

    def all_gather(self, value: Any) -> list[Any]:
        """Return the values of all processes, in the order of their ranks; values can be pickled."""
        return self._messages.all_gather(value)


COMMAND = "mpiexec -n 4 python -m mpi4py program.py"


def started_mpi():
    """Return the module `mpi4py.MPI`, whose import initializes MPI; the program was started by ``python -m mpi4py``."""
    try:
        import mpi4py
    except ImportError:
        raise missing_extra("mpi4py", "mpi") from None
    if f"{mpi4py.__name__}.run" not in sys.modules:
        raise UsageError(
            "MPI: the program was not started by python -m mpi4py, so an exception in one process would end that "
            "process only, and the others would wait for it forever.",
            "a start by python -m mpi4py, which ends all processes if one fails.",
            COMMAND,
        )
    from mpi4py import MPI

    return MPI
