"""Tests of `dark grade`: what it prints, its exit codes, and what it says to a wrong command line."""

import errno
import json
import os
import shutil
import signal
from argparse import ArgumentParser
from functools import partial

import pytest

from dark.cli import main
from dark.cli.commands import grade
from dark.course.judging.bank import load_bank
from dark.course.lessons.library import load_module, modules, repository_root
from dark.errors import UsageError
from dark.grading.batch import batch, locked_folders
from dark.grading.batch.locked_folders import only_one
from dark.grading.report import gradebook, results_file
from dark.grading.sandbox.confinement import Confinement, confinement
from tests.course import tiny


@pytest.fixture
def class_folder(tmp_path, monkeypatch):
    """Return a folder with a class of four, and make the tiny module the only one there is."""
    monkeypatch.setattr(grade, "load_assignment", partial(tiny.assignment, tmp_path))
    monkeypatch.setattr(gradebook, "course_fingerprint", lambda: "the same")
    wrong = tiny.RIGHT | {"square": "def square(x):\n    import os\n    os._exit(0)"}
    (tmp_path / "in").mkdir()
    for name, content in {
        "ann": tiny.submission(**tiny.RIGHT),
        "bob": tiny.submission(**wrong),
        "cy": b"no",
        "di": tiny.submission(),
    }.items():
        (tmp_path / "in" / f"{name}.ipynb").write_bytes(content)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*words):
    return main(["grade", "in", "--out", "report", "--module", "77", "--jobs", "1", *words])


def leave_only(folder, name):
    for path in (folder / "in").glob("*.ipynb"):
        if path.stem != name:
            path.unlink()


TABLE = """\
name  points  percent  what failed
ann   4/4     100 %
bob   3/4     75 %     square exited
cy    -       -        Invalid JSON (Expecting value: line 1 column 1 (char 0)).
di    0/4     0 %      nothing attempted"""


def test_a_class_is_graded_and_the_table_printed(class_folder, capsys):
    assert run() == 1
    printed, errors = capsys.readouterr()
    assert TABLE in printed and errors == ""
    assert "✓ ann: 4/4 points, 100 %." in printed.splitlines()
    assert printed.splitlines()[-1] == "report/index.html"
    assert (class_folder / "report" / "grades.csv").is_file()


@pytest.mark.parametrize("name", ["ann", "bob", "di"])
def test_0_when_all_are_graded_whatever_their_points(class_folder, name):
    leave_only(class_folder, name)
    assert run() == 0


def test_1_when_one_cannot_be_graded(class_folder):
    leave_only(class_folder, "cy")
    assert run() == 1


def test_1_when_one_has_less_than_asked_for(class_folder):
    leave_only(class_folder, "bob")
    assert [run("--fail-under", percent) for percent in ("75", "75.5", "0")] == [0, 1, 0]


def test_3_when_the_course_is_faulty_and_nothing_is_graded(class_folder, monkeypatch, capsys):
    questions = tiny.QUESTIONS.replace("dark.square(x)", "dark.square(x) + undefined_by_the_teacher")
    (class_folder / "exam_77_tiny.py").write_text(questions)
    monkeypatch.setattr(gradebook, "course_fingerprint", lambda: "with a typo")
    assert run() == 3
    printed, errors = capsys.readouterr()
    assert "question times_itself: the reference fails (NameError: name 'undefined_by_the_teacher'" in errors
    assert "  Expected: " in errors and "  Try: " in errors and "points" not in printed
    rows = json.loads((class_folder / "report" / "results.json").read_text())["submissions"]
    assert {row["status"] for row in rows} == {"not yet graded"}
    (class_folder / "exam_77_tiny.py").write_text("exam = (")
    assert run() == 3


def test_a_student_may_have_inputs_of_his_own_which_are_recorded(class_folder, capsys):
    def seeds(*words):
        run("--json", "--seed", "3", *words)
        found = json.loads(capsys.readouterr().out)
        return found["seed_per_student"], [row["seed"] for row in found["submissions"]]

    assert seeds() == (False, [3, 3, 3, 3])
    is_own, first = seeds("--seed-per-student")
    assert is_own and len(set(first)) == 4
    assert seeds("--seed-per-student") == (True, first)


