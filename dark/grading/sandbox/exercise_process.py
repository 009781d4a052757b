"""The forked child process that runs the student's code of an exercise.

It applies its limits, moves its connection to the judge out of the student's reach, and then serves requests,
one line of JSON each, until the judge closes the connection::

    {"number": 1, "open": [[label, {"source": ..} or {"code": ..}], ..]}
    {"number": 2, "ask": [[code or null, [{inputs}, ..]], ..], "seconds": 2.0, "graphs": false, "at_once": false}

The reply to each question is one line, ``{"number": .., "reply": a list of observations}``, with numbers that count
on from the number of the request; to an `open` it is null, or an observation of its failure. Null in place of a code
stands for the question that was asked last. Printed output is discarded.

There is nothing to be found here. The course's own cells come as compiled code, without the solution of the exercise.
The process of an exercise gets one input at a time, and a hidden question has a process of its own; only the common
process of answers that are right so far gets all inputs of an exercise with one message. No question comes with its
name, and no expected value or secret ever comes. A reply is a claim of values, which the judge compares with its own.
"""

import base64
import json
import marshal
import os
import sys
import tempfile

import dark.course.exams as exams
from dark.course.judging.namespace import assemble
from dark.course.judging.observe import SECONDS, ask, watch, watching
from dark.grading.sandbox.confinement import confine
from dark.grading.sandbox.confinement.system_calls import CONNECTION
from dark.grading.sandbox.limits import BROKEN, NO_MEMORY, REPLY_BYTES, bind, refuse_processes

NAME = "question"  # of the body of each question, as `dark.course.exams.bodies` names it
TOO_LARGE = {"stopped": "too much output", "message": "Its answer is larger than 1 MiB."}
MOST_DESCRIPTORS = 1 << 16
PRIVATE_DESCRIPTOR = CONNECTION  # the lowest descriptor for the connection to the judge
BUILDING_BLOCKS = {name: getattr(exams, name) for name in exams.__all__}

_dumps, _loads, _read, _write, _exit = json.dumps, json.loads, os.read, os.write, os._exit
_decode, _unmarshal = base64.b64decode, marshal.loads


def run(descriptor: int, home: str, limits):
    """Serve the judge's requests on a socket, in a new folder, until it closes the connection, then exit."""
    try:
        connection = isolate(descriptor, home)
        bind(limits)
        confine(limits.confinement, home)
        if limits.confinement != "full":  # there the kernel refuses them, and each `id` costs nothing
            refuse_processes()
        os.closerange(connection + 1, MOST_DESCRIPTORS)
        serve(connection, min(SECONDS, limits.wall_seconds))
        _exit(0)
    except MemoryError:
        _exit(NO_MEMORY)
    except BaseException:  # the judge reads the exit code; stderr is discarded
        _exit(BROKEN)


def isolate(descriptor, home):
    """Leave the worker's process group and close its descriptors; return the descriptor of the connection."""
    import fcntl  # Unix only; every system imports this file

    os.setsid()
    connection = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, PRIVATE_DESCRIPTOR)
    null = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(null, standard)
    os.closerange(3, connection)
    os.chdir(home)
    for name in set(os.environ) - {"LANG", "PATH"}:
        del os.environ[name]
    os.environ.update(HOME=home, TMPDIR=home)
    tempfile.tempdir = None  # found out again: the worker's folder is not writable here
    sys.stdin = open(os.devnull)
    return connection


def serve(connection, seconds):
    """Serve requests until the judge closes the connection."""
    answer = _Answerer(seconds)
    while request := _loads(receive(connection) or "null"):
        replies = answer(request)
        numbered = enumerate(replies, request["number"])
        lines = (f'{{"number": {number}, "reply": {reply}}}\n' for number, reply in numbered)
        for line in ["".join(lines)] if request.get("at_once") else lines:
            send(connection, line.encode())


def receive(connection):
    """Read one line; empty when the connection was closed."""
    data = b""
    while not data.endswith(b"\n"):
        chunk = _read(connection, 1 << 20)
        if not chunk:
            return b""
        data += chunk
    return data


def send(connection, data):
    """Write all data."""
    while data:
        data = data[_write(connection, data) :]


class _Answerer:
    """Runs requests on the implementation that was opened; a request is emptied before a student's code runs."""

    def __init__(self, seconds):
        self._seconds = seconds
        self._implementation = None
        self._body = None

    def __call__(self, request):
        """Handle one request; yield the JSON text of each reply, none after an observation that was stopped."""
        if "open" in request:
            parts = [(label, _part(content)) for label, content in request.pop("open")]
            yield _dumps(self._open(parts))
            return
        self._seconds, graphs, asked = min(self._seconds, request["seconds"]), request["graphs"], request.pop("ask")
        seen = {}
        while asked and "stopped" not in seen:
            code, many = asked.pop(0)
            body = self._question(code)
            body.__globals__["trace"] = BUILDING_BLOCKS["trace"] if graphs else _no_graph
            found = []
            with watching(self._implementation, body) as run:
                while many and "stopped" not in seen:
                    seen = ask(run, body, self._implementation, many.pop(0), self._seconds)
                    found.append(seen)
            if len(text := _dumps(found)) > REPLY_BYTES:
                text = _dumps(found := _up_to_a_large_one(found))
            seen = found[-1]
            yield text

    def _open(self, parts):
        seen = watch(lambda: assemble(parts), self._seconds)
        self._implementation = seen.pop("result", None)
        return seen if self._implementation is None else None

    def _question(self, code):
        """Return the body of a question; without its code, the body of the last one."""
        if code is not None:
            namespace = {"__name__": NAME, **BUILDING_BLOCKS}
            exec(_unmarshal(_decode(code)), namespace)
            self._body = namespace[NAME]
        return self._body


def _up_to_a_large_one(found):
    """Return observations up to the first that is too large, which is refused."""
    first = next((k for k, seen in enumerate(found) if len(_dumps(seen)) > REPLY_BYTES), None)
    return found if first is None else [*found[:first], TOO_LARGE]


def _no_graph(root):
    """Replace `trace`: most answers are right, and their graphs are not drawn."""


def _part(content):
    return content["source"] if "source" in content else _unmarshal(_decode(content["code"]))
