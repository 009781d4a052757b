"""The files around the code of a package: pyproject.toml, README.md, and the tests of each module."""

import ast
import re
import sys
import textwrap
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, packages_distributions, requires

from dark.course.export.chosen import YOURS
from dark.course.export.public_files import two_meanings
from dark.course.lessons.code import code_of

COURSE = "dark-course"
PYPROJECT = """\
[build-system]
requires = ["setuptools>=77"]
build-backend = "setuptools.build_meta"

[project]
name = "{project}"
version = "0.1.0"
description = "{description}"
readme = "README.md"
requires-python = ">=3.11"
dependencies = [{dependencies}]

[project.optional-dependencies]
test = ["pytest>=8.2"]

[tool.setuptools]
packages = ["{name}"]

[tool.pytest.ini_options]
testpaths = ["tests"]
pythonpath = [".", "tests"]
"""
README = """\
# {name}

A deep-learning framework on NumPy, written in the exercises of a course: {modules}. {count} of {total}
answers are yours. It needs Python 3.11 or newer{needs}, and nothing of the course.

```sh
python -m pip install -e ".[test]"
python -m pytest
```

## What is where

Public names stand in files by subject:

{public}

Each comes from the file of the module that defines it last. These files, `{name}/_NN_….py`, hold the cells of the
notebooks as they are, given ones and answers, in order. A file sees what the modules before it define, and `mine` is
all of that as a namespace. Importing the package runs all files, so that each class has all of its methods.
{again}
## Whose code it is

{whose}
## Tests

`tests/` has the exams of the course, a file for each module. Each question is asked on stored inputs, and the answers
are compared with stored ones (`tests/exam/expected`), which the reference implementation of the course has given. A
question sees a module with those that it builds on, because later ones give its classes more.
{failing}"""
TEST = '''\
"""The exam of module {number}, {title}: a test for each question."""

import pytest
from exam import {questions}
from exam.asking import check, questions
{judges_import}

@pytest.mark.parametrize(("exercise", "question"), questions("{file}"))
def test_answer(exercise, question):
    check("{name}", "{file}", exercise, question, {questions}{judges})
'''


def dependencies(texts):
    """Return the packages, apart from Python's own, that source files import, in the versions of the course."""
    found = set()
    for text in texts:
        for node in ast.walk(code_of(text).tree or ast.Module([], [])):
            if isinstance(node, ast.Import):
                found |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and not node.level:
                found.add((node.module or "").partition(".")[0])
    lines = []
    with suppress(PackageNotFoundError):
        lines = [line.partition(";")[0].strip() for line in requires(COURSE) or []]
    lines = [line for line in lines if "[" not in line and "==" not in line]
    known, owners = {_plain(re.split(r"[^\w.-]", line)[0]): line for line in lines}, packages_distributions()
    names = {owners.get(name, [name])[0] for name in found - set(sys.stdlib_module_names)}
    return sorted(known.get(_plain(name), name) for name in names)


def _plain(name):
    return re.sub(r"[-_.]+", "-", name).lower()


def pyproject(name, needed, chosen):
    """Return the text of pyproject.toml."""
    count, total = _counts(chosen)
    listed = ", ".join(f'"{each}"' for each in needed)
    said = f"A deep-learning framework on NumPy, written in a course: {count} of {total} answers are the author's own."
    return PYPROJECT.format(name=name, project=name.replace("_", "-"), description=said, dependencies=listed)


def readme(name, chosen, files, names, needed):
    """Return the text of README.md."""
    count, total = _counts(chosen)
    places: dict[str, list[str]] = {}
    for one in sorted(names, key=lambda one: one.name):
        places.setdefault(one.place, []).append(f"`{one.name}`")
    items = [f"- `{name}.{place}`: {', '.join(listed)}" for place, listed in sorted(places.items())]
    public = [textwrap.fill(item, 118, subsequent_indent="  ", break_on_hyphens=False) for item in items]
    return README.format(
        name=name,
        count=count,
        total=total,
        modules=f"{len(chosen)} modules" if len(chosen) > 1 else "one module",
        needs="".join(f", {each}" for each in needed),
        public="\n".join(public),
        again=_again(name, chosen, files, names),
        whose="\n".join(_map(each) for each in chosen),
        failing=_failing(chosen),
    )


def _again(package, chosen, files, names):
    """Return a note on the names that more than one module defines; empty if no name is."""
    texts, again = [], _defined_again(chosen, files)
    if again:
        texts.append(f"Names that a later module defines again: {again}. All code uses the last one.")
    for name, places in sorted(two_meanings(names).items()):
        listed = " and ".join(f"`{package}.{place}.{name}`" for place in places)
        texts.append(f"{listed} are different things; `{package}.{name}` is the first.")
    return "".join(f"\n{textwrap.fill(text, 118)}\n" for text in texts)


def test_text(name, each, has_judges):
    """Return the tests of a module."""
    stem = each.file.removeprefix("_")
    return TEST.format(
        number=each.module.id,
        title=each.module.name.replace("-", " "),
        questions=f"questions_{stem}",
        judges_import=f"from exam.judges_{stem} import JUDGES\n" if has_judges else "",
        file=each.file,
        name=name,
        judges=", JUDGES" if has_judges else "",
    )


def _counts(chosen):
    cells = [cell for each in chosen for cell in each.exercises]
    return sum(cell.whose == YOURS for cell in cells), len(cells)


def _map(each):
    head = f"### {each.module.id} · {each.module.title}\n"
    whose = ["yours" if cell.whose == YOURS else f"the reference's (yours: {cell.status})" for cell in each.exercises]
    rows = [f"| `{cell.exercise}` | {text} |" for cell, text in zip(each.exercises, whose)]
    return "\n".join([head, "| exercise | whose |", "|---|---|", *rows, ""]) if rows else f"{head}\nGiven code only.\n"


def _defined_again(chosen, files):
    """Return the names of earlier modules that a module defines again, each with the number of the last one."""
    again: dict[str, str] = {}
    for each in chosen:
        before = {name for number in each.earlier for name in files[number].defined}
        again |= {name: each.module.id for name in files[each.module.id].defined if name in before}
    return ", ".join(f"`{name}` ({number})" for name, number in sorted(again.items()))


def _failing(chosen):
    rows = [f"- {each.module.id}: {', '.join(each.failing)}" for each in chosen if each.failing]
    if not rows:
        return ""
    said = "Code of these exercises does not work with the answers to earlier modules, and some of its tests fail:"
    return "\n".join(["", said, "", *rows, ""])
