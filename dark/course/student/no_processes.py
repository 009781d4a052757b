"""The message of a cell where Python cannot start processes or threads, as in a browser, without a traceback.

The cells after it run on; one that needs a name of such a cell says so too.
"""

import ast
import errno
from pathlib import PurePath

from dark.course.judging.timing import threads_start
from dark.errors import CourseError

ERRORS = (AttributeError, ImportError, ModuleNotFoundError, NameError, NotImplementedError, OSError, RuntimeError)
ABSENT = {errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP}  # of functions of the system that a browser does not have
OWNERS = {"multiprocessing", "subprocess.py", "threading.py"}


class Explained:
    """The errors of a shell that were explained, and the names that are missing because of them."""

    def __init__(self):
        self.error = None
        self._missing = set()

    def explain(self, error, source):
        """Return the explanation of an error of a cell; None if it has nothing to do with processes."""
        if isinstance(error, NameError) and error.name in self._missing:
            says = f"{error.name} is not defined: it comes from a cell that needs processes."
        elif is_of_processes(error):
            says = "This Python cannot start processes or threads, because it runs in a browser."
        else:
            return None
        self.error = error
        self._missing |= assigned_names(source)
        return CourseError(
            says,
            "Python on a computer, for this cell only; no exercise needs it.",
            'go on with the next cell; on a computer: pip install "dark-course[lab]", then dark lab',
        )


def assigned_names(source):
    """Return the names to which a cell assigns, none if it is not plain Python."""
    try:
        nodes = ast.walk(ast.parse(source))
    except SyntaxError:
        return set()
    return {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}


def is_of_processes(error):
    """Return whether an error comes from starting a process or a thread, or from connecting them."""
    if isinstance(error, OSError) and error.errno in ABSENT:
        return True
    frame, files = error.__traceback__, set()
    while frame is not None:
        files |= set(PurePath(frame.tb_frame.f_code.co_filename).parts)
        frame = frame.tb_next
    return not OWNERS.isdisjoint(files)


def explain_in(shell, explained, source):
    """Let a shell show explanations instead of tracebacks, where no thread starts; `source()` is the running cell."""
    if threads_start():
        return

    def show(shell, kind, error, trace, tb_offset=None):
        explanation = explained.explain(error, source())
        if explanation is None:
            shell._showtraceback(kind, error, shell.InteractiveTB.structured_traceback(kind, error, trace, tb_offset))
            return
        print(explanation)

    shell.set_custom_exc(ERRORS, show)
