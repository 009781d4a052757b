"""Tests of the limits of records and pages: what is too much is left out, with a note on the page."""

import json
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from dark.course.exams.exam import Hidden
from dark.course.exams.plain import Difference
from dark.course.judging.verdict import Finding, Verdict
from dark.grading.exports import EXPORTS
from dark.grading.grader.grade import Graded
from dark.grading.grader.result import Result
from dark.grading.report.hidden_table import hidden_page, hidden_rows
from dark.grading.report.html_pages import index_page, submission_page
from dark.grading.report.page_limits import MOST_PAGE, MOST_RECORD, limited_record, within
from dark.grading.report.record import record_of
from dark.grading.report.results_file import compact_json
from dark.grading.uploads import Submission, find_submissions

PICTURE = f'<img src="data:image/svg+xml;base64,{"A" * 500_000}" alt="a graph">'
FILE = Path("f" * 250 + ".ipynb")
NAMES = [f"e{k}" for k in range(9)]


def record(questions=1, status="graded", **fields):
    """Return the record of a submission whose questions have all that they can have."""
    values = Difference("a" * 300, "y" * 900, "e" * 900)
    finding = Finding("q", "T.", 1, 0, "wrong", {"x": 1}, (values,) * 100, "r" * 5000, printed="p" * 5000)
    findings = (finding,) * questions + (replace(finding, hidden=Hidden("edges", "")),)
    verdicts = tuple(Verdict("01", name, "wrong", findings, 0, questions) for name in NAMES)
    made = Graded(Result(status, "m" * 10_000, "01", verdicts if status == "graded" else (), notes=("n" * 5000,)))
    return record_of(Submission("ann", FILE), made) | fields


def test_pictures_go_first_and_the_page_says_so():
    reports = {name: f"<p>{name} is wrong.</p>{PICTURE}" for name in NAMES}
    page = submission_page(record(), reports)
    assert len(page.encode()) <= MOST_PAGE and page.count("is wrong.") == 9
    assert 0 < page.count("<img") < 9
    assert page.count("<p>! The pictures are left out: the page would be larger than") == 9 - page.count("<img")


def test_then_the_details_go():
    reports = dict.fromkeys(NAMES, f"<p>{'é' * 400_000}</p>")
    page = submission_page(record(), reports)
    assert len(page.encode()) <= MOST_PAGE and "the details are left out: the page would be larger than" in page
    assert within({"a": "x"}) == {"a": "x"}


def test_a_record_loses_the_details_of_its_questions():
    found = limited_record(record(questions=8))
    assert len(compact_json(found)) <= MOST_RECORD
    questions = [each for exercise in found["exercises"] for each in exercise["questions"]]
    told = [each for each in questions if each.get("left_out", "").startswith("the details: a record has at most")]
    assert told and all(each["differences"] == [] and each["status"] == "wrong" for each in told)
    small = json.loads(compact_json(record_of(Submission("ann", FILE), Graded(Result("graded", "", "01")))))
    assert limited_record(small) == small


def test_what_a_student_writes_into_a_table_is_cut():
    found = record(status="not a notebook")
    assert [len(found[name]) <= 500 for name in ("file", "message", "failed")] == [True] * 3
    assert "more characters)" in found["message"] and max(map(len, found["notes"])) <= 2000


def test_no_export_is_larger_than_its_records():
    row = limited_record(record(questions=8)) | {"owner": {"system": "canvas", "id": "1", "name": "Ann"}}
    for name, make in EXPORTS.items():
        owned = row | {"owner": row["owner"] | {"system": name}}
        for text in make({"submissions": [owned]}).values():
            assert len(text) < 60_000


def test_the_page_of_hidden_questions_is_for_a_browser():
    one = record()
    rows = hidden_rows([one | {"name": f"student {k}"} for k in range(400)])
    page = hidden_page(rows)
    assert len(page.encode()) <= MOST_PAGE and "more rows are left out here; hidden.json has all." in page
    assert "and 98 more" in page and "left out" not in hidden_page(rows[:3])


def test_a_long_name_in_a_zip_is_cut_and_stays_unique(tmp_path):
    with zipfile.ZipFile(tmp_path / "class.zip", "w") as archive:
        for end in "ab":
            archive.writestr(f"{'n' * 30_000}{end}.ipynb", "{}")
    names = [each.name for each in find_submissions(tmp_path / "class.zip")]
    assert len(set(names)) == 2 and max(map(len, names)) < 210


def index(*rows):
    return index_page({"submissions": rows, "complete": True, "course": {"version": "1"}, "seed": 0})


def test_the_last_column_of_the_index_tells_what_the_marks_do_not():
    row = {"name": "ann", "page": "p", "status": "graded", "earned": 0, "points": 2, "failed": "slope wrong"}
    wrong, unjudged = ({"exercise": "slope", "status": status} for status in ("wrong", "not judged"))
    page = index(row | {"exercises": [wrong]})
    assert ">remarks</th>" in page and "slope wrong" not in page and 'class="remarks"' not in page
    page = index(row | {"exercises": [unjudged], "notes": ["A <note>."], "final": 1, "note": "late"})
    assert '<div class="remarks" title="slope not judged late A &lt;note&gt;.">' in page
    assert "It is a zip." in index({"name": "bob", "status": "not a notebook", "failed": "It is a zip."})


@pytest.mark.long
@pytest.mark.browser
def test_the_index_of_a_class_fits_a_window(chromium, tmp_path):
    statuses = [{"exercise": name, "status": "not attempted"} for name in NAMES]
    rows = [
        {"name": f"Student Number {k} {'x' * 40 * (k == 7)}", "page": "p", "status": "graded", "earned": 10,
         "points": 102, "exercises": statuses, "failed": "e0 wrong, " * 9, "notes": ["A long note. " * 20] * (k % 2)}
        for k in range(60)
    ]  # fmt: skip
    (tmp_path / "index.html").write_text(index(*rows))
    page = chromium.new_page(viewport={"width": 1200, "height": 900})
    page.goto((tmp_path / "index.html").as_uri())
    width, height = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]")
    assert width <= 1200 and height < 60 * 50 + 400
    page.close()