def test_the_best_of_several_attempts_is_the_row_of_the_student(class_folder, capsys):
    for path in (class_folder / "in").iterdir():
        path.unlink()
    for name, content in {
        "beeann_0042_101_a.ipynb": tiny.submission(**tiny.RIGHT),
        "beeann_0042_102_a-1.ipynb": tiny.submission(),
        "coebob_17_103_a.ipynb": tiny.submission(**tiny.RIGHT),
    }.items():
        (class_folder / "in" / name).write_bytes(content)

    def table(*words):
        assert run(*words) == 0
        printed = capsys.readouterr().out
        assert (class_folder / "report" / "grades.csv").read_text().count("\n") == 3
        return [line.split()[:3] for line in printed.partition("what failed\n")[2].splitlines()[:2]]

    assert table() == [["beeann", "0/4", "0"], ["coebob", "4/4", "100"]]
    assert table("--attempt", "best") == [["beeann,", "attempt", "1"], ["coebob", "4/4", "100"]]
    assert table() == [["beeann", "0/4", "0"], ["coebob", "4/4", "100"]]
    rows = json.loads((class_folder / "report" / "results.json").read_text())["submissions"]
    assert [row["counts"] for row in rows] == [True, False, True] and rows[0]["owner"]["id"] == "0042"


def test_results_are_exported_for_other_systems(class_folder, capsys):
    for path in (class_folder / "in").iterdir():
        path.rename(path.with_name(f"{path.stem}student_00{ord(path.stem[0])}_{ord(path.stem[0])}00_work.ipynb"))
    assert run("--export", "canvas,gradescope,junit") == 1
    rows = (class_folder / "report" / "canvas.csv").read_text().splitlines()
    assert rows[2] == "annstudent,0097,,,,4" and rows[4] == "cystudent,0099,,,,"
    assert len(list((class_folder / "report" / "gradescope").iterdir())) == 4
    assert (class_folder / "report" / "junit.xml").read_text().count("<testsuite ") == 4
    capsys.readouterr()
    assert run("--export", "moodle") == 2
    assert "--export moodle: no submission has an id of Moodle." in capsys.readouterr().err
    with pytest.raises(SystemExit, match="2"):
        run("--export", "canvs")
    assert "'canvs' is not an export; try canvas." in capsys.readouterr().err


def test_help_says_every_default_and_exit_code(capsys):
    with pytest.raises(SystemExit, match="0"):
        main(["grade", "--help"])
    codes = " ".join(capsys.readouterr().out.partition("exit codes:")[2].split())
    parser = ArgumentParser(add_help=False)
    grade.add_arguments(parser)
    assert [action.dest for action in parser._actions if "(default: " not in action.help] == []
    for code in ("0 every submission is graded", "1 a submission", "2 an", "3 preflight", "4 this", "130 interrupted"):
        assert code in codes


def test_a_second_run_says_what_is_unchanged(class_folder, capsys):
    run()
    capsys.readouterr()
    assert run() == 1
    printed = capsys.readouterr().out
    assert printed.count("(unchanged)") == 4 and TABLE in printed


def test_json_goes_to_stdout_and_progress_to_stderr(class_folder, capsys):
    assert run("--json", "--seed", "5", "--wall", "7", "--cpu", "6", "--memory", "700") == 1
    printed, progress = capsys.readouterr()
    found = json.loads(printed)
    assert found == json.loads((class_folder / "report" / "results.json").read_text())
    assert found["seed"] == 5
    assert found["limits"] == {
        "wall_seconds": 7.0, "cpu_seconds": 6, "memory_mib": 700, "submission_seconds": 84.0,
        "confinement": found["confinement"]["level"],
    }  # fmt: skip
    assert "ann: 4/4 points" in progress


@pytest.mark.long
def test_jobs_change_nothing_but_the_time(class_folder, capsys):
    assert run("--jobs", "2") == 1
    assert TABLE in capsys.readouterr().out


@pytest.mark.long
def test_ctrl_c_keeps_what_is_finished_and_says_so(class_folder, monkeypatch, capsys):
    real, seen = batch.Grader.take, []

    def interrupted(grader):
        if len(seen) == 2:
            raise KeyboardInterrupt
        seen.append(grader)
        return real(grader)

    monkeypatch.setattr(batch.Grader, "take", interrupted)
    assert run() == 130
    assert "2 of 4 submissions are graded, saved in report" in capsys.readouterr().err
    assert not json.loads((class_folder / "report" / "results.json").read_text())["complete"]
    monkeypatch.setattr(batch.Grader, "take", real)
    assert run() == 1
    assert capsys.readouterr().out.count("(unchanged)") == 2


