"""gradcheck and slope: correct derivatives pass, wrong ones are found."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dark
from dark.errors import UsageError, ValueTypeError


class WrongCube(dark.Operation):
    """A cube whose derivative lacks a factor."""

    @staticmethod
    def _f(x):
        return x**3

    @staticmethod
    def _df(dldy, y, x):
        return (dldy * x**2,)


@given(st.floats(-5, 5), st.floats(-2, 2))
def test_correct_gradients_pass(a, b):
    assert dark.gradcheck(lambda x, y: x * dark.exp(y) + x * x, a, b)


def test_a_wrong_derivative_is_found_and_the_worst_input_reported():
    report = dark.gradcheck(lambda a, b: a + WrongCube.apply(b), 1.0, 2.0)
    assert not report and report.worst == 1 and report.gradient == 4
    assert report.slope == pytest.approx(12) and report.at == 2
    assert str(report).startswith("gradients differ; worst at input 1 (value 2): backward gave 4, finite differences 1")


def test_a_nan_is_an_infinite_error():
    report = dark.gradcheck(dark.log, -1.0)
    assert not report and report.error == math.inf


def test_the_gradient_of_an_unused_input_is_zero():
    assert dark.gradcheck(lambda a, b: a * 2, 1.0, 2.0)
    assert dark.gradcheck(lambda a: dark.Constant(3), 1.0)


def test_gradcheck_without_inputs_or_without_a_node_is_an_error():
    with pytest.raises(UsageError, match="at least one input must be floating-point"):
        dark.gradcheck(lambda: 1)
    with pytest.raises(UsageError, match=r"must return a node, got 3 \(int\).*\n  Expected: a node"):
        dark.gradcheck(lambda x: 3, 1.0)


@given(st.floats(-10, 10))
def test_slope_is_exact_to_rounding_on_a_parabola(x):
    assert dark.slope(lambda v: 2 * v**2 + 5, x) == pytest.approx(4 * x, abs=1e-7)


class WrongAt(dark.Operation):
    """A square whose derivative is wrong for one element."""

    @staticmethod
    def _f(x, index):
        return x**2

    @staticmethod
    def _df(dldy, y, x, index):
        factor = np.full(x.shape, 2.0)
        factor[index] = 2.01
        return (dldy * factor * x,)


class WrongTwice(dark.Operation):
    """A square whose first derivative is correct and whose second derivative is wrong."""

    @staticmethod
    def _f(x):
        return x**2

    @staticmethod
    def _df(dldy, y, x):
        return (dldy * 2 * dark.nodes.value_of(x),)


def numbers(*shape, seed=0):
    return np.random.default_rng(seed).uniform(-1.5, 1.5, shape)


@pytest.mark.parametrize("directions", [None, 3])
def test_correct_gradients_of_arrays_pass(directions):
    f = lambda x, w, b: dark.tanh(x @ w + b) * dark.exp(0.1 * x[:, :1])
    assert dark.gradcheck(f, numbers(4, 3), numbers(3, 2), 0.5, directions=directions, second=True)


def test_a_wrong_element_of_an_array_is_named():
    report = dark.gradcheck(lambda a, x: a * WrongAt.apply(x, index=(1, 2)), 2.0, numbers(3, 4))
    assert not report and (report.worst, report.index, report.direction) == (1, (1, 2), None)
    assert report.at == numbers(3, 4)[1, 2] and report.gradient == pytest.approx(report.slope * 1.005)
    assert str(report).startswith(f"gradients differ; worst at input 1, index [1, 2] (value {report.at:.6g}): ")


@given(st.integers(0, 2999))
def test_random_directions_find_one_wrong_element_among_thousands(position):
    index = np.unravel_index(position, (30, 100))
    report = dark.gradcheck(lambda x: WrongAt.apply(x, index=index), 1.0 + numbers(30, 100) ** 2)
    assert not report and report.index == index


def test_a_large_correct_gradient_reports_a_direction():
    report = dark.gradcheck(lambda x: dark.sum(x**3), numbers(201))
    assert report and report.index == () and 1 <= report.direction <= 10 and math.isnan(report.at)
    assert f"worst at input 0, along random direction {report.direction}: backward gave" in str(report)
    assert dark.gradcheck(lambda x: dark.sum(x**3), numbers(200)).direction is None


def test_the_same_seed_gives_the_same_report():
    f = lambda x: dark.tanh(x * 2)
    assert repr(dark.gradcheck(f, numbers(300))) == repr(dark.gradcheck(f, numbers(300), rng=0))  # of nan, too
    drawn = dark.gradcheck(f, numbers(300), rng=np.random.default_rng(0))
    assert repr(drawn) == repr(dark.gradcheck(f, numbers(300)))
    assert dark.gradcheck(f, numbers(300), rng=1) != dark.gradcheck(f, numbers(300))


def test_a_wrong_second_derivative_is_found():
    assert dark.gradcheck(WrongTwice.apply, 2.0)
    report = dark.gradcheck(WrongTwice.apply, numbers(3), second=True)
    assert not report and str(report).startswith("second derivatives differ; worst at input 0")
    assert "gradients differ" in str(dark.gradcheck(WrongCube.apply, 2.0, second=True))
    assert dark.gradcheck(lambda a, b: a * 3 + dark.Constant(b.value), 2.0, 1.0, second=True).ok is False


def test_inputs_of_other_dtypes_are_converted_with_a_note():
    x = numbers(2, 2).astype(np.float32)
    report = dark.gradcheck(lambda x, s: s * dark.exp(x), x, np.float16(2))
    assert report and report.notes == (
        "input 0 was converted from float32 to float64",
        "input 1 was converted from float16 to float64",
    )
    assert str(report).endswith("\n".join(report.notes))
    assert not dark.gradcheck(lambda x: x, 1.0).notes


def test_a_difference_at_a_kink_reports_both_one_sided_derivatives():
    report = dark.gradcheck(lambda x: dark.sum(dark.relu(x)), np.array([1.0, 0.0, -1.0]))
    assert not report and report.index == (1,)
    assert report.notes == ("the left derivative is 0, the right one 1: there may be a kink here",)
    assert not dark.gradcheck(WrongCube.apply, 2.0).notes


def test_a_difference_behind_low_precision_names_the_operation():
    report = dark.gradcheck(lambda x: dark.exp(x.astype(np.float32)).astype(float), numbers(3))
    assert not report and report.notes[-1] == "cast computed in float32, too coarse for finite differences"


def test_the_index_found_by_random_directions_holds_python_integers():
    report = dark.gradcheck(lambda x: WrongAt.apply(x, index=(24, 34)), 1.0 + numbers(40, 50) ** 2)
    assert not report and report.index == (24, 34) and "index [24, 34]" in str(report)


def test_integer_arrays_are_passed_unchanged():
    seen = []

    def f(x, indices):
        seen.append(type(indices))
        return x[indices]

    assert dark.gradcheck(f, numbers(3), np.array([0, 2, 2])) and set(seen) == {np.ndarray}
    with pytest.raises(UsageError, match="at least one input must be floating-point"):
        dark.gradcheck(lambda x: x, np.arange(3))


def test_empty_inputs_agree():
    report = dark.gradcheck(lambda x: dark.sum(x), np.ones((0, 2)), second=True)
    assert report and str(report) == "gradients agree; the inputs are empty"
    assert dark.gradcheck(lambda x, y: dark.sum(x) + y, np.ones((0, 2)), 1.0, directions=2)


def test_a_function_that_is_not_repeatable_is_an_error():
    rng = np.random.default_rng(0)
    with pytest.raises(UsageError, match=r"(?s)must be deterministic, but returned .*, then .*inside the function"):
        dark.gradcheck(lambda x: x * rng.uniform(), 1.0)


def test_gradcheck_works_inside_no_grad_and_on_derivatives():
    with dark.no_grad():
        assert dark.gradcheck(lambda x: x**3, 2.0)
    assert dark.gradcheck(dark.grad(lambda x: dark.sum(x**3)), numbers(3), second=True)
    with pytest.raises(ValueTypeError, match="cannot use 'a'"):
        dark.gradcheck(lambda x: x, "a")


def test_what_cannot_be_called_with_the_inputs_is_refused():
    with pytest.raises(ValueTypeError, match=r"gradcheck: f must be callable, got 3.0 \(float\)(.|\n)*f\(x0\)"):
        dark.gradcheck(3.0, 1.0)
    with pytest.raises(
        ValueTypeError, match=r"gradcheck: f must accept 2 positional arguments, got f\(x\)(.|\n)*f\(x0, x1\)"
    ):
        dark.gradcheck(lambda x: x, 1.0, 2.0)
    with pytest.raises(ValueTypeError, match=r"slope: f must be callable, got None \(NoneType\)"):
        dark.slope(None, 1.0)
