"""The forked child process that runs the student's code of one exercise.

It applies its limits, moves its connection to the judge out of the student's reach, and then serves
requests, one line of JSON each; every reply contains the token of the session::

    {"open": [[label, source], ..]}            -> {"token": .., "reply": null or an observation}
    {"observe": question, "inputs": {..}, "seconds": 2.0}  -> {"token": .., "reply": an observation}

Printed output is discarded, so that it cannot be mistaken for a reply.
"""

import fcntl
import json
import os
import sys

from dark.course.grading.confinement import confine
from dark.course.grading.exit_reasons import BROKEN, NO_MEMORY
from dark.course.grading.limits import REPLY_BYTES, bind
from dark.course.judging.observe import SECONDS, LocalObserver

PRIVATE_DESCRIPTOR = 100  # the lowest descriptor for the connection to the judge

_dumps, _loads, _write, _exit = json.dumps, json.loads, os.write, os._exit


def run(descriptor, home, limits, token, exam):
    """Serve the judge's requests until it closes the connection, then exit; never return.

    Parameters
    ----------
    descriptor : int
        The socket to the judge.
    home : str
        A new folder, which becomes the current one.
    limits : Limits
        The limits of the student's code.
    token : str
        Authenticates the replies.
    exam : Exam
        The questions.
    """
    try:
        connection = isolate(descriptor, home)
        bind(limits)
        confine(limits.confinement, home)
        serve(connection, token, LocalObserver(exam, seconds=min(SECONDS, limits.wall_seconds)))
        _exit(0)
    except MemoryError:
        _exit(NO_MEMORY)
    except BaseException:  # the judge reads the exit code; stderr is discarded
        _exit(BROKEN)


def isolate(descriptor, home):
    """Leave the worker's process group and close its descriptors; return the descriptor of the connection."""
    os.setsid()
    connection = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, PRIVATE_DESCRIPTOR)
    null = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(null, standard)
    os.closerange(3, connection)
    os.chdir(home)
    os.environ.update(HOME=home, TMPDIR=home)
    sys.stdin = open(os.devnull)
    return connection


def serve(connection, token, observer):
    """Serve requests until the judge closes the connection."""
    with open(os.dup(connection), encoding="utf-8") as requests:
        for text in requests:
            reply = answer(_loads(text), observer)
            data = _dumps({"token": token, "reply": reply}).encode()
            if len(data) > REPLY_BYTES:
                reply = {"stopped": "too much output", "message": "Its answer is larger than 1 MiB."}
                data = _dumps({"token": token, "reply": reply}).encode()
            send(connection, data + b"\n")


def send(connection, data):
    """Write all data."""
    while data:
        data = data[_write(connection, data) :]


def answer(request, observer):
    """Handle one request and return the observation."""
    if "open" in request:
        return observer.open([tuple(part) for part in request["open"]])
    observer.seconds = min(observer.seconds, request["seconds"])
    return observer.observe(request["observe"], request["inputs"])
