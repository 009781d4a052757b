"""Read and grade one file, identified by the hash of its bytes."""

import hashlib
import time
from dataclasses import dataclass

from dark.course.exams.questions import load_exam
from dark.course.lessons.library import load_module
from dark.grading.grader.grade import Assignment, Settings, grade_submission
from dark.grading.grader.result import NOT_A_NOTEBOOK, SKIPPED, TOO_LARGE, Result
from dark.grading.uploads import TooLargeError


@dataclass(frozen=True)
class Graded:
    """A result, the hash of the graded bytes, the time it took, and the seed of the inputs."""

    result: Result
    digest: str = ""
    elapsed_seconds: float = 0.0
    seed: int | None = None


def load_assignment(module, private=None) -> Assignment:
    """Load the module and the exam that submissions are judged by.

    Parameters
    ----------
    module : str
        Its number, its name or both.
    private : path, optional
        A teacher's private folder of questions.
    """
    loaded = load_module(module)
    return Assignment(loaded, load_exam(loaded.id, private, hidden=True))


def grade_file(submission, worker, settings=Settings(), assign=None) -> Graded:
    """Read and grade one file.

    Parameters
    ----------
    submission : Submission
        The file.
    worker : Worker
        The process that runs the student's code.
    settings : Settings, optional
        Limits and seed.
    assign : callable, optional
        ``assign()`` returns the assignment; without it, each notebook names its own.
    """
    begun = time.monotonic()
    content = read_upload(submission)
    if isinstance(content, Graded):
        return content
    own = settings.of(submission.student)
    result = grade_submission(content, assign and assign(), worker=worker, settings=own)
    return Graded(result, digest_of(content), time.monotonic() - begun, own.seed)


def read_upload(submission):
    """Read a file, unless it cannot be graded.

    Returns
    -------
    bytes or Graded
        Its content, or the result that says why it is not graded.
    """
    if submission.fault:
        return Graded(Result(SKIPPED, submission.fault))
    try:
        return submission.read()
    except TooLargeError as error:
        return Graded(Result(TOO_LARGE, str(error)))
    except OSError as error:
        return Graded(Result(NOT_A_NOTEBOOK, f"The file cannot be read ({error.strerror or error})."))


def digest_of(content):
    """Return the SHA-256 hash of the content of a submission.

    Examples
    --------
    >>> digest_of(b"")[:8]
    'e3b0c442'
    """
    return hashlib.sha256(content).hexdigest()
