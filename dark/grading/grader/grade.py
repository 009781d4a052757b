"""Grade one submission: from the bytes of the file to a `Result`.

`grade_submission` never runs the student's code in this process and never raises because of a
submission: it always returns a `Result`, whose status tells what happened.
"""

import hashlib
import time
from dataclasses import dataclass, field, replace
from pathlib import Path

from dark.course.exams.answers import with_points
from dark.course.exams.exam import Exam
from dark.course.exams.questions import load_exam
from dark.course.exams.shortening import cut, limited
from dark.course.judging.unfinished import is_attempted
from dark.course.lessons.answer_notes import notes_on
from dark.course.lessons.answers import collect
from dark.course.lessons.library import Module, load_module
from dark.course.lessons.notebook_files import parse_notebook
from dark.course.lessons.which_module import answered_module
from dark.errors import CourseError
from dark.grading.grader.judge_answers import judge_answers
from dark.grading.grader.result import (
    GRADED,
    NOT_A_NOTEBOOK,
    NOT_GRADED,
    NOT_THIS_COURSE,
    SKIPPED,
    TOO_LARGE,
    Result,
    short,
)
from dark.grading.sandbox.limits import GRADER_MIB, Limits
from dark.grading.sandbox.worker_observer import WorkerObserver
from dark.grading.uploads import TooLargeError

MOST_REASON = 400  # characters
KNOWN_BY = 2  # number of exercises that must be recognized in a notebook that does not name its module


@dataclass(frozen=True)
class Assignment:
    """The module and the questions by which a submission is judged."""

    module: Module
    exam: Exam
    bank: tuple | None = None  # known wrong answers; by default, the course's


@dataclass(frozen=True)
class Settings:
    """The settings that a result depends on, besides the submission and the course.

    >>> Settings(seed=3).of("ann").seed, Settings(seed=3, per_student=True).of("ann").seed
    (3, 1471821621)
    """

    limits: Limits = field(default_factory=Limits)  # what the student's code may use
    seed: int = 0  # seed of the generated inputs
    per_student: bool = False  # whether each student has a seed of their own, drawn from this one and their name
    exam: Path | None = None  # a teacher's private folder of questions
    # the exercises that count, and their points; by default all, with the points of their questions
    points: tuple[tuple[str, int], ...] | None = None
    only: tuple[str, ...] = ()  # the exercises to grade; by default all

    def of(self, student: str) -> "Settings":
        """Return the settings for one student, by name."""
        if not self.per_student:
            return self
        drawn = hashlib.sha256(f"{self.seed} {student}".encode()).digest()
        return replace(self, seed=int.from_bytes(drawn[:4], "big"), per_student=False)


@dataclass(frozen=True)
class Graded:
    """A result, the hash of the graded bytes, the time it took, and the seed of the inputs."""

    result: Result
    digest: str = ""
    elapsed_seconds: float = 0.0
    seed: int | None = None


def grade_submission(content: bytes, assignment: Assignment | None = None, *, worker, settings=Settings()) -> Result:
    """Grade the content of a file; without an assignment, by the module that the notebook names or answers."""
    try:
        notebook = parse_notebook(content, "the file", any_format=True)
    except (CourseError, RecursionError) as error:
        return Result(NOT_A_NOTEBOOK, _reason(error))
    try:
        found = find_assignment(notebook, assignment, settings.exam)
        declared = declared_module(notebook)
        if assignment and declared not in (None, assignment.module.id):
            return Result(NOT_THIS_COURSE, f"It is a notebook of module {declared[:40]}, not {assignment.module.id}.")
        if found is None:
            return Result(NOT_THIS_COURSE, "It does not name a module, and defines nothing that an exercise asks for.")
        if not found.module.exercises:
            return Result(NOT_THIS_COURSE, f"Module {found.module.id} has no exercises, so that nothing is graded.")
        return _grade(notebook, found, worker, settings)
    except MemoryError:
        return Result(TOO_LARGE, f"Reading and judging it takes more than {GRADER_MIB} MiB of memory.")
    except Exception as error:  # the batch continues; the result tells that the grader failed
        return Result(NOT_GRADED, f"The grader itself failed ({short(error)}).")


def _reason(error):
    """Return the first line of an error without the words of the status."""
    first = str(error).partition("\n")[0]
    text = first.removeprefix("the file: ").removeprefix("not a notebook: ")
    return cut(text[:1].upper() + text[1:], MOST_REASON)


def find_assignment(notebook: dict, given: Assignment | None = None, private=None) -> Assignment | None:
    """Find the assignment of a notebook: the given one, or by its metadata, or by the names it defines."""
    if given is not None:
        return given
    try:
        declared = declared_module(notebook)
        module = load_module(declared) if declared else None
    except CourseError:
        module = None
    if module is None:
        module, count = answered_module(notebook)
        module = module if count >= KNOWN_BY else None
    return module and Assignment(module, load_exam(module.id, private, hidden=True))


def declared_module(notebook):
    """Return the module that a notebook names in its metadata, or None."""
    course = notebook.get("metadata", {})
    course = course.get("dark") if isinstance(course, dict) else None
    declared = course.get("module") if isinstance(course, dict) else None
    return declared if isinstance(declared, str) else None


def _grade(notebook, assignment, worker, settings):
    module, until = assignment.module, time.monotonic() + settings.limits.submission_seconds
    counting = module.exercises
    if settings.points is not None:
        assignment = replace(assignment, exam=with_points(assignment.exam, settings.points))
        counting = {name: module.exercises[name] for name, _ in settings.points}
    answers = collect(notebook, module)
    sources = answers.sources

    def observer(exam, stops=0):
        return WorkerObserver(exam, worker, settings.limits, until, stops)

    names = [name for name in counting if not settings.only or name in settings.only]
    verdicts, together = judge_answers(assignment, sources, names, observer=observer, seed=settings.seed)
    blank = [name for name, each in counting.items() if not is_attempted(sources.get(name), each.stub)]
    shown = tuple(map(limited, verdicts.values()))
    notes = notes_on(notebook, module, answers, blank)
    return Result(GRADED, "", module.id, shown, {} if len(blank) == len(counting) else together, notes)


def load_assignment(module: str, private=None) -> Assignment:
    """Load the module, given by its number, its name or both, and the exam that submissions are judged by."""
    loaded = load_module(module)
    return Assignment(loaded, load_exam(loaded.id, private, hidden=True))


def grade_file(submission, worker, settings: Settings = Settings(), assign=None) -> Graded:
    """Read and grade one file by the assignment that `assign` returns; without it, each notebook names its own."""
    begun = time.monotonic()
    content = read_upload(submission)
    if isinstance(content, Graded):
        return content
    own = settings.of(submission.student)
    result = grade_submission(content, assign and assign(), worker=worker, settings=own)
    return Graded(result, digest_of(content), time.monotonic() - begun, own.seed)


def read_upload(submission):
    """Return the content of a file, or a result with the reason why it is not graded."""
    if submission.fault:
        return Graded(Result(SKIPPED, submission.fault))
    try:
        return submission.read()
    except TooLargeError as error:
        return Graded(Result(TOO_LARGE, str(error)))
    except OSError as error:
        return Graded(Result(NOT_A_NOTEBOOK, f"The file cannot be read ({error.strerror or error})."))


def digest_of(content):
    """Return the SHA-256 hash of the content of a submission."""
    return hashlib.sha256(content).hexdigest()
