"""The IPython extension: it adds the student's functions to a shell, whose list of callbacks has the only reference."""

import functools
import inspect
import sys
from functools import partial
from pathlib import Path

from dark.course.student.no_processes import Explained, explain_in
from dark.course.student.preparation import preparation, run_when_idle
from dark.course.student.pytest_plugin import fails_cells
from dark.course.student.pytorch_cells import run_with_pytorch
from dark.course.student.student_kernel import ExecutedCell, StudentKernel
from dark.errors import CourseError, DarkError, UsageError

FUNCTIONS = ("check", "hint", "predict", "reset", "show_class")
EVENT, BEFORE = "post_run_cell", "pre_run_cell"
FILE_IN_VSCODE = "__vsc_ipynb_file__"  # the variable in which VS Code passes the path of the notebook
EXAMPLES = {
    "check": 'check("slope")',
    "hint": 'hint("slope")',
    "predict": 'predict("01.0a", 7)',
    "reset": 'reset("slope")',
    "show_class": 'show_class("Node")',
}


class CellHook:
    """The callback of a shell that records and checks each cell."""

    def __init__(self, shell, kernel):
        self.shell = shell
        self.kernel = kernel
        self.explained = Explained()
        self.functions = {name: _without_traceback(getattr(kernel, name)) for name in FUNCTIONS}

    def before_cell(self, info):
        """Tell the kernel which cell is about to run, and the notebook's file if the editor gives it."""
        source = getattr(info, "raw_cell", None)
        self.kernel.running = source if isinstance(source, str) else ""
        self.kernel.file_name = str(self.shell.user_ns.get(FILE_IN_VSCODE, ""))

    def after_cell(self, result):
        """Check the cell that has just run; an error in the check itself prints one line, or under pytest fails it."""
        source = getattr(result.info, "raw_cell", None)
        if not isinstance(source, str) or not source.strip():
            return
        try:
            cell_id = getattr(result.info, "cell_id", None)
            self.kernel.history.record(ExecutedCell(source, cell_id, bool(result.success)))
            error = getattr(result, "error_in_exec", None)
            if error is not None and error is self.explained.error:
                result.error_in_exec = None  # the cells after it run on
                return
            missing = error.name if type(error) is NameError else None
            shown = self.kernel.check_last_cell() if result.success else self.kernel.explain_name(missing)
            if shown is not None:
                self.shell.display_pub.publish(shown._repr_mimebundle_())
        except Exception as error:  # an error of the course must not look like one of the student
            if not fails_cells(self.kernel.environment):
                line = str(error).splitlines()[0] if str(error) else ""
                print(f"dark.course could not check this cell: {type(error).__name__}: {line}", file=sys.stderr)
                return
            if isinstance(error, DarkError):
                _hide_traceback(error)
            result.error_in_exec = error  # as if the cell had raised it
            self.shell.showtraceback((type(error), error, error.__traceback__))


def load(shell):
    """Add the five functions to a shell, check its cells, and prepare the checks; loading twice has no effect."""
    hook = _hook(shell)
    if hook is None:
        hook = CellHook(shell, StudentKernel(Path.cwd()))
        for source in shell.history_manager.input_hist_raw[1:]:
            hook.kernel.history.record(ExecutedCell(source))
        shell.events.register(EVENT, hook.after_cell)
        shell.events.register(BEFORE, hook.before_cell)
        shell.register_magic_function(partial(run_with_pytorch, shell), "cell", "pytorch")
        run_when_idle(preparation(hook.kernel.module))
        explain_in(shell, hook.explained, lambda: hook.kernel.running)
    shell.push(hook.functions)


def unload(shell):
    """Remove the callback and the functions; a name that the student has redefined is kept."""
    hook = _hook(shell)
    if hook is not None:
        shell.events.unregister(EVENT, hook.after_cell)
        shell.events.unregister(BEFORE, hook.before_cell)
        shell.drop_by_id(hook.functions)
        shell.magics_manager.magics["cell"].pop("pytorch", None)


def current_functions():
    """Return the functions of the current shell by name: the five, `cells`, `mine` and `owned`."""
    from IPython import get_ipython  # optional: the extra 'lab'

    shell = get_ipython()
    if shell is None:
        says = "check, hint, predict, reset and show_class need the cells of a notebook; this is not a notebook."
        expected = "a notebook, or IPython in a terminal."
        raise CourseError(says, expected, "dark check 01, dark hint 01 EXERCISE")
    if _hook(shell) is None:
        load(shell)
    hook = _hook(shell)
    others = {"cells": hook.kernel.cells, "mine": hook.kernel.mine, "owned": hook.kernel.owned}
    return hook.functions | {name: _without_traceback(function) for name, function in others.items()}


def _hook(shell):
    owners = (getattr(callback, "__self__", None) for callback in shell.events.callbacks[EVENT])
    return next((owner for owner in owners if isinstance(owner, CellHook)), None)


def _without_traceback(function):
    """Wrap a function so that IPython shows its errors without a traceback."""

    @functools.wraps(function)
    def wrapped(*arguments, **options):
        try:
            _check_arguments(function, arguments, options)
            return function(*arguments, **options)
        except DarkError as error:
            _hide_traceback(error)
            raise

    return wrapped


def _check_arguments(function, arguments, options):
    try:
        inspect.signature(function).bind(*arguments, **options)
    except TypeError as error:
        name = function.__name__
        raise UsageError(f"{name}: {error}.", "arguments as in the example.", EXAMPLES[name]) from None


def _hide_traceback(error):
    lines = str(error).splitlines()
    error._render_traceback_ = lambda: lines  # IPython calls this method of an exception
