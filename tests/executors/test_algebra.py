"""The algebra of executors: equal to plain arithmetic, and nothing is changed by it."""

import copy
import pickle

import numpy as np
import pytest
from hypothesis import given

from dark import nn
from dark.contexts import Context
from dark.errors import DarkError, UsageError, ValueTypeError
from dark.executors import Executor, SumExecutor, constant, linear
from tests.executors.values import FACTORS, STEP, Value, expressions, half, values

a, b, c = values()
CONTEXT = Context(global_step=STEP)
TREES = expressions((a, b, c))
TABLE = {  # what AshPy refuses, or computes wrongly, among others
    "a + b": (lambda: a + b, 11),
    "a - b": (lambda: a - b, -9),
    "-a": (lambda: -a, -1),
    "a / 2": (lambda: a / 2, 0.5),
    "sum([a, b])": (lambda: sum([a, b]), 11),
    "a + b - 3 * c": (lambda: a + b - 3 * c, -289),
    "2 * a + 3 * a": (lambda: 2 * a + 3 * a, 5),
    "a * 2 + (a + b)": (lambda: a * 2 + (a + b), 13),
    "2 * (a + b)": (lambda: 2 * (a + b), 22),
    "2 * (a + b) + c": (lambda: 2 * (a + b) + c, 122),
    "c + 2 * (a + b)": (lambda: c + 2 * (a + b), 122),
    "(a + b) * 2 + (b + c) * 3": (lambda: (a + b) * 2 + (b + c) * 3, 352),
    "a * (lambda step: step)": (lambda: a * (lambda step: step), 7),
    "a * np.float32(2)": (lambda: a * np.float32(2), 2),
    "a * np.int64(2)": (lambda: a * np.int64(2), 2),
    "np.float64(2) * a": (lambda: np.float64(2) * a, 2),
    "np.float32(2) * a": (lambda: np.float32(2) * a, 2),
    "a / half": (lambda: a / half, 1 / 3.5),
    "a - a": (lambda: a - a, 0),
}


def value(executor, context=CONTEXT):
    """Return the value of an executor as a number."""
    return executor(context).item()


@pytest.mark.parametrize(("expression", "expected"), TABLE.values(), ids=TABLE)
def test_an_expression_has_the_value_of_plain_arithmetic(expression, expected):
    assert value(expression()) == pytest.approx(expected, abs=1e-12)
    assert [value(e) for e in (a, b, c)] == [1, 10, 100]


def test_functions_of_the_step_and_numbers_are_multiplied():
    scaled = a * half * 4
    assert scaled.weight(10) == 20 and value(scaled) == 14


@given(TREES)
def test_random_expressions_equal_plain_arithmetic(pair):
    expression, expected = pair
    assert value(expression) == pytest.approx(expected, rel=1e-9, abs=1e-9)


@given(TREES)
def test_nothing_is_changed_by_building_or_calling_an_expression(pair):
    expression, _ = pair
    before = repr(expression), value(expression), expression.terms()
    built = [2 * expression, -expression, expression + a, expression - expression, expression / 3, expression * half]
    assert all(new is not expression for new in built)
    for new in built:
        value(new)
    assert (repr(expression), value(expression), expression.terms()) == before
    assert [value(e) for e in (a, b, c)] == [1, 10, 100] and [repr(e) for e in (a, b, c)] == ["a", "b", "c"]


@given(TREES, TREES, TREES)
def test_addition_is_associative_and_commutative(p, q, r):
    x, y, z = p[0], q[0], r[0]
    assert value((x + y) + z) == pytest.approx(value(x + (y + z)), rel=1e-9, abs=1e-9)
    assert value(x + y) == pytest.approx(value(y + x), rel=1e-9, abs=1e-9)


@given(TREES, TREES, FACTORS)
def test_multiplication_is_distributive(p, q, factor):
    x, y = p[0], q[0]
    assert value(factor * (x + y)) == pytest.approx(value(factor * x + factor * y), rel=1e-9, abs=1e-9)


@given(TREES)
def test_a_difference_with_itself_is_0(pair):
    assert value(pair[0] - pair[0]) == 0 and value(pair[0] + -pair[0]) == 0


@given(TREES)
def test_the_terms_add_up_to_the_value(pair):
    found = value(pair[0])
    assert sum(term.weighted for term in pair[0].terms()) == pytest.approx(found, rel=1e-9, abs=1e-9)


