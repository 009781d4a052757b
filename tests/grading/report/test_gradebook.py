"""Tests of the gradebook: nothing is lost, nothing is graded twice, no text of the student is executed."""

import csv
import io
import json
import shutil
import sqlite3
from contextlib import closing, contextmanager
from functools import partial
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dark.course.lessons.library import load_module
from dark.errors import CourseError, UsageError
from dark.grading.batch import folder as filling
from dark.grading.batch.folder import grade_folder
from dark.grading.gradebook.seal import read_key
from dark.grading.gradebook.store import Store
from dark.grading.grader.grade import Settings
from dark.grading.report import gradebook, html_pages, identity, report_files
from dark.grading.report.grade_table import grade_line, grades_csv, grades_text, percent
from dark.grading.report.gradebook import Gradebook
from dark.grading.sandbox.limits import Limits
from dark.grading.uploads import find_submissions
from tests.course import tiny

ROOMY = Settings(Limits(wall_seconds=60, cpu_seconds=30, memory_mib=512))
ODD = "<script>alert(1)</script>"


def submissions_in(root):
    """Write three submissions: a right one, a wrong one, and a file that cannot be read."""
    (root / "in").mkdir()
    wrong = tiny.RIGHT | {"square": f"def square(x):\n    raise ValueError('{ODD} \\ud800')"}
    for name, content in (
        ("ann", tiny.submission(**tiny.RIGHT)),
        ("=bob", tiny.submission(**wrong)),
        (f"{ODD[:8]}", b"no"),
    ):
        (root / "in" / f"{name}.ipynb").write_bytes(content)
    return root


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(gradebook, "course_fingerprint", lambda: "the same")
    return submissions_in(tmp_path)


