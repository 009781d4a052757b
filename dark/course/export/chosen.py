"""Whose code each exercise of a package is: the student's answer if it is right, else the reference answer."""

import re
from dataclasses import dataclass, field, replace
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
    """One cell of a module: `exercise` is None for a given one, `whose` says who has written an exercise.

    `status` is the verdict on the student's answer, such as ``"wrong"``.
    """

    exercise: str | None
    source: str
    whose: str = ""
    status: str = ""

    @property
    def label(self):
        """Its name for the judge, which shows whose it is."""
        if self.exercise is None:
            return "given"
        return f"{'exercise' if self.whose == YOURS else 'reference'} {self.exercise}"


@dataclass
class ChosenModule:
    """A module with the code that was chosen for it.

    `earlier` holds the numbers of the modules that it builds on, in order; `failing` the exercises whose questions the
    code of the package does not answer as a whole.
    """

    module: Module
    cells: list[Chosen]
    earlier: tuple[str, ...] = ()
    failing: tuple[str, ...] = field(default=())

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
    """Return the modules with these numbers or names and all that they build on, in order; all of them for none.

    A module without code of its own, such as one that only starts a project, is left out.
    """
    loaded = [load_module(name) for name in names or modules()]
    found = {each.id: each for module in loaded for each in (*earlier_modules(module), _own(module))}
    return [found[number] for number in sorted(found) if _has_code(found[number])]


def _own(module):
    """Return a module without the code of the modules that it builds on."""
    return replace(module, parts=tuple(part for part in module.parts if part.kind != "earlier"))


def _has_code(module):
    if module.exercises:
        return True
    return any(allowed_imports(code_of(part.source).tree) != part.source for part in module.parts)


def chosen_modules(wanted, work=None, progress=iter) -> list[ChosenModule]:
    """Choose the code of modules, each answer judged by itself."""
    if work is not None:
        _check_folder(Path(work))
    numbers = [module.id for module in wanted]
    waiting = []
    for own in wanted:
        path = _notebook(own, work)
        module = load_module(own.id)
        answers = collect(read_notebook(path), module).sources if path.is_file() else {}
        judged = Judged(path.parent, module, answers)
        waiting += [(own, part, judged) for part in own.parts]
    cells: dict[str, list[Any]] = {number: [] for number in numbers}
    for own, part, judged in progress(waiting):
        cells[own.id].append(_chosen(part, judged))
    made = []
    for own in wanted:
        earlier = tuple(each.id for each in earlier_modules(own) if each.id in numbers)
        made.append(ChosenModule(own, cells[own.id], earlier))
    return made


def _notebook(module, work):
    return notebook_path(module.id) if work is None else Path(work) / f"{module.stem}.ipynb"


def _check_folder(work):
    stems = modules()
    if not work.is_dir():
        raise UsageError(
            f"export: --work {work} is not a folder.",
            "the folder of your notebooks, such as work.",
            "omit --work to take the notebooks that dark lab opens",
        )
    if not any((work / f"{stem}.ipynb").is_file() for stem in stems):
        raise UsageError(
            f"export: --work {work} has no notebook of the course.",
            f"notebooks with the names of the modules, such as {stems[0]}.ipynb.",
            "dark lab, which writes them, or another folder",
        )


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
        raise CourseError(
            f"export: {name} of module {module.stem} is {status}, and its reference is not installed.",
            "a right answer to every exercise of the package, or the repository of the course.",
            f"dark check {module.id} {name}; or name the modules that you have solved, such as dark export DIR 01 02",
        )
    return MARKERS.sub("", solution)
