"""The gradebook: the folder that stores the results of a batch, and its tables.

::

    gradebook.db           all results, a SQLite database, for teachers only; everything else is made from it
    index.html             all submissions, with a link to each page
    grades.csv             one row for each submission, one column for each exercise
    results.json           all results, and their history; of hidden questions what a student may see
    teacher/rubric.html    where points and comments by hand are written, and downloaded as a rubric
    teacher/hidden.html    all about the hidden questions, if there are any; for teachers only
    teacher/hidden.json    the same as data
    pages/NAME.html        the report of one submission, as the student sees it

A record has a key, a hash of the submission's bytes, the settings and the course. A later run reuses the
records whose key is unchanged and whose seal is its own. Every file is written atomically.
"""

import json
import platform
from dataclasses import asdict
from pathlib import Path

from dark.course.exams.questions import private_fingerprint
from dark.course.gradebook.by_hand import ByHand
from dark.course.gradebook.rubric import as_data, from_data
from dark.course.gradebook.rubric_page import rubric_page
from dark.course.gradebook.seal import read_key
from dark.course.gradebook.store import Store
from dark.course.gradebook.takeover import take_over
from dark.course.grading.graded_file import digest_of
from dark.course.grading.report.fingerprint import course_fingerprint
from dark.course.grading.report.folders import SCHEMA, open_folder
from dark.course.grading.report.grade_table import grades_csv
from dark.course.grading.report.hidden_table import hidden_page, hidden_rows
from dark.course.grading.report.html_pages import index_page, submission_page
from dark.course.grading.report.record import as_json, changes_between, differ, mark_of, merged, record_of, reports_of
from dark.course.grading.report.results_file import light, results_lines, save_lines, with_questions
from dark.course.grading.result import NOT_GRADED, NOT_JUDGED
from dark.course.lessons.notebook_files import save_file
from dark.course.uploads import counting_best
from dark.errors import CourseError

