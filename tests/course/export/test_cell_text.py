"""Tests of the source of a cell in a file of a package."""

import pytest

from dark.course.export.cell_text import future_names, text_of
from dark.course.export.given_again import given_text
from dark.course.lessons.library import load_module, modules
from dark.course.lessons.redefined import with_redefined


def test_a_cell_without_the_course_is_unchanged():
    source = "# mine\ndef f(x):\n\n    return x  # → é\n"
    assert text_of(source) == source


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("from dark.draw import draw\nx = 1", "from ._drawing import nothing as draw\nx = 1"),
        ("import math, dark.draw as pictures", "import math; from ._drawing import nothing as pictures"),
        (
            "def f():\n    import dark\n    dark.draw(1)",
            "def f():\n    from ._drawing import nothing as dark\n    dark.draw(1)",
        ),
        ("def f():\n    dark.draw('é')", "from ._drawing import nothing as dark\ndef f():\n    dark.draw('é')"),
        ("x = 1\ndark.draw(x)\ny = 2", "x = 1\ny = 2"),
        ("from __future__ import annotations\nx: int = 1", "x: int = 1"),
    ],
)
def test_pictures_become_nothing_and_trials_are_left_out(source, text):
    assert text_of(source) == text


def test_names_of_the_future_go_to_the_top():
    assert future_names("from __future__ import annotations, division") == {"annotations", "division"}


def test_a_name_that_an_answer_defines_again_is_named_after_it():
    source = with_redefined(
        "class Log:\n    pass\n\ndef log(x, Log=None):\n    return Log\n\n"
        "def twice(x):\n    return Log, [Log for Log in x], (lambda: Log)",
        {"Log"},
    )
    space = {}
    exec(text_of(source, "logs"), space)
    assert "Log" not in space and space["log"](1, 2) == 2
    assert text_of(source, "logs").startswith("class Log_of_logs:")


def test_no_given_cell_needs_the_course_in_a_package():
    for stem in modules():
        for part in load_module(stem).parts:
            if part.kind == "given":
                text = given_text(part.source)
                assert "dark" not in text.replace("darker", ""), stem
                compile(text, stem, "exec")
