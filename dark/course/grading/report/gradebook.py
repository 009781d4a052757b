"""The gradebook: the folder that stores the results of a batch, and its tables.

::

    gradebook.db           all results, a SQLite database, for teachers only; everything else is made from it
    index.html             all submissions, with a link to each page
    grades.csv             one row for each submission, one column for each exercise
    results.json           all results, and their history; of hidden questions what a student may see
    teacher/hidden.html    all about the hidden questions, if there are any; for teachers only
    teacher/hidden.json    the same as data
    pages/NAME.html        the report of one submission, as the student sees it

A record has a key, a hash of the submission's bytes, the settings and the course. A later run reuses the
records whose key is unchanged and whose seal is its own. Every file is written atomically.
"""

import hashlib
import json
import platform
from dataclasses import asdict
from pathlib import Path

from dark.course.exams.questions import private_fingerprint
from dark.course.gradebook.seal import read_key
from dark.course.gradebook.store import Store
from dark.course.gradebook.takeover import take_over
from dark.course.grading.graded_file import digest_of
from dark.course.grading.report.folders import SCHEMA, open_folder
from dark.course.grading.report.grade_table import grades_csv
from dark.course.grading.report.hidden_table import hidden_page, hidden_rows
from dark.course.grading.report.html_pages import index_page, submission_page
from dark.course.grading.report.record import as_json, changes_between, record_of, reports_of
from dark.course.grading.result import NOT_GRADED, NOT_JUDGED
from dark.course.lessons.library import repository_root
from dark.course.lessons.notebook_files import PACKAGE, save_file
from dark.course.uploads import counting_best
from dark.errors import CourseError

WAITING = "not yet graded"


def course_fingerprint():
    """Return a hash of the course: its code, questions, known wrong answers and solutions.

    Returns
    -------
    str
        Twelve hexadecimal digits.
    """
    files = [*PACKAGE.rglob("*.py"), *PACKAGE.glob("_modules/*.ipynb")]
    root = repository_root()
    if root:
        exams = root / "tests" / "exams"
        files += [*exams.rglob("*.py"), *exams.rglob("*.toml"), *(root / "solutions").glob("*.ipynb")]
    total = hashlib.sha256()
    for file in sorted(files):
        total.update(str(file.relative_to(root or PACKAGE)).encode() + b"\0" + file.read_bytes())
    return total.hexdigest()[:12]


