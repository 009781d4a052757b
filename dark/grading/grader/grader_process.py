"""The parent's side of a grader process: start it, give it submissions, receive results, and stop it."""

import os
import signal
import sys
import time
from contextlib import suppress
from multiprocessing.connection import Connection

from dark.errors import CourseError
from dark.grading.grader.grade import Graded
from dark.grading.grader.messages import LARGEST_MESSAGE, READY, read_answer, request, task
from dark.grading.grader.result import NOT_GRADED, TOO_LARGE, Result
from dark.grading.sandbox.limits import GRADER_SECONDS
from dark.grading.sandbox.worker_process import START_SECONDS, end_program, start_program

SPARE_SECONDS = 60  # wall-clock time of a grader besides running the student's code
LEAVE_SECONDS = 5


class Grader:
    """A grader process, and the submission it is working on; `folder` is for its temporary files."""

    def __init__(self, settings, assign, folder):
        self.submission = None
        self.deadline = float("inf")
        self.is_spent = False
        self._is_ready = False
        self._seconds = settings.limits.submission_seconds + SPARE_SECONDS
        self._process, own_end = start_program("dark.grading.grader.grader", env=grader_environment(folder))
        self.connection = Connection(own_end.detach())
        with suppress(OSError):  # it has died: `give` will raise
            self.connection.send_bytes(task(settings, assign))

    def give(self, submission):
        """Send the next submission; its time limit starts now."""
        if not self._is_ready:
            self._is_ready = self.connection.poll(START_SECONDS) and self._receive() == READY
            if not self._is_ready:
                what = "The grader processes do not start."
                expected = "`python -m dark.grading.grader.grader` to run in this environment."
                raise CourseError(what, expected, "run `dark doctor`, then that command: it prints the missing parts.")
        self.submission, self.deadline = submission, time.monotonic() + self._seconds
        with suppress(OSError):  # it has died: `take` will report it
            self.connection.send_bytes(request(submission))

    def take(self) -> Graded:
        """Receive the result of the submission; if the process died, return a result with the reason."""
        if not self.connection.poll():
            graded = Graded(too_slow(self._seconds))
        elif (message := self._receive()) is None:
            graded = Graded(describe_death(self._process.wait()))
        else:
            graded = read_graded(message)
        self.is_spent = self.connection.closed or graded.result.status == TOO_LARGE
        if not self.is_spent:
            self.submission = None
        return graded

    def wake(self):
        """Continue the process, in case something has stopped it."""
        with suppress(ProcessLookupError):
            self._process.send_signal(signal.SIGCONT)

    def stop(self):
        """Tell the process to end, also while it grades; `take` then returns that it was ended."""
        self._process.terminate()
        self.wake()

    def leave(self):
        """Ask the process to end, without waiting for it."""
        self.connection.close()
        if self.submission is not None:
            self.stop()
        self.wake()
        self.submission = None

    def close(self):
        """End the process and wait for it."""
        self.leave()
        end_program(self._process, LEAVE_SECONDS)

    def _receive(self):
        try:
            return self.connection.recv_bytes(LARGEST_MESSAGE)
        except (EOFError, OSError):
            self.connection.close()
            return None


def read_graded(message: bytes) -> Graded:
    """Return the result in a message as `answer` makes it; of an unreadable message, a result with the reason."""
    try:
        return read_answer(message)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        return Graded(Result(NOT_GRADED, f"The grader's answer cannot be read ({type(error).__name__})."))


def grader_environment(folder: str) -> dict[str, str]:
    """Return the environment variables of a grader, with a folder for its temporary files."""
    paths = os.pathsep.join(path for path in sys.path if path)
    own = {"PYTHONPATH": paths, "TMPDIR": folder, "OPENBLAS_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    return os.environ | own


def too_slow(seconds, unit="seconds"):
    """Return the result of a submission that exceeds a time limit of the grader."""
    return Result(TOO_LARGE, f"Reading and judging it takes more than {seconds:g} {unit}.")


def describe_death(code: int) -> Result:
    """Return the result of a submission on which a grader died, by the exit code, negative for a signal.

    >>> describe_death(-9).message
    "The grader's process was killed (SIGKILL); the machine may be out of memory."
    """
    if code == -signal.SIGVTALRM:
        return too_slow(GRADER_SECONDS, "seconds of CPU time")
    if code >= 0:
        return Result(NOT_GRADED, f"The grader's process ended with exit code {code}.")
    name = signal.Signals(-code).name
    return Result(NOT_GRADED, f"The grader's process was killed ({name}); the machine may be out of memory.")
