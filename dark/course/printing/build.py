"""Generate, write and compare the solved and the blank notebook of each module, and the glossary next to them."""

import json
import re
from dataclasses import dataclass
from difflib import unified_diff
from pathlib import Path

from dark.course.exams.reading import read_exam
from dark.course.lessons.blank import blank_notebook
from dark.course.lessons.library import pick
from dark.course.lessons.notebook_files import (
    NOT_COMPARED,
    notebook_text,
    parse_notebook,
    read_notebook,
    save_file,
    write_notebook,
)
from dark.course.printing.execute import execute_notebook, set_execution_counts
from dark.course.printing.manuscript import check_unique_exercises, read_manuscript
from dark.course.printing.solved_notebook import solved_notebook
from dark.errors import CourseError

NAME = "glossary.md"
BLOCK = re.compile(r"^```\{glossary\}\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ROLE = re.compile(r"\{term\}`([^`<]+?)(?:\s*<[^`]*>)?`")
_DIFF_LINES = 8
_PICTURE = re.compile(r"data:image/[a-z+]+;base64,[A-Za-z0-9+/=]+")
OTHER_ROLE = re.compile(r"\{\w+\}(?=`)")


@dataclass(frozen=True)
class Printed:
    """The two notebooks of a module."""

    stem: str
    solved: dict
    blank: dict


def manuscripts(root, names=()):
    """Return the paths of the manuscripts of a repository: all, or only the modules with these numbers or names."""
    files = {path.stem: path for path in sorted((root / "book").glob("[0-9][0-9]-*.md"))}
    stems = [pick(name, files) for name in names] or list(files)
    return [files[stem] for stem in dict.fromkeys(stems)]


def print_module(path, *, execute=True, report=lambda line: None):
    """Generate the notebooks of a module; `report` gets a message before each cell that is executed."""
    root = path.resolve().parents[1]
    manuscript = read_manuscript(path)
    check_unique_exercises(manuscript)
    solved = solved_notebook(manuscript, points_of(root, manuscript))
    if execute:
        solved = execute_notebook(solved, manuscript.stem, root=root, report=report)
    else:
        solved = _with_old_outputs(solved, root / "solutions" / f"{manuscript.stem}.ipynb")
    solved = parse_notebook(notebook_text(set_execution_counts(solved)))  # normalized as when read from the file
    return Printed(manuscript.stem, solved, blank_notebook(solved))


def points_of(root, manuscript):
    """Return the points of each exercise: the sum over its questions, 0 if the module has no exam."""
    points = dict.fromkeys(manuscript.exercises, 0)
    for file in sorted((root / "tests" / "exams" / "questions").glob(f"exam_{manuscript.module}_*.py")):
        for question in read_exam(file).questions.values():
            if question.exercise not in points:
                says = f"{question.name} belongs to {question.exercise!r}, which is not an exercise of"
                expected, advice = "one of " + ", ".join(points), "rename the exercise in one of the two files."
                raise CourseError(f"{file.name}: {says} {manuscript.path.name}.", expected, advice)
            points[question.exercise] += question.points
    return points


def _with_old_outputs(solved, path):
    """Reuse the outputs of the cells whose source is unchanged."""
    old = {cell.get("id"): cell for cell in read_notebook(path)["cells"]} if path.is_file() else {}
    cells = []
    for cell in solved["cells"]:
        before = old.get(cell["id"])
        if before and "outputs" in cell and before["metadata"]["dark"] == cell["metadata"]["dark"]:
            cell = {**cell, "outputs": before["outputs"]}
        cells.append(cell)
    return {**solved, "cells": cells}


def write(printed, out):
    """Write the two notebooks of a module; return the backup of a notebook in `modules` that was changed."""
    file = f"{printed.stem}.ipynb"
    kept = write_notebook(Path(out, "modules", file), printed.blank)
    save_file(Path(out, "solutions", file), notebook_text(printed.solved))
    return kept


def stale(printed, out):
    """Return the name and the first difference of each file in a folder that differs from the generated notebooks."""
    found = []
    for folder, notebook in (("solutions", printed.solved), ("modules", printed.blank)):
        path = Path(out, folder, f"{printed.stem}.ipynb")
        difference = first_difference(read_notebook(path), notebook) if path.is_file() else "the file is missing"
        if difference:
            found.append(f"{folder}/{path.name}: {difference}")
    return found


def first_difference(committed, printed):
    """Describe the first difference of a generated notebook, other than within pictures and outputs of measured time.

    Returns None without one.
    """
    committed, printed = (_plain(notebook) for notebook in (committed, printed))
    pairs = zip(committed["cells"], printed["cells"], strict=False)
    for number, (old, new) in enumerate(pairs, 1):
        for key in ("id", *sorted(old.keys() | new.keys())):
            if old.get(key) != new.get(key):
                return f"cell {number} ({new['id']}): its {key} differs" + _diff(old.get(key), new.get(key))
    if len(committed["cells"]) != len(printed["cells"]):
        return f"it has {len(committed['cells'])} cells, expected {len(printed['cells'])}"
    for key in sorted(committed.keys() | printed.keys()):
        if committed.get(key) != printed.get(key):
            return f"its {key} differs" + _diff(committed.get(key), printed.get(key))
    return None


def _plain(notebook):
    """Normalize a notebook as in the file: without measured seconds, and pictures that depend on fonts."""
    plain = json.loads(notebook_text(notebook))
    for cell in plain["cells"]:
        if isinstance(cell["metadata"], dict) and NOT_COMPARED in cell["metadata"].get("tags", ()):
            cell["outputs"] = [{} for _ in cell.get("outputs", [])]
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            for kind in [kind for kind in data if kind in ("image/png", "image/jpeg")]:
                data[kind] = bool(data[kind])
            if "text/html" in data:
                data["text/html"] = _PICTURE.sub("data:image", "".join(data["text/html"]))
    return plain


def _diff(old, new):
    before, after = (json.dumps(value, indent=1, ensure_ascii=False).splitlines() for value in (old, new))
    changed = [line for line in unified_diff(before, after, n=0, lineterm="") if line[:2] not in ("--", "++", "@@")]
    return "".join(f"\n    {line[:120]}" for line in changed[:_DIFF_LINES])


def plain_glossary(text):
    r"""Convert the glossary from MyST, whose entries are a directive of Sphinx, to Markdown that every viewer shows."""
    text = BLOCK.sub(lambda block: _entries(block[1]), text)
    return OTHER_ROLE.sub("", ROLE.sub(r"*\1*", text))


def _entries(block):
    shown = []
    for entry in re.split(r"\n\s*\n", block.strip()):
        lines = entry.split("\n")
        names = [f"**{line.strip()}**" for line in lines if not line.startswith(" ")]
        body = " ".join(line.strip() for line in lines if line.startswith(" "))
        shown.append(f"{', '.join(names)}: {body}")
    return "\n\n".join(shown)
