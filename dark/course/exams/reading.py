"""Reading a file of questions or answers: it is executed once, and an error in it is named with its line."""

from __future__ import annotations

import ast
import importlib.util
import sys
import traceback
from functools import lru_cache
from importlib.machinery import SourceFileLoader
from pathlib import Path
from typing import Any

from dark.course.exams.exam import QUESTIONS_IMPORT, Exam
from dark.errors import CourseError, DarkError


def read_exam(path: str | Path) -> Exam:
    """Execute a file of questions and return its exam; refuse a file that imports modules that may hold answers."""
    return read_one(path, Exam)


def read_one(path: str | Path, kind: type) -> Any:
    """Execute a file that creates one object of a class, `Exam` or `Answers`, and return the object."""
    path = Path(path).resolve()
    if not path.is_file():
        expected = f"a Python file with one {kind.__name__}."
        raise CourseError(f"{path.name}: the file does not exist.", expected, str(path))
    return _read(path, kind, path.stat().st_mtime_ns)


class _Loader(SourceFileLoader):
    """Dates the compiled file by nanoseconds; by seconds, a quick change that keeps the size is missed."""

    def path_stats(self, path):
        return {**super().path_stats(path), "mtime": Path(path).stat().st_mtime_ns}


@lru_cache(maxsize=64)
def _read(path, kind, _changed):
    loader = _Loader(path.stem, str(path))
    spec = importlib.util.spec_from_file_location(path.stem, path, loader=loader)
    assert spec is not None  # it would be None without a loader
    module = importlib.util.module_from_spec(spec)
    try:
        if kind is Exam:
            _check_imports(path)
        loader.exec_module(module)
    except DarkError:
        raise
    except Exception as error:
        raise _not_executed(path, error) from error
    found = [value for value in vars(module).values() if isinstance(value, kind)]
    if len(found) != 1:
        name = kind.__name__
        number = "".join(filter(str.isdigit, path.stem))[:2]
        says = f"{path.name}: must create exactly one `{name}`, got {len(found)}."
        raise CourseError(says, "exactly one.", f'{name.lower()} = {name}("{number}")')
    if kind is Exam:
        found[0].path = str(path)
    return found[0]


def _not_executed(path, error):
    """Name the file and the line, of an error that its author made."""
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(path)]
    place = error.lineno if isinstance(error, SyntaxError) else lines[-1] if lines else "?"
    text = error.msg if isinstance(error, SyntaxError) else error
    says, advice = f"{type(error).__name__}: {text}", f"correct line {place}, then run   python {path.name}"
    return CourseError(f"{path.name}, line {place}: {says}.", "a file that Python can execute.", advice)


def _check_imports(path):
    """Refuse a file of questions that imports more than a student's process has."""
    for statement in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(statement, ast.Import):
            names = [alias.name for alias in statement.names]
        elif isinstance(statement, ast.ImportFrom):
            names = ["." * statement.level or statement.module or ""]
        else:
            continue
        for name in names:
            if name != QUESTIONS_IMPORT and name.split(".")[0] not in sys.stdlib_module_names | {"numpy"}:
                says = f"{path.name}: line {statement.lineno} must not import `{name}`."
                allowed = f"the standard library, NumPy and `{QUESTIONS_IMPORT}` only; questions are asked"
                expected = f"{allowed} beside a student's code, which must not find an implementation there."
                advice = "use the argument `dark` of the question; what only the judge needs belongs to the answers."
                raise CourseError(says, expected, advice)
