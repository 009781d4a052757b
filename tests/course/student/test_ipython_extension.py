"""Tests of the IPython extension, in a separate shell, on the little course."""

from datetime import UTC, datetime, timedelta

import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
from traitlets.config import Config

import dark.course
from dark.course import load_ipython_extension, unload_ipython_extension
from dark.course.lessons.blank import blank
from dark.course.student import ipython_extension
from dark.course.student.progress import Log
from dark.course.student.student_kernel import StudentKernel
from dark.errors import CourseError
from tests.course import little

RIGHT = "def slope(f, x, nudge=1e-6):\n    return (f(x + nudge) - f(x - nudge)) / (2 * nudge)"
WRONG = "def slope(f, x):\n    return 3.0"


@pytest.fixture
def shell(tmp_path, monkeypatch):
    """A fresh shell without a history file, in the folder of the little course's notebooks."""
    root = little.install(tmp_path, monkeypatch)
    monkeypatch.chdir(root / "work")
    for name in ("JPY_SESSION_NAME", "NBGRADER_EXECUTION", "NBGRADER_VALIDATING"):
        monkeypatch.delenv(name, raising=False)
    config = Config()
    config.HistoryManager.enabled = False
    config.InteractiveShell.colors = "nocolor"
    yield InteractiveShell.instance(config=config)
    InteractiveShell.clear_instance()


@pytest.fixture
def run(shell):
    """Run a cell under the loaded extension; return what it printed and its HTML, as one string."""
    load_ipython_extension(shell)

    def run(cell, **options):
        with capture_output() as captured:
            shell.run_cell(cell, store_history=True, **options)
        texts = [output.data.get("text/plain", "") for output in captured.outputs]
        return "\n".join([captured.stdout, captured.stderr, *texts])

    return run


def test_an_exercise_is_checked_when_its_cell_has_run(run):
    assert "✓ slope: right, 2 of 2 points.\n  Because of slope." in run(RIGHT)
    assert "✗ slope: runs, wrong" in run(WRONG)


def test_a_check_below_the_exercise_does_not_repeat_its_card(run):
    for source, line in ((RIGHT, "✓ slope: right, 2 of 2 points."), (WRONG, "✗ slope: runs, wrong")):
        assert run(source).count(line) == 1
        assert line not in run("check('slope')")
        assert run("check('slope')").count(line) == 1


@pytest.mark.parametrize("cell", ["x = 1", "", "# nothing", "%pwd", "def other():\n    return 1"])
def test_a_cell_that_is_not_an_exercise_shows_no_output_of_the_course(run, cell):
    assert "slope" not in run(cell)


def test_a_stub_is_met_with_silence(run):
    assert run(blank(little.SLOPE)).strip() == ""


def test_a_name_of_a_cell_that_has_not_run_is_explained(run):
    says = "· slope is defined in another cell, which has not run since the kernel started."
    assert says in run("slope(abs, 1)") and says not in run("nowhere(abs, 1)")
    assert says not in run("(1).slope")
    assert says not in run("def slopes(f): pass\n\nslope = slope.apply") and says not in run(RIGHT + "\nslope(abs, 1)")


def test_a_cell_that_fails_shows_its_own_error_only(run):
    shown = run(WRONG + "\n1 / 0")
    assert "ZeroDivisionError" in shown
    assert "points" not in shown


def test_both_a_text_and_html_are_shown(shell):
    load_ipython_extension(shell)
    with capture_output() as captured:
        shell.run_cell(RIGHT)
    assert set(captured.outputs[0].data) == {"text/plain", "text/html"}


def test_a_helper_of_an_earlier_cell_is_found(run):
    run("def difference(f, x, nudge):\n    return f(x + nudge) - f(x - nudge)")
    cell = "def slope(f, x, nudge=1e-6):\n    return difference(f, x, nudge) / (2 * nudge)"
    assert "✓ slope: right" in run(cell)


def test_a_cell_that_ran_before_loading_is_seen(shell):
    shell.run_cell(RIGHT, store_history=True)
    load_ipython_extension(shell)
    with capture_output() as captured:
        shell.run_cell('print(check("slope").ok)', store_history=True)
    assert captured.stdout == "True\n"


def test_a_cell_that_is_kept_out_of_the_history_is_seen(shell):
    load_ipython_extension(shell)
    with capture_output():
        shell.run_cell(RIGHT, store_history=False)
    assert shell.user_ns["check"]("slope").ok


def test_the_cells_that_ran_are_returned_with_the_running_one(run, shell):
    run("first = 1")
    shell.run_cell("second = 2", store_history=False)  # as pytest runs a notebook
    run("1 / 0")
    call = "import dark\nfound = dark.course.cells()"
    run(call)
    assert shell.user_ns["found"] == ["first = 1", "second = 2", call]


