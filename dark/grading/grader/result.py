"""The result of a submission: a status, and the verdicts if it was graded."""

from dataclasses import dataclass, field

from dark.course.judging.verdict import NOT_ATTEMPTED, for_student

GRADED = "graded"
NOT_A_NOTEBOOK = "not a notebook"
NOT_THIS_COURSE = "not this course"
NOT_GRADED = "not graded"
TOO_LARGE = "too large"  # exceeds the size, memory or time limit of a grader
SKIPPED = "skipped"
NOT_JUDGED = "not judged"  # an exercise on which the judge itself failed


@dataclass(frozen=True)
class Result:
    """The result of a submission."""

    # "graded", "not a notebook", "not this course", "skipped", "too large" or "not graded" (the grader failed)
    status: str
    message: str = ""  # why it was not graded; empty if it was
    module: str | None = None  # the id of the module
    verdicts: tuple = ()  # one for each exercise, judged with the reference code of the others; they give the points
    # the status of each exercise, judged with all answers of the student; empty if nothing was attempted
    together: dict[str, str] = field(default_factory=dict)
    # sentences about the notebook that the verdicts do not tell, as `dark.course.lessons.answer_notes` makes them
    notes: tuple[str, ...] = ()

    @property
    def earned(self):
        """The sum of the points earned."""
        return sum(verdict.earned for verdict in self.verdicts)

    @property
    def points(self):
        """The sum of all points."""
        return sum(verdict.points for verdict in self.verdicts)


def is_complete(result):
    """Return whether a submission was graded with full points."""
    return result.status == GRADED and bool(result.verdicts) and all(v.is_right for v in result.verdicts)


def failures(result):
    """List the exercises that are not right, with their status, for the last column of the table."""
    if result.status != GRADED:
        return result.message
    shown = [for_student(verdict) for verdict in result.verdicts]
    statuses = [verdict.status for verdict in shown]
    if statuses and set(statuses) == {NOT_ATTEMPTED}:
        return "nothing attempted"
    return ", ".join(f"{v.exercise} {v.status}" for v in shown if not v.is_right)


def short(error):
    """Return the class and the first line of an error, at most 300 characters.

    >>> short(ValueError("no\\nmore"))
    'ValueError: no'
    """
    return f"{type(error).__name__}: {str(error).partition(chr(10))[0]}"[:300]
