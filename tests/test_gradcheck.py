"""gradcheck and slope: they agree with right rules, and find wrong ones."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

import dark
from dark.errors import UsageError


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
