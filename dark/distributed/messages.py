"""Messages between processes: each sends to all others, and waits for them no longer than a time limit.

Each call of a strategy needs all processes. They make the same calls in the same order; so two that meet must have the
same number and name, and be made at the same place of the program. Otherwise the values of different calls would be
mixed: if one process gathers once more than the others, every later result belongs to another call.
"""

from __future__ import annotations

import os
import pickle
import sys
import time
from dataclasses import dataclass

import numpy as np

from dark.errors import DistributedError

PACKAGE = os.path.dirname(os.path.abspath(__file__)) + os.sep
DARK = os.path.dirname(PACKAGE[:-1]) + os.sep
SIZE_BYTES = 384  # of a call that is sent
MOST_FRAMES = 4  # of a place in another package of dark


@dataclass(frozen=True)
class Call:
    """A call of a strategy, such as ``all_gather``; each process counts its calls from 1.

    >>> call = Call(12, "all_gather", "work/train.py:30", "")
    >>> Call.unpack(call.pack()) == call
    True
    >>> print(call)
    call 12, all_gather (work/train.py:30)
    """

    number: int
    name: str
    place: str  # file and line outside of this package; in `dark`, also the lines of the same package that led there
    what: str  # the thing exchanged, where that must be the same

    def pack(self) -> bytes:
        """Return the call as bytes of a fixed length; of a long place, the end."""
        return self._packed(len(self.place))

    def _packed(self, length):
        packed = "\n".join((str(self.number), self.name, self.place[-length:], self.what)).encode()
        return packed.ljust(SIZE_BYTES, b"\0") if len(packed) <= SIZE_BYTES else self._packed(length - 1)

    @classmethod
    def unpack(cls, packed: bytes) -> Call:
        """Return the call that was packed."""
        number, name, place, what = packed.rstrip(b"\0").decode().split("\n")
        return cls(int(number), name, place, what)

    def __str__(self) -> str:
        return f"call {self.number}, {self.name}{f' of {self.what}' if self.what else ''} ({self.place})"


def present_call(number: int, what: str) -> Call:
    """Return the current call: the outermost function of this package that leads here, and its caller."""
    frame = inner = sys._getframe(1)
    while frame is not None and frame.f_code.co_filename.startswith(PACKAGE):
        frame, inner = frame.f_back, frame
    name = inner.f_code.co_name
    return Call(number, "MPI" if name == "__init__" else name, " < ".join(_lines_from(frame)), what)


def _lines_from(frame):
    """Yield the line of a frame, then the lines of its callers in the same package of dark."""
    package = None
    for _ in range(MOST_FRAMES):
        file = "" if frame is None else frame.f_code.co_filename
        is_inside, (folder, name) = file.startswith(DARK), os.path.split(file)
        found = file[len(DARK) :].split(os.sep)[0] if is_inside else None
        if not file or found != package and package is not None:
            return
        yield f"{os.path.basename(folder)}/{name}:{frame.f_lineno}"
        if not is_inside:
            return
        package, frame = found, frame.f_back


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
