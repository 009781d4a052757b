"""The session: the forked child in which the student's code of one exercise runs.

It binds itself to its limits, moves its connection to the judge out of the student's reach, and then
answers requests, one JSON line each, every answer with the token of the session::

    {"open": [[label, source], ..]}            -> {"token": .., "reply": null or an observation}
    {"observe": question, "inputs": {..}}      -> {"token": .., "reply": an observation}

What the student prints goes nowhere, so nothing printed can pass for an answer.
"""

import fcntl
import json
import os
import sys

from dark.course.grading.exit_reasons import BROKEN, NO_MEMORY
from dark.course.grading.limits import REPLY_BYTES, bind
from dark.course.judging.observe import LocalObserver

PRIVATE_DESCRIPTOR = 100  # the lowest number for the connection to the judge

_dumps, _loads, _write, _exit = json.dumps, json.loads, os.write, os._exit


def run(descriptor, home, limits, token, exam):
    """Answer the judge's requests until it hangs up; never returns.

    Parameters
    ----------
    descriptor : int
        The socket to the judge.
    home : str
        A fresh folder, made the current one.
    limits : Limits
        What the student's code may use.
    token : str
        What marks an answer as ours.
    exam : Exam
        The questions.
    """
    try:
        connection = isolate(descriptor, home)
        bind(limits)
        serve(connection, token, LocalObserver(exam, seconds=limits.wall_seconds))
        _exit(0)
    except MemoryError:
        _exit(NO_MEMORY)
    except BaseException:  # the judge reads the exit code; a traceback has nowhere to go
        _exit(BROKEN)


def isolate(descriptor, home):
    """Leave the worker's group and its descriptors; return the number of our own connection."""
    os.setsid()
    connection = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, PRIVATE_DESCRIPTOR)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(nowhere, standard)
    os.closerange(3, connection)
    os.chdir(home)
    os.environ.update(HOME=home, TMPDIR=home)
    sys.stdin = open(os.devnull)
    return connection


def serve(connection, token, observer):
    """Read requests and write answers until the judge closes the connection."""
    with open(os.dup(connection), encoding="utf-8") as requests:
        for text in requests:
            reply = answer(_loads(text), observer)
            data = _dumps({"token": token, "reply": reply}).encode()
            if len(data) > REPLY_BYTES:
                reply = {"stopped": "too much output", "message": "Its answer is longer than 1 MiB."}
                data = _dumps({"token": token, "reply": reply}).encode()
            send(connection, data + b"\n")


def send(connection, data):
    """Write all of it."""
    while data:
        data = data[_write(connection, data) :]


def answer(request, observer):
    """Do what one request asks and return the observation."""
    if "open" in request:
        return observer.open([tuple(part) for part in request["open"]])
    return observer.observe(request["observe"], request["inputs"])