@given(TREES)
def test_the_formula_is_an_expression_with_the_same_value(pair):
    names = {"linear": lambda *x, steps: linear(*x, steps)(STEP), "half": lambda step: 0.5 * step, "step": STEP}
    names |= {
        "cosine": lambda *x, steps: __import__("dark").executors.cosine(*x, steps)(STEP),
        "a": 1,
        "b": 10,
        "c": 100,
    }
    assert eval(repr(pair[0]), names) == pytest.approx(value(pair[0]), rel=1e-4, abs=1e-4)


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        (lambda: a + b - 3 * c, "a + b - 3 * c"),
        (lambda: 2 * (a + b) + c, "2 * (a + b) + c"),
        (lambda: -(a - b), "-(a - b)"),
        (lambda: a - (b - c), "a - (b - c)"),
        (lambda: a - -b, "a + b"),
        (lambda: 0.5 * a * linear(0, 1, 1000), "0.5 * linear(0, 1, steps=1000) * a"),
        (lambda: -a * half - b * half, "-half(step) * a - half(step) * b"),
        (lambda: a * constant(3) / half, "constant(3) / half(step) * a"),
        (lambda: a / half, "1 / half(step) * a"),
        (lambda: a * (lambda step: 1), "lambda(step) * a"),
        (lambda: (100 * a + b).named("both") + c, "100 * a + b + c"),
        (lambda: 2 * a.named("first"), "2 * first"),
    ],
)
def test_an_expression_prints_as_a_formula(expression, text):
    assert repr(expression()) == text


def test_sums_are_flat_unless_they_have_a_weight_or_a_name():
    assert (a + b + c).executors == (a, b, c) and (a + (b + c)).executors == (a, b, c)
    assert len((2 * (a + b) + c).executors) == len(((a + b).named("both") + c).executors) == 2
    assert SumExecutor([a]).executors == (a,) and isinstance((a + b).executors, tuple)


def test_a_schedule_is_evaluated_at_the_step_of_the_context():
    context, scaled = Context(), b * linear(0, 1, steps=4)
    found = []
    for _ in range(6):
        found.append(value(scaled, context))
        context.global_step += 1
    assert found == [0, 2.5, 5, 7.5, 10, 10]


def test_a_constant_weight_needs_no_step_and_a_schedule_does():
    assert value(2 * a, None) == 2
    with pytest.raises(UsageError, match=r"a: the weight half\(step\) needs the step of a context, got None"):
        (a * half)(None)


WRONG = {
    "a * b": lambda: a * b,
    "a / b": lambda: a / b,
    "a * sum": lambda: a * (b + c),
    "a * text": lambda: a * "2",
    "text * a": lambda: "2" * a,
    "a * True": lambda: a * True,
    "a * None": lambda: a * None,
    "a * complex": lambda: a * 2j,
    "a * array": lambda: a * np.ones(2),
    "array * a": lambda: np.ones(2) * a,
    "a * class": lambda: a * float,
    "a * module": lambda: a * nn.ReLU(),
    "a * function of two": lambda: a * (lambda step, epoch: 1),
    "a + 1": lambda: a + 1,
    "1 + a": lambda: 1 + a,
    "a + text": lambda: a + "b",
    "a + None": lambda: a + None,
    "a + False": lambda: a + False,
    "a + array": lambda: a + np.zeros(1),
    "a - 1": lambda: a - 1,
    "2 / a": lambda: 2 / a,
    "sum with text": lambda: SumExecutor([a, "b"]),
    "named 3": lambda: a.named(3),
    "named blank": lambda: a.named(" "),
}


@pytest.mark.parametrize("expression", WRONG.values(), ids=WRONG)
def test_what_is_not_a_number_is_a_type_error(expression):
    with pytest.raises(ValueTypeError, match=r"\n  Expected: .*\n  Try: "):
        expression()


@pytest.mark.parametrize(
    "expression", [lambda: a / 0, lambda: a / np.float64(0), lambda: a * np.nan, lambda: a * np.inf]
)
def test_a_weight_is_finite(expression):
    with pytest.raises(UsageError, match="the divisor must not be 0|its factor must be a finite number, got (nan|inf)"):
        expression()
    with pytest.raises(UsageError, match="the product of its factors is too large"):
        _ = a * 1e200 * 1e200


@pytest.mark.parametrize("wrong", ["1", None, np.nan, True, np.ones(2)])
def test_what_a_function_of_the_step_returns_is_checked(wrong):
    def weight(step):
        return wrong

    with pytest.raises(DarkError, match=r"weight\(step\): the result must be "):
        (a * weight)(CONTEXT)
    with pytest.raises(UsageError, match=r"lambda\(step\) must not be 0"):
        (a / (lambda step: 0))(CONTEXT)


def test_an_empty_sum_is_refused():
    with pytest.raises(UsageError, match="SumExecutor: it must have a term"):
        SumExecutor([])


def test_expressions_can_be_copied_and_pickled():
    loss = 2 * Value(3.0, "x") - Value(1.0, "y") * linear(0, 1, 10)
    for other in (copy.deepcopy(loss), pickle.loads(pickle.dumps(loss))):
        assert value(other) == value(loss) and repr(other) == repr(loss)


def test_a_copy_keeps_the_class_and_its_attributes():
    scaled = 2 * a
    assert isinstance(scaled, Value) and scaled.value == 1.0 and isinstance(scaled, Executor)
