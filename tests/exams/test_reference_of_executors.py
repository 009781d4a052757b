"""The reference of module 10, which is written for the lesson, computes what `dark.executors` computes."""

import math

import numpy as np
import pytest

import dark
from dark.contexts import Context
from dark.course.exams.questions import load_exam
from tests.executors.values import Value

exam = load_exam("10")
lesson = exam.reference
module = next(iter(exam.questions.values())).body.__globals__
EXPRESSIONS, FORMULAS, ramp = module["EXPRESSIONS"], module["FORMULAS"], module["ramp"]


class Known(lesson.Executor):
    """An executor of the lesson with a known value."""

    def __init__(self, name, value):
        super().__init__()
        self.name, self.value = name, value

    def call(self, context):
        return self.value


def both(expression):
    """Evaluate an expression with executors of the lesson and with those of `dark`."""
    values = {"a": 1.0, "b": 10.0, "c": 100.0}
    names = {"ramp": ramp, "sum": sum}
    kinds = (Known, lambda name, value: Value(value, name))
    return [eval(expression, dict(names), {name: kind(name, x) for name, x in values.items()}) for kind in kinds]


@pytest.mark.parametrize("expression", FORMULAS)
def test_values_formulas_and_terms_are_those_of_dark(expression):
    lessons, darks = both(expression)
    for step in (0, 3, 8):
        context = lesson.Context(global_step=lesson.Counter(step))
        assert math.isclose(lessons(context), darks(Context(global_step=step)).item(), abs_tol=1e-12)
    assert lessons.values() == darks.values()
    read = module["without_layout"]
    assert read(repr(lessons)) == read(repr(darks))


@pytest.mark.parametrize("name", ["linear", "cosine"])
def test_schedules_are_those_of_dark(name):
    lessons, darks = (getattr(each, name)(2.0, 0.5, 7) for each in (lesson, dark.executors))
    assert [lessons(step) for step in range(10)] == [darks(step) for step in range(10)]


@pytest.mark.parametrize("size", [None, 8])
def test_reduced_losses_are_those_of_dark(size):
    losses = np.array([1.0, 2.0, 3.0, 5.0])

    class Losses(dark.executors.Executor):
        @dark.executors.Executor.reduce_loss
        def call(self, context):
            return losses

    class Ours(lesson.Executor):
        @lesson.reduce_loss
        def call(self, context):
            return losses

    context = lesson.Context()
    context.global_batch_size = size
    assert Ours()(context).item() == Losses()(Context(global_batch_size=size)).item()
