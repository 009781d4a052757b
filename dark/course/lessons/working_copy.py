"""The folder a student works in: the notebooks of the course with the student's cells, never tracked by git.

It is `work/` in the repository, elsewhere `dark-modules/`. The printed notebooks in `modules/` stay as they are, so
that an update never conflicts; answers once written there are taken over.
"""

import shutil
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from dark.course.lessons import library
from dark.course.lessons.merge import is_own, merge
from dark.course.lessons.notebook_files import back_up, notebook_text, read_notebook, save_file, write_notebook
from dark.errors import CourseError

NEW, CHANGED, SAME, DAMAGED = "new", "changed", "same", "damaged"


@dataclass
class Update:
    """The effect of an update on a student's notebook."""

    path: Path
    status: str  # new, changed, same, or damaged: it cannot be read and was not changed
    own: int = 0  # the number of the student's cells in it, which are unchanged
    came_from: Path | None = None  # the file in which the student's cells were before, if it was another one
    kept: Path | None = None  # the backup of the previous version
    newer: tuple[str, ...] = ()  # the answered exercises whose printed cell has changed since
    error: str = ""  # why a damaged file cannot be read

    def __str__(self):
        newer = [f"  {name}: the exercise has changed; yours is kept (dark reset {name})." for name in self.newer]
        return "\n".join([f"{self.path}: {self._outcome()}", *newer])

    def _outcome(self):
        if self.status == DAMAGED:
            return f"not updated.\n  {self.error}"
        if self.status == SAME:
            return "up to date."
        verb = "created" if self.status == NEW else "updated"
        source = f" with your work from {self.came_from}" if self.came_from else ""
        own = f" Cells of yours, unchanged: {self.own}." if self.own else ""
        backup = f" The previous version is {self.kept}." if self.kept else ""
        return f"{verb}{source}.{own}{backup}"


def lay_out(folder: Path) -> list[Update]:
    """Create the notebooks that are missing in a folder, and merge the printed ones into the others."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _take_log(folder)
        _copy_glossary(folder)
        return _laid_out(folder)
    except OSError as error:
        says = f"{folder}: the notebooks cannot be written ({error.strerror or error})."
        advice = "cd to another folder, or dark lab FOLDER with your notebooks"
        raise CourseError(says, "a folder with write permission.", advice) from error


def _laid_out(folder):
    printed = {stem: printed_notebook(stem) for stem in library.modules()}
    updates, notebooks, sources = {}, {}, {}
    for stem, course in printed.items():
        path = folder / f"{stem}.ipynb"
        source = _source(folder, stem, printed)
        try:
            student = read_notebook(source) if source else None
        except CourseError as error:
            updates[stem] = Update(path, DAMAGED, error=str(error).splitlines()[0])
            continue
        updates[stem] = Update(path, CHANGED if source else NEW, came_from=source if source != path else None)
        notebooks[stem], sources[stem] = merge(student, course) if student else course, source
    _move_answers(notebooks, printed)
    for stem, notebook in notebooks.items():
        _write(updates[stem], notebook, sources[stem])
        updates[stem].newer = tuple(_newer(notebook, printed[stem]))
    return list(updates.values())


def printed_notebook(stem):
    """Return the blank notebook of a module, whatever a student has written into the file in `modules`."""
    root = library.repository_root()
    if root and (root / "solutions" / f"{stem}.ipynb").is_file():
        return library.load_module(stem).blank
    return read_notebook(library.modules_folder() / f"{stem}.ipynb")


def _source(folder, stem, printed):
    """Return the file with the student's cells of a module, if in `modules` only a changed one, or None."""
    own = folder / f"{stem}.ipynb"
    if own.exists():
        return own
    renumbered = [path for path in sorted(folder.glob(f"??{stem[2:]}.ipynb")) if path.stem not in printed]
    before = library.modules_folder() / f"{stem}.ipynb"
    return next(iter(renumbered), None) or (before if library.repository_root() and _is_answered(before) else None)


def _is_answered(path):
    with suppress(CourseError):
        return any(map(is_own, read_notebook(path)["cells"]))
    return False


def _move_answers(notebooks, printed):
    """Move the answers to exercises that are now part of another module, if that one has none yet."""
    home = {name: stem for stem, course in printed.items() for name in _exercise_cells(course)}
    for stem, notebook in notebooks.items():
        for name, cell in _exercise_cells(notebook).items():
            target = home.get(name, stem)
            if target == stem or target not in notebooks or not is_own(cell):
                continue
            there = _exercise_cells(notebooks[target]).get(name)
            if there is not None and not is_own(there):
                cells = [cell if each is there else each for each in notebooks[target]["cells"]]
                notebooks[target] = {**notebooks[target], "cells": cells}
                notebook["cells"] = [each for each in notebook["cells"] if each is not cell]


def _exercise_cells(notebook):
    marked = [(cell.get("metadata", {}).get("dark", {}), cell) for cell in notebook["cells"]]
    return {course["exercise"]: cell for course, cell in marked if course.get("kind") == "exercise"}


def _newer(notebook, printed):
    """Yield the exercises that the student has answered and whose printed cell has another source now."""
    course = _exercise_cells(printed)
    for name, cell in _exercise_cells(notebook).items():
        before, now = (each["metadata"]["dark"].get("printed") for each in (cell, course.get(name, cell)))
        if is_own(cell) and before != now:
            yield name


def _write(update, notebook, source):
    """Write one notebook; a source other than the file itself is backed up, and printed again or removed."""
    update.own = sum(map(is_own, notebook["cells"]))
    folder, path = update.path.parent, update.path
    if source and source != path:
        update.kept = back_up(folder, source.stem, source.read_bytes())
    before = path.read_bytes() if path.is_file() else None
    update.kept = write_notebook(path, notebook) or update.kept
    if before is not None and before == path.read_bytes():
        update.status = SAME
    if source and source != path:
        if source.parent == folder:
            source.unlink()
        else:
            save_file(source, notebook_text(printed_notebook(source.stem)))


def _copy_glossary(folder):
    """Copy the glossary, to which the notebooks link."""
    printed, own = library.modules_folder() / "glossary.md", folder / "glossary.md"
    if printed.is_file() and not (own.is_file() and own.read_bytes() == printed.read_bytes()):
        shutil.copyfile(printed, own)


def _take_log(folder):
    """Copy the progress log and the history of a student who has worked in `modules`."""
    before, after = library.modules_folder() / ".dark", folder / ".dark"
    if library.repository_root() and before.is_dir() and not after.exists():
        shutil.copytree(before, after, ignore=shutil.ignore_patterns("workspaces", "lab.log"))
