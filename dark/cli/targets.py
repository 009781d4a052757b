"""The words with which the commands of the course name a module, a notebook file, or exercises."""

import re
from pathlib import Path

from dark.cli.user_files import files_near
from dark.course.lessons.lesson import Exercise, Module
from dark.course.lessons.library import find_exercise, load_module, modules, notebook_path, pick
from dark.course.lessons.notebook_files import read_notebook
from dark.course.lessons.which_module import module_of_notebook
from dark.errors import CourseError, UsageError, near_misses

INTEGER = re.compile(r"[+-]?\d+")


def find_target(words: list[str], file: Path | None = None) -> tuple[Module, tuple[str, ...], Path]:
    """Return the module, the exercises (none for all) and the notebook, by default the student's own, of some words.

    The words are a module or a notebook file, then exercises of it; or exercises alone, whose ids are unique.
    """
    if not words:
        expected = "a module, such as 01; an exercise, such as slope; or the path of a notebook (.ipynb)."
        raise UsageError("check: no module and no exercise is named.", expected, "dark check 01")
    first, *names = words
    if _is_module(first):
        module, path = load_module(first), file
    elif _is_path(first):
        module, path = _module_and_file(first, file)
    else:
        module, path, names = load_module(_exercise(first).module), file, words
    if not module.exercises:
        raise UsageError(
            f"module {module.id}, {module.title}, has no exercises.", "a module with exercises, such as 01.",
            "dark capstone check",
        )  # fmt: skip
    found = tuple(find_exercise(name, module.id).id for name in names)
    return module, found, path or notebook_path(module.id)


def find_hint(words: list[str], file: Path | None = None) -> tuple[Exercise, int | None, Path]:
    """Return the exercise, the number of the hint and the notebook of ``[MODULE or FILE] EXERCISE [NUMBER]``."""
    has_number = len(words) > 1 and INTEGER.fullmatch(words[-1])
    names, number = (words[:-1], int(words[-1])) if has_number else (words, None)
    if not names:
        raise _not_a_hint("no exercise is named.", "slope")
    if len(names) > 2:
        raise _not_a_hint(f"{' '.join(words)!r} has too many words.", "01 slope 2")
    if len(names) == 1 and (_is_module(names[0]) or _is_path(names[0])):
        module, _, _ = find_target(names, file)
        raise _not_a_hint(f"{names[0]} is a module, not an exercise.", f"{names[0]} {next(iter(module.exercises))}")
    if len(names) == 2 and not _is_path(names[0]):
        pick(names[0], modules())
    module, (name,), path = find_target(names, file)
    return module.exercises[name], number, path


def _is_module(word):
    try:
        return bool(pick(word, modules()))
    except CourseError:
        return False


def _is_path(word):
    return word.endswith(".ipynb") or Path(word).is_file()


def _module_and_file(word, file):
    if file is not None:
        raise UsageError(
            f"the notebook must be named once, got {word} and --file {file}.", "one notebook.", f"omit --file {file}"
        )
    path = Path(word)
    if not path.is_file():
        advice = files_near(path, "*.ipynb")
        raise UsageError(f"{word}: cannot be read; the file does not exist.", "the path of a notebook.", advice)
    return module_of_notebook(read_notebook(path), path), path


def _exercise(word):
    """Find an exercise by its id alone; an unknown word may also mean a module."""
    known = {name for each in modules() for name in load_module(each).exercises}
    if word in known or not known or word[:1].isdigit():
        return find_exercise(word) if word in known else load_module(word)
    stems = [name for stem in modules() for name in (stem, stem[3:])]
    raise CourseError(
        f"{word!r} is neither a module nor an exercise of the course.",
        "a module, such as " + next(iter(modules())) + "; the path of a notebook (.ipynb); or the id of an exercise.",
        near_misses(word, [*sorted(known), *stems]),
    )


def _not_a_hint(what, example):
    return UsageError(f"hint: {what}", "[MODULE] EXERCISE [NUMBER].", f"dark hint {example}")
