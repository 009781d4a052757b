"""Run the body of a question on an implementation, and return plain data only.

An observation is a JSON-serializable dict of one of four kinds::

    {"returned": encoded data}                                 what the body returned (see `plain`)
    {"raised": "TypeError", "message": "...", "lines": [...]}  an error, cut to the student's lines
    {"not attempted": "backward"}                              the stub of that exercise was called
    {"stopped": "timed out", "message": "..."}                 or another of `STOPS` in `verdict`

Each item of ``lines`` is ``{"where": "exercise backward", "line": 3, "source": "return y"}``. In
addition, ``"printed"`` holds the first lines of printed output, if any.
"""

import builtins
import contextlib
import io
import json
import sys
import warnings
from types import SimpleNamespace
from typing import Protocol

from dark.course.exams.plain import encode
from dark.course.judging.error_text import describe_error
from dark.course.judging.namespace import assemble
from dark.course.judging.timing import TimeIsUp, alarm
from dark.course.lessons.imports import import_of_an_answer

SECONDS = 2.0
AFTER_A_STOP = 0.5  # seconds after a timeout, so that an infinite loop does not cost the whole limit each time
OUTPUT_CHARACTERS = 50_000_000  # largest output of an observation: prints left in a right answer are allowed
KEPT_LINES, KEPT_CHARACTERS = 5, 500  # the part of it that is shown
FRAMES = 1000  # recursion depth available to a student's code, independent of the caller's depth


class Observer(Protocol):
    """Holds an implementation and runs questions of an exam on it; it works again after one that was stopped."""

    def open(self, parts):
        """Build the implementation from ``[(label, source), ...]``; return None, or an observation."""

    def observe(self, question, inputs):
        """Run the question with that name on inputs (a dict); return an observation."""

    def observe_all(self, sheet):
        """Run a `Sheet`; yield the observations of each question, none after a stopped one, perhaps without graphs."""

    def close(self):
        """Release the implementation and its process, if there is one."""


class LocalObserver:
    """Run questions in this process, with a time limit."""

    def __init__(self, exam, seconds=SECONDS, build=assemble):
        self.exam = exam
        self.seconds = seconds
        self._build = build
        self._parts = []
        self._implementation = None

    def open(self, parts):
        """Build the implementation from the parts: by default, labeled sources are executed in order."""
        self._parts = list(parts)
        self._implementation = None
        seen = watch(lambda: self._build(self._parts), self.seconds)
        self._implementation = seen.get("result")
        return None if "result" in seen else seen

    def observe(self, question, inputs):
        """Run one question on one set of inputs, plain values by name of the argument."""
        if self._implementation is None and (failure := self.open(self._parts)):
            return failure
        seen = observe(self.exam.questions[question].body, self._implementation, inputs, self.seconds)
        if "stopped" in seen:
            self.seconds = min(self.seconds, AFTER_A_STOP)
            self._implementation = None  # its partial state must not affect the next question
        return seen

    def observe_all(self, sheet):
        """Run all questions of a sheet, each on each of its inputs when it is needed."""
        return (one_by_one(self, row) for row in sheet.rows)

    def close(self):
        """Release the implementation."""
        self._implementation = None


def one_by_one(observer, row):
    """Ask an `Observer` a question on its drawn inputs; yield the observations, none after one that was stopped."""
    for drawn in row.drawn:
        seen = observer.observe(row.question.name, drawn.inputs)
        yield seen
        if "stopped" in seen:
            return


def observe(body, implementation, inputs, seconds=SECONDS):
    """Return the observation of the body of a question on an implementation, with a copy of inputs by name."""
    with watching(implementation, body) as run:
        return ask(run, body, implementation, json.loads(json.dumps(inputs)), seconds)


def ask(run, body, implementation, arguments, seconds):
    """Run the body of a question once with `run` of `watching`; it may change its arguments. Return an observation."""
    seen = run(lambda: encode(body(implementation, **arguments)), seconds)
    if "result" in seen:
        seen["returned"] = seen.pop("result")
    return seen


