"""The course in a kernel that was not started by `dark lab`: the classic notebook sends no ids, VS Code its own."""

import os

import pytest

from dark.course.lessons.library import load_module, modules
from dark.course.student.student_kernel import StudentKernel

pytestmark = pytest.mark.long
STUB = load_module("01").exercises["slope"].stub
EMPTY = STUB.partition("# Your code here.")[0]
RIGHT = f"{EMPTY}return (f(x + nudge) - f(x - nudge)) / (2 * nudge)"
RENAMED = RIGHT.replace("def slope", "def slop")
INDENTED_WRONG = "def slope(f, x, nudge=1e-6):\nreturn 3"
URI = "vscode-notebook-cell:/home/ann/work/01-scalar-autodiff.ipynb#W2sZmlsZQ%3D%3D"


@pytest.fixture(scope="module", params=["classic", "vscode"])
def run(request, tmp_path_factory):
    """Run cells in a plain kernel; `place` says which cell of the notebook it is."""
    client = pytest.importorskip("jupyter_client")
    folder = tmp_path_factory.mktemp("work")
    manager = client.KernelManager(kernel_name="python3")
    names = ("JPY_SESSION_NAME", "NBGRADER_EXECUTION", "NBGRADER_VALIDATING")
    environment = {key: value for key, value in os.environ.items() if key not in names}
    manager.start_kernel(cwd=str(folder), env={**environment, "IPYTHONDIR": str(folder / "ipython")})
    kernel = manager.blocking_client()
    kernel.start_channels()
    try:
        kernel.wait_for_ready(timeout=120)

        def run(code, place=0):
            content = {"code": code, "silent": False, "store_history": True, "user_expressions": {}}
            metadata = {"cellId": f"{URI}{place}"} if request.param == "vscode" else {}
            message = kernel.session.msg("execute_request", {**content, "allow_stdin": False}, metadata=metadata)
            kernel.shell_channel.send(message)
            return "\n".join(_texts(kernel, message["header"]["msg_id"]))

        run("%load_ext dark.course")
        yield run
    finally:
        kernel.stop_channels()
        manager.shutdown_kernel(now=True)
        manager.cleanup_resources()


def _texts(kernel, request):
    """Yield what a cell shows, until it is done."""
    while True:
        message = kernel.get_iopub_msg(timeout=120)
        if message["parent_header"].get("msg_id") != request:
            continue
        content = message["content"]
        if content.get("execution_state") == "idle":
            return
        yield content.get("text") or content.get("data", {}).get("text/plain", "") or content.get("evalue", "")


def test_an_exercise_is_checked_when_it_runs_and_its_check_says_so_once(run):
    assert "✓ slope: right, 6 of 6 points." in run(RIGHT, 1)
    assert run('check("slope")', 2).strip() == ""
    assert "✓ slope: right, 6 of 6 points." in run('check("slope")', 2)


def test_a_renamed_function_is_named(run):
    run(RIGHT, 1)
    assert "defines no `slope`" in run(RENAMED, 1)


def test_a_cell_that_python_refuses_replaces_the_answer_that_was_there(run):
    run(RIGHT, 1)
    run(INDENTED_WRONG, 1)
    shown = run('check("slope")', 2)
    assert "! slope: stopped by an error" in shown and "IndentationError" in shown


def test_a_helper_beside_the_answer_replaces_nothing(run):
    run(RIGHT, 1)
    run("def slope_right(f, x, nudge=1e-6):\n    return (f(x + nudge) - f(x)) / nudge", 3)
    assert "✓ slope: right" in run('check("slope")', 2)


def test_hints_go_on_where_they_were(run):
    assert "slope, hint 1 of 4" in run('hint("slope")', 4)
    assert "slope, hint 2 of 4" in run('hint("slope")', 4)


def test_an_exercise_of_two_classes_may_be_split(run):
    solution = load_module("02").exercises["exp_log"].solution
    first, second = solution.split("class Log", 1)
    run("from dark import Operation\nimport math", 5)
    run(first, 6)
    shown = run("class Log" + second, 7) + run('check("exp_log")', 8)  # at once, if no other module is answered
    assert shown.count("✓ exp_log: right") == 1


@pytest.mark.parametrize("name", modules())
def test_a_module_is_recognized_by_the_cell_that_asks_for_the_earlier_code(tmp_path, name):
    kernel = StudentKernel(tmp_path, environment={})
    sources = [source for source in load_module(name).course_sources if "mine()" in source]
    for kernel.running in sources:
        assert kernel.module().stem == name


def test_a_module_is_recognized_by_the_file_that_vscode_names(run):
    run("%load_ext dark.course", 1)
    run('__vsc_ipynb_file__ = "/home/ann/work/04-arrays.ipynb"', 2)
    run("import dark.course", 3)
    assert "earlier exercises" in run("dark.course.mine()", 4)
    run("del __vsc_ipynb_file__", 5)
