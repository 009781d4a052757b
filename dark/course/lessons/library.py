"""The modules of the course, and the files of their printed notebooks."""

import os
import re
from dataclasses import replace
from difflib import SequenceMatcher
from functools import lru_cache
from pathlib import Path

from dark.course.lessons.lesson import Exercise, Module, Part, module_of
from dark.course.lessons.notebook_files import PACKAGE, read_notebook
from dark.errors import CourseError, near_misses

INSTALLED_FOLDER = "dark-modules"  # of the notebooks where the course is an installed package


@lru_cache
def repository_root(start=PACKAGE):
    """Return the folder around another one with `book/` and the pyproject.toml of dark-course, or None."""
    for folder in (Path(start), *Path(start).parents):
        project = folder / "pyproject.toml"
        if (folder / "book").is_dir() and project.is_file():
            text = project.read_text(encoding="utf-8")
            if re.search(r'^name = "dark-course"$', text, re.MULTILINE):
                return folder
    return None


def modules_folder():
    """Return the folder of the blank notebooks: of the repository, else of the installed package."""
    root = repository_root()
    return root / "modules" if root else PACKAGE / "_modules"


def _printed(root):
    """Map the stem of each module to its notebook: the newest in the making, the solved or else the blank one."""
    folders = [root / "modules", root / "solutions"] if root else [PACKAGE / "_modules", PACKAGE / "_solutions"]
    if "DARK_SOLUTIONS" in os.environ:  # the new version of a notebook that `dark build` executes
        folders.append(Path(os.environ["DARK_SOLUTIONS"]))
    files = [file for folder in folders for file in sorted(folder.glob("[0-9][0-9]-*.ipynb"))]
    return {file.stem: file for file in files}


def modules():
    """Return the names of the modules, such as `01-scalar-autodiff`, in order."""
    return tuple(sorted(_printed(repository_root())))


def pick(name, stems):
    """Find the stem of a module by its number, its name or both."""
    found = [stem for stem in stems if str(name) in (stem, stem[:2], stem[:2].lstrip("0"), stem[3:])]
    if found:
        return found[0]
    known = [word for stem in stems for word in (stem, stem[:2], stem[3:])]
    expected = "the number or the name of a module: " + (", ".join(sorted(stems)) or "no module is printed")
    advice = near_misses(name, known) if known else "dark build"
    raise CourseError(f"the module {str(name)!r} does not exist.", expected, advice)


def load_module(name):
    """Load a module by its number, its name or both; its parts begin with the modules that it builds on."""
    module = _alone(name)
    earlier = (part for each in earlier_modules(module) for part in each.parts)
    return replace(module, parts=(*(Part("earlier", None, part.source) for part in earlier), *module.parts))


def earlier_modules(module) -> list[Module]:
    """Return the modules that a module builds on, directly or not, in order, each with its own parts only."""
    found, waiting = {}, [*module.after]
    while waiting:
        each = _alone(waiting.pop())
        if each.id not in found and each.id != module.id:
            found[each.id] = each
            waiting += each.after
    return [found[number] for number in sorted(found)]


def _alone(name):
    """Load a module without the parts of others."""
    printed = _printed(repository_root())
    path = printed[pick(name, printed)]
    return _load(path, path.stat().st_mtime_ns, path.stat().st_size)


@lru_cache(maxsize=32)
def _load(path, _changed, _size):
    return module_of(read_notebook(path), str(path))


def find_exercise(name, module=None, near=None) -> Exercise:
    """Find an exercise by its id, in one module or in all; names of a `near` module are offered for a wrong one."""
    loaded = [_alone(each) for each in ([module] if module else modules())]
    owners = [each for each in loaded if name in each.exercises]
    if len(owners) > 1:
        says = f"the exercise {name!r} is in several modules: {', '.join(each.stem for each in owners)}."
        example = f"such as dark hint {owners[0].id} {name}; or rename one of the exercises."
        raise CourseError(says, "an id that is unique in the course.", f"name the module in a terminal, {example}")
    if owners:
        return owners[0].exercises[name]
    owner = f"module {loaded[0].stem}" if module else "the course"
    known = list(near.exercises if near else ()) or [key for each in loaded for key in each.exercises]
    known.sort(key=lambda other: -SequenceMatcher(None, str(name), other).ratio())  # the most similar first
    expected, advice = "the name of an exercise." if known else "a printed module.", near_misses(name, known)
    raise CourseError(f"{owner} has no exercise {str(name)!r}.", expected, advice if known else "dark build")


def find_repair(name):
    """Return the cell with a fault that has this name, or None."""
    return next((each for stem in modules() if (each := _alone(stem).repairs.get(name))), None)


def notebook_path(name, here=None):
    """Return the path of the student's notebook of a module, `NN-name.ipynb`.

    It is in the folder `here` if it exists there, and there are not the printed ones; else in `work` of the repository,
    or in `dark-modules`.
    """
    file = load_module(name).stem + ".ipynb"
    here = Path(here or ".")
    if (here / file).is_file() and here.resolve() != modules_folder().resolve():
        return here / file
    return working_folder(here) / file


def working_folder(here=None):
    """Return the folder of the student's notebooks, which may not exist yet: `work/` of the repository.

    Without a repository it is `dark-modules/` in the folder `here`, or `here` itself if it has this name.
    """
    root, here = repository_root(), Path(here or ".")
    if root:
        return root / "work"
    return here if here.resolve().name == INSTALLED_FOLDER else here / INSTALLED_FOLDER


def fresh_cell(exercise):
    """Return a copy of the printed cell of an exercise."""
    cells = load_module(exercise.module).blank["cells"]
    marks = [cell["metadata"].get("dark", {}) for cell in cells]
    wanted = [(mark.get("kind"), mark.get("exercise")) == ("exercise", exercise.id) for mark in marks]
    cell = cells[wanted.index(True)]
    return {**cell, "metadata": dict(cell["metadata"]), "outputs": []}
