"""The observer of a graded submission: it runs each question in a child process with limits.

`WorkerObserver` has the interface of `dark.course.judging.observe.LocalObserver`, and asks a child of a
`Worker`. The answers are compared in this process. The child gets the student's cells as source, the
course's as compiled code, and the body of a question when it is asked; never a solution of the exercise,
nor an expected value.
"""

import ast
import base64
import inspect
import marshal
import time
import warnings
from functools import lru_cache

from dark.course.exams.bodies import body_code
from dark.course.grading.exit_reasons import describe_ending, stopped
from dark.course.grading.limits import REPLY_BYTES, Limits
from dark.course.grading.reply import read_reply
from dark.course.grading.worker_process import Worker
from dark.course.judging.error_text import MOST_CHARACTERS
from dark.course.judging.observe import AFTER_A_STOP, SECONDS
from dark.course.lessons.magics import plain_python

__all__ = ["Worker", "WorkerObserver"]

GRACE_SECONDS = 0.5  # for a child that has closed its connection to exit


class WorkerObserver:
    """Run questions in a child process with limits.

    Parameters
    ----------
    exam : Exam
        The questions.
    worker : Worker
        The process that forks the child.
    limits : Limits, optional
        The limits of the child.
    until : float, optional
        The value of `time.monotonic` after which nothing is run.
    """

    def __init__(self, exam, worker, limits=Limits(), until=float("inf")):
        self.exam = exam
        self.worker = worker
        self.limits = limits
        self.until = until
        self._parts = []
        self._sent = set()  # the questions that the child has
        self._deadline = 0.0
        self._session = None
        self._seconds = SECONDS

    def open(self, parts):
        """Build the implementation in a new child; the time limit of the exercise starts now.

        Parameters
        ----------
        parts : list of (str, str)
            Label and source, in order.

        Returns
        -------
        dict or None
            None on success, else an observation of the failure.
        """
        self.close()
        self._parts = [_portable(label, source) for label, source in parts]
        self.restart_clock()
        return self._begin()

    def restart_clock(self):
        """Let the time limit of an exercise start now."""
        self._deadline = min(time.monotonic() + self.limits.wall_seconds, self.until)

    def observe(self, question, inputs):
        """Run one question on one set of inputs, in a new child if the last one has died.

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
        found, failure = self._observed(question, [inputs], graphs=True)
        return failure or found[0]

    def observe_all(self, question, many):
        """Run one question on several inputs, with one message; the answers lack the graphs, which `trace` returns.

        Parameters
        ----------
        question : str
            Name of the question.
        many : sequence of dict
            The inputs.

        Returns
        -------
        list of dict
            An observation for each, none after one that was stopped. It is empty if the child has ended:
            which inputs end it is seen when they are asked one by one.
        """
        return self._observed(question, many, graphs=False)[0] if len(many) > 1 else []

    def close(self):
        """End the child, if one is running."""
        if self._session is not None:
            self.worker.end(self._session)
            self._session = None

    def _observed(self, question, many, graphs):
        """Return the observations, and how the child has ended or None."""
        if self._session is None and (failure := self._begin()):
            return [], failure
        asked = self.exam.questions[question]
        request = {"observe": asked.body.__name__, "inputs": list(many), "seconds": self._seconds, "graphs": graphs}
        if question not in self._sent:
            request["body"] = base64.b64encode(body_code(asked)).decode()
            self._sent.add(question)
        reply = self._ask(request, REPLY_BYTES * len(many))
        found, failure = (reply, None) if isinstance(reply, list) else ([], reply)
        if failure or "stopped" in found[-1]:
            self._seconds = AFTER_A_STOP
            self.close()
        return [_with_lines_of_the_question(seen, asked.body) for seen in found], failure

    def _begin(self):
        if time.monotonic() >= self._deadline:
            return self._timed_out()
        self._session = self.worker.start(self.limits)
        self._sent = set()
        return self._ask({"open": self._parts})

    def _ask(self, request, limit_bytes=REPLY_BYTES):
        """Send a request and return the reply, or an observation of how the child ended."""
        session = self._session
        session.requests += 1
        try:
            reply = read_reply(session.connection, request, session.requests, self._deadline, limit_bytes)
        except TimeoutError:
            self.close()
            return self._timed_out()
        except EOFError:
            ending = self.worker.end(session, GRACE_SECONDS)
            self._session = None
            return describe_ending(ending, self.limits)
        except ValueError as error:  # not a valid reply: the student's code wrote to the connection
            self.close()
            return stopped("too much output" if "long" in str(error) else "exited", str(error))
        if not _answers(request, reply):
            self.close()
            return stopped("exited", "It wrote to the judge's connection.")
        if request.get("open") and reply:
            self.close()
        return reply

    def _timed_out(self):
        if self._deadline >= self.until:
            return stopped("timed out", "The time limit of the whole submission was reached.")
        return stopped("timed out", f"It ran for more than {self.limits.wall_seconds:g} seconds.")


def _answers(request, reply):
    """Return whether a reply fits the request; a forged one may not."""
    if "observe" in request:
        is_whole = isinstance(reply, list) and 0 < len(reply) <= len(request["inputs"])
        return is_whole and (len(reply) == len(request["inputs"]) or "stopped" in reply[-1])
    return reply is None or isinstance(reply, dict) and "returned" not in reply


@lru_cache(maxsize=512)
def _portable(label, source):
    """Return a part as the child gets it: a student's cell as source, one of the course as compiled code."""
    if label.startswith("exercise "):
        return label, {"source": source if _is_python(source) else plain_python(source)}
    code = compile(source, f"<{label}>", "exec", dont_inherit=True)
    return label, {"code": base64.b64encode(marshal.dumps(code)).decode()}


def _is_python(source):
    """Return whether a cell can be parsed without IPython, which the child does not have."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(source)
    except SyntaxError:
        return False
    except (ValueError, RecursionError, MemoryError):  # not Python either, as the child will find out
        return True
    return True


def _with_lines_of_the_question(seen, body):
    """Add to a traceback the lines of the question, whose source the child does not have."""
    if not any(line["where"] == "check" for line in seen.get("lines", ())):
        return seen
    lines, first = inspect.getsourcelines(body)
    shown = dict(enumerate(lines, first))
    texts = [
        line | {"source": shown.get(line["line"], "").strip()[:MOST_CHARACTERS]} if line["where"] == "check" else line
        for line in seen["lines"]
    ]
    return seen | {"lines": texts}
