"""The observer of a graded submission: it runs each question in a child process with limits.

It has the interface of `dark.course.judging.observe.LocalObserver`. The child gets the student's cells as source, the
course's as compiled code, and the body and each input of a question when it is asked; never a solution of the
exercise, nor an expected value, nor the name of a question.
"""

import inspect
import operator as op
import socket
import time
from contextlib import contextmanager
from math import inf
from typing import Any

from dark.course.judging.error_text import MOST_CHARACTERS
from dark.course.judging.observe import AFTER_A_STOP, SECONDS, LocalObserver
from dark.course.judging.timing import WALL_FACTOR, threads_start
from dark.grading.sandbox.conversation.exchange import KNOWN, TOO_LONG, Wanted, converse
from dark.grading.sandbox.conversation.requests import asking, opening, written_inputs, written_once, written_row
from dark.grading.sandbox.limits import REPLY_BYTES, Limits, describe_ending, stopped
from dark.grading.sandbox.worker_process import Worker

AFTER_STOPS = (SECONDS, AFTER_A_STOP, AFTER_A_STOP)  # time limits of an observation after 0, 1, 2 that were stopped
AFTER_MANY_STOPS = 0.1  # so that an answer that never ends does not cost the whole limit for each question
ALL_REPLIES_BYTES = 16 * REPLY_BYTES  # of an exercise, besides replies that are equal to the reference's
ALL_REPLIES_LISTS = 1_000_000  # lists and dictionaries in them: what a judge reads takes the longer, the more there are
GRACE_SECONDS = 0.5  # for a child that has closed its connection to exit