def test_the_latest_source_is_checked(run):
    run(RIGHT, cell_id="a")
    assert "✗ slope" in run(WRONG, cell_id="b")
    assert "✓ slope" in run(blank(little.SLOPE), cell_id="b")
    run(blank(little.SLOPE), cell_id="a")
    assert "· slope: not attempted" in run('check("slope")')


def test_check_of_several_shows_all_and_is_ok_only_if_all_are(run):
    run(RIGHT)
    shown = run('result = check("slope", "minimize")\nprint(result, result.ok)')
    assert "✓ slope" in shown
    assert "· minimize: not run in this session." in shown
    assert shown.rstrip().endswith("False")


def test_check_of_all_ends_with_the_students_code_alone(run):
    run(RIGHT)
    assert "· All yours: not yet.\n  Not attempted, or not run in this session: minimize." in run("check()")
    run(little.MINIMIZE)
    shown = run("check()")
    assert "✓ All yours: right.\n  2 exercises work together" in shown and "✓ slope" not in shown


def test_all_yours_fails_where_one_part_spoils_another(run):
    run("def slope(f, x):\n    return (f(x + 1e-6) - f(x - 1e-6)) / 2e-6")
    run(little.MINIMIZE.replace("slope(f, x)", "slope(f, x, nudge=1e-6)"))
    shown = run("check()")
    assert "✓ slope" in shown and "✓ minimize" in shown
    assert "✗ All yours: 1 of 2 exercises fail together." in shown
    assert "! minimize" in shown


def test_an_exercise_whose_cell_has_not_run_is_distinguished_from_a_stub(run):
    shown = run('check("slope")')
    assert "· slope: not run in this session.\n  Run its cell, or use the menu Run > Run All Above" in shown
    run(blank(little.SLOPE))
    assert "· slope: not attempted, 0 of 2 points." in run('check("slope")')


def test_a_reset_on_disk_is_noticed_until_the_cell_runs_again(run, tmp_path):
    run(RIGHT, cell_id="a")
    later = datetime.now(UTC) + timedelta(seconds=2)
    Log(tmp_path / "work", clock=lambda: later).append("reset", exercise="slope")
    Log(tmp_path / "work", clock=lambda: later).append("reset", exercise="minimize")
    shown = run('check("slope")')
    assert "· slope: reset since its cell ran." in shown and "Reload Notebook from Disk" in shown
    assert "✓ slope" not in shown


def test_a_reset_before_the_cell_ran_or_at_no_time_says_nothing(run, tmp_path):
    earlier = datetime.now(UTC) - timedelta(seconds=2)
    log = Log(tmp_path / "work", clock=lambda: earlier)
    log.append("reset", exercise="slope")
    log.path.write_text(log.path.read_text() + '{"event": "reset", "exercise": "slope", "time": 3}\n')
    assert "✓ slope" in run(RIGHT)
    assert "not" not in run('check("slope")')


def test_a_half_written_answer_is_shown_when_its_cell_runs(run):
    shown = run("def slope(f, x):\n    raise NotImplementedError\n    return 3.0")
    assert "· slope: partly written, 0 of 2 points." in shown and "Delete that line." in shown


@pytest.mark.parametrize("call", ["hint()", "predict()", "show_class()", "hint('slope', 1, 2)", "check(name='slope')"])
def test_a_call_with_something_missing_is_answered_in_three_lines(run, call):
    shown = run(call).strip().splitlines()
    assert len(shown) == 3 and shown[0].startswith(call.partition("(")[0] + ": ")
    assert shown[2].startswith("  Try: ")


def test_an_unknown_exercise_is_answered_in_three_lines(run):
    shown = run('check("slop")').strip()
    assert shown.splitlines()[0] == "the course has no exercise 'slop'."
    assert shown.splitlines()[-1] == "  Try: slope"
    assert len(shown.splitlines()) == 3
    assert run("check('nonsense')").count("minimize") == 1


def test_a_name_without_quotes_is_answered_with_quotes(run):
    run(RIGHT)
    assert 'Try: check("slope")' in run("check(slope)")
    assert 'Try: hint("backward")' in run("hint(3)")


def test_the_functions_can_be_imported(run):
    run(RIGHT)
    assert "True" in run("from dark.course import check\nprint(check('slope').ok)")
    assert "The course" not in run("from dark.course import hint, predict, show_class")
    assert "hint 1 of 4" in run("hint('slope')")


def test_outside_of_a_notebook_the_functions_say_where_they_work():
    with pytest.raises(CourseError, match="(?s)this is not a notebook.*dark check 01"):
        dark.course.check("slope")
    for call in (dark.course.hint, dark.course.predict, dark.course.show_class):
        with pytest.raises(CourseError, match="a notebook, or IPython"):
            call("slope")


@pytest.mark.parametrize("name", ["NBGRADER_EXECUTION", "NBGRADER_VALIDATING"])
def test_under_a_grader_a_failing_check_raises(run, monkeypatch, shell, name):
    monkeypatch.setenv(name, "autograde")
    run(WRONG)
    with capture_output():
        result = shell.run_cell('check("slope")')
    assert isinstance(result.error_in_exec, CourseError)
    assert "✗ slope: runs, wrong" in str(result.error_in_exec)
    assert "✓ slope" in run(RIGHT)
    assert "not" not in run('check("slope")')


