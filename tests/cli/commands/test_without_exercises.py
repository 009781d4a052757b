"""The commands of the course say what to do instead in a module without exercises."""

import pytest

from dark.cli import main
from dark.course.lessons.library import load_module, modules
from dark.course.lessons.notebook_files import notebook_text
from dark.course.student.student_kernel import StudentKernel

LAST = modules()[-1]


@pytest.mark.parametrize("words", [["check", LAST], ["hint", LAST], ["reset", "--yes", LAST], ["check", LAST, "slope"]])
def test_check_hint_and_reset_name_the_command_that_helps(words, capsys):
    assert load_module(LAST).exercises == {}
    assert main(words) == 2
    told = capsys.readouterr().err
    assert f"module {LAST[:2]}, {load_module(LAST).title}, has no exercises." in told
    assert "  Expected: a module with exercises, such as 01.\n  Try: dark capstone check\n" in told


def test_progress_has_no_table_of_exercises(capsys, tmp_path):
    file = tmp_path / f"{LAST}.ipynb"
    file.write_text(notebook_text(load_module(LAST).blank), encoding="utf-8")
    assert main(["progress", LAST, "--file", str(file)]) == 0
    told = capsys.readouterr().out
    assert (
        told
        == f"{LAST}: {load_module(LAST).title}\nNo project is finished: dark capstone check lists the missing parts.\n"
    )


def test_check_in_the_notebook_has_nothing_to_check(tmp_path):
    kernel = StudentKernel(tmp_path, environment={"JPY_SESSION_NAME": f"{LAST}.ipynb"})
    told = kernel.check().text
    assert told.startswith(f"Module {LAST[:2]} has no exercises.") and "dark capstone check" in told


def test_grade_says_that_there_is_nothing_to_grade(tmp_path, capsys):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "ann.ipynb").write_text(notebook_text(load_module(LAST).blank), encoding="utf-8")
    main(["grade", str(tmp_path / "in"), "--out", str(tmp_path / "report")])
    told = "".join(capsys.readouterr())
    assert f"Module {LAST[:2]} has no exercises, so that nothing is graded." in told
