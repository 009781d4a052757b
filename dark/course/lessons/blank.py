"""Convert a solved notebook to the student's: solutions become stubs, predictions become `...`."""

import ast
import hashlib

from dark.course.lessons.code import code_of
from dark.course.lessons.notebook_files import COMPARED
from dark.errors import CourseError

BEGIN = "### BEGIN SOLUTION"
END = "### END SOLUTION"
COMMENT = "# Your code here."


def printed_hash(source):
    """Return a short hash of a source, to detect later whether it was changed."""
    return hashlib.sha256(source.encode("utf-8", "backslashreplace")).hexdigest()[:12]


def blank(source):
    """Replace each solution of a cell by a stub, and each predicted answer by `...`; markers must be balanced.

    >>> print(blank("def one():\\n    ### BEGIN SOLUTION\\n    return 1\\n    ### END SOLUTION"))
    def one():
        # Your code here.
        raise NotImplementedError("one is not written yet")
    """
    lines, begun = [], None
    for number, line in enumerate(source.split("\n"), 1):
        if line.strip() == BEGIN:
            _expect(begun is None, number, BEGIN, "the region above is not closed")
            begun = number
            indent = line[: len(line) - len(line.lstrip())]
            tree = code_of(source).tree or ast.Module([], [])
            nodes = [each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef | ast.ClassDef)]
            around = [
                each.name for each in nodes if each.lineno <= number <= (each.end_lineno or 0)
            ]  # outer ones come first
            says = f'("{".".join(around)} is not written yet")' if around else ""
            lines += [f"{indent}{COMMENT}", f"{indent}raise NotImplementedError{says}"]
        elif line.strip() == END:
            _expect(begun is not None, number, END, "no region is open")
            begun = None
        elif begun is None:
            lines.append(line)
    _expect(begun is None, begun, BEGIN, "it is never closed")
    return _blank_predictions("\n".join(lines))


def _expect(right, number, marker, reason):
    if not right:
        expected = f"`{BEGIN}` and `{END}` in pairs, each on its own line."
        raise CourseError(f"line {number} of the cell: `{marker}`, but {reason}.", expected, "add the missing marker.")


def predictions(source):
    """Return the calls `predict(id, answer)` of a cell, in order; none if it is not valid Python."""
    tree = code_of(source).tree if "predict(" in source else None
    if tree is None:
        return []
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and len(node.args) == 2]
    return [call for call in calls if isinstance(call.func, ast.Name) and call.func.id == "predict"]


def _blank_predictions(source):
    """Replace each predicted answer, from the last to the first so that earlier positions stay valid."""
    lines = source.encode().split(b"\n")  # ast counts columns in bytes
    for call in reversed(predictions(source)):
        answer = call.args[1]
        first, last = answer.lineno - 1, answer.end_lineno - 1
        rest = lines[last][answer.end_col_offset :]
        lines[first : last + 1] = [lines[first][: answer.col_offset] + b"..." + rest]
    return b"\n".join(lines).decode()


def blank_notebook(solved):
    """Convert the solved notebook to the student's, with outputs before the first exercise and of checked cells."""
    cells, exercise_seen = [], False
    for cell in solved["cells"]:
        course = cell["metadata"].get("dark", {})
        exercise_seen = exercise_seen or course.get("kind") == "exercise"
        cells.append(_blank_cell(cell, course, not exercise_seen))
    return {**solved, "cells": cells}


def _blank_cell(cell, course, before_exercises):
    if cell["cell_type"] != "code":
        return cell
    source = blank(cell["source"])
    metadata = {**cell["metadata"], "dark": {**course, "printed": printed_hash(source)}}
    tags = cell["metadata"].get("tags", [])
    keep = course.get("kind") != "predict" and before_exercises or COMPARED in tags
    outputs = cell["outputs"] if keep else []
    count = cell["execution_count"] if outputs else None
    return {**cell, "source": source, "metadata": metadata, "outputs": outputs, "execution_count": count}
