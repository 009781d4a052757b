"""A batch: many submissions graded side by side, and always to the end.

The process that holds the gradebook reads no notebook and judges nothing itself, so that no submission
can take its memory or its time. Graders do (`dark.course.grading.grader`), each one submission at a
time; one that dies is replaced, and costs only the submission it was at.
"""

import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from multiprocessing.connection import Connection, wait

from dark.course.grading.grade import Settings
from dark.course.grading.graded_file import Graded
from dark.course.grading.limits import GRADER_SECONDS
from dark.course.grading.result import NOT_GRADED, TOO_LARGE, Result
from dark.course.grading.worker_process import START_SECONDS, check_system
from dark.errors import CourseError

SPARE_SECONDS = 60  # on the clock, for what a grader does beside running the student's code
LEAVE_SECONDS = 5


def grade_all(submissions, *, jobs=1, settings=Settings(), assign=None):
    """Grade many submissions; each is given as soon as it is done.

    Parameters
    ----------
    submissions : sequence of Submission
        The files.
    jobs : int, default 1
        How many at a time.
    settings : Settings, optional
        Limits and seed.
    assign : callable, optional
        As in `grade_file`; it travels to other processes.

    Yields
    ------
    (Submission, Graded)

    Raises
    ------
    CourseError
        The system has no limits for processes, or the graders do not start.
    """
    check_system()
    waiting, graders = list(submissions)[::-1], []
    try:
        for _ in range(min(jobs, len(waiting))):
            graders.append(Grader(settings, assign))
        for grader in graders:
            grader.give(waiting.pop())
        while graders:
            for grader in _due(graders):
                found = grader.submission, grader.take()
                if grader.is_spent or not waiting:
                    graders.remove(grader)
                    grader.close()
                if grader.is_spent and waiting:
                    grader = Grader(settings, assign)
                    graders.append(grader)
                if waiting:
                    grader.give(waiting.pop())
                yield found
    finally:  # after Ctrl-C, or where the consumer has stopped, nobody waits for what is running
        for grader in graders:
            grader.leave()
        for grader in graders:
            grader.close()


def _due(graders):
    """Wait until a grader has answered, has died, or has had its time; list all these."""
    seconds = min(grader.deadline for grader in graders) - time.monotonic()
    ready = wait([grader.connection for grader in graders], max(0, seconds))
    return [each for each in graders if each.connection in ready or time.monotonic() >= each.deadline]


class Grader:
    """One process that grades, and the submission it is at.

    Parameters
    ----------
    settings : Settings
        Limits and seed.
    assign : callable or None
        As in `grade_file`.
    """

    def __init__(self, settings, assign):
        self.submission = None
        self.deadline = float("inf")
        self.is_spent = False
        self._is_ready = False
        self._seconds = settings.limits.submission_seconds + SPARE_SECONDS
        ours, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", "dark.course.grading.grader"],
                stdin=theirs,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env=_environment(),
                start_new_session=True,  # Ctrl-C is for the process that holds the gradebook
            )
        self.connection = Connection(ours.detach())
        with suppress(OSError):  # it has died: `give` will say so
            self.connection.send((settings, assign))

    def give(self, submission):
        """Hand over the next submission; its time runs from here.

        Parameters
        ----------
        submission : Submission
            The file.

        Raises
        ------
        CourseError
            The process has not come up.
        """
        if not self._is_ready:
            self._is_ready = self.connection.poll(START_SECONDS) and self._receive() == "ready"
            if not self._is_ready:
                raise grader_error()
        self.submission, self.deadline = submission, time.monotonic() + self._seconds
        with suppress(OSError):  # it has died: `take` will say so
            self.connection.send(submission)

    def take(self):
        """Take what came of the submission; where the process has died of it, say so.

        Returns
        -------
        Graded
        """
        graded = self._receive() if self.connection.poll() else Graded(too_slow(self._seconds))
        graded = graded or Graded(describe_death(self._process.wait()))
        self.is_spent = self.connection.closed or graded.result.status == TOO_LARGE
        if not self.is_spent:
            self.submission = None
        return graded

    def leave(self):
        """Have the process end, without waiting for it."""
        self.connection.close()
        if self.submission is not None:
            self._process.terminate()
        self.submission = None

    def close(self):
        """End the process, and wait until it is gone."""
        self.leave()
        try:
            self._process.wait(LEAVE_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _receive(self):
        try:
            return self.connection.recv()
        except (EOFError, OSError):
            self.connection.close()
            return None


def _environment():
    path = os.pathsep.join(place for place in sys.path if place)
    return os.environ | {"PYTHONPATH": path, "OPENBLAS_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": "1"}


def too_slow(seconds, unit="seconds"):
    """Make the result of a submission that keeps a grader busy for ever."""
    return Result(TOO_LARGE, f"Reading and judging it takes the grader more than {seconds:g} {unit}.")


def describe_death(code):
    """Make the result of a submission at which a grader died.

    Parameters
    ----------
    code : int
        The process's exit code, negative for a signal.

    Returns
    -------
    Result

    Examples
    --------
    >>> describe_death(-9).message
    "The grader's process was killed (SIGKILL); the machine may be out of memory."
    """
    if code == -signal.SIGVTALRM:
        return too_slow(GRADER_SECONDS, "seconds of processor time")
    if code >= 0:
        return Result(NOT_GRADED, f"The grader's process ended with exit code {code}.")
    name = signal.Signals(-code).name
    return Result(NOT_GRADED, f"The grader's process was killed ({name}); the machine may be out of memory.")


def grader_error():
    """Make the error for graders that cannot be started."""
    return CourseError(
        "The processes that grade do not start.",
        "`python -m dark.course.grading.grader` to run with this Python.",
        "`dark doctor`, and run that command yourself: it prints what is missing.",
    )