@pytest.mark.long
def test_what_cannot_be_graded_is_listed_as_skipped(class_folder, capsys):
    leave_only(class_folder, "ann")
    (class_folder / "in" / "gone.ipynb").symlink_to("nowhere")
    assert run() == 1
    assert "! gone: skipped. It is a link; only files themselves are graded." in capsys.readouterr().out


@pytest.mark.long
def test_results_that_cannot_be_written_raise_a_three_part_error(class_folder, capsys):
    run()
    for page in (class_folder / "report" / "pages").iterdir():
        page.unlink()
        page.mkdir()
    capsys.readouterr()
    assert run() == 2
    errors = capsys.readouterr().err.splitlines()
    assert "cannot be written (" in errors[0]
    assert errors[1].startswith("  Expected: ") and errors[2].startswith("  Try: ")


@pytest.mark.long
def test_a_terminal_sees_how_far_the_batch_is(class_folder, monkeypatch, capsys):
    for stream in ("stdout", "stderr"):
        monkeypatch.setattr(f"sys.{stream}.isatty", lambda: True, raising=False)
    run()
    printed, counted = capsys.readouterr()
    assert "2 of 4 graded" in counted and "2 of 4 graded" not in printed


WRONG_LINES = {
    "no such folder": (["grade", "nowhere", "--out", "r"], "nowhere does not exist."),
    "a file": (["grade", "note.txt", "--out", "r"], "note.txt is a file."),
    "no notebooks": (["grade", "empty", "--out", "r"], "empty contains no notebook that can be graded."),
    "out is a file": (["grade", "in", "--out", "in/cy.ipynb"], "it must not be inside the folder of the submissions"),
    "out is a different file": (
        ["grade", "in", "--out", "note.txt"],
        "--out note.txt must be a folder, but is a file.",
    ),
    "out is the folder": (["grade", "in", "--out", "in"], "it must not be inside the folder of the submissions"),
    "out is inside": (["grade", "in", "--out", "in/report"], "it must not be inside the folder of the submissions"),
    "out holds other things": (["grade", "in", "--out", "full"], "is not empty and is not a report."),
}


@pytest.mark.parametrize("name", WRONG_LINES)
def test_a_wrong_command_line_raises_a_three_part_error(class_folder, capsys, name):
    words, message = WRONG_LINES[name]
    (class_folder / "empty").mkdir()
    (class_folder / "note.txt").write_text("mine")
    (class_folder / "full").mkdir()
    (class_folder / "full" / "thesis.txt").write_text("mine")
    before = sorted(class_folder.rglob("*"))
    assert main(words) == 2
    errors = capsys.readouterr().err.splitlines()
    assert message in errors[0] and errors[1].startswith("  Expected: ") and errors[2].startswith("  Try: ")
    assert sorted(class_folder.rglob("*")) == before


def test_an_unknown_module_is_a_usage_error(tmp_path, capsys):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.ipynb").write_bytes(b"")
    assert main(["grade", str(tmp_path / "in"), "--out", str(tmp_path / "out"), "--module", "99"]) == 2
    assert "the module '99' does not exist" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    "words",
    [
        *(["--jobs", "0"], ["--wall", "-1"], ["--wall", "inf"], ["--wall", "1e10"], ["--memory", "x"]),
        *(["--memory", "99999999999999999999"], ["--memory", "1"], ["--cpu", "nan"], ["--cpu", str(10**20)]),
    ],
)
def test_limits_have_bounds(class_folder, capsys, words):
    with pytest.raises(SystemExit, match="2"):
        run(*words)
    assert words[0] in capsys.readouterr().err


