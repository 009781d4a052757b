"""The parent's side of the worker: ask a confined child process, and say plainly how it ended.

`Worker` holds the worker process; `WorkerObserver` asks one session of it at a time and is an observer like
`dark.course.judging.observe.LocalObserver`. The comparing is done elsewhere, in this process; what is expected
never travels to the child.
"""

import time

from dark.course.grading.exit_reasons import describe_ending, stopped
from dark.course.grading.limits import REPLY_BYTES, Limits
from dark.course.grading.reply import read_reply
from dark.course.grading.worker_process import Worker

__all__ = ["Worker", "WorkerObserver"]

GRACE_SECONDS = 0.5  # for a child that has hung up to be gone


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
            reply = read_reply(session.connection, request, session.token, self._deadline, REPLY_BYTES)
        except TimeoutError:
            self.close()
            return self._timed_out()
        except EOFError:
            ending = self.worker.end(session, GRACE_SECONDS)
            self._session = None
            return describe_ending(ending, self.limits)
        except ValueError as error:  # no answer of ours: the child wrote to the connection itself
            self.close()
            return stopped("too much output" if "long" in str(error) else "exited", str(error))
        if not _answers(request, reply):
            self.close()
            return stopped("exited", "It wrote to the judge's connection.")
        if reply is not None and "stopped" in reply:
            self.close()
        return reply

    def _timed_out(self):
        if self._deadline >= self.until:
            return stopped("timed out", "The time of the whole submission was used up.")
        return stopped("timed out", f"It ran for more than {self.limits.wall_seconds:g} seconds.")


def _answers(request, reply):
    """Tell whether a reply has the form that the request asks for; one that is forged may not."""
    if "observe" in request:
        return reply is not None
    return reply is None or "returned" not in reply
