"""The gradebook: the folder that stores the results of a batch, and its tables.

::

    gradebook.db           all results, a SQLite database, for teachers only; everything else is made from it
    index.html             all submissions, with a link to each page
    grades.csv             one row for each submission, one column for each exercise
    results.json           all results, and their history; of hidden questions what a student may see
    teacher/rubric.html    where manual points and comments are written, and downloaded as a rubric
    teacher/hidden.html    all about the hidden questions, if there are any; for teachers only
    teacher/hidden.json    the same as data
    pages/NAME.html        the report of a submission, as the student sees it

A later run reuses the records whose key, a hash of the submission's bytes, the settings and the course, is unchanged.
"""

import json
from functools import partial
from pathlib import Path

from dark.course.exams.questions import private_fingerprint
from dark.errors import CourseError
from dark.grading.gradebook.by_hand import ByHand
from dark.grading.gradebook.rubric import as_data, from_data
from dark.grading.gradebook.rubric_page import rubric_page
from dark.grading.gradebook.seal import read_key
from dark.grading.gradebook.store import Store
from dark.grading.report.html_pages import submission_page
from dark.grading.report.identity import Identity, course_fingerprint, grader_failed, heading_of
from dark.grading.report.page_limits import limited_record, within
from dark.grading.report.record import changes_between, compared, record_of, regraded, reports_of, whose
from dark.grading.report.report_files import ReportFiles
from dark.grading.report.results_file import as_json, compact_json, light, open_folder, with_questions
from dark.grading.report.row_names import Students, for_rubric, with_names
from dark.grading.uploads import counting_best

WAITING = "not yet graded"


