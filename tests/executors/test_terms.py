"""Terms: what is reported of a call is what its terms returned in this call."""

import numpy as np
import pytest
from hypothesis import given

from dark.contexts import Context
from dark.executors import Executor, SumExecutor, Term, linear
from tests.executors.values import STEP, Value, expressions, values


class A(Executor):
    """Returns 1.0, then 2.0, and so on."""

    def __init__(self):
        super().__init__()
        self.calls = 0

    def call(self, context, **kwargs):
        """Return the number of this call."""
        self.calls += 1
        return float(self.calls)


class PerExample(A):
    """The number of the call, times the losses of the examples."""

    @Executor.reduce_loss
    def call(self, context, *, x):
        """Return one loss for each example."""
        self.calls += 1
        return self.calls * x


def test_an_executor_twice_in_a_sum_reports_each_term():
    a = A()
    s = a + a
    assert s(None).item() == 3.0 and s.values() == {"A": 1.0, "A 2": 2.0}
    assert s(None).item() == 7.0 and s.values() == {"A": 3.0, "A 2": 4.0}


def test_weights_and_nested_sums_report_each_term():
    a = A()
    s = 2 * (a + Value(10.0, "b")) - (a + a).named("both") / 4
    assert s(None).item() == 2 * 11 - 5 / 4
    assert s.values() == {"A": 1.0, "b": 10.0, "A 2": 2.0, "A 3": 3.0}
    assert [(term.weight, term.value) for term in s.terms()] == [(2.0, 1.0), (2.0, 10.0), (-0.25, 2.0), (-0.25, 3.0)]
    tree = s.tree()
    assert [part.name for part in tree.parts] == ["SumExecutor", "both"] and tree.parts[1].value == 5.0


def test_a_schedule_is_reported_as_in_the_call():
    a, context = A(), Context(global_step=2)
    s = a * linear(0, 1, steps=4) + a * (lambda step: step)
    first, second = s.evaluate(context)[1], s.evaluate(context)[1]
    assert [part.weight for part in first.parts] == [part.weight for part in second.parts] == [0.5, 2]
    context.global_step = 4
    s(context)
    assert [(term.weight, term.weight_text) for term in s.terms()] == [
        (1.0, "linear(0, 1, steps=4)"), (4, "lambda(step)"),
    ]  # fmt: skip
    assert [term.value for term in first.leaves()] == [1.0, 1.0] and [t.value for t in s.terms()] == [3.0, 3.0]


def test_losses_of_examples_are_reported_for_each_term():
    losses = PerExample()
    s = losses + losses
    assert s(None, x=np.array([1.0, 3.0])).item() == 6.0 and s.values() == {"PerExample": 2.0, "PerExample 2": 4.0}


def test_sums_that_share_an_executor_report_their_own_calls():
    a = A()
    first, second = a + Value(10.0, "b"), Value(10.0, "b") + a
    assert (first(None).item(), second(None).item(), a(None).item()) == (11.0, 12.0, 3.0)
    assert first.values() == {"A": 1.0, "b": 10.0} and second.values() == {"b": 10.0, "A": 2.0}
    assert a.values() == {"A": 3.0}
    second(None)
    assert first.values() == {"A": 1.0, "b": 10.0} and a.values() == {"A": 3.0}


def test_a_loss_that_is_evaluated_between_a_step_and_its_log_reports_the_step():
    a = A()
    loss = a + 2 * a
    loss(None)
    before = loss.values(), loss.terms(), loss.tree()
    value, term = loss.evaluate(None)
    assert value.item() == 2.0 + 2 * 2.0 and isinstance(term, Term) and term.parts[0].value == 2.0
    assert (loss.values(), loss.terms(), loss.tree()) == before


def test_a_new_expression_has_no_values_yet():
    a = A()
    a(None)
    for new in (2 * a, a.named("x"), a + a):
        assert new.values() == {} and all(term.value is None for term in new.terms())
    total = a + A()
    total(None)
    total.global_batch_size = 4
    assert total.values() == {"A": 2.0, "A 2": 1.0}


def test_the_call_of_a_sum_may_be_extended():
    class Doubled(SumExecutor):
        def call(self, context, **kwargs):
            return 2 * super().call(context, **kwargs)

    doubled = Doubled(values())
    assert doubled(None).item() == 222.0 and doubled.values() == {"a": 1.0, "b": 10.0, "c": 100.0}
    assert doubled.tree().value == 222.0 and doubled.call(None).item() == 222.0


@given(expressions((Value(1.0, "a"), Value(10.0, "b"), Value(100.0, "c"))))
def test_the_tree_of_an_evaluation_is_that_of_a_call(pair):
    expression, expected = pair
    value, term = expression.evaluate(Context(global_step=STEP))
    assert expression(Context(global_step=STEP)).item() == value.item() == pytest.approx(expected, rel=1e-9, abs=1e-9)
    assert expression.tree() == term and term.weighted == pytest.approx(expected, rel=1e-9, abs=1e-9)
