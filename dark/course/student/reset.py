"""Reset an exercise: restore its stub in the student's notebook, and back up the answer."""

from datetime import datetime
from itertools import chain, count
from pathlib import Path

from dark.course.cards.card import card
from dark.course.lessons.cells import student_cells
from dark.course.lessons.code import code_of, span
from dark.course.lessons.library import fresh_cell, load_module
from dark.course.lessons.notebook_files import notebook_text, read_notebook, save_file
from dark.course.student.progress import Log
from dark.errors import CourseError


def reset(exercise, path, clock=datetime.now):
    """Restore the stub of an exercise, and clear the outputs of its check, if possible; return the answer's backup."""
    path = Path(path)
    notebook = read_notebook(path)
    read_at = path.stat().st_mtime_ns
    cells, indexes = list(notebook["cells"]), answering(notebook, exercise)
    old = [cells[index]["source"] for index in indexes]
    if [source.strip() for source in old] == [exercise.stub.strip()]:
        return None
    kept = _keep(path.parent / ".dark" / "history", exercise.id, old, clock()) if old else None
    note = f"# reset: the previous source is in {kept.name}" if kept else ""
    whole = [index for index in indexes if not _rest(cells[index], exercise)]  # the original one, else any of these
    home = min(whole, key=lambda index: cells[index].get("id") != f"exercise-{exercise.id}", default=None)
    for index in indexes:
        rest = _rest(cells[index], exercise)
        cells[index] = _cell(cells[index], rest or note)
    if home is None:  # the cell was deleted
        ids, check = [cell.get("id") for cell in cells], f"check-{exercise.id}"
        place = ids.index(check) if check in ids else indexes[-1] + 1 if indexes else len(cells)
        cells.insert(place, _fresh(exercise, cells))
    else:
        cells[home] = _fresh(exercise, cells) | {"id": cells[home].get("id")}
    cells = [_cell(cell, cell["source"]) if _is_check(cell, exercise) else cell for cell in cells]
    cells = [{name: value for name, value in cell.items() if name != "id" or value} for cell in cells]
    _write(path, {**notebook, "cells": cells}, read_at)
    return kept


def reset_card(exercise, path, ran=()):
    """Reset an exercise from inside the notebook, if the cells that `ran` are saved, and report it in a card."""
    saved = {cell["id"]: cell["source"] for cell in read_notebook(path)["cells"] if cell.get("id")}
    if any(saved.get(cell.id, cell.source).strip() != cell.source.strip() for cell in ran):
        says = f"reset {exercise.id}: the notebook has changes that are not saved."
        expected = "a saved notebook, because its file is changed."
        raise CourseError(says, expected, "save it with Ctrl+S, then run reset again")
    kept = reset(exercise, path)
    log = Log(path.parent, warn=print)
    log.append("reset", exercise=exercise.id, kept=kept.name if kept else None)
    if kept is None:
        return card(f"{exercise.id}: nothing to reset; the stub is in {path}.")
    says = f"Your answer is saved in {kept}.\nNow use the menu File > Reload Notebook from Disk."
    return card(f"{exercise.id}: the stub is restored.", says)


def answering(notebook, exercise):
    """Return the indexes of the cells that answer an exercise, including copies."""
    module = load_module(exercise.module)
    found = []
    for cell in student_cells(notebook, module):
        others = module.exercises[cell.exercise].defines if cell.exercise else ()
        also = {definition.name for definition in cell.definitions} & set(exercise.defines) - set(others)
        if cell.exercise == exercise.id or also:  # a cell that answers another exercise may also answer this one
            found.append(cell.index)
    return found


def _rest(cell, exercise):
    """Return the rest of a cell that also answers another exercise, else an empty string."""
    source = cell["source"]
    mine = exercise.own_names
    others = load_module(exercise.module).exercises.values()
    theirs = {name for other in others for name in other.defines} - mine
    found = code_of(source).definitions
    if not theirs.intersection(each.name for each in found):
        return ""
    lines = source.split("\n")
    for first, last in sorted({span(each.statement) for each in found if each.name in mine}, reverse=True):
        del lines[first:last]
    return "\n".join(lines).strip()


def _fresh(exercise, cells):
    """Return the original cell with an unused id, or without one if the notebook has no ids."""
    cell, ids = fresh_cell(exercise), {other.get("id") for other in cells}
    if ids == {None}:
        return cell | {"id": None}
    free = (f"exercise-{exercise.id}{end}" for end in chain([""], (f"-{n}" for n in count(2))))
    return cell | {"id": next(name for name in free if name not in ids)}


def _cell(cell, source):
    return {**cell, "source": source, "outputs": [], "execution_count": None}


def _is_check(cell, exercise):
    course = cell.get("metadata", {}).get("dark", {})
    return (course.get("kind"), course.get("exercise")) == ("check", exercise.id)


def _keep(folder, name, sources, time):
    """Write the old answer to the history, under an unused name."""
    stem = f"{time:%Y-%m-%dT%H-%M-%S}-{name}"
    names = chain([f"{stem}.py"], (f"{stem}-{number}.py" for number in count(2)))
    kept = next(path for path in map(folder.joinpath, names) if not path.exists())
    try:
        save_file(kept, "\n\n\n".join(sources) + "\n")
    except OSError as error:
        says = f"{kept}: the old answer cannot be backed up ({error.strerror}); nothing was changed."
        advice = "copy the notebook to another folder"
        raise CourseError(says, "a folder with write permission.", advice) from error
    return kept


def _write(path, notebook, read_at):
    """Write the notebook, unless another program has saved it since it was read."""
    if path.stat().st_mtime_ns != read_at:
        says, expected = "another program has just saved it", "a notebook that no other program is saving."
        advice = "save it in JupyterLab, then reset again"
        raise CourseError(f"{path}: {says}; nothing was changed.", expected, advice)
    try:
        save_file(path, notebook_text(notebook))
    except OSError as error:
        says = f"{path}: cannot be written ({error.strerror}); nothing was changed."
        advice = "check the permissions of the file"
        raise CourseError(says, "a notebook with write permission.", advice) from error
