"""The current call of a process: its number, its name and its place in the program; processes compare them.

Each call of a strategy needs all processes. They make the same calls in the same order; so two that meet must have the
same number and name, and be made at the same place of the program. Otherwise the values of different calls would be
mixed: if one process gathers once more than the others, every later result belongs to another call.
"""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass

PACKAGE = os.path.dirname(os.path.abspath(__file__)) + os.sep
DARK = os.path.dirname(PACKAGE[:-1]) + os.sep
SIZE_BYTES = 384  # of a call that is sent
MOST_FRAMES = 4  # of a place in another package of dark


@dataclass(frozen=True)
class Call:
    """A call of a strategy, such as ``all_gather``; each process counts its calls from 1.

    Examples
    --------
    >>> call = Call(12, "all_gather", "work/train.py:30", "")
    >>> Call.unpack(call.pack()) == call
    True
    >>> print(call)
    call 12, all_gather (work/train.py:30)
    """

    number: int
    name: str
    place: str
    what: str

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
