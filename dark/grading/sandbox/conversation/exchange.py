"""The judge's side of the conversation with a child: a request is sent, and the lines of its replies are read."""

import time
from dataclasses import dataclass

from dark.grading.sandbox.conversation.reply import REFUSED, parse_reply

KNOWN = object()  # in place of a reply that was known before
TOO_LONG = "Its answer is too long."
HEAD_BYTES = 1024  # of a line besides the reply


@dataclass(frozen=True)
class Wanted:
    """A reply that a request asks for."""

    limit_bytes: int  # the largest size of the reply
    # the number of its observations, fewer if the last was stopped; without it, it is an observation or null
    count: int | None = None
    known: bytes | None = None  # the text of a reply that need not be read, because it is known what it says

    def is_met(self, reply):
        """Return whether a valid reply answers the request; a forged one may not."""
        if self.count is None:
            return reply is None or isinstance(reply, dict) and "returned" not in reply
        is_list = isinstance(reply, list) and 0 < len(reply) <= self.count
        return is_list and (len(reply) == self.count or "stopped" in reply[-1])


def converse(connection, request: str, number: int, wanted, deadline: float, spend=lambda line: None):
    """Send a request, JSON without its number, and yield its replies, whose numbers count on from it.

    A reply is an observation, the observations of several inputs, None, or `KNOWN`. It is a TimeoutError if
    `time.monotonic` passes the deadline, an EOFError if the connection was closed, and a ValueError if a reply is
    invalid or too long. ``spend(line)`` is called with each reply that is read, and may raise ValueError.
    """
    try:
        _wait(connection, deadline)
        connection.sendall(f'{{"number": {number}, {request[1:]}\n'.encode())
        rest = b""
        for each_number, each in enumerate(wanted, number):
            line, rest = _read_line(connection, deadline, each.limit_bytes, rest)
            if each.known is not None and line == b'{"number": %d, "reply": %b}' % (each_number, each.known):
                yield KNOWN
                continue
            spend(line)
            reply = parse_reply(line, each_number)
            if not each.is_met(reply):
                raise ValueError(REFUSED)
            yield reply
    except (BrokenPipeError, ConnectionResetError):
        raise EOFError("The connection to the child is closed.") from None
    if rest:
        raise ValueError(REFUSED)


def _wait(connection, deadline):
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError("The deadline has passed.")
    connection.settimeout(left)


def _read_line(connection, deadline, limit_bytes, rest):
    """Return the next line, and the bytes that have arrived after it; `rest` has arrived before."""
    data, end = bytearray(rest), rest.find(b"\n")
    while end < 0:
        _wait(connection, deadline)
        chunk = connection.recv(1 << 16)
        if not chunk:
            raise EOFError("The connection to the child is closed.")
        end = len(data) + found if (found := chunk.find(b"\n")) >= 0 else -1
        data += chunk
        if end < 0 and len(data) > limit_bytes + HEAD_BYTES:
            break
    if not 0 <= end <= limit_bytes + HEAD_BYTES:
        raise ValueError(TOO_LONG)
    return bytes(data[:end]), bytes(data[end + 1 :])