class Gradebook:
    """The results of a batch, stored in a folder.

    Parameters
    ----------
    folder : path
        The folder; created if missing.
    settings : Settings
        Limits and seed of the grading.
    version : str
        The version of the course.
    module : str, optional
        The module that is graded; by default each notebook names its own.
    confinement : Confinement, optional
        How the students' code is confined; the first line of the report.
    finish : callable, optional
        Computes the rows of the tables from the records, such as `dark.course.policy.Policy.rows`.
    tell : callable, optional
        Called with a sentence when the database is damaged, or somebody else has written in it.
    """

    def __init__(
        self,
        folder,
        settings,
        version,
        module=None,
        confinement=None,
        *,
        finish=counting_best,
        tell=lambda text: None,
    ):
        self.folder, self.finish = Path(folder), finish
        self._store, self._tell = None, tell
        self._secret, self._exam = read_key(), settings.exam
        self.heading = {
            "schema": SCHEMA,
            "course": {"version": version, "fingerprint": course_fingerprint()},
            "python": platform.python_version(),
            "module": module,
            "seed": settings.seed,
            "seed_per_student": settings.per_student,
            "limits": asdict(settings.limits),
            "exam": settings.exam and private_fingerprint(settings.exam),
            "counting": settings.points and dict(settings.points),
            "confinement": confinement and asdict(confinement),
        }
        if open_folder(self.folder):
            # a later run recognizes the folder by this file, even if this run is killed
            self.save("results.json", as_json({**self.heading, "complete": False, "submissions": []}))

    @property
    def store(self):
        """The database, opened when it is first used: by then, this process holds the lock of the folder."""
        if self._store is None:
            self._store = Store(self.folder, self._secret, self._tell)
            take_over(self.folder, self._store, self._secret)
        return self._store

    def close(self):
        """Close the database."""
        if self._store is not None:
            self._store.close()
            self._store = None

    def kept(self, submission):
        """Return the record of an earlier run if its key is unchanged.

        Parameters
        ----------
        submission : Submission
            The file.

        Returns
        -------
        dict or None
        """
        if submission.fault:
            return None
        record = self.store.record(submission.name)
        try:
            if record is None or _grader_failed(record) or record["key"] != self._key(digest_of(submission.read())):
                return None
        except OSError:
            return None
        self.store.end(submission.slug)
        return record | {"counts": submission.counts}

    def begin(self, submission):
        """Note that a submission is being graded, until `keep` is called.

        Parameters
        ----------
        submission : Submission
            The file.
        """
        self.store.begin(submission.slug)

    def was_interrupted(self, submission):
        """Return whether an earlier batch ended while it graded this submission, which may have been the reason.

        Parameters
        ----------
        submission : Submission
            The file.

        Returns
        -------
        bool
        """
        return self.store.was_interrupted(submission.slug)

    def check_course(self):
        """Refuse results if the course has changed since the batch began.

        Raises
        ------
        CourseError
            If a file of the course has changed.
        """
        exam = self._exam and private_fingerprint(self._exam)
        if (course_fingerprint(), exam) != (self.heading["course"]["fingerprint"], self.heading["exam"]):
            raise CourseError(
                "The files of the course changed while the batch was running; some results may be by the old ones.",
                "the same questions, solutions and code for a whole batch.",
                "the same command again; it grades all submissions by the new files",
            )

    def keep(self, submission, graded):
        """Store the result of one submission, and write its page.

        Parameters
        ----------
        submission : Submission
            The file.
        graded : Graded
            The result.

        Returns
        -------
        dict
            The record.
        """
        record = record_of(submission, graded) | {"key": self._key(graded.digest)}
        record = json.loads(as_json(record))  # as a later run reads it
        before = self.store.record(submission.name)
        reason = "the submission has changed" if before and before["digest"] != record["digest"] else "graded again"
        changes = changes_between(before, record, reason)
        reports = reports_of(graded.result)
        self.store.keep(record, reports, slug=submission.slug, changes=changes)
        self.save(record["page"], submission_page(record, reports))
        return record

    def write(self, records, waiting=(), elapsed_seconds=0.0):
        """Write the three files that list all submissions, and at the end the pages that have changed.

        Parameters
        ----------
        records : list of dict
            As returned by `keep` and `kept`.
        waiting : collection of Submission
            The submissions that are not graded yet.
        elapsed_seconds : float
            Duration of the batch.

        Returns
        -------
        dict
            The content of results.json.
        """
        rows = self.finish([*records, *({"name": each.name, "status": WAITING} for each in waiting)])
        rows.sort(key=lambda record: record["name"])
        results = {**self.heading, "complete": not waiting}
        shown = [{key: value for key, value in row.items() if key != "hidden"} for row in rows]
        results |= {"elapsed_seconds": round(elapsed_seconds, 3), "submissions": shown}
        results["history"] = self.store.history()
        self.store.flush()
        self.save("results.json", as_json(results))
        self.save("grades.csv", grades_csv([row for row in rows if row.get("counts", True)]))
        self.save("index.html", index_page(results))
        if hidden := hidden_rows(rows):
            self.save("teacher/hidden.json", as_json(hidden))
            self.save("teacher/hidden.html", hidden_page(hidden))
        if not waiting:
            self._write_pages(records)
        return results

    def _write_pages(self, records):
        for record in records:
            page, path = submission_page(record, self.store.reports(record["name"])), self.folder / record["page"]
            if not path.is_file() or path.read_bytes() != page.encode():
                self.save(record["page"], page)

    def _key(self, digest):
        return digest_of(json.dumps([digest, self.heading], sort_keys=True).encode())

    def save(self, name, text):
        """Write a file of the report.

        Parameters
        ----------
        name : str
            Its name below the folder.
        text : str
            The content.

        Raises
        ------
        CourseError
            If it cannot be written.
        """
        try:
            save_file(self.folder / name, text)
        except OSError as error:
            raise CourseError(
                f"{self.folder / name}: cannot be written ({error.strerror}).",
                "free disk space, and a folder with write permission.",
                "another folder for --out; the results so far are saved in this one",
            ) from error


def _grader_failed(record):
    statuses = [record["status"], *(each["status"] for each in record["exercises"])]
    return NOT_GRADED in statuses or NOT_JUDGED in statuses