WAITING = "not yet graded"


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
    pages : dict of str to (str, callable), optional
        Further pages, written at the end: by name of the file, the title, and what makes the page of the results.
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
        pages=(),
    ):
        self.folder, self.finish, self._pages = Path(folder), finish, dict(pages)
        self._store, self._tell, self.changes = None, tell, []
        self._by_hand = None
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

    @property
    def marks(self):
        """The points and comments by hand: those of the last rubric that was given."""
        return from_data(self.store.document("rubric"))

    @property
    def by_hand(self):
        """The marks by hand, to be applied to records."""
        if self._by_hand is None:
            self._by_hand = ByHand(self.marks)
        return self._by_hand

    def set_rubric(self, marks):
        """Replace all points and comments by hand; later runs keep them.

        Parameters
        ----------
        marks : tuple of Mark
            As `read_rubric` returns them.
        """
        self.store.set_document("rubric", as_data(marks))
        self._by_hand = None

    def rows(self, records):
        """Return the rows of the tables: the records with what is marked by hand, after the policy of the course.

        Parameters
        ----------
        records : list of dict
            As returned by `keep` and `kept`.

        Returns
        -------
        list of dict
            Sorted by name.
        """
        rows = self.finish([self.by_hand.applied(record) for record in records])
        return sorted(rows, key=lambda record: record["name"])

    def kept(self, submission, only=()):
        """Return the record of an earlier run if its key is unchanged.

        Parameters
        ----------
        submission : Submission
            The file.
        only : collection of str, optional
            Exercises that must have been graded again by this course.

        Returns
        -------
        dict or None
        """
        record = self._unchanged(submission, "key", self.heading)
        if record is None or not self._touched(record, only) <= set(record.get("regraded", ())):
            return None
        self.store.end(submission.slug)
        return light(record | {"counts": submission.counts})

    def keeps_others(self, submission, only):
        """Return whether the record of an earlier run stays, except for some exercises.

        Parameters
        ----------
        submission : Submission
            The file.
        only : collection of str
            The exercises that are graded again.

        Returns
        -------
        bool
            Whether submission and settings are unchanged; the course may have changed.
        """
        record = self._unchanged(submission, "settings", self._settings)
        return record is not None and bool(self._touched(record, only))

    def _unchanged(self, submission, entry, heading):
        """Return the record that was made from the same bytes and the same heading."""
        record = None if submission.fault else self.store.record(submission.name)
        try:
            if record is None or _grader_failed(record):
                return None
            return record if record.get(entry) == _key(digest_of(submission.read()), heading) else None
        except OSError:
            return None

    def _touched(self, record, only):
        return {each["exercise"] for each in record["exercises"]} & set(only)

    @property
    def _settings(self):
        """What a record depends on besides the submission and the course."""
        return {name: value for name, value in self.heading.items() if name not in ("course", "exam", "python")}

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
        before = self.store.record(submission.name)
        record = self._record(submission, graded)
        reason = "the submission has changed" if before and before["digest"] != record["digest"] else "graded again"
        return self._keep(submission, before, record, reports_of(graded.result), reason)

    def keep_part(self, submission, graded):
        """Store the result of some exercises of a submission, and keep the others.

        Parameters
        ----------
        submission : Submission
            The file.
        graded : Graded
            The result of these exercises.

        Returns
        -------
        dict
            The record.
        """
        before, again = self.store.record(submission.name), self._record(submission, graded)
        names = sorted({each["exercise"] for each in again["exercises"]})
        record, reports = merged(before, again), self.store.reports(submission.name) | reports_of(graded.result)
        if record is not again:
            known = before.get("regraded", ()) if before["key"] == again["key"] else ()
            record = record | {"regraded": sorted({*known, *names})}
            record.pop("flaky", None)
        return self._keep(submission, before, record, reports, f"--regrade {','.join(names)}")

    def keep_second(self, submission, graded):
        """Store which exercises of a submission have other points in a second run.

        Parameters
        ----------
        submission : Submission
            The file.
        graded : Graded
            The result of the second run. The points stay those of the first.

        Returns
        -------
        dict
            The record; "flaky" is a list, absent if the two runs cannot be compared.
        """
        record, again = self.store.record(submission.name), self._record(submission, graded)
        if not _grader_failed(again) and again["key"] == record["key"]:
            second = {each["exercise"]: each for each in again["exercises"]}
            record["flaky"] = [
                {"exercise": each["exercise"], "first": mark_of(each), "second": mark_of(second[each["exercise"]])}
                for each in record["exercises"]
                if each["exercise"] in second and differ(each, second[each["exercise"]])
            ]
        self.store.keep(record, self.store.reports(submission.name), slug=submission.slug)
        return light(record)

    def _record(self, submission, graded):
        keys = {"key": _key(graded.digest, self.heading), "settings": _key(graded.digest, self._settings)}
        return json.loads(as_json(record_of(submission, graded) | keys))  # as a later run reads it

    def _keep(self, submission, before, record, reports, reason):
        changes = changes_between(before, record, reason)
        self.store.keep(record, reports, slug=submission.slug, changes=changes)
        self.changes += changes
        self.save(record["page"], submission_page(self.by_hand.applied(record), reports))
        return light(record)

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
            The content of results.json, without the details of the questions.
        """
        rows = self.rows([*records, *({"name": each.name, "status": WAITING} for each in waiting)])
        results = {**self.heading, "complete": not waiting, "elapsed_seconds": round(elapsed_seconds, 3)}
        results["history"] = self.store.history()
        self.store.flush()
        shown = (with_questions(row, self.store.record(row["name"])) for row in rows)
        self.save("results.json", results_lines(results, shown))
        results["submissions"] = rows
        self.save("grades.csv", grades_csv([row for row in rows if row.get("counts", True)]))
        self.save("index.html", index_page(results, () if waiting else self._pages))
        if hidden := hidden_rows(rows):
            self.save("teacher/hidden.json", as_json(hidden))
            self.save("teacher/hidden.html", hidden_page(hidden))
        marked = sorted(map(self.by_hand.applied, records), key=lambda record: record["name"])
        self.save("teacher/rubric.html", rubric_page(marked, self.marks))  # one for each submission, also of a group
        if not waiting:
            self._write_pages(record["name"] for record in records)
            for name, (_, make) in self._pages.items():
                self.save(name, make(results))
        return results

    def _write_pages(self, names):
        for record in map(self.by_hand.applied, filter(None, map(self.store.record, names))):
            page, path = submission_page(record, self.store.reports(record["name"])), self.folder / record["page"]
            if not path.is_file() or path.read_bytes() != page.encode():
                self.save(record["page"], page)

    def save(self, name, text):
        """Write a file of the report.

        Parameters
        ----------
        name : str
            Its name below the folder.
        text : str or iterable of str
            The content, as a whole or in lines.

        Raises
        ------
        CourseError
            If it cannot be written.
        """
        try:
            (save_file if isinstance(text, str) else save_lines)(self.folder / name, text)
        except OSError as error:
            raise CourseError(
                f"{self.folder / name}: cannot be written ({error.strerror}).",
                "free disk space, and a folder with write permission.",
                "another folder for --out; the results so far are saved in this one",
            ) from error


def _key(digest, heading):
    return digest_of(json.dumps([digest, heading], sort_keys=True).encode())


def _grader_failed(record):
    statuses = [record["status"], *(each["status"] for each in record["exercises"])]
    return NOT_GRADED in statuses or NOT_JUDGED in statuses
