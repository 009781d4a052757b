"""gradcheck and slope: they agree with right rules, and find wrong ones."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dark
from dark.errors import UsageError, ValueTypeError


class WrongCube(dark.Operation):
    """A third power whose derivative forgot a factor."""

    @staticmethod
    def _f(x):
        return x**3

    @staticmethod
    def _df(dldy, y, x):
        return (dldy * x**2,)


@given(st.floats(-5, 5), st.floats(-2, 2))
def test_right_gradients_pass(a, b):
    assert dark.gradcheck(lambda x, y: x * dark.exp(y) + x * x, a, b)


def test_a_wrong_rule_is_found_and_the_worst_entry_reported():
    report = dark.gradcheck(lambda a, b: a + WrongCube.apply(b), 1.0, 2.0)
    assert not report and report.worst == 1 and report.gradient == 4
    assert report.slope == pytest.approx(12) and report.at == 2
    assert str(report).startswith("gradients differ; worst at input 1 (value 2): backward gave 4, nudging measured 12")


def test_a_nan_never_agrees():
    report = dark.gradcheck(dark.log, -1.0)
    assert not report and report.error == math.inf


def test_an_input_that_is_not_used_has_slope_zero():
    assert dark.gradcheck(lambda a, b: a * 2, 1.0, 2.0)
    assert dark.gradcheck(lambda a: dark.Constant(3), 1.0)


def test_gradcheck_says_what_it_needs():
    with pytest.raises(UsageError, match="no input to nudge"):
        dark.gradcheck(lambda: 1)
    with pytest.raises(UsageError, match=r"returned 3 \(int\).*\n  Expected: a node"):
        dark.gradcheck(lambda x: 3, 1.0)


@given(st.floats(-10, 10))
def test_slope_is_exact_to_rounding_on_a_parabola(x):
    assert dark.slope(lambda v: 2 * v**2 + 5, x) == pytest.approx(4 * x, abs=1e-7)


class WrongAt(dark.Operation):
    """The square, whose derivative is wrong at one place."""

    @staticmethod
    def _f(x, place):
        return x**2

    @staticmethod
    def _df(dldy, y, x, place):
        factor = np.full(x.shape, 2.0)
        factor[place] = 2.01
        return (dldy * factor * x,)


class WrongTwice(dark.Operation):
    """The square, whose derivative is right, and whose second derivative is not."""

    @staticmethod
    def _f(x):
        return x**2

    @staticmethod
    def _df(dldy, y, x):
        return (dldy * 2 * dark.nodes.value_of(x),)


def numbers(*shape, seed=0):
    return np.random.default_rng(seed).uniform(-1.5, 1.5, shape)


@pytest.mark.parametrize("directions", [None, 3])
def test_right_gradients_of_arrays_pass(directions):
    f = lambda x, w, b: dark.tanh(x @ w + b) * dark.exp(0.1 * x[:, :1])
    assert dark.gradcheck(f, numbers(4, 3), numbers(3, 2), 0.5, directions=directions, second=True)


def test_a_wrong_entry_of_an_array_is_named():
    report = dark.gradcheck(lambda a, x: a * WrongAt.apply(x, place=(1, 2)), 2.0, numbers(3, 4))
    assert not report and (report.worst, report.index, report.direction) == (1, (1, 2), None)
    assert report.at == numbers(3, 4)[1, 2] and report.gradient == pytest.approx(report.slope * 1.005)
    assert str(report).startswith(f"gradients differ; worst at input 1, index [1, 2] (value {report.at:.6g}): ")


@given(st.integers(0, 2999))
def test_random_directions_find_one_wrong_entry_among_thousands(place):
    place = np.unravel_index(place, (30, 100))
    report = dark.gradcheck(lambda x: WrongAt.apply(x, place=place), 1.0 + numbers(30, 100) ** 2)
    assert not report and report.index == place


def test_a_large_right_gradient_reports_a_direction():
    report = dark.gradcheck(lambda x: dark.sum(x**3), numbers(201))
    assert report and report.index == () and 1 <= report.direction <= 10 and math.isnan(report.at)
    assert f"worst at input 0, along random direction {report.direction}: backward gave" in str(report)
    assert dark.gradcheck(lambda x: dark.sum(x**3), numbers(200)).direction is None


def test_the_same_seed_gives_the_same_report():
    f = lambda x: dark.tanh(x * 2)
    assert dark.gradcheck(f, numbers(300)) == dark.gradcheck(f, numbers(300), rng=0)
    assert dark.gradcheck(f, numbers(300), rng=np.random.default_rng(0)) == dark.gradcheck(f, numbers(300))
    assert dark.gradcheck(f, numbers(300), rng=1) != dark.gradcheck(f, numbers(300))


def test_a_wrong_second_derivative_is_found():
    assert dark.gradcheck(WrongTwice.apply, 2.0)
    report = dark.gradcheck(WrongTwice.apply, numbers(3), second=True)
    assert not report and str(report).startswith("second derivatives differ; worst at input 0")
    assert "gradients differ" in str(dark.gradcheck(WrongCube.apply, 2.0, second=True))
    assert dark.gradcheck(lambda a, b: a * 3 + dark.Constant(b.value), 2.0, 1.0, second=True).ok is False


def test_narrow_inputs_are_widened_and_the_report_says_so():
    x = numbers(2, 2).astype(np.float32)
    report = dark.gradcheck(lambda x, s: s * dark.exp(x), x, np.float16(2))
    assert report and report.notes == (
        "input 0 was widened from float32 to float64",
        "input 1 was widened from float16 to float64",
    )
    assert str(report).endswith("\n".join(report.notes))
    assert not dark.gradcheck(lambda x: x, 1.0).notes


def test_a_difference_at_a_kink_says_how_the_function_climbs_to_both_sides():
    report = dark.gradcheck(lambda x: dark.sum(dark.relu(x)), np.array([1.0, 0.0, -1.0]))
    assert not report and report.index == (1,)
    assert report.notes == ("to the left the slope is 0, to the right 1: there may be a kink here",)
    assert not dark.gradcheck(WrongCube.apply, 2.0).notes


def test_a_difference_behind_narrow_steps_names_the_operation_that_rounds():
    report = dark.gradcheck(lambda x: dark.exp(x.astype(np.float32)).astype(float), numbers(3))
    assert not report and report.notes[-1] == "cast computed in float32, which rounds away what a nudge changes"


def test_the_place_of_an_entry_that_random_directions_found_is_made_of_plain_integers():
    report = dark.gradcheck(lambda x: WrongAt.apply(x, place=(24, 34)), 1.0 + numbers(40, 50) ** 2)
    assert not report and report.index == (24, 34) and "index [24, 34]" in str(report)


def test_integers_in_arrays_are_handed_on():
    seen = []

    def f(x, places):
        seen.append(type(places))
        return x[places]

    assert dark.gradcheck(f, numbers(3), np.array([0, 2, 2])) and set(seen) == {np.ndarray}
    with pytest.raises(UsageError, match="no input to nudge"):
        dark.gradcheck(lambda x: x, np.arange(3))


def test_empty_inputs_agree():
    report = dark.gradcheck(lambda x: dark.sum(x), np.ones((0, 2)), second=True)
    assert report and str(report) == "gradients agree; the inputs hold no number"
    assert dark.gradcheck(lambda x, y: dark.sum(x) + y, np.ones((0, 2)), 1.0, directions=2)


def test_a_function_that_changes_is_refused():
    rng = np.random.default_rng(0)
    with pytest.raises(UsageError, match=r"(?s)gave .* and then .* for the same inputs.*seeded inside"):
        dark.gradcheck(lambda x: x * rng.uniform(), 1.0)


def test_gradcheck_works_inside_no_grad_and_on_derivatives():
    with dark.no_grad():
        assert dark.gradcheck(lambda x: x**3, 2.0)
    assert dark.gradcheck(dark.grad(lambda x: dark.sum(x**3)), numbers(3), second=True)
    with pytest.raises(ValueTypeError, match="cannot use 'a'"):
        dark.gradcheck(lambda x: x, "a")
