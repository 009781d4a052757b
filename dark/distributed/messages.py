"""Messages between processes: each sends to all others, and waits for them no longer than a time limit."""

import pickle
import sys
import time

import numpy as np

from dark.distributed.calls import SIZE_BYTES, Call, present_call
from dark.errors import DistributedError

SPINS = 200  # tests without a pause, for neighbors that are about to answer
PAUSE_SECONDS = 5e-5  # then the processor is left to other processes
CALLS, VALUES = 1, 2  # the tags of messages
LENGTH_BYTES = 8


class Messages:
    """Exchanges arrays and plain data with all other processes, waiting for each no longer than `timeout` seconds.

    Each call begins with a message that tells which it is, see `Call`, so that processes that run apart are noticed.
    """

    def __init__(self, mpi, timeout):
        self.mpi, self.timeout = mpi, timeout
        self.comm = mpi.COMM_WORLD.Dup()  # its messages meet no others of the program
        self.rank, self.size = self.comm.Get_rank(), self.comm.Get_size()
        self._others = [rank for rank in range(self.size) if rank != self.rank]
        self._call, self._seen = Call(0, "start", "?", ""), {}  # of this process; the last one of each other
        self._arriving, self._leaving = {}, []  # requests and content of messages that begin the call

    def begin(self, what="", length=0):
        """Begin a call; the next `exchange` compares it, and `what` must be the same, with the calls of the others.

        `length` is a number for them.
        """
        self._call = present_call(self._call.number + 1, what)
        content = np.frombuffer(length.to_bytes(LENGTH_BYTES, "little") + self._call.pack(), np.uint8)
        places = {rank: np.empty(LENGTH_BYTES + SIZE_BYTES, np.uint8) for rank in self._others}
        self._arriving = {rank: (self.comm.Irecv(_bytes(x), rank, CALLS), x) for rank, x in places.items()}
        self._leaving = [(rank, self.comm.Isend(_bytes(content), rank, CALLS)) for rank in self._others]

    def exchange(self, outgoing, incoming):
        """Send one contiguous array to each other process, by its rank, and fill one from each."""
        requests, self._leaving = self._leaving, []
        requests += [(rank, request) for rank, (request, _) in self._arriving.items()]
        requests += [(rank, self.comm.Irecv(_bytes(array), rank, VALUES)) for rank, array in incoming.items()]
        requests += [(rank, self.comm.Isend(_bytes(array), rank, VALUES)) for rank, array in outgoing.items()]
        spins, deadline = 0, time.monotonic() + self.timeout
        while not self._are_done(requests):
            spins += 1
            if spins > SPINS:
                time.sleep(PAUSE_SECONDS)
                self._compare_calls()
                if time.monotonic() > deadline:
                    raise self._no_answer(sorted({rank for rank, request in requests if not request.Test()}))
        self._compare_calls()

    def _are_done(self, requests):
        """Return whether all messages are complete."""
        try:
            return self.mpi.Request.Testall([request for _, request in requests])
        except self.mpi.Exception:  # the message of another call has another length
            deadline = time.monotonic() + self.timeout
            while self._arriving and time.monotonic() < deadline:
                self._compare_calls()
            raise

    def _compare_calls(self):
        """Compare the call of this process with the calls of the others, as far as they have arrived."""
        for rank in [rank for rank, (request, _) in self._arriving.items() if request.Test()]:
            self._seen[rank] = Call.unpack(self._arriving.pop(rank)[1][LENGTH_BYTES:].tobytes())
            if self._seen[rank] != self._call:
                raise _reported(
                    f"MPI: the processes are at different calls: {self._where([rank])}.",
                    "the same calls on all processes, in the same order and at the same places of the program.",
                    "a call outside of `if strategy.rank == …`; and strategy.broadcast(decision), where a process "
                    "decides whether to stop, skip or repeat.",
                )

    def _where(self, ranks):
        """Return the current call of this process, and the last known calls of others."""
        calls = {self.rank: self._call, **{rank: self._seen[rank] for rank in ranks if rank in self._seen}}
        return "; ".join(f"rank {rank} at {calls[rank]}" for rank in sorted(calls))

    def _no_answer(self, ranks):
        who = ", ".join(map(str, ranks))
        return _reported(
            f"MPI: rank {self.rank} of {self.size} has waited {self.timeout:g} s for rank {who}, which does not "
            f"answer; all processes are ended. Seen last: {self._where(ranks)}.",
            f"an answer of each process within the timeout of {self.timeout:g} s.",
            "start again: the training resumes at its last checkpoint. Or MPI(timeout=…), if a step takes longer.",
        )

    def all_gather(self, value):
        """Return the values of all processes, in the order of their ranks."""
        content = np.frombuffer(pickle.dumps(value), np.uint8)
        self.begin(length=content.size)
        heads = {rank: head for rank, (_, head) in self._arriving.items()}
        self.exchange({}, {})
        lengths = {rank: int.from_bytes(head[:LENGTH_BYTES].tobytes(), "little") for rank, head in heads.items()}
        contents = {rank: np.empty(length, np.uint8) for rank, length in lengths.items()}
        self.exchange(dict.fromkeys(self._others, content), contents)
        return [value if rank == self.rank else pickle.loads(contents[rank].data) for rank in range(self.size)]


def _reported(*parts):
    """Return an error that has been printed, in case that the program handles it."""
    error = DistributedError(*parts)
    print(error, file=sys.stderr, flush=True)
    return error


def _bytes(array):
    """Return the memory of a contiguous array as bytes, which MPI sends without conversion."""
    return memoryview(array).cast("B") if array.size else bytearray()