IN_A_NOTEBOOK = "work/01-little.ipynb::Cell 0 (setup)"  # what pytest tells the kernel that nbval starts for a notebook


@pytest.mark.parametrize(
    ("cell", "says"), [(WRONG, "✗ slope: runs, wrong"), (blank(little.SLOPE), "· slope: not attempted")]
)
def test_under_pytest_the_cell_of_an_exercise_fails_with_its_card(run, monkeypatch, shell, cell, says):
    monkeypatch.setenv("PYTEST_CURRENT_TEST", IN_A_NOTEBOOK)
    for source in (cell, 'check("slope")'):
        with capture_output() as captured:
            result = shell.run_cell(source)
        assert isinstance(result.error_in_exec, CourseError) and not result.success
        assert says in str(result.error_in_exec) and says in captured.stdout
        assert "Traceback" not in captured.stdout + captured.stderr
    assert "✓ slope" in run(RIGHT)
    assert shell.run_cell('check("slope")').success and shell.run_cell("x = 1").success


def test_in_a_test_of_a_program_the_cell_of_an_exercise_does_not_fail(run, shell):
    assert "✗ slope" in run(WRONG) and shell.run_cell(WRONG).success


def test_under_pytest_a_cell_that_cannot_be_checked_fails(run, monkeypatch, shell):
    def broken(self):
        raise RuntimeError("no verdict")

    monkeypatch.setenv("PYTEST_CURRENT_TEST", IN_A_NOTEBOOK)
    monkeypatch.setattr(StudentKernel, "check_last_cell", broken)
    with capture_output():
        result = shell.run_cell(RIGHT)
    assert isinstance(result.error_in_exec, RuntimeError)


def test_an_error_of_the_course_costs_one_line(run, monkeypatch):
    def broken(self):
        raise RuntimeError("first\nsecond")

    monkeypatch.setattr(StudentKernel, "check_last_cell", broken)
    shown = run("y = 41 + 1\nprint(y)")
    assert shown.splitlines()[0] == "42"
    assert "dark.course could not check this cell: RuntimeError: first\n" in shown
    assert "second" not in shown


def test_loading_twice_checks_once(shell, run):
    load_ipython_extension(shell)
    assert run(RIGHT).count("✓ slope") == 1


def test_unloading_takes_everything_back(shell, run):
    shell.run_cell("hint = 'mine'")
    unload_ipython_extension(shell)
    assert "check" not in shell.user_ns
    assert shell.user_ns["hint"] == "mine"
    assert run(RIGHT).strip() == ""
    unload_ipython_extension(shell)


def test_a_shadowed_function_comes_back_by_loading_again(shell, run):
    shell.run_cell("check = 3")
    load_ipython_extension(shell)
    assert shell.user_ns["check"]("slope").ok is False


def test_the_students_class_is_shown_as_one(run):
    run("class Node:\n    pass")
    run("def twice(self):\n    return 2\n\nNode.twice = twice")
    run("def thrice(self):\n    return 3\nNode.thrice = thrice\n1 / 0")
    expected = "class Node:\n    pass\n\n    def twice(self):\n        return 2"
    assert expected in run('show_class("Node")')
    assert expected in run("show_class(Node)")
    assert "thrice" not in run("show_class(Node)")


def test_a_log_that_cannot_be_written_costs_a_warning_only(run, tmp_path):
    (tmp_path / "work" / ".dark").write_text("in the way")
    shown = run(RIGHT)
    assert "✓ slope" in shown
    assert "the progress log cannot be" in shown


def test_a_damaged_log_is_told_once(run, tmp_path):
    folder = tmp_path / "work" / ".dark"
    folder.mkdir()
    (folder / "progress.jsonl").write_text("not json\n")
    assert "line 1 is damaged" in run(RIGHT)
    assert "damaged" not in run(WRONG)


def test_the_notebooks_name_chooses_the_module(tmp_path, monkeypatch):
    little.install(tmp_path, monkeypatch)
    kernel = StudentKernel(tmp_path, environment={"JPY_SESSION_NAME": "a/71-little.ipynb"})
    assert kernel.module().id == "71"
    assert StudentKernel(tmp_path, environment={}).module().id == "71"


def test_a_course_without_modules_is_a_clear_error(tmp_path, monkeypatch):
    little.install(tmp_path, monkeypatch)
    for folder in ("modules", "solutions"):
        (tmp_path / folder / "71-little.ipynb").unlink()
    with pytest.raises(CourseError, match="the module '"):
        StudentKernel(tmp_path, environment={}).module()


def test_a_result_without_a_source_is_passed_over(shell):
    class Result:
        info = None
        success = True

    assert ipython_extension.CellHook(shell, StudentKernel(".")).after_cell(Result()) is None
