"""The submissions: module 01 solved, half solved and blank, as each of the three graders takes them."""

import json

from benchmarks.graders.asserts import ASSERTS, CLOSE
from dark.course.lessons.library import load_module

KINDS = ("solved", "half", "blank")
KERNEL = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}


def cells(kind):
    """Return the parts of module 01 in their order, each with the exercise it answers, or None for given code.

    Parameters
    ----------
    kind : str
        One of `KINDS`; in a half-solved notebook, the first half of the exercises is answered.
    """
    module = load_module("01")
    answered = list(module.exercises)[: {"solved": None, "half": len(module.exercises) // 2, "blank": 0}[kind]]
    found = []
    for part in module.parts:
        name = part.exercise if part.kind == "exercise" else None
        found.append((name, module.exercises[name].stub if name and name not in answered else part.source))
    return found


def for_dark(kind, student=0):
    """Return a student's notebook: the printed one, with answers that all differ as text."""
    module = load_module("01")
    answers = dict(cells(kind))
    notebook = json.loads(json.dumps(module.blank))
    for cell in notebook["cells"]:
        name = cell["metadata"].get("dark", {}).get("exercise")
        if name and cell["metadata"]["dark"]["kind"] == "exercise":
            is_answered = answers[name] != module.exercises[name].stub
            cell["source"] = answers[name] + f"\n# Written by student {student}." * is_answered
    return notebook


def for_nbgrader(kind):
    """Return an assignment of nbgrader: the same cells, each exercise followed by a cell of asserts for a point."""
    found = [_code("setup", "import math\n\n" + CLOSE, grade=False, solution=False)]
    for k, (name, source) in enumerate(cells(kind)):
        found.append(_code(name or f"given-{k}", source, grade=False, solution=name is not None))
    found += [_code(f"test-{name}", ASSERTS[name], grade=True, solution=False) for name in ASSERTS]
    return _notebook(found)


def for_otter(kind):
    """Return a notebook for otter-grader, whose tests stand in files."""
    sources = ["import math\n\nimport otter\n\ngrader = otter.Notebook()", *(source for _, source in cells(kind))]
    return _notebook([_plain(f"cell-{k}", source) for k, source in enumerate(sources)])


def otter_tests():
    """Return the source of each test file of otter-grader, by its name."""
    found = {}
    for name, asserts in ASSERTS.items():
        lines = [*CLOSE.splitlines(), "", *asserts.splitlines()]
        suite = {"cases": [{"code": _doctest(lines)}], "scored": True, "setup": "", "teardown": "", "type": "doctest"}
        test = {"name": name, "points": 1, "suites": [suite]}
        found[name] = f"OK_FORMAT = True\ntest = {test!r}\n"
    return found


def _doctest(lines):
    """Write lines of code with the prompts of a doctest; a blank line or one without indentation begins a block."""
    found, is_open = [], False
    for line in filter(None, lines):
        is_new = not line.startswith(" ")
        if is_new and is_open:
            found.append("...")
        found.append(f">>> {line}" if is_new else f"... {line}")
        is_open = not is_new
    return "\n".join(found) + "\n"


def _code(name, source, *, grade, solution):
    cell = _plain(name.replace("_", "-"), source)
    course = {"grade": grade, "solution": solution, "locked": not solution, "task": False, "schema_version": 3}
    course |= {"grade_id": name} | ({"points": 1} if grade else {})
    return cell | {"metadata": {"nbgrader": course}}


def _plain(name, source):
    return {
        "id": name, "cell_type": "code", "metadata": {}, "execution_count": None, "outputs": [], "source": source,
    }  # fmt: skip


def _notebook(found):
    return {"cells": found, "metadata": KERNEL, "nbformat": 4, "nbformat_minor": 5}
