"""Write a release: test the module, make the notebooks, search them for answers, and only then write them."""

from pathlib import Path

from dark.course.lessons.library import modules_folder
from dark.course.lessons.notebook_files import notebook_text, parse_notebook, save_file
from dark.errors import CourseError, UsageError
from dark.grading.batch.module_check import check_assignment
from dark.grading.release.gradescope_autograder import CLASS, ZIP, autograder_zip
from dark.grading.release.leaks import Leak, find_leaks, find_leaks_in_text
from dark.grading.release.notebook import nbgrader_files, released_notebook
from dark.grading.release.terms import FILE

FORMATS = ("notebook", "nbgrader", "gradescope")
SEEDS = (0, 1, 2)  # of the inputs with which the module is tested
GLOSSARY = "glossary.md"


class LeakError(CourseError):
    """A release that contains an answer; nothing of it is written."""


def write_release(assignment, terms, out, format: str = "notebook", tell=lambda text: None, private=None) -> list[Path]:
    """Write a release that is tested and has no answers into a folder, new, empty or a release; return its files."""
    module, out = assignment.module, Path(out)
    _check_folder(out)
    if any(exercise.solution is None for exercise in module.exercises.values()):
        what = f"module {module.id} has no solutions here, and a release is searched for them."
        expected = "the repository of the course, with its folder solutions/."
        raise UsageError(what, expected, "clone it, or install dark-course again: its wheel has them, too.")
    for seed in SEEDS:
        check_assignment(assignment, seed, lambda text, seed=seed: tell(f"{text}, seed {seed}"))
    notebook = released_notebook(module, terms)
    files = nbgrader_files(module, notebook) if format == "nbgrader" else _files(module, notebook)
    tell("searching for answers")
    _refuse_leaks(notebook, files | {FILE: terms.text}, module, assignment.exam)
    if format == "gradescope":
        files = {f"{CLASS}/{name}": text for name, text in files.items()}
        files[ZIP] = autograder_zip(terms, private)
    files[FILE] = terms.text
    for name, text in files.items():
        save_file(out / name, text)
    return [out / name for name in files]


def _files(module, notebook):
    """Return the files for students, by name: the notebook, and the glossary that it links to."""
    glossary = modules_folder() / GLOSSARY
    others = {GLOSSARY: glossary.read_text(encoding="utf-8")} if glossary.is_file() else {}
    return {f"{module.stem}.ipynb": notebook_text(notebook), **others}


def _refuse_leaks(notebook, files, module, exam):
    """Search the files for students, as they are written to disk."""
    leaks = find_leaks(parse_notebook(notebook_text(notebook)), module, exam)
    for name, text in files.items():
        if not name.endswith(".ipynb"):
            leaks += [Leak(name, what) for what in find_leaks_in_text(text, module, exam)]
    if leaks:
        more = f", and {len(leaks) - 1} more" if len(leaks) > 1 else ""
        raise LeakError(
            f"module {module.id}: {leaks[0]}{more}; nothing is released.",
            "no solution, prediction or hidden question in anything that students get.",
            f"correct book/{module.stem}.md and print it with `dark build`; or rename what only looks like an answer",
        )


def _check_folder(out):
    if out.is_dir() and any(out.iterdir()) and not (out / FILE).is_file():
        what = f"--out {out} is not empty and is not a release."
        raise UsageError(
            what,
            "a new or empty folder, or an earlier release.",
            f"--out {out if out.name else out.resolve().name}-release",
        )
