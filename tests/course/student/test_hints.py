"""Tests of hints: they come in order, with their pictures, and the log remembers how far."""

import re

import pytest

from dark.course.cards.verdict_card import next_hint
from dark.course.lessons.library import find_exercise, load_module, modules
from dark.course.student.hints import hint_card, picture_of
from dark.course.student.student_kernel import StudentKernel
from dark.errors import CourseError, DarkError
from tests.course import little


@pytest.fixture
def kernel(tmp_path, monkeypatch):
    """A kernel in the little course."""
    little.install(tmp_path, monkeypatch)
    return StudentKernel(tmp_path, environment={})


def test_hints_come_one_after_another_and_then_end(kernel):
    titles = [kernel.hint("slope").text.splitlines()[0] for _ in range(6)]
    assert titles == [
        "slope, hint 1 of 4, a nudge",
        "slope, hint 2 of 4, the idea",
        "slope, hint 3 of 4, the steps in words",
        "slope, hint 4 of 4, a worked example",
        "slope: you have seen all 4 hints.",
        "slope: you have seen all 4 hints.",
    ]


def test_the_end_names_the_sibling_and_the_solution(kernel):
    last = hint_card(find_exercise("slope"), None).text
    assert 'hint("slope", 4) shows the worked example again' in last
    assert "solutions/" in last


def test_the_end_names_no_solution_where_there_is_none(kernel, tmp_path):
    (tmp_path / "solutions" / "71-little.ipynb").unlink()
    assert "solutions/" not in hint_card(find_exercise("slope"), None).text


def test_a_hint_can_be_asked_for_by_number_and_counts(kernel):
    assert kernel.hint("slope", 2).text.startswith("slope, hint 2 of 4")
    assert kernel.hint("slope").text.startswith("slope, hint 3 of 4")
    assert kernel.hint("slope").text.startswith("slope, hint 4 of 4")
    assert kernel.hint("slope").text.startswith("slope, hint 1 of 4")  # it was skipped
    assert kernel.hint("slope").text.startswith("slope: you have seen all 4 hints")


def test_hints_of_two_exercises_are_counted_apart(kernel):
    kernel.hint("slope")
    assert "hint 1 of 4" in kernel.hint("minimize").text


def test_the_picture_is_svg_in_html_and_a_table_in_text(kernel):
    shown = kernel.hint("slope", 2)
    assert '<img alt="' in shown.html and "data:image/svg+xml" in shown.html
    assert "<?xml" not in shown.html
    assert "parameter" in shown.text


def test_a_text_keeps_its_lines_and_indentation(kernel):
    assert kernel.hint("slope", 3).text.endswith("\n  one\n    two")
    assert "one\n  two" in kernel.hint("slope", 3).html


@pytest.mark.parametrize("number", [0, 5, -1, 1.5, True, "2"])
def test_a_hint_that_is_not_there_is_a_clear_error(kernel, number):
    with pytest.raises(
        DarkError, match=rf"hint slope: number must be .*, got {number!r}.*\n  Expected: an integer from 1 to 4"
    ):
        kernel.hint("slope", number)
    assert kernel.log.read() == ((), ())


def test_an_unknown_exercise_is_answered_with_near_misses(kernel):
    with pytest.raises(CourseError, match="(?s)no exercise 'slop'.*Try: slope"):
        kernel.hint("slop")


def test_a_picture_that_is_a_drawing_already_is_taken_as_it_is():
    source = "from dark.draw import draw\ndraw(dark.mul(dark.Parameter(3.0), 2.0))"
    assert "<svg" in picture_of(source).svg


def test_a_picture_that_cannot_be_drawn_leaves_the_text_alone():
    assert picture_of("dark.mul(dark.Parameter('three'), 2.0)") is None


def test_next_hint_is_none_after_the_last():
    assert [next_hint(4, range(1, given + 1)) for given in range(6)] == [1, 2, 3, 4, None, None]


PICTURES = [
    pytest.param(hint.draw, id=f"{module.id}-{name}")
    for module in map(load_module, modules())
    for name, exercise in module.exercises.items()
    for hint in exercise.hints
    if hint.draw
]


@pytest.mark.parametrize("source", PICTURES)
def test_every_picture_of_a_hint_is_drawn_with_events_that_a_student_has(source):
    picture = picture_of(source)
    assert "<svg" in picture.svg
    assert not re.search("GET_BATCH|DATALOADER|TERMINATE|INTERRUPT", getattr(picture, "text", ""))
