"""Tests of `dark grade` with names: whose each file is, whom a table shows, and whom a rubric means."""

import csv
import json
from functools import partial

import pytest

from dark.cli import main
from dark.cli.commands import grade
from dark.grading.report import gradebook
from tests.course import tiny

ROSTER = (
    "id,name,canvas,login,email\n0040,Ann Bee,4700,ann,\n0041,Bob Coe,4701,bob,bob@School.edu\n42,Cy Dee,4702,,\n"
    "43,Wei Wang,4703,w1,\n44,Wei Wang,,w2,\n0049,Ned van Dyk,4749,,\n00050,Ola Dee,4750,,\n"
)
COURSE = '[course]\ntimezone = "Europe/Vienna"\nroster = "roster.csv"\n'
METADATA = """\
submission_1:
  :submitters:
  - :name: Ned
    :sid: '0049'
  - :name: Ola
    :sid: '00050'
submission_2:
  :submitters:
  - :name: Bob Coe
    :sid: '0041'
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Return a folder with a roster and a policy; the tiny module is the only one."""
    monkeypatch.setattr(grade, "load_assignment", partial(tiny.assignment, tmp_path))
    monkeypatch.setattr(gradebook, "course_fingerprint", lambda: "the same")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "roster.csv").write_text(ROSTER)
    (tmp_path / "course.toml").write_text(COURSE)
    return tmp_path


def put(folder, **files):
    """Write submissions: by name, whether they are solved."""
    for name, is_solved in files.items():
        path = folder / "in" / f"{name}.ipynb"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(tiny.submission(**(tiny.RIGHT if is_solved else {})))


def run(*words, course=True):
    line = ["grade", "in", "--out", "report", "--module", "77", "--jobs", "1", "--seed", "1", *words]
    return main(line + (["--course", "course.toml"] if course else []))


def rows(folder):
    found = json.loads((folder / "report" / "results.json").read_text())["submissions"]
    return {row["name"]: row for row in found if row["counts"]}


def marks(folder):
    return {name: row["final"] for name, row in rows(folder).items()}


