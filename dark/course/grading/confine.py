"""The parent's side of the worker: ask a confined child process, and say plainly how it ended.

`Worker` holds the worker process (`dark.course.grading.worker`); `WorkerObserver` asks one session of it
at a time and is an observer like `dark.course.judging.observe.LocalObserver`. The comparing is done
elsewhere, in this process; what is expected never travels to the child.
"""

import json
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass

from dark.course.grading.endings import describe_ending, stopped
from dark.course.grading.limits import REPLY_BYTES, Limits, kill_group, minimal_environment
from dark.course.grading.reply import read_reply
from dark.errors import CourseError

START_SECONDS = 60  # for a worker on a busy machine
GRACE_SECONDS = 0.5  # for a child that has hung up to be gone


@dataclass
class Session:
    """One child: its process id and our end of its socket."""

    pid: int
    line: socket.socket
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
            self._ensure()
            try:
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
        session.line.close()
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
        if not hasattr(socket, "send_fds"):
            raise CourseError(
                "Submissions cannot be confined on this system.",
                "Linux or macOS; Windows has no process limits that Python can set.",
                "the Windows Subsystem for Linux (WSL), or `dark check` on a single notebook.",
            )
        self._folder = tempfile.mkdtemp(prefix="dark-")
        self._control, theirs = socket.socketpair()
        self._control.settimeout(START_SECONDS)
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", "dark.course.grading.worker"],
                stdin=theirs,
                stdout=subprocess.DEVNULL,
                cwd=self._folder,
                env=minimal_environment(self._folder),
                start_new_session=True,
            )

    def _start(self, limits, exam_path):
        ours, theirs = socket.socketpair()
        token = secrets.token_hex(16)
        request = {"limits": asdict(limits), "token": token, "exam": str(exam_path)}
        with theirs:
            answer = self._ask({"start": request}, [theirs.fileno()])
        return Session(answer["pid"], ours, token)

    def _ask(self, message, descriptors=()):
        data = json.dumps(message).encode() + b"\n"
        socket.send_fds(self._control, [data], descriptors)
        answer = b""
        while not answer.endswith(b"\n"):
            data = self._control.recv(1 << 16)
            if not data:
                raise ConnectionError("the worker has gone")
            answer += data
        return json.loads(answer)


def worker_error():
    """Make the error for a worker that cannot be started."""
    return CourseError(
        "The worker process that runs submissions does not start.",
        "`python -m dark.course.grading.worker` to run with this Python.",
        "`dark doctor`, and the lines above this one.",
    )


class WorkerObserver:
    """Observe in a confined child process.

    Parameters
    ----------
    exam : Exam
        Where the questions are; the child reads ``exam.path`` itself.
    worker : Worker
        The process that forks the child.
    limits : Limits, optional
        What the child may use.
    until : float, optional
        The time on `time.monotonic` after which nothing is run any more.
    """

    def __init__(self, exam, worker, limits=Limits(), until=float("inf")):
        self.exam = exam
        self.worker = worker
        self.limits = limits
        self.until = until
        self._parts = []
        self._deadline = 0.0
        self._session = None

    def open(self, parts):
        """Build the implementation in a fresh child; the exercise's time runs from here.

        Parameters
        ----------
        parts : list of (str, str)
            Label and source, in order.

        Returns
        -------
        dict or None
            None where all went well, else an observation of what went wrong.
        """
        self.close()
        self._parts = [list(part) for part in parts]
        self._deadline = min(time.monotonic() + self.limits.wall_seconds, self.until)
        return self._begin()

    def observe(self, question, inputs):
        """Run one question on one set of inputs; after a death, in a new child.

        Parameters
        ----------
        question : str
            Name of the question.
        inputs : dict
            Plain values, by name of the argument.

        Returns
        -------
        dict
            An observation.
        """
        if self._session is None and (failure := self._begin()):
            return failure
        return self._ask({"observe": question, "inputs": inputs})

    def close(self):
        """End the child, if there is one."""
        if self._session is not None:
            self.worker.end(self._session)
            self._session = None

    def _begin(self):
        if time.monotonic() >= self._deadline:
            return self._timed_out()
        self._session = self.worker.start(self.limits, self.exam.path)
        return self._ask({"open": self._parts})

    def _ask(self, request):
        """Send a request and return the answer, or the observation of how the child ended."""
        session = self._session
        try:
            reply = read_reply(session.line, request, session.token, self._deadline, REPLY_BYTES)
        except TimeoutError:
            self.close()
            return self._timed_out()
        except EOFError:
            ending = self.worker.end(session, GRACE_SECONDS)
            self._session = None
            return describe_ending(ending, self.limits)
        except ValueError as error:  # no answer of ours: the child wrote on the line itself
            self.close()
            return stopped("too much output" if "long" in str(error) else "exited", str(error))
        if reply is not None and "stopped" in reply:
            self.close()
        return reply

    def _timed_out(self):
        if self._deadline >= self.until:
            return stopped("timed out", "The time of the whole submission was used up.")
        return stopped("timed out", f"It ran for more than {self.limits.wall_seconds:g} seconds.")
