"""The parent's side of the worker process: start it, send it requests, and stop it."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from contextlib import AbstractContextManager, suppress
from dataclasses import asdict, dataclass
from typing import NamedTuple

from dark.errors import CourseError
from dark.grading.sandbox.limits import kill_group, minimal_environment

START_SECONDS = 60  # for a worker on a busy machine to import its modules
ANSWER_SECONDS = 10  # for a running worker
LEAVE_SECONDS = 10  # for a worker to remove what it has left


def start_program(module: str, **options) -> tuple[subprocess.Popen[bytes], socket.socket]:
    """Start ``python -m module`` with a socket as its standard input; return the process, and our end of the socket."""
    own_end, child_end = socket.socketpair()
    with child_end:
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", module],
            stdin=child_end.fileno(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C goes only to the process of the gradebook
            **options,
        )
    return process, own_end


def end_program(process, seconds):
    """Wait for a process that was told to end, and kill it after some seconds."""
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


@dataclass
class Session:
    """One child: its process id, which in namespaces means nothing here, our end of its socket, and its requests."""

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


class Worker(AbstractContextManager):
    """The worker process: started on first use, and restarted after it has died."""

    def __init__(self):
        self._running: Running | None = None
        self._folder: str | None = None

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
        """Fork a new child and return its session."""
        try:
            return _start(self._ensure(), limits)
        except OSError:  # killed in the meantime by a student's code
            self.close()
        try:
            return _start(self._ensure(), limits)
        except OSError as error:
            self.close()
            what = "The worker process that runs submissions does not start."
            expected = "`python -m dark.grading.sandbox.worker` to run in this environment."
            raise WorkerError(
                what, expected, "run `dark doctor`, then that command: it prints the missing parts."
            ) from error

    def end(self, session: Session, grace_seconds: float = 0.0) -> dict | None:
        """Kill a child that does not exit in time, and its processes; return how it ended, or None if unknown."""
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
            end_program(process, LEAVE_SECONDS)
            shutil.rmtree(self._folder, ignore_errors=True)
        self._running = None

    def _ensure(self):
        """Return the running worker, which is started if necessary."""
        if self._running is not None:
            return self._running
        check_system()
        self._folder = os.path.realpath(tempfile.mkdtemp(prefix="dark-"))
        environment = minimal_environment(self._folder)
        process, control = start_program("dark.grading.sandbox.worker", cwd=self._folder, env=environment)
        self._running = Running(process, control)
        control.settimeout(START_SECONDS)
        self._running.receive()  # sent when it is ready
        control.settimeout(ANSWER_SECONDS)
        return self._running


def _start(running, limits):
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
        what = "This system cannot limit the processes that run submissions."
        advice = "the Windows Subsystem for Linux (WSL), or `dark check` on a single notebook."
        raise CourseError(what, "Linux or macOS; Python cannot set process limits on Windows.", advice)


class WorkerError(CourseError):
    """The process that runs answers does not start on this machine; no answer is to blame."""