def watch(action, seconds, implementation=None, body=None):
    """Run a function without arguments; return ``{"result": ...}`` or an observation of how it failed."""
    with watching(implementation, body) as run:
        return run(action, seconds)


@contextlib.contextmanager
def watching(implementation=None, body=None):
    """Provide `run(action, seconds)`, which does what `watch` does, one action after another, set up only once."""
    captured = _CapturedOutput()
    with alarm() as clock, _frames(FRAMES) as most, _isolated(captured):

        def run(action, seconds):
            captured.clear()
            sys.stdout = sys.stderr = captured
            sys.setrecursionlimit(most)
            try:
                clock.start(seconds)
                try:
                    seen = {"result": action()}
                finally:
                    clock.stop()
            except BaseException as error:
                clock.stop()  # the limit may have been reached within the first
                seen = _describe(error, seconds, implementation, body)
            return {**seen, "printed": captured.head()} if captured.kept else seen

        yield run


def _describe(error, seconds, implementation, body):
    if isinstance(error, TimeIsUp):
        return {"stopped": "timed out", "message": f"It ran for more than {seconds:g} seconds."}
    if isinstance(error, _TooMuchOutput):
        return {"stopped": "too much output", "message": "It printed more than 50 million characters."}
    if isinstance(error, MemoryError):
        return {"stopped": "out of memory", "message": "It exceeded the memory limit."}
    return describe_error(error, implementation, body)


class _TooMuchOutput(BaseException):
    """The output limit was exceeded; `except Exception` does not catch it."""


class _CapturedOutput(io.TextIOBase):
    """A limited stream for the output of the student's code that keeps the first lines."""

    def __init__(self):
        self.clear()

    def clear(self):
        """Forget the printed lines."""
        self.left, self.kept = OUTPUT_CHARACTERS, ""

    def write(self, text):
        self.left -= len(text)
        if self.left < 0:
            raise _TooMuchOutput
        if len(self.kept) <= KEPT_CHARACTERS:
            self.kept += str.__getitem__(text, slice(KEPT_CHARACTERS + 1))
        return len(text)

    def head(self):
        """Return the first lines, followed by an ellipsis if there are more."""
        lines = self.kept[:KEPT_CHARACTERS].splitlines()
        is_cut = len(lines) > KEPT_LINES or len(self.kept) > KEPT_CHARACTERS
        text = "\n".join([*lines[:KEPT_LINES], *["…"] * is_cut])
        return text.encode("utf-8", "backslashreplace").decode("utf-8")


@contextlib.contextmanager
def _isolated(captured):
    """Capture the output of the student's code; its builtins are the same with and without a notebook."""
    stdout, stderr = contextlib.redirect_stdout(captured), contextlib.redirect_stderr(captured)
    before = {name: getattr(builtins, name, None) for name in NOTEBOOK}
    vars(builtins).update(NOTEBOOK)
    try:
        with warnings.catch_warnings(), stdout, stderr:
            warnings.simplefilter("ignore")
            yield
    finally:
        vars(builtins).update(before)
        for name in [name for name, value in before.items() if value is None]:
            delattr(builtins, name)


def _no_input(*prompt):
    raise EOFError("input() is not available during a check.")  # Jupyter would wait for it


def _nothing(*arguments, **options):
    """Display nothing and run no magic."""


_SHELL = SimpleNamespace(run_line_magic=_nothing, run_cell_magic=_nothing, magic=_nothing, system=_nothing)
NOTEBOOK = {
    "input": _no_input,
    "display": _nothing,
    "get_ipython": lambda: _SHELL,
    "__import__": import_of_an_answer,
}


@contextlib.contextmanager
def _frames(count):
    """Allow `count` more frames, so that the recursion limit does not depend on the caller; yield the limit."""
    before, depth, frame = sys.getrecursionlimit(), 0, sys._getframe()
    while frame := frame.f_back:
        depth += 1
    sys.setrecursionlimit(depth + count)
    try:
        yield depth + count
    finally:
        sys.setrecursionlimit(before)