@pytest.fixture(scope="module")
def graded_once(tmp_path_factory):
    """Grade the three submissions once for all tests that only need the result."""
    root = submissions_in(tmp_path_factory.mktemp("graded"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gradebook, "course_fingerprint", lambda: "the same")
        assert len(fill(root)) == 3
    return root


@pytest.fixture
def graded(folder, graded_once):
    """Return a folder whose submissions are graded already."""
    shutil.copytree(graded_once / "out", folder / "out")
    return folder


told = []  # by the last gradebook


@contextmanager
def database(folder):
    """Open the gradebook as someone else, who does not know the key."""
    with closing(sqlite3.connect(folder / "out" / "gradebook.db")) as connection, connection:
        yield connection


def fill(folder, settings=ROOMY, **options):
    """Grade the folder and say which were graded and which were reused."""
    submissions = find_submissions(folder / "in")
    told.clear()
    book = Gradebook(folder / "out", settings, "1.0", "77", tell=told.append)
    assign = partial(tiny.assignment, folder)
    found = list(grade_folder(book, submissions, settings, assign=assign, **options))
    return {record["name"] for record, kept in found if not kept}


def results(folder):
    return json.loads((folder / "out" / "results.json").read_text())


def by_name(folder):
    return {record["name"]: record for record in results(folder)["submissions"]}


def test_everything_is_in_results_json(graded):
    found = results(graded)
    assert found["schema"] == 1 and found["complete"] and found["seed"] == 0
    assert found["limits"]["wall_seconds"] == 60 and found["course"]["version"] == "1.0"
    bob = by_name(graded)["=bob"]
    assert (bob["status"], bob["earned"], bob["points"]) == ("graded", 3, 4)
    assert [each["status"] for each in bob["exercises"]] == ["right", "error", "right"]
    assert bob["together"] == {"double": "right", "square": "error", "both": "right"}
    assert by_name(graded)["<script>"]["status"] == "not a notebook"


def test_a_second_run_takes_over_what_has_not_changed(folder):
    assert len(fill(folder)) == 3
    before = results(folder)["submissions"]
    assert fill(folder) == set()
    assert results(folder)["submissions"] == before


def test_only_a_changed_submission_is_graded_again(graded):
    (graded / "in" / "ann.ipynb").write_bytes(tiny.submission())
    assert fill(graded) == {"ann"}
    assert by_name(graded)["ann"]["earned"] == 0


@pytest.mark.long
def test_other_settings_grade_everything_again(graded):
    assert len(fill(graded, Settings(ROOMY.limits, seed=1))) == 3


def test_another_course_grades_everything_again(graded, monkeypatch):
    monkeypatch.setattr(gradebook, "course_fingerprint", lambda: "another")
    assert len(fill(graded)) == 3


def test_the_fingerprint_tells_one_course_from_another(tmp_path, monkeypatch):
    code, bank = tmp_path / "dark" / "a.py", tmp_path / "tests" / "exams" / "bank" / "b.toml"
    for file in (code, bank):
        file.parent.mkdir(parents=True)
        file.write_text("x = 1")
    monkeypatch.setattr(identity, "PACKAGE", tmp_path / "dark")
    monkeypatch.setattr(identity, "repository_root", lambda: tmp_path)
    seen = {identity.course_fingerprint()}
    for file in (code, bank):
        file.write_text("x = 2")
        seen.add(identity.course_fingerprint())
    monkeypatch.setattr(identity, "repository_root", lambda: None)
    seen.add(identity.course_fingerprint())
    assert len(seen) == 4


def test_fresh_grades_everything_again(graded):
    assert len(fill(graded, fresh=True)) == 3


OTHER_DAMAGE = ["", "[]", '{"key": 3, "page": "x"}', b"\xff"]


@pytest.mark.parametrize("damage", ["{", *(pytest.param(other, marks=pytest.mark.long) for other in OTHER_DAMAGE)])
def test_a_damaged_record_is_graded_again(graded, damage):
    with database(graded) as rows:
        rows.execute("UPDATE records SET record = ? WHERE name = 'ann'", (damage,))
    assert fill(graded) == {"ann"}
    assert "someone else has written the row 'ann' of records" in told[0]


def test_a_forged_record_is_graded_again(graded):
    def earned():
        with database(graded) as rows:
            return rows.execute("SELECT earned FROM submissions WHERE name = 'ann'").fetchone()[0]

    before = earned()
    with database(graded) as rows:
        rows.execute("UPDATE records SET record = json_set(record, '$.earned', 1000) WHERE name = 'ann'")
    assert earned() == 1000
    fill(graded)
    assert earned() == before == by_name(graded)["ann"]["earned"]


def test_a_record_of_someone_else_is_graded_again(graded):
    with database(graded) as rows:
        best = rows.execute("SELECT record, reports, seal FROM records WHERE name = 'ann'").fetchone()
        rows.execute("UPDATE records SET record = ?, reports = ?, seal = ? WHERE name = '=bob'", best)
    assert fill(graded) == {"=bob"} and by_name(graded)["=bob"]["earned"] == 3


def test_a_course_that_changes_during_a_batch_is_an_error_in_three_parts(graded, monkeypatch):
    fingerprints = iter(["the same", "another"])
    monkeypatch.setattr(gradebook, "course_fingerprint", lambda: next(fingerprints))
    with pytest.raises(CourseError, match="changed while the batch was running(.|\n)*Expected: (.|\n)*Try: "):
        fill(graded)


@pytest.mark.parametrize("damage", [Path.unlink, lambda path: path.write_text("You have all points.")])
def test_a_missing_or_changed_page_is_made_again(graded, damage):
    path = next((graded / "out" / "pages").glob("ann*"))
    before = path.read_text()
    damage(path)
    assert fill(graded) == set() and path.read_text() == before


def test_the_columns_of_one_module_are_named_by_its_exercises():
    def record(name, module):
        answers = [{"exercise": each, "status": "right"} for each in load_module(module).exercises]
        return {"name": name, "status": "graded", "earned": 1, "points": 1, "exercises": answers}

    def page(*records):
        found = {"submissions": records, "complete": True, "course": {"version": "1"}, "seed": 0}
        return html_pages.index_page(found)

    unread = {"name": "zoe", "status": "not a notebook"}
    one, several = page(record("ann", "01"), unread), page(record("ann", "01"), record("bob", "02"))
    assert '<th scope="col">slope</th><th scope="col">add_mul</th>' in one and "exercises</th>" not in one
    assert one.split("zoe")[1].split("</tr>")[0].count("<td>") == one.split("ann")[1].split("</tr>")[0].count("<td>")
    assert "<style>th:nth-child(n + 4):nth-child(-n + 12) { writing-mode" in one and "writing-mode" not in several
    assert '<th scope="col">exercises</th>' in several
    assert '<span role="img" title="slope: right" aria-label="slope: right">✓</span>' in several


def test_a_failure_of_the_grader_is_tried_again(graded):
    with closing(Store(graded / "out", read_key())) as store:
        store.keep(store.record("ann") | {"status": "not graded"}, {})
    assert fill(graded) == {"ann"} and results(graded)["history"] == []


@pytest.mark.parametrize("error", [KeyboardInterrupt, pytest.param(RuntimeError, marks=pytest.mark.long)])
def test_what_is_finished_survives_an_interruption(folder, monkeypatch, error):
    real = filling.grade_all

    def interrupted(submissions, **options):
        yield next(real(submissions, **options))
        raise error

    monkeypatch.setattr(filling, "grade_all", interrupted)
    with pytest.raises(error):
        fill(folder)
    found = results(folder)
    statuses = [record["status"] for record in found["submissions"]]
    assert not found["complete"] and sorted(statuses) == ["not a notebook", "not yet graded", "not yet graded"]
    assert "This batch is not complete" in (folder / "out" / "index.html").read_text()
    monkeypatch.setattr(filling, "grade_all", real)
    assert len(fill(folder)) == 2 and results(folder)["complete"]


@pytest.mark.long
def test_the_tables_are_written_every_few_seconds(folder, monkeypatch):
    ticks = iter(range(0, 1000, 10))
    written = []
    real = Gradebook.write
    monkeypatch.setattr(Gradebook, "write", lambda self, *a: written.append(len(a[0])) or real(self, *a))
    fill(folder, clock=lambda: next(ticks))
    assert written == [1, 2, 3, 3]


def test_no_part_of_a_file_is_ever_left(graded):
    names = {path.name for path in (graded / "out").rglob("*") if path.is_file()}
    assert all(not name.startswith(".") for name in names)


class Tags(HTMLParser):
    """Collects what a page is made of."""

    def __init__(self):
        super().__init__()
        self.tags, self.links, self.ids = set(), [], set()

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        self.tags.add(tag)
        self.links += [attributes[key] for key in ("href", "src") if key in attributes]
        self.ids.add(attributes.get("id"))


def read_page(path):
    parser = Tags()
    parser.feed(path.read_text(encoding="utf-8"))
    return parser


def test_pages_stand_alone_and_run_nothing(graded):
    pages = [graded / "out" / "index.html", *(graded / "out" / "pages").glob("*.html")]
    assert len(pages) == 4
    for path in pages:
        page = read_page(path)
        assert "script" not in page.tags and "link" not in page.tags and "img" not in page.tags
        for link in page.links:
            target = path if link.startswith("#") else path.parent / link
            assert target.is_file() and (not link.startswith("#") or link[1:] in page.ids), link


def test_a_page_says_without_color_what_failed(graded):
    page = next((graded / "out" / "pages").glob("*bob*")).read_text(encoding="utf-8")
    for text in ("✓ right", "! error", "3 of 4 points", "ValueError: &lt;script&gt;", "exercise square, line 2"):
        assert text in page, text


def test_the_page_of_what_is_not_a_notebook_says_so(graded):
    page = (graded / "out" / by_name(graded)["<script>"]["page"]).read_text(encoding="utf-8")
    assert "! not a notebook" in page and "&lt;script&gt;" in page


@pytest.mark.parametrize("kind", ["is a file", "is not a report", "cannot be created"])
def test_an_unsuitable_folder_for_the_report_is_a_usage_error(tmp_path, kind):
    out = tmp_path / "out"
    if kind == "is a file":
        out.write_text("mine")
    elif kind == "is not a report":
        out.mkdir()
        (out / "thesis.txt").write_text("mine")
    else:
        (tmp_path / "file").write_text("mine")
        out = tmp_path / "file" / "out"
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(UsageError, match=f"{kind}(.|\n)*Expected: (.|\n)*Try: "):
        Gradebook(out, ROOMY, "1.0")
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize("results", [None, "[]", "{", '{"schema": 1}', '{"schema": 2, "submissions": []}'])
def test_a_folder_is_a_report_only_by_its_results(tmp_path, results):
    (tmp_path / "records").mkdir()
    (tmp_path / "index.html").write_text("mine")
    if results is not None:
        (tmp_path / "results.json").write_text(results)
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(UsageError, match="not empty and is not a report"):
        Gradebook(tmp_path, ROOMY, "1.0")
    assert sorted(tmp_path.rglob("*")) == before and (tmp_path / "index.html").read_text() == "mine"


def test_a_new_folder_is_a_report(tmp_path):
    for _ in range(2):
        with closing(Gradebook(tmp_path / "out", ROOMY, "1.0")):
            assert not results(tmp_path)["complete"]


def test_a_disk_that_is_full_raises_a_three_part_error(folder, monkeypatch):
    def full(path, text):
        raise OSError(28, "No space left on device")

    with closing(Gradebook(folder / "out", ROOMY, "1.0", "77")) as book:
        monkeypatch.setattr(report_files, "save_file", full)
        with pytest.raises(CourseError, match="cannot be written .No space left(.|\n)*Expected: (.|\n)*Try: "):
            book.write([])


def read_csv(text):
    return list(csv.DictReader(io.StringIO(text)))


def test_the_csv_has_a_row_a_submission_and_a_column_an_exercise(graded):
    rows = {row["name"]: row for row in read_csv((graded / "out" / "grades.csv").read_text())}
    assert rows["ann"] | {"file": ""} == {
        "name": "ann", "file": "", "status": "graded", "module": "77",
        "double": "2", "square": "1", "both": "1", "earned": "4", "points": "4", "percent": "100",
    }  # fmt: skip
    assert (rows["'=bob"]["square"], rows["'=bob"]["percent"]) == ("0", "75")
    assert (rows["<script>"]["status"], rows["<script>"]["percent"]) == ("not a notebook", "")


def test_two_modules_have_columns_of_their_own():
    def record(module):
        each = {"module": module, "exercise": "slope", "earned": 1, "status": "right"}
        return {"name": module, "module": module, "exercises": [each], "earned": 1, "points": 1}

    first, second = read_csv(grades_csv([record("01"), record("02")]))
    assert (first["01 slope"], first["02 slope"], second["02 slope"]) == ("1", "", "1")


@given(st.text(max_size=8).map(lambda text: text.encode("utf-8", "ignore").decode()), st.sampled_from("=+-@\t\r\n"))
def test_no_cell_of_the_csv_is_a_formula(rest, sign):
    text = grades_csv([{"name": sign + rest, "file": sign, "status": "not a notebook"}])
    head, row = csv.reader(io.StringIO(text, newline=""))
    assert len(head) == len(row)
    assert not any(cell.startswith(("=", "+", "-", "@", "\t", "\r", "\n")) for cell in row)


@given(st.integers(0, 500), st.integers(1, 500))
def test_percent_is_100_only_for_all_points(earned, points):
    earned = min(earned, points)
    assert (percent({"earned": earned, "points": points}) == 100) == (earned == points)


def test_a_name_cannot_move_the_cursor():
    record = {"name": "a\x1b[2Jb\n", "status": "graded", "earned": 2, "points": 2, "complete": True, "failed": ""}
    assert grade_line(record) == "✓ a?[2Jb?: 2/2 points, 100 %."
    assert "\x1b" not in grades_text([record])


def test_a_page_runs_no_script_and_keeps_the_direction_of_its_text():
    shown = html_pages.page("\u202egnp", "a \u2066b\u2069 \x9b31m \u05d0\u200f")
    assert "\ufffdgnp" in shown and "a \ufffdb\ufffd \ufffd31m \u05d0\u200f" in shown
    assert """content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">""" in shown


def test_no_control_character_stands_in_a_page():
    shown = html_pages.page("ESC", "one\x1b[31m two\x00\r\n\tthree\x7f")
    assert "one\u241b[31m two\u2400\u240d\n\tthree\u2421" in shown
