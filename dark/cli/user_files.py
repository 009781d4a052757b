"""Python files of the user that a command works on: finding one, running it, and saying where it fails."""

import sys
import traceback
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

from dark.errors import DarkError, UsageError, near_misses


def find_in_file(target, who, what, fits, example, run_name="__main__"):
    """Run a file and return what a target such as `examples/quadratic.py:fx` names in it.

    Parameters
    ----------
    target : str
        FILE:NAME.
    who : str
        The command; it stands before the errors.
    what : str
        What the name must stand for, such as "a node".
    fits : callable
        Says of a value whether it is that.
    example : str
        A line that makes one; its first word is its name.
    run_name : str, default "__main__"
        What the file finds in `__name__`.

    Raises
    ------
    UsageError
        If the target has no name, the file fails, or the file or the name is not there or does not fit.
    """
    file, colon, name = target.rpartition(":")
    wanted = f"the name of {what}"
    if not colon or not file or not name.isidentifier():
        script = file or (target if not colon else "graph.py")
        right = name if name.isidentifier() and colon else example.split()[0]
        raise UsageError(
            f"{who}: '{target}' does not name {what} in a file.", "FILE:NAME.", f"dark {who} {script}:{right}"
        )
    if not Path(file).is_file():
        raise UsageError(f"{who}: there is no file '{file}'.", "a Python file.", _files_near(Path(file)))
    variables = variables_of(file, who, run_name)
    fitting = [key for key, thing in variables.items() if fits(thing)]
    advice = near_misses(name, fitting) if fitting else f"a file that makes {what}, such as {example}"
    if name not in variables:
        raise UsageError(f"{who}: {file} has no '{name}'.", f"{wanted} in it.", advice)
    if not fits(variables[name]):
        raise UsageError(
            f"{who}: '{name}' in {file} is not {what}; it is of type {type(variables[name]).__name__}.",
            f"{wanted}.",
            advice,
        )
    return variables[name]


def variables_of(file, who, run_name="__main__"):
    """Run a file as `python FILE` would, and return its variables, also if it ends in `sys.exit(0)`."""
    module = ModuleType(run_name)
    module.__file__ = str(file)
    with told_where(file, who, f"python {file}"), _running(file, module):
        try:
            exec(compile(Path(file).read_bytes(), str(file), "exec", dont_inherit=True), vars(module))
        except SystemExit as error:
            if error.code not in (None, 0):
                raise
    return vars(module)


@contextmanager
def told_where(file, who, try_):
    """Turn an error that comes up in a file of the user into one that names the line there.

    An error of ours that no line of the file leads to is left as it is.
    """
    try:
        yield
    except (Exception, SystemExit) as error:
        line = _own_line(error, file)
        if isinstance(error, DarkError) and not line:
            raise
        message = f"{type(error).__name__}: {error}".replace("\n", "\n    ")
        raise UsageError(f"{who}: {file} fails{line}\n    {message}", "a file that runs to its end.", try_) from None


@contextmanager
def _running(file, module):
    """Let the file find its neighbours and itself, and see only its own name among the arguments."""
    path, argv, before = sys.path[:], sys.argv[:], sys.modules.get(module.__name__)
    sys.path.insert(0, str(Path(file).resolve().parent))
    sys.argv[:] = [str(file)]
    sys.modules[module.__name__] = module
    try:
        yield
    finally:
        sys.path[:], sys.argv[:] = path, argv
        if before is None:
            del sys.modules[module.__name__]
        else:
            sys.modules[module.__name__] = before


def _own_line(error, file):
    """Say at which line of the file an error came up; nothing of our own frames."""
    if isinstance(error, SyntaxError) and error.filename == file:
        return f" at line {error.lineno}: {(error.text or '').strip()}"
    own = [entry for entry in traceback.extract_tb(error.__traceback__) if entry.filename == file]
    return f" at line {own[-1].lineno}: {own[-1].line}" if own else ""


def _files_near(path):
    folder = path.parent
    there = sorted(str(other) for other in folder.glob("*.py")) if folder.is_dir() else []
    return near_misses(str(path), there) if there else "a path from the folder you are in"