class WorkerObserver:
    """Run questions in a child process with limits, until a moment of `time.monotonic`."""

    def __init__(self, exam, worker, limits=Limits(), until=float("inf"), stops=0):
        self.exam = exam
        self.worker = worker
        self.limits = limits
        self.until = until
        self._parts = []
        self._asked = ""  # the question whose body the child has
        self._left = inf  # of the wall-clock time of the exercise, which runs while a child is waited for
        self._session: Any = None  # a Session, while there is a child
        self._stopped = None  # the observation of an opening that was stopped: these parts are not opened again
        self._stops = stops
        self._bytes_left, self._lists_left = ALL_REPLIES_BYTES, ALL_REPLIES_LISTS

    @property
    def is_over(self):
        """Whether nothing is run any more."""
        return time.monotonic() >= self.until

    def open(self, parts: list[tuple[str, str]]) -> dict | None:
        """Build the implementation of parts in a new child; return None, or an observation of the failure."""
        self.close()
        if parts != self._parts:
            self._parts, self._stopped = parts, None
        if self._left == inf:  # the first one
            self.restart_clock()
        return self._begin()

    def restart_clock(self):
        """Let the time limit of an exercise start now; the judge's own time does not count."""
        self._left = self.limits.wall_seconds

    def observe(self, question: str, inputs: dict) -> dict:
        """Run one question on one set of inputs, in a new child if the last one has died; return the observation."""
        if self._session is None and (failure := self._begin()):
            return failure
        written = written_once(self.exam.questions[question], inputs, question != self._asked)
        self._asked = question
        replies, failure = self._replies([(written, question)], graphs=True)
        return failure or replies[0][0]

    def observe_all(self, sheet):
        """Run a sheet, one input after the other, without graphs; yield each question's observations, up to a stop."""
        for row in sheet.rows:
            failure = None if self._session else self._begin()
            replies = [] if failure else self._one_by_one(row)
            is_same = len(replies) == len(row.same) and all(map(op.is_, replies, row.same))
            yield row.same if is_same else replies or [failure]

    def _one_by_one(self, row):
        """Return the observations of a question, up to the first that was stopped."""
        found = []
        for written in written_inputs(row):
            self._asked = row.question.name
            replies, failure = self._replies([(written, self._asked)])
            found.append(failure or replies[0][0])
            if self._session is None:
                break
        return found

    def observe_together(self, sheet):
        """Run all questions of a sheet with one message, answered by one; yield as `observe_all`, up to a stop."""
        failure, replies = None if self._session else self._begin(), []
        if not failure:
            rows = [(written_row(row), row.question.name) for row in sheet.rows]
            replies, failure = self._replies(rows, at_once=True)
        yield from replies
        if failure:
            yield [failure]

    def close(self):
        """End the child, if one is running."""
        if self._session is not None:
            self.worker.end(self._session)
            self._session = None

    def _replies(self, asked, graphs=False, at_once=False):
        """Ask questions; return the observations of each up to a stop, and how the child has ended, or None."""
        replies, failure = [], None
        seconds = AFTER_STOPS[self._stops] if self._stops < len(AFTER_STOPS) else AFTER_MANY_STOPS
        wanted = [Wanted(REPLY_BYTES * written.count, written.count, written.known) for written, _ in asked]
        request = asking([written for written, _ in asked], seconds, graphs, at_once)
        try:
            most = None if at_once else WALL_FACTOR * seconds + 1  # for code that no longer takes signals
            for reply, (written, name) in zip(self._ask(request, wanted, most), asked, strict=True):
                body = self.exam.questions[name].body
                replies.append(written.same if reply is KNOWN else [_with_lines(each, body) for each in reply])
                if "stopped" in replies[-1][-1]:
                    break
        except _Ended as ended:
            failure = ended.observation
        if failure or "stopped" in replies[-1][-1]:
            self._stops += 1
            self.close()
        return replies, failure

    def _begin(self):
        """Build the implementation in a new child; return an observation of why it failed, or None."""
        if self._left <= 0 or self.is_over:
            return self._timed_out()
        if self._stopped:
            return self._stopped
        self._session = self.worker.start(self.limits)
        self._asked = ""
        try:
            (reply,) = self._ask(opening(self._parts), [Wanted(REPLY_BYTES)])
        except _Ended as ended:
            reply = ended.observation
        if reply:
            self.close()
            self._stopped = reply if "stopped" in reply else None
        return reply

    def _spend(self, line):
        self._bytes_left -= len(line)
        self._lists_left -= line.count(b"[") + line.count(b"{")
        if min(self._bytes_left, self._lists_left) < 0:
            raise ValueError(TOO_LONG)

    def _ask(self, request, wanted, most=None):
        """Send a request and yield the replies; raise `_Ended` if the child ends, or takes more than `most` seconds."""
        session = self._session
        number = session.requests + 1
        session.requests += len(wanted)
        begun = time.monotonic()
        allowed = self._left if most is None else min(self._left, most)
        try:
            deadline = min(begun + allowed, self.until)
            yield from converse(session.connection, request, number, wanted, deadline, self._spend)
        except TimeoutError:
            self.close()
            raise _Ended(self._timed_out(most if allowed == most else None)) from None
        except EOFError:
            ending = self.worker.end(session, GRACE_SECONDS)
            self._session = None
            raise _Ended(describe_ending(ending, self.limits)) from None
        except ValueError as error:  # not a valid reply: the student's code wrote to the connection
            self.close()
            raise _Ended(stopped("too much output" if "long" in str(error) else "exited", str(error))) from None
        finally:
            self._left -= time.monotonic() - begun

    def _timed_out(self, seconds=None):
        if self.is_over:
            return stopped("timed out", "The time limit of the whole submission was reached.")
        return stopped("timed out", f"It ran for more than {seconds or self.limits.wall_seconds:g} seconds.")


@contextmanager
def isolated_observer():
    """Provide the argument `observer` of `judge_exercise`: with child processes and limits if the system has them."""
    if not hasattr(socket, "send_fds") or not threads_start():  # Windows, or a browser
        yield LocalObserver
        return
    worker = Worker()
    try:
        yield lambda exam: WorkerObserver(exam, worker)
    finally:
        worker.close()


class _Ended(Exception):
    def __init__(self, observation):
        super().__init__(observation["message"])
        self.observation = observation


def _with_lines(seen, body):
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
