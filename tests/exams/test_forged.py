"""Answers that forge instead of computing earn nothing, on any question of any module."""

import pytest

from dark.course.exams.inputs import inputs_of
from dark.course.exams.questions import load_exam
from dark.course.judging.asking import expected_observation
from dark.course.judging.implementation import arrange
from dark.course.judging.observe import LocalObserver
from dark.course.judging.outcome import compare_observations
from dark.course.judging.verdict import RIGHT
from dark.course.lessons.library import load_module, modules
from dark.grading.sandbox.confinement import confinement
from dark.grading.sandbox.limits import Limits
from dark.grading.sandbox.worker_observer import Worker, WorkerObserver
from tests.exams.forgeries.liars import FORGERIES, SEARCHES, answer

RIGHT_BY_VALUE = {  # the question asks for a case in which the forgery computes what a right answer does
    ("leaf_alone", "its arguments without inputs"),  # of a leaf, the order is the list of the leaf
    ("axes_of_vectors_and_numbers", "its first argument"),  # a vector and a number are their own transpose
    ("arguments_and_result", "its first argument"),  # a function itself takes its arguments, and returns its result
    ("a_filter_of_ones_own", "its first argument"),  # `make_filter` returns a filter unchanged
}
EXERCISES = [(stem, name) for stem in modules() for name in load_module(stem).exercises]
QUICK = {("01-scalar-autodiff", "topological_order"), ("01-scalar-autodiff", "node")}
LIMITS = Limits(wall_seconds=60, cpu_seconds=60)


def earned(stem, exercise, source, observer):
    """Return the questions of an exercise that an answer gets right on all inputs of a seed."""
    module = load_module(stem)
    exam = load_exam(module.id)
    opened = observer(exam)
    forged = answer(source, module.exercises[exercise].defines)
    try:
        if opened.open(arrange(module.parts, {exercise: forged})) is not None:  # not even a base class
            return []
        return [question.name for question in exam.questions_of(exercise) if is_right(question, exercise, exam, opened)]
    finally:
        opened.close()


def is_right(question, exercise, exam, observer):
    for inputs in inputs_of(question, 0):
        seen, expected = observer.observe(question.name, inputs), expected_observation(exam, question, inputs)
        if compare_observations(question, inputs, seen, expected, exercise).status != RIGHT:
            return False
    return True


def cases(kinds):
    for stem, exercise in EXERCISES:
        marks = [] if (stem, exercise) in QUICK else [pytest.mark.long]
        for kind in kinds:
            yield pytest.param(stem, exercise, kind, id=f"{exercise}-{kind}", marks=marks)


@pytest.mark.parametrize("stem, exercise, kind", [*cases(FORGERIES)])
def test_an_answer_of_lying_objects_earns_nothing(stem, exercise, kind):
    found = earned(stem, exercise, FORGERIES[kind], lambda exam: LocalObserver(exam, 1.0))
    assert [name for name in found if (name, kind) not in RIGHT_BY_VALUE] == []


@pytest.fixture(scope="module")
def worker():
    with Worker() as started:
        yield started


@pytest.mark.skipif(not confinement().reaches("files"), reason="the kernel cannot close files here")
@pytest.mark.parametrize("stem, exercise, kind", [*cases(SEARCHES)])
def test_an_answer_that_searches_its_process_earns_nothing(stem, exercise, kind, worker):
    assert earned(stem, exercise, SEARCHES[kind], lambda exam: WorkerObserver(exam, worker, LIMITS)) == []
