"""Check that the files of all modules answer the exams as a whole, not only each answer by itself."""

import importlib
import tempfile
from functools import partial
from pathlib import Path
from typing import Any

from dark.course.exams.questions import load_exam
from dark.course.export.asking import import_apart
from dark.course.export.chosen import YOURS
from dark.course.export.module_file import helper_files, module_files
from dark.course.judging.asking import observations_of
from dark.course.judging.observe import LocalObserver


def settle(chosen, progress=iter):
    """Replace answers that are right by themselves and do not work with the others; note the failures that remain.

    The modules are asked in order, each in the files that the package will have. Where a question fails, one answer is
    looked for without which all are right; otherwise the failing ones are replaced, then all of them. If one still
    fails, the student's code of an earlier module is at fault. `progress` wraps the list, such as `tqdm`.
    """
    done: dict[str, Any] = {}
    for each in progress(chosen):
        earlier = [done[number] for number in each.earlier]
        if any(cell.whose == YOURS for one in (*earlier, each) for cell in one.cells):
            _settle(each, earlier)
        done[each.module.id] = each


def _settle(each, earlier):
    failing = _failing(each, earlier)
    if failing and (name := _at_fault(each, earlier, failing)):
        each.with_reference({name})
        return
    while failing and _yours(each):
        each.with_reference(failing & _yours(each) or _yours(each))
        failing = _failing(each, earlier)
    each.failing = tuple(name for name in each.module.exercises if name in failing)


def _at_fault(each, earlier, failing):
    """Return the one answer without which all are right, the failing ones first; None if there is no such."""
    cells = list(each.cells)
    for name in sorted(_yours(each), key=lambda name: name not in failing):
        each.with_reference({name})
        is_right = not _failing(each, earlier)
        each.cells = list(cells)
        if is_right:
            return name
    return None


def _yours(each):
    return {cell.exercise for cell in each.exercises if cell.whose == YOURS}


def _failing(each, earlier):
    """Return the exercises of a module with a question that is not answered as expected."""
    exercises = each.module.exercises
    if not exercises:
        return set()
    texts = {f"{one.name}.py": one.text for one in module_files([*earlier, each]).values()}
    texts |= helper_files(texts.values())
    with tempfile.TemporaryDirectory() as folder:
        for name, text in texts.items():
            Path(folder, name).write_text(text, encoding="utf-8")
        importlib.invalidate_caches()
        observer = partial(LocalObserver, build=lambda parts: import_apart(*parts))
        exam, parts = load_exam(each.module.id), (folder, each.file)
        asked = {name: observations_of(parts, name, exam, observer, 0, briefly=True) for name in exercises}
    return {name for name, seen in asked.items() if any(one.failure for one in seen)}
