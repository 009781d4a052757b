"""Verdicts: what the judge found, as plain records; every status has a word and a sign."""

from dataclasses import dataclass

RIGHT = "right"
WRONG = "wrong"
ERROR = "error"
NOT_ATTEMPTED = "not attempted"
PARTLY = "partly written"  # a stub still stands beside what was written
TIMED_OUT = "timed out"
OUT_OF_MEMORY = "out of memory"
EXITED = "exited"
TOO_MUCH_OUTPUT = "too much output"
USES_REFERENCE = "uses the reference"
STOPS = (TIMED_OUT, OUT_OF_MEMORY, EXITED, TOO_MUCH_OUTPUT, USES_REFERENCE)
STATUSES = (RIGHT, WRONG, ERROR, NOT_ATTEMPTED, PARTLY, *STOPS)
SIGNS = {RIGHT: "✓", WRONG: "✗", NOT_ATTEMPTED: "·", PARTLY: "·"}


def sign_of(status):
    """Give the sign of a status.

    Examples
    --------
    >>> sign_of("right"), sign_of("wrong"), sign_of("not attempted"), sign_of("timed out")
    ('✓', '✗', '·', '!')
    """
    return SIGNS.get(status, "!")


@dataclass(frozen=True)
class Fault:
    """An error or a stop, cut to what concerns the student.

    Parameters
    ----------
    type : str
        Class of the error, or the status where there was none.
    message : str
        What it says.
    lines : tuple of dict
        ``{"where", "line", "source"}``, the outermost first.
    """

    type: str
    message: str
    lines: tuple = ()


@dataclass(frozen=True)
class Finding:
    """What came of one question.

    Parameters
    ----------
    question, title : str
        Its name, and what is true of a right answer.
    points, earned : int
        What it is worth, and what was earned.
    status : str
        One of `STATUSES`.
    inputs : dict
        The smallest inputs found on which it fails; empty where it is right.
    differences : tuple of Difference
        Where the answer differs; encoded data.
    remark : str or None
        What the question's own judge says.
    error : Fault or None
        What went wrong before there was an answer.
    yours_graph, expected_graph : dict or None
        What `trace` gave on both sides.
    wrong_node : int or None
        The first node, in the order of the computation, that differs, or the one that the
        question's own judge names; None also where the two graphs have different shapes.
    printed : str or None
        What the student's code printed meanwhile, its first lines.
    """

    question: str
    title: str
    points: int
    earned: int
    status: str
    inputs: dict
    differences: tuple = ()
    remark: str | None = None
    error: Fault | None = None
    yours_graph: dict | None = None
    expected_graph: dict | None = None
    wrong_node: int | None = None
    printed: str | None = None


@dataclass(frozen=True)
class Verdict:
    """What came of one exercise.

    Parameters
    ----------
    module, exercise : str
        Which.
    status : str
        Of the first question that is not right, else "right".
    findings : tuple of Finding
        One a question.
    earned, points : int
        Sums.
    diagnosis : tuple of str or None
        The sentence and the next step of a known mistake that answers alike.
    next_hint : int or None
        The hint to ask for next, counted from 1.
    last_hint : int or None
        The number of the last hint, where all of them have been given.
    why : str
        Why it works and where it is used next; for after success.
    dependencies : tuple of str
        Other exercises of the student's that it was judged with, in place of the reference's.
    """

    module: str
    exercise: str
    status: str
    findings: tuple
    earned: int
    points: int
    diagnosis: tuple | None = None
    next_hint: int | None = None
    last_hint: int | None = None
    why: str = ""
    dependencies: tuple = ()

    @property
    def is_right(self):
        """Whether every question was answered rightly."""
        return self.status == RIGHT

    @property
    def failing(self):
        """The first finding that is not right, or None."""
        return next((finding for finding in self.findings if finding.status != RIGHT), None)
