"""Tests of `dark grade --course`: a class with a roster, late days, attempts and groups, from zips to exports."""

import csv
import json
import os
import shutil
import subprocess
import sys
import zipfile
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import pytest

from dark.cli import main
from dark.cli.commands import grade
from dark.course.lessons.library import repository_root
from dark.grading.policy import EXAMPLE
from dark.grading.report import gradebook
from tests.course import tiny

COURSE = """\
[course]
timezone = "Europe/Vienna"
roster = "roster.csv"
{course}
[late]
free_days = 1
percent_per_day = 25
[modules.77]
deadline = 2026-10-04T23:59:00
"""
ROSTER = "id,name,canvas,sis_login_id\n0042,Ann Bee,004711,ann\n0043,Bob Coe,004712,bob\n0044,Cy Dee,004713,cy\n"


@pytest.fixture
def class_zip(tmp_path, monkeypatch):
    """Return a folder with a zip as Canvas makes it, a course.toml and a roster; the tiny module is the only one."""
    monkeypatch.setattr(grade, "load_assignment", partial(tiny.assignment, tmp_path))
    monkeypatch.setattr(gradebook, "course_fingerprint", lambda: "the same")
    monkeypatch.chdir(tmp_path)
    right, half = tiny.submission(**tiny.RIGHT), tiny.submission(double=tiny.RIGHT["double"])
    files = {
        "beeann_004711_101_a.ipynb": ((2026, 10, 4, 20, 0, 0), half),
        "beeann_LATE_004711_102_a-1.ipynb": ((2026, 10, 6, 20, 0, 0), right),
        "coebob_004712_103_a.ipynb": ((2026, 10, 5, 20, 0, 0), half),
        "nobody_004714_104_a.ipynb": ((2026, 10, 4, 20, 0, 0), right),
    }
    with zipfile.ZipFile("class.zip", "w") as archive:
        for name, (time, content) in files.items():
            archive.writestr(zipfile.ZipInfo(name, time), content)
    (tmp_path / "roster.csv").write_text(ROSTER)
    write(tmp_path)
    return tmp_path


def write(folder, course="", rest=""):
    (folder / "course.toml").write_text(COURSE.format(course=course) + rest)


def run(*words):
    line = ["grade", "class.zip", "--out", "report", "--course", "course.toml", "--module", "77", "--jobs", "1", *words]
    return main(line)


def marks():
    rows = json.loads(Path("report/results.json").read_text())["submissions"]
    return {row["student"]["id"]: row["final"] for row in rows if row["counts"] and row["student"]}


def canvas_rows():
    return {row[1]: row for row in table_in("report/canvas.csv")}


def table_in(path):
    with open(path, newline="") as file:
        return list(csv.reader(file))


TABLE = """\
name     student  points  percent  late        final  what failed
Ann Bee  0042     4/4     100 %    2 (1 free)  3
Bob Coe  0043     2/4     50 %     1 (1 free)  2      square not attempted, both not attempted
Cy Dee   0044     -       -                    -      nothing submitted
nobody            4/4     100 %                -"""


@pytest.mark.long
def test_a_class_is_graded_and_a_changed_policy_regrades_nothing(class_zip, capsys):
    assert run("--export", "canvas,gradescope,junit") == 0  # a missing student is not a failure
    printed = capsys.readouterr().out
    assert TABLE in printed
    assert "! nobody: It matches no student on the roster; did you mean 004" in printed
    assert canvas_rows()["004711"] == ["Ann Bee", "004711", "", "ann", "", "3"]
    assert canvas_rows()["004713"][-1] == canvas_rows()["004714"][-1] == ""
    told = [json.loads(path.read_text()) for path in sorted((class_zip / "report" / "gradescope").iterdir())]
    assert [each["score"] for each in told] == [3, 2, 0]
    assert told[0]["output"] == "4 points, less 1 for 2 late days."
    junit = (class_zip / "report" / "junit.xml").read_text()
    assert '<property name="final" value="3" />' in junit and '<property name="student" value="0042" />' in junit
    with open("report/grades.csv", newline="") as file:
        ann = next(row for row in csv.DictReader(file) if row["student"] == "0042")
    assert (ann["earned"], ann["late_days"], ann["late_days_used"], ann["penalty"], ann["final"]) == tuple("42113")
    assert (ann["submitted"], ann["submitted_from"]) == ("2026-10-06T20:00:00+02:00", "file")
    assert "<td>2 (1 free)</td><td>3</td>" in (class_zip / "report" / "index.html").read_text()

    write(
        class_zip, 'missing = "zero"\nattempt = "best"', '[[extensions]]\nstudent = "0042"\nmodule = "77"\ndays = 1\n'
    )
    assert run("--export", "canvas") == 0
    assert capsys.readouterr().out.count("(unchanged)") == 4
    assert marks() == {"0042": 4, "0043": 2, "0044": 0} and canvas_rows()["004713"][-1] == "0"
    write(class_zip, rest='[[groups]]\nname = "owls"\nmembers = ["0043", "0044"]\n')
    assert run("--export", "canvas", "--attempt", "best") == 0
    assert capsys.readouterr().out.count("(unchanged)") == 4
    assert marks() == {"0042": 3, "0043": 2, "0044": 2}
    assert [canvas_rows()[number][-1] for number in ("004712", "004713")] == ["2", "2"]