class Gradebook:
    """The results of a batch, stored in a folder.

    `finish` computes the rows of the tables from the records and what adds manual marks, such as `Policy.rows`. `pages`
    are written at the end: by name of the file, the title, and the function that makes the page of the results.
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
        owners=None,
        tell=lambda text: None,
        pages=(),
    ):
        self.folder, self._files, self.students = Path(folder), ReportFiles(folder, pages), Students(owners)
        self._store, self._tell, self.changes = None, tell, []
        self.finish, self._by_hand = finish, None
        self._current = set()  # the pages that show the record and the manual marks as they are now
        self._secret, self._exam = read_key(), settings.exam
        self.heading = heading_of(settings, version, self._fingerprints(), module, confinement)
        self._identity = Identity(self.heading)
        if open_folder(self.folder):
            # a later run recognizes the folder by this file, even if this run is killed
            self.save("results.json", as_json({**self.heading, "complete": False, "submissions": []}))

    @property
    def store(self):
        """The database, opened when it is first used: by then, this process holds the lock of the folder."""
        if self._store is None:
            self._store = Store(self.folder, self._secret, self._tell)
        return self._store

    def close(self):
        """Close the database."""
        if self._store is not None:
            self._store.close()
            self._store = None

    @property
    def marks(self):
        """The manual points and comments of the last rubric that was given."""
        return from_data(self.store.document("rubric"))

    @property
    def by_hand(self):
        """The manual marks, to be applied to records."""
        if self._by_hand is None:
            self._by_hand = ByHand(self.marks, self.students.who)
        return self._by_hand

    def set_rubric(self, marks):
        """Replace all manual points and comments, a tuple as `read_rubric` returns it; later runs keep them."""
        self.store.set_document("rubric", as_data(marks))
        self._by_hand = None
        self._current.clear()

    def rows(self, records):
        """Return the rows of the tables: records with their manual marks, after the policy of the course."""
        rows = self.finish(records, partial(self.students.marked, self.by_hand))
        return with_names(rows, self.students.have_roster)

    def kept(self, submission, only=()):
        """Return the unchanged record of an earlier run, if the exercises in `only` were graded by this course, too."""
        record = self._unchanged(submission, "key")
        if record is None or not self._touched(record, only) <= set(record.get("regraded", ())):
            return None
        self.store.end(submission.slug)
        kept = {key: value for key, value in record.items() if key != "doubt"}
        return light(kept | json.loads(compact_json(whose(submission))))

    def keeps_others(self, submission, only):
        """Return whether bytes and settings have not changed, so that only the exercises in `only` are graded again."""
        record = self._unchanged(submission, "settings")
        return record is not None and bool(self._touched(record, only))

    def _unchanged(self, submission, entry):
        """Return the record that was made from the same bytes, and the entry from which its key was computed."""
        record = None if submission.fault else self.store.record(submission.name)
        return record if record and self._identity.has_made(record, submission, entry) else None

    def _touched(self, record, only):
        return {each["exercise"] for each in record["exercises"]} & set(only)

    def begin(self, submission):
        """Note that a submission is being graded, until `keep` is called."""
        self.store.begin(submission.slug)

    def was_interrupted(self, submission):
        """Return whether an earlier batch ended while it graded this submission, which may have been the reason."""
        return self.store.was_interrupted(submission.slug)

    def check_course(self):
        """Refuse results if the course has changed since the batch began."""
        if self._fingerprints() != (self.heading["course"]["fingerprint"], self.heading["exam"]):
            what = "The files of the course changed while the batch was running; some results may be by the old ones."
            expected = "the same questions, solutions and code for a whole batch."
            raise CourseError(what, expected, "run the same command again; it grades all submissions by the new files")

    def _fingerprints(self):
        return course_fingerprint(), self._exam and private_fingerprint(self._exam)

    def keep(self, submission, graded):
        """Store the result of a submission, a `Graded`, and write its page; return the record."""
        before = self.store.record(submission.name)
        record = self._record(submission, graded)
        reason = "the submission has changed" if before and before["digest"] != record["digest"] else "graded again"
        return self._keep(submission, before, record, reports_of(graded.result), reason)

    def keep_part(self, submission, graded):
        """Store the result of some exercises of a submission, and keep the others; return the record."""
        before, again = self.store.record(submission.name), self._record(submission, graded)
        reports = self.store.reports(submission.name) | reports_of(graded.result)
        names = ",".join(sorted({each["exercise"] for each in again["exercises"]}))
        return self._keep(submission, before, regraded(before, again), reports, f"--regrade {names}")

    def keep_second(self, submission, graded):
        """Store which exercises have other points in a second run, if both can be compared; return the record."""
        record, again = self.store.record(submission.name), self._record(submission, graded)
        if not grader_failed(again):
            record = compared(record, again)
        self.store.keep(record, self.store.reports(submission.name), slug=submission.slug)
        self._current.discard(record["page"])
        return light(record)

    def _record(self, submission, graded):
        record = record_of(submission, graded) | self._identity.keys(graded.digest)
        return json.loads(compact_json(limited_record(record)))  # as a later run reads it

    def _keep(self, submission, before, record, reports, reason):
        changes, reports = changes_between(before, record, reason), within(reports)
        self.store.keep(record, reports, slug=submission.slug, changes=changes)
        self.changes += changes
        self.save(record["page"], submission_page(self.students.titled(self.by_hand, record), reports))
        self._current.add(record["page"])
        return light(record)

    def write(self, records: list[dict], waiting=(), elapsed_seconds: float = 0.0) -> dict:
        """Write the files that list all submissions, and at the end the pages that have changed; return the results."""
        rows = self.rows([*records, *({"name": each.name, "status": WAITING} for each in waiting)])
        results = {**self.heading, "complete": not waiting, "elapsed_seconds": round(elapsed_seconds, 3)}
        results["history"] = self.store.history()
        self.store.flush()
        shown = (with_questions(row, self.store.record(row["submission"])) for row in rows)
        self._files.save_tables(results, rows, shown)
        self.save("teacher/rubric.html", rubric_page(*for_rubric(records, rows, self.by_hand, self.students)))
        if not waiting:
            others = (record["name"] for record in records if record["page"] not in self._current)
            stored = filter(None, map(self.store.record, others))
            titled = map(partial(self.students.titled, self.by_hand), stored)
            self._files.save_pages(results, titled, self.store.reports)
        return results

    def add_page(self, name, title, text):
        """Write a further page of the report, as `ReportFiles.add_page`."""
        self._files.add_page(name, title, text)

    def save(self, name, text):
        """Write a file of the report, as `ReportFiles.save`."""
        self._files.save(name, text)
