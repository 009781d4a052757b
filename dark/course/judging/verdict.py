"""Verdicts: the results of the judge as dataclasses, and the part of them that a student sees."""

from dataclasses import dataclass, field, replace
from typing import Any

from dark.course.exams.exam import Hidden
from dark.course.exams.rows import Rows

RIGHT = "right"
WRONG = "wrong"
ERROR = "error"
NOT_ATTEMPTED = "not attempted"
PARTLY = "partly written"  # the answer still contains a stub
TIMED_OUT = "timed out"
OUT_OF_MEMORY = "out of memory"
EXITED = "exited"
TOO_MUCH_OUTPUT = "too much output"
USES_REFERENCE = "uses the reference"
STOPS = (TIMED_OUT, OUT_OF_MEMORY, EXITED, TOO_MUCH_OUTPUT, USES_REFERENCE)
STATUSES = (RIGHT, WRONG, ERROR, NOT_ATTEMPTED, PARTLY, *STOPS)
SIGNS = {RIGHT: "✓", WRONG: "✗", NOT_ATTEMPTED: "·", PARTLY: "·"}
PHRASES = {WRONG: "runs, wrong", ERROR: "stopped by an error"}  # of a title; for any other status, its word


def sign_of(status):
    """Return the sign of a status."""
    return SIGNS.get(status, "!")


@dataclass(frozen=True)
class Fault:
    """An error or a stop, cut to the student's own lines."""

    type: str  # the class of the error, or the status without one
    message: str
    lines: tuple = ()  # dicts with where, line and source, the outermost first


@dataclass(frozen=True)
class Finding:
    """The result of a question."""

    question: str
    title: str  # the property of a right answer
    points: int
    earned: int  # points of these
    status: str  # one of `STATUSES`
    inputs: dict  # the smallest failing inputs found; empty if it is right
    differences: tuple = ()  # of the answer, each a `Difference`
    remark: str | None = None  # the sentence of the question's own judge
    error: Fault | None = None  # the error that prevented an answer
    yours_graph: dict | None = field(default=None, compare=False)  # holds arrays
    expected_graph: dict | None = field(default=None, compare=False)  # the reference's graph
    wrong_node: int | None = None  # the first that differs, or that the judge names; None if structures differ
    printed: str | None = None  # the first lines of the output of the student's code
    keeps_state: bool = False  # whether it is right when asked first: something is kept between calls
    hidden: Hidden | None = None  # what a student sees instead of this finding
    more_differences: int = 0  # that are left out
    rows: Rows | None = None  # where a list of rows, such as the events of a run, first differs


@dataclass(frozen=True)
class HiddenTests:
    """The hidden questions of a category, as a student sees them."""

    category: str  # empty for none
    right: int  # how many pass
    count: int
    earned: int
    points: int
    hints: tuple = ()  # one for each that fails, if it has one

    @property
    def text(self):
        """The category, the count and the hints in a line."""
        name = f"Hidden tests, {self.category}" if self.category else "Hidden tests"
        return " ".join([f"{name}: {self.right} of {self.count} pass.", *self.hints])


@dataclass(frozen=True)
class Verdict:
    """The result of an exercise."""

    module: str  # the id
    exercise: str  # the id
    status: str  # of the first question that is not right, else "right"
    findings: tuple  # one for each question
    earned: int
    points: int
    diagnosis: tuple | None = None  # the sentence and the next step of a known mistake with the same answers
    hints: int = 0  # the number of hints of the exercise
    why: str = ""  # why the answer works and where it is used next; shown after success
    dependencies: tuple = ()  # exercises for which the student's answers were used, not the reference
    hidden: tuple = ()  # of `HiddenTests`, only in what `for_student` returns
    phrase: str = ""  # in place of the word of its status

    @property
    def title(self):
        """The sign, the exercise, and the word of its status."""
        phrase = self.phrase or PHRASES.get(self.status, self.status)
        if self.status == WRONG and self.hidden and self.failing is None:
            phrase = "fails hidden tests"
        return f"{sign_of(self.status)} {self.exercise}: {phrase}"

    @property
    def score(self):
        """The points, such as `1 of 3 points`; empty if no points can be earned."""
        return f"{self.earned} of {self.points} points" if self.points else ""

    @property
    def headline(self):
        """The result in one line."""
        return ", ".join(filter(None, (self.title, self.score))) + "."

    @property
    def is_right(self):
        """Whether every question is right."""
        return self.status == RIGHT

    @property
    def failing(self):
        """The finding to show: the first that is not right, or a later one if that looks like rounding; or None."""
        failing = [finding for finding in self.findings if finding.status != RIGHT]
        if failing and failing[0].status == WRONG:
            seen = [each for each in failing if any(difference.is_visible for difference in each.differences)]
            return (seen + failing)[0]
        return failing[0] if failing else None


def for_student(verdict):
    """Return a verdict whose hidden findings are only counted, by category; where only these fail, it is wrong."""
    if not (hidden := hidden_findings(verdict)):
        return verdict
    shown = tuple(finding for finding in verdict.findings if finding.hidden is None)
    status = next((finding.status for finding in shown if finding.status != RIGHT), verdict.status)
    if shown and status != RIGHT and all(finding.status == RIGHT for finding in shown):
        status = WRONG
    groups: dict[str, list[Any]] = {}
    for finding in hidden:
        groups.setdefault(finding.hidden.category, []).append(finding)
    counted = tuple(_count(category, found) for category, found in groups.items())
    return replace(verdict, status=status, findings=shown, hidden=counted)


def hidden_findings(verdict):
    """Return the findings of hidden questions, which only a teacher sees."""
    return [finding for finding in verdict.findings if finding.hidden is not None]


def _count(category, findings):
    hints = dict.fromkeys(each.hidden.hint for each in findings if each.status != RIGHT and each.hidden.hint)
    right = sum(each.status == RIGHT for each in findings)
    earned, points = sum(each.earned for each in findings), sum(each.points for each in findings)
    return HiddenTests(category, right, len(findings), earned, points, tuple(hints))
