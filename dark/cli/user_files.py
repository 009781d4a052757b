"""Python files of the user that a command works on: run one, and report the line on which it fails."""

import sys
import traceback
from collections.abc import Callable
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

from dark.errors import DarkError, UsageError, near_misses


def find_in_file(
    target: str, who: str, what: str, fits: Callable[[Any], bool], example: str, run_name: str = "__main__"
) -> Any:
    """Run a Python file and return the variable that a target such as `examples/quadratic.py:fx` names.

    It must be `what`, such as "a node", as `fits` says; `example`, a line that creates one, begins with its name.
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
        raise UsageError(f"{who}: the file '{file}' does not exist.", "a Python file.", files_near(Path(file)))
    variables = variables_of(file, who, run_name)
    fitting = [key for key, thing in variables.items() if fits(thing)]
    advice = near_misses(name, fitting) if fitting else f"a file that creates {what}, such as {example}"
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
    """Run a file as `python FILE` would, and return its variables, even if it ends in `sys.exit(0)`."""
    module = ModuleType(run_name)
    module.__file__ = str(file)
    with located_errors(file, who, f"python {file}"), _running(file, module):
        try:
            exec(compile(Path(file).read_bytes(), str(file), "exec", dont_inherit=True), vars(module))
        except SystemExit as error:
            if error.code not in (None, 0):
                raise
    return vars(module)


@contextmanager
def located_errors(file, who, try_):
    """Turn an error raised by a file of the user into one that names the line.

    A `DarkError` that was not raised below a line of the file is left unchanged.
    """
    try:
        yield
    except (Exception, SystemExit) as error:
        line = _own_line(error, file)
        if isinstance(error, DarkError) and not line:
            raise
        message = f"{type(error).__name__}: {error}".replace("\n", "\n    ")
        raise UsageError(
            f"{who}: {file} fails{line}\n    {message}", "a file that runs without errors.", try_
        ) from None


@contextmanager
def _running(file, module):
    """Let the file import the modules in its folder, and see its own name as the only argument."""
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
    """Return at which line of the file an error was raised."""
    if isinstance(error, SyntaxError) and error.filename == file:
        return f" at line {error.lineno}: {(error.text or '').strip()}"
    own = [entry for entry in traceback.extract_tb(error.__traceback__) if entry.filename == file]
    return f" at line {own[-1].lineno}: {own[-1].line}" if own else ""


def files_near(path, pattern="*.py"):
    """Return the advice for a file that does not exist: files of its folder with similar names."""
    folder = path.parent
    there = sorted(str(other) for other in folder.glob(pattern)) if folder.is_dir() else []
    return near_misses(str(path), there) if there else "a path relative to the current folder"
