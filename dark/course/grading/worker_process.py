"""The parent's hold on the worker process: start it, ask it, and get rid of it.

The worker (`dark.course.grading.worker`) forks a child for each exercise. Whatever a student's code does to it,
it is started again, and what it left behind is cleared away.
"""

import json
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from contextlib import suppress
from dataclasses import asdict, dataclass

from dark.course.grading.limits import kill_group, minimal_environment
from dark.errors import CourseError

START_SECONDS = 60  # for a worker on a busy machine to import what it needs
ANSWER_SECONDS = 10  # for a worker that runs


@dataclass
class Session:
    """One child: its process id and our end of its socket."""

    pid: int
    connection: socket.socket
    token: str


class Worker:
    """The worker process: started when first needed, and again after it has died.

    Examples
    --------
    >>> with Worker() as worker:
    ...     print("nothing is started yet")
    nothing is started yet
    """

    def __init__(self):
        self._process = None
        self._control = None
        self._folder = None

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.close()

    def start(self, limits, exam_path):
        """Fork a fresh child and return its session.

        Parameters
        ----------
        limits : Limits
            What the child may use.
        exam_path : str
            The file with the questions.

        Returns
        -------
        Session
        """
        for attempt in range(2):
            try:
                self._ensure()
                return self._start(limits, exam_path)
            except OSError as error:  # killed in the meantime, by whatever a student did
                self.close()
                if attempt:
                    raise worker_error() from error

    def end(self, session, grace_seconds=0.0):
        """Kill a child and all it left behind; say how it ended, None where nobody knows.

        Parameters
        ----------
        session : Session
            What `start` gave.
        grace_seconds : float, default 0
            Time to end by itself.

        Returns
        -------
        dict or None
            Keys code, killed, cpu_seconds, peak_bytes.
        """
        session.connection.close()
        try:
            return self._ask({"end": session.pid, "grace_seconds": grace_seconds})
        except OSError:  # the worker is gone; its child may not be
            kill_group(session.pid)
            self.close()
            return None

    def close(self):
        """Hang up; the worker kills its children, removes its folder and ends."""
        if self._process is not None:
            self._control.close()
            self._wake()
            try:
                self._process.wait(10)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
            shutil.rmtree(self._folder, ignore_errors=True)
        self._process = self._control = None

    def _ensure(self):
        if self._process is not None:
            return
        check_system()
        self._folder = tempfile.mkdtemp(prefix="dark-")
        self._control, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", "dark.course.grading.worker"],
                stdin=theirs,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                cwd=self._folder,
                env=minimal_environment(self._folder),
                start_new_session=True,
            )
        self._control.settimeout(START_SECONDS)
        self._receive()  # it is up
        self._control.settimeout(ANSWER_SECONDS)

    def _start(self, limits, exam_path):
        ours, theirs = socket.socketpair()
        token = secrets.token_hex(16)
        request = {"limits": asdict(limits), "token": token, "exam": str(exam_path)}
        try:
            with theirs:
                answer = self._ask({"start": request}, [theirs.fileno()])
        except OSError:
            ours.close()
            raise
        return Session(answer["pid"], ours, token)

    def _wake(self):
        """Have the worker go on, should a student's code have stopped it."""
        with suppress(ProcessLookupError):
            self._process.send_signal(signal.SIGCONT)

    def _ask(self, message, descriptors=()):
        self._wake()
        socket.send_fds(self._control, [json.dumps(message).encode() + b"\n"], descriptors)
        return self._receive()

    def _receive(self):
        answer = b""
        while not answer.endswith(b"\n"):
            data = self._control.recv(1 << 16)
            if not data:
                raise ConnectionError("the worker has gone")
            answer += data
        return json.loads(answer)


def check_system():
    """Refuse a system on which nothing can be confined.

    Raises
    ------
    CourseError
        It is Windows.
    """
    if not hasattr(socket, "send_fds"):
        raise CourseError(
            "Submissions cannot be confined on this system.",
            "Linux or macOS; Windows has no process limits that Python can set.",
            "the Windows Subsystem for Linux (WSL), or `dark check` on a single notebook.",
        )


def worker_error():
    """Make the error for a worker that cannot be started."""
    return CourseError(
        "The worker process that runs submissions does not start.",
        "`python -m dark.course.grading.worker` to run with this Python.",
        "`dark doctor`, and that line by hand: it says what is missing.",
    )
