"""Tests of `dark grade --similarity`, and of a notebook as a class with a single student."""

import json
import shutil
from functools import partial

import pytest

from dark.cli import grade_again, main
from dark.cli.commands import grade
from dark.course.lessons.library import repository_root
from dark.grading.report import gradebook
from tests.course import tiny


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(grade, "load_assignment", partial(tiny.assignment, tmp_path))
    monkeypatch.setattr(gradebook, "course_fingerprint", lambda: "the same")
    (tmp_path / "in").mkdir()
    for name in ("ann", "bob"):
        (tmp_path / "in" / f"{name}.ipynb").write_bytes(tiny.submission(**tiny.RIGHT))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*words, path="in"):
    return main(["grade", path, "--out", "report", "--module", "77", "--jobs", "1", "--seed", "1", *words])


def test_the_exports_and_the_table_come_before_the_comparison(folder, monkeypatch, capsys):
    def compared(submissions, results, store, progress):
        assert (folder / "report" / "junit.xml").is_file() and "similar" not in index()
        assert "report/index.html" in capsys.readouterr().out
        assert store.record("ann")["earned"] == 4 and [each.name for each in submissions] == ["ann", "bob"]
        progress(1, 0)
        return "<p>Nobody.</p>"

    def index():
        return (folder / "report" / "index.html").read_text()

    monkeypatch.setattr(grade_again, "compare_class", compared)
    assert run("--similarity", "--export", "junit") == 0
    assert '<a href="teacher/similar.html">Similar answers</a>' in index()
    assert '<a href="class.html">The class</a>' in index()
    assert (folder / "report" / "teacher" / "similar.html").read_text() == "<p>Nobody.</p>"
    assert capsys.readouterr().out == "report/teacher/similar.html\n"


def test_ctrl_c_in_the_comparison_loses_nothing(folder, monkeypatch, capsys):
    def interrupted(*given):
        raise KeyboardInterrupt

    monkeypatch.setattr(grade_again, "compare_class", interrupted)
    assert run("--similarity", "--export", "gradescope") == 130
    assert "The answers are not compared; all grades and exports are written." in capsys.readouterr().err
    assert len(list((folder / "report" / "gradescope").iterdir())) == 2
    found = json.loads((folder / "report" / "results.json").read_text())
    assert found["complete"] and "similar.html" not in (folder / "report" / "index.html").read_text()


@pytest.mark.long
def test_a_second_comparison_reads_nothing_again(tmp_path, monkeypatch):
    (tmp_path / "in").mkdir()
    for name in ("ann", "bob"):
        shutil.copy(repository_root() / "solutions" / "01-scalar-autodiff.ipynb", tmp_path / "in" / f"{name}.ipynb")
    monkeypatch.chdir(tmp_path)
    words = ["grade", "in", "--out", "report", "--module", "01", "--seed", "1", "--similarity"]
    assert main(words) == 0
    page = (tmp_path / "report" / "teacher" / "similar.html").read_text()
    monkeypatch.setattr("dark.grading.similarity.reading.Reader.read", pytest.fail)
    assert main(words) == 0 and (tmp_path / "report" / "teacher" / "similar.html").read_text() == page


@pytest.mark.parametrize("path", ["in/ann.ipynb", "in/BOB.IPYNB"])
def test_one_notebook_is_a_class_of_one(folder, capsys, path):
    (folder / "in" / "bob.ipynb").rename(folder / "in" / "BOB.IPYNB")
    assert run("--export", "gradescope,junit", path=path) == 0
    assert "4/4     100 %" in capsys.readouterr().out
    [row] = json.loads((folder / "report" / "results.json").read_text())["submissions"]
    assert row["name"].startswith(path[3:6]) and row["earned"] == 4
    assert len(list((folder / "report" / "gradescope").iterdir())) == 1
    assert run(path=path) == 0 and "(unchanged)" in capsys.readouterr().out


def test_one_notebook_has_an_owner_a_time_and_exit_codes_as_in_a_folder(folder, capsys):
    name = "beeann_4711_98765_work.ipynb"
    (folder / "in" / "ann.ipynb").rename(folder / name)
    (folder / "course.toml").write_text(
        '[course]\ntimezone = "Europe/Vienna"\nroster = "roster.csv"\n[late]\npercent_per_day = 10\nmax_percent = 50\n'
        "[modules.77]\ndeadline = 2020-10-04T23:59:00\n"
    )
    (folder / "roster.csv").write_text("id,name,canvas\n0042,Ann Bee,4711\n")
    assert run("--course", "course.toml", "--export", "canvas", path=name) == 0
    [row] = json.loads((folder / "report" / "results.json").read_text())["submissions"]
    assert (row["student"]["id"], row["submitted_from"], row["final"]) == ("0042", "file", 2)
    assert "Ann Bee,4711,,,,2" in (folder / "report" / "canvas.csv").read_text()
    (folder / "bad.ipynb").write_text("no")
    assert run(path="bad.ipynb") == 1
    (folder / "link.ipynb").symlink_to(name)
    capsys.readouterr()
    assert run(path="link.ipynb") == 2
    assert "link.ipynb contains no notebook that can be graded." in capsys.readouterr().err


def test_notes_reach_the_student_the_teacher_and_every_export(folder, capsys):
    notebook = json.loads(tiny.submission(**tiny.RIGHT))
    first, second, *_ = (each for each in notebook["cells"] if each["metadata"]["dark"].get("exercise"))
    notebook["cells"].append(first)
    second["cell_type"] = "markdown"
    (folder / "in" / "ann.ipynb").write_text(json.dumps(notebook))
    assert run("--export", "gradescope,junit") == 0
    texts = ["The answer to `square` (cell", "Answered more than once: `double` in the cells"]
    report = folder / "report"
    places = [next((report / "pages").glob("ann*")), report / "index.html", report / "grades.csv"]
    places += [report / "results.json", report / "junit.xml", next((report / "gradescope").glob("ann*"))]
    shown = [capsys.readouterr().out, *(path.read_text() for path in places)]
    assert [[text in each for text in texts] for each in shown] == [[True, True]] * 7
    assert not any(text in next((report / "pages").glob("bob*")).read_text() for text in texts)
