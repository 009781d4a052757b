"""Whose code each exercise of a package is: the student's answer if it is right, else the reference answer."""

import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from dark.course.judging.verdict import NOT_ATTEMPTED, RIGHT
from dark.course.lessons.answers import collect
from dark.course.lessons.code import code_of
from dark.course.lessons.imports import allowed_imports
from dark.course.lessons.lesson import Module
from dark.course.lessons.library import earlier_modules, load_module, modules, notebook_path
from dark.course.lessons.notebook_files import read_notebook
from dark.course.student.judged import Judged
from dark.errors import CourseError, UsageError

YOURS, REFERENCE = "yours", "reference"
MARKERS = re.compile(r"^ *### (?:BEGIN|END) SOLUTION\n?", re.MULTILINE)


@dataclass(frozen=True)
class Chosen:
    """One cell of a module, and who has written it."""

    exercise: str | None  # None for a given one
    source: str
    whose: str = ""  # of an exercise
    status: str = ""  # the verdict on the student's answer, such as "wrong"

    @property
    def label(self):
        """Its name for the judge, which shows whose it is."""
        if self.exercise is None:
            return "given"
        return f"{'exercise' if self.whose == YOURS else 'reference'} {self.exercise}"


@dataclass
class ChosenModule:
    """A module with the code that was chosen for it."""

    module: Module
    cells: list[Chosen]
    earlier: tuple[str, ...] = ()  # the numbers of the modules that it builds on, in order
    failing: tuple[str, ...] = ()  # the exercises whose questions the package does not answer as a whole

    @property
    def file(self):
        """The name of its file, such as `_01_scalar_autodiff`."""
        return f"_{self.module.stem.replace('-', '_')}"

    @property
    def exercises(self):
        """The exercises among its cells."""
        return [cell for cell in self.cells if cell.exercise is not None]

    def with_reference(self, names):
        """Replace the student's answers to some exercises, which do not work with the others, by the reference's."""
        for k, cell in enumerate(self.cells):
            if cell.exercise in names and cell.whose == YOURS:
                status = "right by itself, but not with your other answers"
                self.cells[k] = Chosen(cell.exercise, _solution(self.module, cell.exercise), REFERENCE, status)


def wanted_modules(names=()):
    """Return the modules with these numbers or names, by default all, and all that they build on, if they have code."""
    found: dict[str, Module] = {}
    for module in map(load_module, names or modules()):
        own = replace(module, parts=tuple(part for part in module.parts if part.kind != "earlier"))
        found |= {each.id: each for each in (*earlier_modules(module), own)}
    return [module for _, module in sorted(found.items()) if module.exercises or any(map(_has_code, module.parts))]


def _has_code(part):
    return allowed_imports(code_of(part.source).tree) != part.source


def chosen_modules(wanted, work=None, progress=iter) -> list[ChosenModule]:
    """Choose the code of modules, from notebooks in `work` or where each is found; `progress` wraps the exercises."""
    if work is not None:
        _check_folder(Path(work))
    numbers = [module.id for module in wanted]
    waiting = []
    for own in wanted:
        path = notebook_path(own.id) if work is None else Path(work) / f"{own.stem}.ipynb"
        module = load_module(own.id)
        answers = collect(read_notebook(path), module).sources if path.is_file() else {}
        judged = Judged(path.parent, module, answers)
        waiting += [(own, part, judged) for part in own.parts]
    cells: dict[str, list[Any]] = {number: [] for number in numbers}
    for own, part, judged in progress(waiting):
        cells[own.id].append(_chosen(part, judged))
    before = [tuple(each.id for each in earlier_modules(own) if each.id in numbers) for own in wanted]
    return [ChosenModule(own, cells[own.id], earlier) for own, earlier in zip(wanted, before)]


def _check_folder(work):
    stems = modules()
    if not work.is_dir():
        advice = "omit --work to take the notebooks that dark lab opens"
        raise UsageError(
            f"export: --work {work} is not a folder.", "the folder of your notebooks, such as work.", advice
        )
    if not any((work / f"{stem}.ipynb").is_file() for stem in stems):
        says = f"export: --work {work} has no notebook of the course."
        expected = f"notebooks with the names of the modules, such as {stems[0]}.ipynb."
        raise UsageError(says, expected, "dark lab, which writes them, or another folder")


def _chosen(part, judged):
    name = part.exercise
    if name is None:
        return Chosen(None, part.source)
    status = judged.status(name)
    if status == RIGHT:
        return Chosen(name, judged.answers[name], YOURS, status)
    return Chosen(name, _solution(judged.module, name, status), REFERENCE, status)


def _solution(module, name, status=NOT_ATTEMPTED):
    solution = module.exercises[name].solution
    if solution is None:
        says = f"export: {name} of module {module.stem} is {status}, and its reference is not installed."
        expected = "a right answer to every exercise of the package, or the repository of the course."
        example = "or name the modules that you have solved, such as dark export DIR 01 02"
        raise CourseError(says, expected, f"dark check {module.id} {name}; {example}")
    return MARKERS.sub("", solution)
