"""The parent's side of the worker process: start it, send it requests, and stop it.

The worker (`dark.grading.sandbox.worker`) forks a child for each exercise. If a student's code kills the
worker, it is restarted, and the processes and files left behind are removed.
"""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import NamedTuple

from dark.errors import CourseError
from dark.grading.sandbox.limits import kill_group, minimal_environment

START_SECONDS = 60  # for a worker on a busy machine to import its modules
ANSWER_SECONDS = 10  # for a running worker


@dataclass
class Session:
    """One child: its process id, the parent's end of its socket, and how many requests it has got.

    In a namespace of the worker's own (`is_separate`), the id means nothing to this process.
    """

    pid: int
    connection: socket.socket
    is_separate: bool
    requests: int = 0


class Running(NamedTuple):
    """A worker process that runs, and the parent's end of its socket."""

    process: subprocess.Popen[bytes]
    control: socket.socket

    def ask(self, message, descriptors=()):
        """Send a message, and return the answer."""
        self.wake()
        socket.send_fds(self.control, [json.dumps(message).encode() + b"\n"], descriptors)
        return self.receive()

    def receive(self):
        """Return what the worker sends next."""
        answer = b""
        while not answer.endswith(b"\n"):
            data = self.control.recv(1 << 16)
            if not data:
                raise ConnectionError("the worker closed the connection")
            answer += data
        return json.loads(answer)

    def wake(self):
        """Continue the worker, in case a student's code has stopped it."""
        with suppress(ProcessLookupError):
            self.process.send_signal(signal.SIGCONT)


class Worker:
    """The worker process: started on first use, and restarted after it has died.

    Examples
    --------
    >>> with Worker() as worker:
    ...     print("not started yet")
    not started yet
    """

    def __init__(self):
        self._running: Running | None = None
        self._folder: str | None = None

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.close()

    @property
    def pid(self):
        """The id of its process; None while it does not run."""
        return self._process and self._process.pid

    @property
    def _process(self):
        return self._running and self._running.process

    @property
    def folder(self):
        """Its folder for temporary files; None before it runs. It is empty outside of its namespaces."""
        return self._folder

    def start(self, limits) -> Session:
        """Fork a new child and return its session.

        Parameters
        ----------
        limits : Limits
            The limits of the child.
        """
        try:
            return _start(self._ensure(), limits)
        except OSError:  # killed in the meantime by a student's code
            self.close()
        try:
            return _start(self._ensure(), limits)
        except OSError as error:
            self.close()
            raise worker_error() from error

    def end(self, session, grace_seconds=0.0):
        """Kill a child and the processes it started; return how it ended, or None if that is unknown.

        Parameters
        ----------
        session : Session
            As returned by `start`.
        grace_seconds : float, default 0
            Time to exit by itself.

        Returns
        -------
        dict or None
            Keys `code`, `killed`, `cpu_seconds`, `peak_bytes`.
        """
        session.connection.close()
        try:
            if self._running is None:
                raise ConnectionError("the worker does not run any more")
            return self._running.ask({"end": session.pid, "grace_seconds": grace_seconds})
        except OSError:  # the worker has died; its child may still run
            if not session.is_separate:
                kill_group(session.pid)
            self.close()
            return None

    def close(self):
        """Close the connection; the worker then kills its children, removes its folder and exits."""
        if self._running is not None and self._folder is not None:
            process, control = self._running
            control.close()
            self._running.wake()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            shutil.rmtree(self._folder, ignore_errors=True)
        self._running = None

    def _ensure(self):
        """Return the running worker, which is started if necessary."""
        if self._running is not None:
            return self._running
        check_system()
        self._folder = os.path.realpath(tempfile.mkdtemp(prefix="dark-"))
        control, child_end = socket.socketpair()
        with child_end:
            process = subprocess.Popen(
                [sys.executable, "-P", "-m", "dark.grading.sandbox.worker"],
                stdin=child_end.fileno(),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                cwd=self._folder,
                env=minimal_environment(self._folder),
                start_new_session=True,
            )
        self._running = Running(process, control)
        control.settimeout(START_SECONDS)
        self._running.receive()  # sent when it is ready
        control.settimeout(ANSWER_SECONDS)
        return self._running


def _start(running, limits):
    """Fork a new child of a worker and return its session."""
    parent_end, child_end = socket.socketpair()
    try:
        with child_end:
            answer = running.ask({"start": asdict(limits)}, [child_end.fileno()])
    except OSError:
        parent_end.close()
        raise
    return Session(answer["pid"], parent_end, answer["separate"])


def check_system():
    """Refuse a system that has no process limits."""
    if not hasattr(socket, "send_fds"):
        raise CourseError(
            "This system cannot limit the processes that run submissions.",
            "Linux or macOS; Python cannot set process limits on Windows.",
            "the Windows Subsystem for Linux (WSL), or `dark check` on a single notebook.",
        )


class WorkerError(CourseError):
    """The process that runs answers does not start on this machine; no answer is to blame."""


def worker_error():
    """Return the error for a worker that does not start."""
    return WorkerError(
        "The worker process that runs submissions does not start.",
        "`python -m dark.grading.sandbox.worker` to run in this environment.",
        "`dark doctor`, then that command: it prints what is missing.",
    )
