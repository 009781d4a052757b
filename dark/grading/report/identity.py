"""The keys of records, and the hash of the course: a later run reuses a result only if both are unchanged."""

import hashlib
import json
import platform
from dataclasses import asdict, dataclass

from dark.course.lessons.library import repository_root
from dark.course.lessons.notebook_files import PACKAGE
from dark.grading.grader.grade import digest_of
from dark.grading.grader.result import NOT_GRADED, NOT_JUDGED
from dark.grading.report.results_file import SCHEMA

OF_THE_COURSE = ("course", "exam", "python")  # entries of the heading; the others are settings


@dataclass(frozen=True)
class Identity:
    """The heading of results.json, from which the keys of records are computed."""

    heading: dict  # course, settings and confinement, as plain data

    def keys(self, digest: str) -> dict[str, str]:
        """Return the keys of a record: "key" depends on all, "settings" on all but the course."""
        settings = {name: value for name, value in self.heading.items() if name not in OF_THE_COURSE}
        return {"key": _hash(digest, self.heading), "settings": _hash(digest, settings)}

    def has_made(self, record: dict, submission, entry) -> bool:
        """Return whether a record, not of a failed grader, has the key of the same bytes, course and settings."""
        try:
            return not grader_failed(record) and record.get(entry) == self.keys(digest_of(submission.read()))[entry]
        except OSError:
            return False


def heading_of(settings, version: str, fingerprints, module=None, confinement=None) -> dict:
    """Return the heading of results.json; the hashes are of the files of the course, and of the private exam."""
    course, exam = fingerprints
    return {
        "schema": SCHEMA,
        "course": {"version": version, "fingerprint": course},
        "python": platform.python_version(),
        "module": module,
        "seed": settings.seed,
        "seed_per_student": settings.per_student,
        "limits": asdict(settings.limits),
        "exam": exam,
        "counting": settings.points and dict(settings.points),
        "confinement": confinement and asdict(confinement),
    }


def grader_failed(record):
    """Return whether the grader itself failed on a submission, or on an exercise of it."""
    statuses = [record["status"], *(each["status"] for each in record["exercises"])]
    return NOT_GRADED in statuses or NOT_JUDGED in statuses


def _hash(digest, heading):
    return digest_of(json.dumps([digest, heading], sort_keys=True).encode())


def course_fingerprint() -> str:
    """Return a hash of the course: its code, questions, known wrong answers and solutions; twelve digits."""
    files = [*PACKAGE.rglob("*.py"), *PACKAGE.glob("_modules/*.ipynb"), *PACKAGE.glob("_solutions/*.ipynb")]
    root = repository_root()
    if root:
        exams = root / "tests" / "exams"
        files += [*exams.rglob("*.py"), *exams.rglob("*.toml"), *(root / "solutions").glob("*.ipynb")]
    total = hashlib.sha256()
    for file in sorted(files):
        base = root if root and file.is_relative_to(root) else PACKAGE
        total.update(str(file.relative_to(base)).encode() + b"\0" + file.read_bytes())
    return total.hexdigest()[:12]
