"""The IPython extension: a kernel for the kernel, four functions, and a look at each cell that ran.

`%load_ext dark.course` calls `load`. The kernel is held by the shell's own list of callbacks and by
nothing else, so that two shells have two desks, and unloading leaves nothing behind.
"""

import functools
import inspect
import sys
from pathlib import Path

from dark.course.student.student_kernel import ExecutedCell, StudentKernel
from dark.errors import CourseError, DarkError, UsageError

__all__ = ["CellHook", "here", "load", "unload"]

FUNCTIONS = ("check", "hint", "predict", "show_class")
EVENT = "post_run_cell"
EXAMPLES = {
    "check": 'check("slope")',
    "hint": 'hint("slope")',
    "predict": 'predict("01.0a", 12)',
    "show_class": 'show_class("Node")',
}


class CellHook:
    """What stands between a shell and its kernel.

    Parameters
    ----------
    shell : InteractiveShell
        IPython's.
    kernel : StudentKernel
        Where cells are remembered and checked.
    """

    def __init__(self, shell, kernel):
        self.shell = shell
        self.kernel = kernel
        self.functions = {name: _spoken(getattr(kernel, name)) for name in FUNCTIONS}

    def after_cell(self, result):
        """Check the cell that has just run; whatever goes wrong in here costs one line.

        Parameters
        ----------
        result : ExecutionResult
            What IPython hands to its callbacks.
        """
        source = getattr(result.info, "raw_cell", None)
        if not isinstance(source, str) or not source.strip():
            return
        try:
            cell_id = getattr(result.info, "cell_id", None)
            self.kernel.record_cell(ExecutedCell(source, cell_id, bool(result.success)))
            shown = self.kernel.check_cell(source) if result.success else None
            if shown is not None:
                self.shell.display_pub.publish(shown._repr_mimebundle_())
        except Exception as error:  # a fault of ours must never look like one of the student's
            line = str(error).splitlines()[0] if str(error) else ""
            print(f"dark.course could not check this cell: {type(error).__name__}: {line}", file=sys.stderr)


def load(shell):
    """Give a shell its kernel and the four functions; loading twice is loading once.

    Parameters
    ----------
    shell : InteractiveShell
        IPython's.
    """
    hook = _hook(shell)
    if hook is None:
        hook = CellHook(shell, StudentKernel(Path.cwd()))
        for source in shell.history_manager.input_hist_raw[1:]:
            hook.kernel.record_cell(ExecutedCell(source))
        shell.events.register(EVENT, hook.after_cell)
    shell.push(hook.functions)


def unload(shell):
    """Take the kernel and the functions away; a name that the student has taken over stays.

    Parameters
    ----------
    shell : InteractiveShell
        IPython's.
    """
    hook = _hook(shell)
    if hook is not None:
        shell.events.unregister(EVENT, hook.after_cell)
        shell.drop_by_id(hook.functions)


def here():
    """Give the functions of the shell that is running, by name: the four, and `mine`.

    Returns
    -------
    dict of str to callable

    Raises
    ------
    CourseError
        Where there is none.
    """
    from IPython import get_ipython  # of the extra `lab`

    shell = get_ipython()
    if shell is None:
        raise CourseError(
            "check, hint, predict and show_class look at what a notebook has run; here is none.",
            "a notebook, or IPython in a terminal.",
            "dark check 01, dark hint 01 EXERCISE",
        )
    if _hook(shell) is None:
        load(shell)
    hook = _hook(shell)
    return {**hook.functions, "mine": _spoken(hook.kernel.mine)}


def _hook(shell):
    """Find who visits this shell already, or None."""
    owners = (getattr(callback, "__self__", None) for callback in shell.events.callbacks[EVENT])
    return next((owner for owner in owners if isinstance(owner, CellHook)), None)


def _spoken(function):
    """Wrap a function so that its errors are shown as their three lines, without a traceback."""

    @functools.wraps(function)
    def spoken(*arguments, **options):
        try:
            _fit(function, arguments, options)
            return function(*arguments, **options)
        except DarkError as error:
            lines = str(error).splitlines()
            error._render_traceback_ = lambda: lines  # IPython asks an exception for it
            raise

    return spoken


def _fit(function, arguments, options):
    """Refuse a call with something missing or too much, before it is one."""
    try:
        inspect.signature(function).bind(*arguments, **options)
    except TypeError as error:
        name = function.__name__
        raise UsageError(f"{name}: {error}.", "a name in quotes, and what the example shows.", EXAMPLES[name]) from None
