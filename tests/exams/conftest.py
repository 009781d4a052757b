"""The option `--student`: run every question on a student's notebooks, one test item each.

`--student FILE` names a notebook, `--student 01` the one of a module in `work/`, `--student` alone all of them there.

Without it the solutions are asked, so that the plain test run covers this way in too.
"""

import os
from contextlib import nullcontext
from pathlib import Path

import pytest

from dark.course.exams.questions import load_exam
from dark.course.judging.judge import judge_exercise
from dark.course.judging.observe import LocalObserver
from dark.course.lessons.answers import collect
from dark.course.lessons.library import load_module, modules, notebook_path
from dark.course.lessons.notebook_files import read_notebook
from dark.course.lessons.which_module import answered_module, named_module
from dark.errors import DarkError
from dark.grading.sandbox.worker_observer import Worker, isolated_observer
from tests.exams.ways import judge_in, marks


def pytest_addoption(parser):
    """Add the option."""
    parser.addoption(
        "--student",
        metavar="FILE",
        nargs="?",
        const="",
        help="a student's notebook, or a module (default: all in work)",
    )


def pytest_configure(config):
    """Refuse a file that is not a notebook before anything is collected."""
    try:
        _subjects(config)
    except DarkError as error:
        raise pytest.UsageError(str(error)) from error


def pytest_ignore_collect(collection_path, config):
    """With a student's notebook, collect only its questions."""
    if config.getoption("--student") is not None and collection_path.suffix == ".py":
        return collection_path.name != "test_student.py"
    return None


def pytest_generate_tests(metafunc):
    """Create one item for each question, named exercise/question."""
    if "asked" in metafunc.fixturenames:
        subjects = [module for module, _ in _subjects(metafunc.config)]
        asked = [
            pytest.param(each, id=f"{each[1].exercise}/{each[1].name}", marks=() if k == 0 else pytest.mark.long)
            for k, module in enumerate(subjects)
            for each in _questions(module)
        ]
        metafunc.parametrize("asked", asked)


@pytest.fixture(scope="session")
def verdict_of(pytestconfig):
    """Return a function that judges an exercise of a module, with a cache."""
    sources = {module.id: answers for module, answers in _subjects(pytestconfig)}
    verdicts = {}
    with _observer(pytestconfig) as observer:

        def judge(module, name):
            key = module.id, name
            if key not in verdicts:
                verdicts[key] = judge_exercise(module, name, sources[module.id], observer=observer)
            return verdicts[key]

        yield judge


@pytest.fixture(scope="session")
def worker():
    """Give another process that asks answers, as `dark grade` does."""
    with Worker() as started:
        yield started


@pytest.fixture
def same_in_another_process(request):
    """Return a function that compares a verdict with the one that the same answer has in another process.

    It does so in long tests only.
    """

    def compare(verdict, module, sources, seed=0):
        there = judge_in(request.getfixturevalue("worker"), module, verdict.exercise, sources, seed)
        assert marks(verdict) == marks(there)

    is_long = request.node.get_closest_marker("long") and hasattr(os, "fork")
    return compare if is_long else lambda *asked: None


def _observer(config):
    """Run a student's code in separate processes, and the solutions in this one."""
    return isolated_observer() if config.getoption("--student") is not None else nullcontext(LocalObserver)


def _subjects(config):
    """Return the modules to test, each with the answers to test."""
    file = config.getoption("--student")
    if file is None:
        return [(module, _solutions(module)) for module in map(load_module, modules())]
    return [_subject(path) for path in _students_notebooks(file, config.invocation_params.dir)]


def _students_notebooks(file, here):
    """Return the files that the option names: a file, else the notebooks of modules in the student's folder."""
    path = Path(here, file)
    if path.suffix == ".ipynb":
        return [path]
    begun = [each for name in ([file] if file else modules()) if (each := notebook_path(name, here)).is_file()]
    return begun or [notebook_path(file or modules()[0], here)]


def _subject(path):
    notebook = read_notebook(path)
    module = named_module(notebook, path.name) or answered_module(notebook)[0]
    return module, collect(notebook, module).sources


def _solutions(module):
    return {name: each.solution for name, each in module.exercises.items() if each.solution}


def _questions(module):
    exam = load_exam(module.id)
    return [(module, question) for name in module.exercises for question in exam.questions_of(name)]
