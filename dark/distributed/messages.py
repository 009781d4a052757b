"""Messages between processes: each sends to all others, and waits for them no longer than a time limit."""

import pickle
import sys
import time

import numpy as np

from dark.errors import DistributedError

SPINS = 200  # tests without a pause, for neighbors that are about to answer
PAUSE_SECONDS = 5e-5  # then the processor is left to other processes


class Messages:
    """Exchanges arrays and plain data with all other processes.

    Parameters
    ----------
    mpi : module
        `mpi4py.MPI`.
    timeout : float
        Seconds to wait for another process.
    """

    def __init__(self, mpi, timeout):
        self.mpi, self.timeout = mpi, timeout
        self.comm = mpi.COMM_WORLD.Dup()  # its messages meet no others of the program
        self.rank, self.size = self.comm.Get_rank(), self.comm.Get_size()

    def exchange(self, outgoing, incoming):
        """Send one contiguous array to each other process, and receive one from each.

        Parameters
        ----------
        outgoing, incoming : dict of int to array
            By the rank of the other process; an incoming one is filled.

        Raises
        ------
        DistributedError
            If a process has not answered within the time limit.
        """
        requests = [(rank, self.comm.Irecv(_bytes(array), source=rank)) for rank, array in incoming.items()]
        requests += [(rank, self.comm.Isend(_bytes(array), dest=rank)) for rank, array in outgoing.items()]
        spins, deadline = 0, time.monotonic() + self.timeout
        while not self.mpi.Request.Testall([request for _, request in requests]):
            spins += 1
            if spins > SPINS:
                time.sleep(PAUSE_SECONDS)
                if time.monotonic() > deadline:
                    raise self._no_answer(sorted({rank for rank, request in requests if not request.Test()}))

    def _no_answer(self, ranks):
        who = ", ".join(map(str, ranks))
        error = DistributedError(
            f"MPI: rank {self.rank} of {self.size} has waited {self.timeout:g} s for rank {who}, which does not "
            "answer; all processes are ended.",
            f"an answer of each process within the timeout of {self.timeout:g} s.",
            "start again: the training resumes at its last checkpoint. Or MPI(timeout=…), if a step takes longer.",
        )
        print(error, file=sys.stderr, flush=True)  # in case that the program handles it
        return error

    def all_gather(self, value):
        """Return the values of all processes, in the order of their ranks."""
        others = [rank for rank in range(self.size) if rank != self.rank]
        content = np.frombuffer(pickle.dumps(value), np.uint8)
        length = np.array([content.size])
        lengths = {rank: np.empty(1, np.int64) for rank in others}
        self.exchange(dict.fromkeys(others, length), lengths)
        contents = {rank: np.empty(lengths[rank][0], np.uint8) for rank in others}
        self.exchange(dict.fromkeys(others, content), contents)
        return [value if rank == self.rank else pickle.loads(contents[rank]) for rank in range(self.size)]


def _bytes(array):
    """Return the memory of a contiguous array as bytes, which MPI sends without conversion."""
    return memoryview(array).cast("B") if array.size else bytearray()
