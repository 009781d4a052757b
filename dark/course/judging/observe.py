"""Observe: run a question's body on an implementation, and give back plain data only.

An observation is a dict that JSON can hold, and one of four things::

    {"returned": encoded data}                            what the body returned (see `plain`)
    {"raised": "TypeError", "message": "...", "lines": [...]}      an error, cut to the student's lines
    {"not attempted": "backward"}                         the stub of that exercise answered
    {"stopped": "timed out", "message": "..."}            also "exited", "out of memory",
                                                          "too much output", "uses the reference"

Each item of ``lines`` is ``{"where": "exercise backward", "line": 3, "source": "return y"}``. Beside
them, ``"printed"`` holds the first lines of what the student's code printed, where it did.
"""

import builtins
import contextlib
import io
import json
import sys
import warnings
from typing import Protocol

from dark.course.exams.plain import encode
from dark.course.judging.error_text import describe_error
from dark.course.judging.implementation import assemble
from dark.course.judging.timing import TimeIsUp, time_limit

SECONDS = 2.0
AFTER_A_STOP = 0.5  # seconds, so that a loop that never ends does not cost the whole limit each time
OUTPUT_CHARACTERS = 1_000_000  # what one observation may print
KEPT_LINES, KEPT_CHARACTERS = 5, 500  # what is kept of it, to be shown
FRAMES = 1000  # the recursion a student's code may use, whatever stands below it


class Observer(Protocol):
    """One side of an exam: it holds an implementation and answers questions about it.

    An observer is made for an exam, ``observer = LocalObserver(exam)``; a worker process does
    the same with an exam it has read itself from ``exam.path``. After an observation that was
    stopped the next `observe` must work again, if need be in a fresh process.
    """

    def open(self, parts):
        """Build the implementation out of ``[(label, source), ...]``; None, or an observation."""

    def observe(self, question, inputs):
        """Run the body of the question of that name on inputs (a dict); give an observation."""

    def close(self):
        """Let go of the implementation, and of the process if there is one."""


class LocalObserver:
    """Observe in this process, under a time limit.

    Parameters
    ----------
    exam : Exam
        Where the questions are.
    seconds : float, default 2
        Time limit of one observation.
    """

    def __init__(self, exam, seconds=SECONDS):
        self.exam = exam
        self.seconds = seconds
        self._parts = []
        self._implementation = None

    def open(self, parts):
        """Execute the parts in one fresh namespace.

        Parameters
        ----------
        parts : list of (str, str)
            Label and source, in order.

        Returns
        -------
        dict or None
            None where all went well, else an observation of what went wrong.
        """
        self._parts = list(parts)
        self._implementation = None
        seen = watch(lambda: assemble(self._parts), self.seconds)
        self._implementation = seen.get("result")
        return None if "result" in seen else seen

    def observe(self, question, inputs):
        """Run one question on one set of inputs.

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
        if self._implementation is None and (failure := self.open(self._parts)):
            return failure
        seen = observe(self.exam.questions[question], self._implementation, inputs, self.seconds)
        if "stopped" in seen:
            self.seconds = min(self.seconds, AFTER_A_STOP)
            self._implementation = None  # whatever it left half done must not reach the next question
        return seen

    def close(self):
        """Let go of the implementation."""
        self._implementation = None


def observe(question, implementation, inputs, seconds=SECONDS):
    """Run a question's body on an implementation that is here.

    Parameters
    ----------
    question : Question
        Whose body runs.
    implementation : module
        Called `dark` in the body.
    inputs : dict
        Plain values; the body gets a copy.
    seconds : float, default 2
        Time limit.

    Returns
    -------
    dict
        An observation.
    """
    arguments = json.loads(json.dumps(inputs))

    def ask():
        return encode(question.body(implementation, **arguments))

    seen = watch(ask, seconds, implementation, question.body)
    if "result" in seen:
        seen["returned"] = seen.pop("result")
    return seen


def watch(action, seconds, implementation=None, body=None):
    """Run an action; give its result, or say plainly how it failed.

    Parameters
    ----------
    action : callable
        Takes nothing.
    seconds : float
        Time limit.
    implementation : module, optional
        What the action works on, for the wording of a missing name.
    body : function, optional
        The question's body, whose line an error shows too.

    Returns
    -------
    dict
        ``{"result": ...}``, or an observation without one.
    """
    captured = _CapturedOutput()
    seen = _watched(action, seconds, implementation, body, captured)
    return {**seen, "printed": captured.head()} if captured.kept else seen


def _watched(action, seconds, implementation, body, captured):
    try:
        with time_limit(seconds), _frames(FRAMES), _alone(captured):
            return {"result": action()}
    except TimeIsUp:
        return {"stopped": "timed out", "message": f"It ran for more than {seconds:g} seconds."}
    except _TooMuchOutput:
        return {"stopped": "too much output", "message": "It printed more than a million characters."}
    except MemoryError:
        return {"stopped": "out of memory", "message": "It asked for more memory than there is."}
    except BaseException as error:
        return describe_error(error, implementation, body)


class _TooMuchOutput(BaseException):
    """More was printed than anybody reads; no `except Exception` catches it."""


class _CapturedOutput(io.TextIOBase):
    """Takes what the student's code prints, so much and no more, and keeps the beginning."""

    def __init__(self):
        self.left, self.kept = OUTPUT_CHARACTERS, ""

    def write(self, text):
        self.left -= len(text)
        if self.left < 0:
            raise _TooMuchOutput
        if len(self.kept) <= KEPT_CHARACTERS:
            self.kept += str.__getitem__(text, slice(KEPT_CHARACTERS + 1))
        return len(text)

    def head(self):
        """Give the first lines, with an ellipsis where there were more."""
        lines = self.kept[:KEPT_CHARACTERS].splitlines()
        is_cut = len(lines) > KEPT_LINES or len(self.kept) > KEPT_CHARACTERS
        text = "\n".join([*lines[:KEPT_LINES], *["…"] * is_cut])
        return text.encode("utf-8", "backslashreplace").decode("utf-8")


@contextlib.contextmanager
def _alone(captured):
    """Let what the student's code prints go onto captured, and let it ask nobody anything."""
    captured = contextlib.redirect_stdout(captured), contextlib.redirect_stderr(captured)
    keyboard, builtins.input = builtins.input, _no_input  # Jupyter would open a box and wait
    try:
        with warnings.catch_warnings(), captured[0], captured[1]:
            warnings.simplefilter("ignore")
            yield
    finally:
        builtins.input = keyboard


def _no_input(*prompt):
    raise EOFError("input() waits for a person, and nobody sits at the keyboard during a check.")


@contextlib.contextmanager
def _frames(count):
    """Allow `count` frames above this one, so that recursion ends alike wherever it is asked."""
    before, depth, frame = sys.getrecursionlimit(), 0, sys._getframe()
    while frame := frame.f_back:
        depth += 1
    sys.setrecursionlimit(depth + count)
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
