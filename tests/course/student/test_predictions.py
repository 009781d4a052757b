"""Tests of predictions: the first one counts, and nothing is revealed before it is in the log."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dark.course.student.predictions import agrees, find_prediction, first_prediction, fits
from dark.course.student.student_kernel import StudentKernel
from dark.errors import CourseError, UsageError
from tests.course import little


@pytest.fixture
def kernel(tmp_path, monkeypatch):
    """A kernel in the little course, whose only prediction is 6."""
    little.install(tmp_path, monkeypatch)
    return StudentKernel(tmp_path, environment={})


PLAIN = st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=False) | st.integers(-9, 9) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3),
    max_leaves=5,
)


@given(PLAIN)
def test_an_answer_agrees_with_itself(answer):
    assert agrees(answer, answer)


@given(st.floats(-1e6, 1e6).filter(lambda x: abs(x) > 1e-6 and abs(x - round(x)) > 1e-5))
def test_a_number_is_right_within_one_percent(truth):
    assert agrees(float(f"{truth:.3g}"), truth) and agrees(truth * 1.009, truth)
    assert not agrees(truth * 1.011, truth) and not agrees(-truth, truth)


@given(st.integers(-10_000, 10_000))
def test_an_integer_is_exact(truth):
    assert agrees(truth, truth) and agrees(float(truth), truth + 1e-12)
    assert not agrees(truth + 1, truth) and not agrees(truth + 0.004, truth)


def test_numbers_in_a_list_have_a_tolerance_each():
    assert agrees([2.3, 1000], [2.302585, 1000]) and not agrees([2.302585, 999], [2.302585, 1000])
    assert not agrees([1, 2], [1, 2, 3]) and not agrees({"a": 1}, {"b": 1})


def test_none_is_an_answer():
    assert agrees(None, "nothing") and agrees("None", "nothing") and not agrees(None, "a number")
    assert agrees(None, None) and not agrees(0, None)


@given(st.text(st.characters(codec="ascii", categories=["L"]), min_size=1))
def test_capitals_and_spaces_do_not_matter(text):
    assert agrees(f"  {text.upper()} ", text.lower())


@pytest.mark.parametrize(
    ("answer", "truth"),
    [
        ("42", 42),
        ("1e1", 10.0),
        (np.float32(2.5), 2.5),
        (np.array([1.0, 2.0]), [1, 2]),
        ((1, "A b"), [1.0, "a  B"]),
        ("true", True),
        ({"a": 1}, {"a": 1.0}),
        (math.nan, math.nan),
        ("inf", math.inf),
    ],
)
def test_the_same_answer_in_another_form_agrees(answer, truth):
    assert agrees(answer, truth)


@pytest.mark.parametrize(
    ("answer", "truth"), [(1, True), (3, 4), ([1], [1, 2]), ("a", "b"), (object(), 1), (None, 0), ([3], 3)]
)
def test_another_answer_does_not_agree(answer, truth):
    assert not agrees(answer, truth)


def test_three_dots_reveal_nothing_and_are_not_logged(kernel):
    shown = kernel.predict("71.1a", ...)
    assert shown.text.startswith("· 71.1a is not predicted yet.")
    assert "6" not in shown.text
    assert shown.ok is None
    assert kernel.log.read() == ((), ())


def test_a_right_prediction_is_revealed_with_its_reason(kernel):
    shown = kernel.predict("71.1a", 6)
    assert shown.text == "✓ 71.1a: you predicted 6; it is 6.\n  Twice three."
    assert shown.ok is True


def test_a_wrong_prediction_is_logged_before_the_truth(kernel):
    shown = kernel.predict("71.1a", 9)
    assert shown.text.startswith("✗ 71.1a: you predicted 9; it is 6.")
    assert shown.ok is False
    assert kernel.log.read()[0][0]["answer"] == 9


def test_the_first_prediction_stands(kernel):
    kernel.predict("71.1a", 9)
    shown = kernel.predict("71.1a", 6)
    assert "✗ 71.1a: you predicted 9; it is 6." in shown.text
    assert "Your first prediction counts, not 6." in shown.text
    assert len(kernel.log.read()[0]) == 1


def test_the_same_prediction_again_reads_the_same(kernel):
    assert kernel.predict("71.1a", 9).text == kernel.predict("71.1a", 9).text


@pytest.mark.parametrize("answer", ["6 times", "line 1", object(), [6], None, True])
def test_where_a_number_is_asked_for_anything_else_is_not_counted(kernel, answer):
    shown = kernel.predict("71.1a", answer)
    assert shown.text.startswith("· 71.1a: expected a number, got ") and shown.ok is None
    assert "Write the number alone" in shown.text and "Twice three" not in shown.text
    assert kernel.log.read() == ((), ())


@pytest.mark.parametrize("answer", ["6", 6, 6.0, np.float64(6), " 6e0 "])
def test_a_number_counts_however_it_is_written(kernel, answer):
    assert kernel.predict("71.1a", answer).ok is True


@pytest.mark.parametrize("answer", [3, "2, 3, 4", "[2, 3, 4]", None])
def test_where_a_list_is_asked_for_anything_else_is_not_counted(tmp_path, answer):
    shown = StudentKernel(tmp_path, environment={}).predict("04.1a", answer)
    assert shown.text.startswith("· 04.1a: expected a list, got ") and shown.ok is None
    assert "in square brackets" in shown.text and "From the last axis" not in shown.text
    assert StudentKernel(tmp_path, environment={}).log.read() == ((), ())


@pytest.mark.parametrize("answer", [[2, 3, 4], (2, 3, 4), np.array([2, 3, 4]), [2.0, 3.0, 4.0]])
def test_a_list_counts_however_it_is_written(tmp_path, answer):
    assert StudentKernel(tmp_path, environment={}).predict("04.1a", answer).ok is True


@pytest.mark.parametrize("answer", [[], [3, 4], [[2, 3, 4]], ["2", "b"]])
def test_a_wrong_list_counts_as_wrong(tmp_path, answer):
    assert StudentKernel(tmp_path, environment={}).predict("04.1a", answer).ok is False


def test_words_that_an_older_log_holds_do_not_stand_in_the_way(kernel):
    kernel.log.append("predict", prediction="71.1a", answer="six")
    assert kernel.predict("71.1a", 6).text.startswith("✓ 71.1a: you predicted 6")


def test_a_text_may_be_anything_where_a_text_is_asked_for():
    assert fits("a", "b") and fits({"object": "Node"}, "b") and fits({"number": "inf"}, {"number": "nan"})


def test_what_a_student_predicts_is_escaped_in_html(kernel):
    assert "<b>x</b>" not in kernel.predict("71.1a", "<b>x</b>").html


def test_a_prediction_without_an_answer_in_the_log_is_passed_over():
    assert first_prediction([{"event": "predict", "prediction": "71.1a"}], "71.1a") is None


def test_an_unknown_prediction_is_answered_with_near_misses(kernel):
    with pytest.raises(CourseError, match=r"(?s)prediction '71.1b'.*Try: 71.1a"):
        find_prediction("71.1b")
    with pytest.raises(CourseError, match=r"(?s)prediction 'elsewhere'.*Try: copying the line"):
        kernel.predict("elsewhere", 1)


def test_a_number_instead_of_a_name_is_answered_with_quotes(kernel):
    with pytest.raises(UsageError, match=r'(?s)the float 71.1, not a string.*a name in quotes.*predict\("01.0a", 7\)'):
        kernel.predict(71.1, 3)