@pytest.mark.long
@pytest.mark.skipif(not modules(), reason="no module is printed yet: dark build")
def test_the_modules_as_printed_are_full_when_solved_and_not_attempted_when_blank(tmp_path, capsys):
    stem, wrong = modules()[0], tmp_path / "in" / "wrong.ipynb"
    solved = json.loads((repository_root() / "solutions" / f"{stem}.ipynb").read_text(encoding="utf-8"))
    module = load_module(stem)
    wrong.parent.mkdir()
    (tmp_path / "in" / "solved.ipynb").write_text(json.dumps(solved), encoding="utf-8")
    (tmp_path / "in" / "blank.ipynb").write_text(json.dumps(module.blank), encoding="utf-8")
    bug = load_bank(module, next(iter(module.exercises))).bug[0]
    cell = next(c for c in solved["cells"] if c["metadata"].get("dark", {}).get("kind") == "exercise")
    cell["source"] = bug.source
    wrong.write_text(json.dumps(solved), encoding="utf-8")
    assert main(["grade", str(tmp_path / "in"), "--out", str(tmp_path / "out"), "--jobs", "2"]) == 0
    found = json.loads((tmp_path / "out" / "results.json").read_text(encoding="utf-8"))
    blank, full, part = found["submissions"]
    assert (blank["earned"], blank["failed"]) == (0, "nothing attempted")
    assert full["complete"] and set(full["together"].values()) == {"right"}
    statuses = [each["status"] for each in part["exercises"]]
    assert statuses[0] != "right" and set(statuses[1:]) == {"right"}
    assert part["exercises"][0]["diagnosis"] == bug.says


def test_too_little_confinement_is_refused_before_anything_is_graded(class_folder, monkeypatch, capsys):
    little = Confinement("limits", ("Files can be read and written: this kernel has no Landlock.",))
    monkeypatch.setattr("dark.cli.commands.grade.confinement", lambda: little)
    assert run("--require-confinement", "full") == 4
    error = capsys.readouterr().err.splitlines()
    assert error[0].startswith("--require-confinement full: this machine has less. Confinement: limits. Files can be")
    assert error[1].startswith("  Expected: ") and error[2].startswith("  Try: ")
    assert not (class_folder / "report").exists()


def test_the_report_begins_with_the_confinement(class_folder, capsys):
    run("--require-confinement", "limits")
    said = str(confinement())
    assert capsys.readouterr().out.splitlines()[0] == said
    assert f"<h1>Grades</h1>\n<p>{said}</p>" in (class_folder / "report" / "index.html").read_text()


@pytest.mark.long
def test_the_seed_is_random_recorded_and_kept_by_the_next_run(class_folder, capsys):
    def seed():
        return json.loads((class_folder / "report" / "results.json").read_text())["seed"]

    run()
    first = seed()
    capsys.readouterr()
    run()
    assert seed() == first and capsys.readouterr().out.count("(unchanged)") == 4
    shutil.rmtree(class_folder / "report")
    run()
    assert seed() != first


def test_a_second_batch_into_one_report_is_refused(class_folder, capsys):
    run()
    with only_one(class_folder / "report"):
        assert run() == 2
    assert "another `dark grade` is writing this report (process " in capsys.readouterr().err
    assert run() == 1


def test_a_terminated_batch_writes_its_tables(class_folder, monkeypatch, capsys):
    real = grade.ProgressLine.show

    def show(line, done, kept=0):
        real(line, done, kept)
        if done == 2:
            os.kill(os.getpid(), signal.SIGTERM)

    monkeypatch.setattr(grade.ProgressLine, "show", show)
    assert run() == 130
    rows = json.loads((class_folder / "report" / "results.json").read_text())["submissions"]
    assert [row["status"] for row in rows].count("not yet graded") == 2


def test_a_module_that_is_named_is_not_outvoted_by_a_notebook(class_folder, capsys):
    notebook = json.loads((class_folder / "in" / "ann.ipynb").read_text())
    notebook["metadata"]["dark"]["module"] = "01"
    (class_folder / "in" / "ann.ipynb").write_text(json.dumps(notebook))
    run("--module", "77", "--json")
    ann = json.loads(capsys.readouterr().out)["submissions"][0]
    assert (ann["status"], ann["message"]) == ("not this course", "It is a notebook of module 01, not 77.")


def refused(path, *arguments, **options):
    """Fail as for a user who may not open a path; root may."""
    raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))


def test_a_report_that_cannot_be_written_is_an_error_in_three_parts(class_folder, monkeypatch, capsys):
    monkeypatch.setattr(locked_folders, "open", refused, raising=False)
    assert run() == 2
    errors = capsys.readouterr().err.splitlines()
    assert errors[0] == "--out report: the folder cannot be written (Permission denied)."
    assert errors[1].startswith("  Expected: ") and errors[2].startswith("  Try: ")


def test_a_report_in_a_folder_of_somebody_else_is_an_error_in_three_parts(class_folder, monkeypatch):
    monkeypatch.setattr(results_file.Path, "exists", refused)
    with pytest.raises(UsageError, match="cannot be created or read .Permission denied(.|\n)*Expected: (.|\n)*Try: "):
        results_file.open_folder(results_file.Path("report"))