def test_a_wrong_course_is_said_before_anything_is_written(class_zip, capsys):
    for text, message in (
        (COURSE.replace("deadline", "dealine"), "unknown key 'dealine' in [modules.01]; did you mean 'deadline'?"),
        (COURSE.replace("free_days", "freedays"), "unknown key 'freedays' in [late]; did you mean 'free_days'?"),
    ):
        (class_zip / "course.toml").write_text(text.format(course=""))
        assert run() == 2
        errors = capsys.readouterr().err.splitlines()
        assert message.replace("01", "77") in errors[0]
        assert errors[1].startswith("  Expected: ") and errors[2].startswith("  Try: ")
    (class_zip / "course.toml").unlink()
    assert run() == 2 and "--course course.toml: the file cannot be read" in capsys.readouterr().err
    assert not (class_zip / "report").exists()


def test_an_export_for_which_the_roster_has_no_ids_is_refused(class_zip, capsys):
    assert run("--export", "moodle") == 2
    assert "--course with a column moodle of its roster" in capsys.readouterr().err


def test_the_example_is_printed(capsys, tmp_path):
    assert main(["grade", "--example-course"]) == 0
    assert capsys.readouterr().out == EXAMPLE


def put(folder, name, source, when):
    """Copy a notebook as a submission, or put it into a zip, with the time of its upload."""
    path = folder / name
    if path.suffix == ".zip":
        with zipfile.ZipFile(path, "w") as archive:
            archive.write(source, f"work/{source.name}")
    else:
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, path)
    os.utime(path, (when.timestamp(),) * 2)


@pytest.mark.long
def test_a_real_class_in_zips_and_folders_with_a_roster(tmp_path):
    solved = repository_root() / "solutions" / "01-scalar-autodiff.ipynb"
    blank = repository_root() / "modules" / "01-scalar-autodiff.ipynb"
    folder = tmp_path / "submissions"
    folder.mkdir()
    late = datetime(2026, 10, 6, 21, 0, tzinfo=UTC)
    put(folder, "ann.zip", solved, late.replace(day=4))
    put(folder, "bob@school.edu/work.ipynb", solved, late)
    put(folder, "Cy Dee.ipynb", blank, late.replace(day=4))
    put(folder, "gil.ipynb", solved, late.replace(day=3))
    put(folder, "owls.zip", solved, late.replace(day=5))
    (tmp_path / "roster.csv").write_text(
        "id,name,email,login,moodle\n01,Ann Bee,a@school.edu,ann,007\n02,Bob Coe,bob@school.edu,bob,008\n"
        "03,Cy Dee,c@school.edu,cy,009\n04,Di Eel,d@school.edu,di,010\n05,Eve Fox,e@school.edu,eve,011\n"
        "06,Gus Hay,g@school.edu,gil2,012\n"
    )
    text = COURSE.format(course="").replace("77", "01").replace("free_days = 1", "free_days = 1\nmax_percent = 30")
    (tmp_path / "course.toml").write_text(text + '[[groups]]\nname = "owls"\nmembers = ["04", "05"]\n')
    line = ["dark", "grade", folder, "--out", "report", "--course", "course.toml", "--export", "moodle,junit"]
    command = [sys.executable, "-m", *line, "--module", "01"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "! gil: It matches no student on the roster; did you mean 06 (Gus Hay)?" in done.stdout
    rows = json.loads((tmp_path / "report" / "results.json").read_text())["submissions"]
    whole = max(row["points"] for row in rows)
    found = {row["student"]["id"]: (row["late_days"], row["final"]) for row in rows if row["student"]}
    assert found == {
        "01": (0, whole), "02": (2, whole * 0.75), "03": (0, 0), "04": (1, whole), "05": (1, whole), "06": (0, None),
    }  # fmt: skip
    moodle = table_in(tmp_path / "report" / "moodle-01.csv")
    assert [row[0] for row in moodle[1:]] == [f"Participant {number:03}" for number in (7, 8, 9, 10, 11)]
    again = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert again.stdout.count("(unchanged)") == 5