def table(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.long
def test_one_file_by_mail_beside_those_of_canvas_and_one_that_takes_a_name(folder, capsys):
    put(folder, beeann_4700_99000_w=False, coebob_4701_99001_w=True, wangwei_4703_99003_w=True)
    put(folder, beeann_4701_99009_x=False, **{"00042": True, "Wei Wang": True})
    assert run("--export", "canvas") == 0
    printed = capsys.readouterr().out
    assert "two students have this name: 43 (Wei Wang) and 44 (Wei Wang)" in printed
    assert "Its name fits two: 0041 (Bob Coe) by the id 4701, and 0040 (Ann Bee) by the name beeann" in printed
    assert marks(folder) == {
        "Ann Bee": 0, "Bob Coe": 4, "Cy Dee": 4, "Wei Wang (43)": 4, "Wei Wang (44)": None, "Ned van Dyk": None,
        "Ola Dee": None, "Wei Wang": None, "beeann (4701)": None,
    }  # fmt: skip
    shown = {row["name"] for row in table("report/grades.csv")}
    page = (folder / "report" / "index.html").read_text()
    assert shown == set(rows(folder)) and all(f"{name}<" in page for name in shown)
    assert all(name in printed for name in shown) and "✓ Bob Coe: 4/4 points" in printed
    exported = {row["ID"]: (row["Student"], row["Module 77"]) for row in table("report/canvas.csv")[1:]}
    assert exported["4701"] == ("Bob Coe", "4") and exported["4703"] == ("Wei Wang", "4") and len(exported) == 6
    assert "<h1>Bob Coe</h1>" in (folder / "report" / rows(folder)["Bob Coe"]["page"]).read_text()


@pytest.mark.long
@pytest.mark.parametrize("with_course", [True, False])
def test_all_submitters_of_gradescope_have_a_row_and_a_mark_of_their_own(folder, with_course):
    put(folder, **{"submission_1/w": True, "submission_2/w": False})
    (folder / "in" / "submission_metadata.yml").write_text(METADATA)
    (folder / "rubric.toml").write_text(
        '[[mark]]\nstudent = "00050"\nexercise = "talk"\npoints = 3\nof = 5\n'
        '[[mark]]\nstudent = "0041"\nexercise = "square"\npoints = 0.5\n'
    )
    assert run("--rubric", "rubric.toml", "--export", "gradescope", course=with_course) == 0
    names = ("Ned van Dyk", "Ola Dee") if with_course else ("Ned", "Ola")
    found = {name: row["earned"] for name, row in rows(folder).items() if row["points"]}
    assert found == {names[0]: 4, names[1]: 7, "Bob Coe": 0.5}
    scores = [json.loads(path.read_text())["score"] for path in sorted((folder / "report" / "gradescope").iterdir())]
    assert sorted(scores) == [0.5, 4, 7]
    if with_course:
        run("--export", "canvas")
        exported = {row["ID"]: row["Module 77"] for row in table("report/canvas.csv")[1:] if row["Module 77"]}
        assert exported == {"4701": "0.5", "4749": "4", "4750": "7"}


@pytest.mark.long
def test_a_rubric_takes_every_id_that_a_table_shows(folder, capsys):
    put(folder, beeann_4700_99000_w=False, wangwei_4703_99003_w=False)
    put(folder, **{"bob@school.EDU": False})
    run()
    for text, name in (
        ("0040", "Ann Bee"), ("40", "Ann Bee"), ("4700", "Ann Bee"), ("Ann Bee", "Ann Bee"), ("ANN", "Ann Bee"),
        ("beeann", "Ann Bee"), ("bob@school.edu", "Bob Coe"), ("00041", "Bob Coe"), ("Wei Wang (43)", "Wei Wang (43)"),
        ("w1", "Wei Wang (43)"), ("0043", "Wei Wang (43)"), ("w2", "Wei Wang (44)"), ("Cy Dee", "Cy Dee"),
    ):  # fmt: skip
        (folder / "rubric.csv").write_text(f"student,exercise,points\n{text},square,0.5\n")
        assert run("--rubric", "rubric.csv") == 0, text
        assert {who: row["earned"] for who, row in rows(folder).items() if row["earned"]} == {name: 0.5}, text
        assert "matches no row" not in capsys.readouterr().err
    for rubric, said in (
        ("Wei Wang,square,1", "'Wei Wang' is ambiguous; two students have this name: 43 (Wei Wang) and 44 (Wei Wang)."),
        ("0040,square,1\nann,square,2", "'0040' and 'ann' are both 0040 (Ann Bee), and both have a mark for 'square'."),
        ("nobody,square,1", "'nobody' has no submission."),
    ):
        (folder / "rubric.csv").write_text(f"student,exercise,points\n{rubric}\n")
        assert run("--rubric", "rubric.csv") == 2
        errors = capsys.readouterr().err
        assert said in errors and "  Expected: " in errors and "  Try: " in errors


@pytest.mark.long
def test_of_one_id_with_two_names_nothing_is_lost_without_a_roster(folder, capsys):
    put(folder, beeann_4701_99009_x=False, coebob_4701_99001_w=True, deecy_4702_99002_w=True)
    assert run("--export", "canvas", course=False) == 0
    assert "! coebob: The id 4701 of Canvas stands with two names, beeann and coebob." in capsys.readouterr().out
    assert {name: row["earned"] for name, row in rows(folder).items()} == {"beeann": 0, "coebob": 4, "deecy": 4}
    assert [row["ID"] for row in table("report/canvas.csv")[1:]] == ["4702"]
    put(folder, beeann_4701_99009_x=True)
    (folder / "in" / "beeann_4701_99009_x.ipynb").unlink()
    assert run("--export", "canvas", course=False) == 0 and "stands with" not in capsys.readouterr().out
    assert {row["ID"]: row["Module 77"] for row in table("report/canvas.csv")[1:]} == {"4701": "4", "4702": "4"}
