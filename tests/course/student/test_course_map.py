"""The map of the course, and what a student owns at the end of a module."""

import re

import pytest

from dark.course.lessons.library import load_module, modules
from dark.course.student import course_map as course_map_file
from dark.course.student.course_map import course_map, lines_written, owned_card, rights, summary_lines
from dark.course.student.student_kernel import ExecutedCell, StudentKernel
from dark.errors import CourseError
from tests.course import little

RIGHT = "def slope(f, x, nudge=1e-6):\n    return (f(x + nudge) - f(x - nudge)) / nudge / 2"


def everything():
    return {module.id: len(module.exercises) for module in map(load_module, modules())}


def test_the_map_names_each_module_with_what_it_needs_and_what_runs_at_its_end():
    rows = course_map("02").contents.rows
    assert [row[0][:2] for row in rows] == [name[:2] for name in modules()]
    for row, name in zip(rows, modules()):
        module = load_module(name)
        assert row[1].split() == list(module.after) and row[3] == module.milestone != ""
        assert row[2] == str(module.minutes)


def test_the_map_fits_a_page_at_its_own_size_and_only_the_present_module_tells_its_end():
    whole, small = course_map().svg, course_map("02").svg
    every = [course_map(name).svg for name in modules()]
    widths = [int(re.search(r'<svg width="(\d+)pt"', svg)[1]) for svg in (whole, *every)]
    assert max(widths) <= 510  # 680 pixels, the width of a page of the book
    shown, alone = (" ".join(re.findall(r"<text[^>]*>([^<]*)</text>", svg)) for svg in (whole, small))
    assert "that finds the wrong" in shown and "species of" in shown
    assert "that finds the wrong" in alone and "species of" not in alone


def test_the_present_module_and_the_students_are_marked_by_words():
    picture = course_map("02", {"01": len(load_module("01").exercises), "03": 1})
    assert [row[4] for row in picture.contents.rows][:3] == ["yours", "you are here", ""]
    assert "you are here" in picture.svg and "01, Scalar autodiff (yours), ends with a line" in picture.alt
    assert "02, Trustworthy gradients (you are here), needs 01 and ends with" in picture.alt


def test_a_module_that_does_not_exist_is_refused():
    with pytest.raises(CourseError, match="the module '99' does not exist"):
        course_map("99")


def test_a_finished_module_says_what_is_yours_and_what_comes_next():
    module = load_module("01")
    shown = owned_card(module, everything())
    assert shown.ok and shown.text.startswith(f"✓ Module 01 is yours: all {len(module.exercises)} exercises.")
    assert module.yours in shown.text and "<img" in shown.html
    assert f"Next: module {modules()[-1][:2]}" in shown.text  # all others are finished, and this one has no exercises
    assert "Next: module 02" in owned_card(module, {"01": len(module.exercises)}).text
    last = load_module(modules()[-1])
    assert "Next" not in owned_card(last, everything()).text


def test_an_unfinished_module_tells_how_many_are_right():
    shown = owned_card(load_module("01"), {"01": 2})
    assert shown.text.startswith("2 of ") and "yours:" not in shown.text and shown.ok is None


def test_progress_has_a_bar_for_every_module():
    lines = summary_lines({"01": len(load_module("01").exercises), "02": 0})
    assert [line[:2] for line in lines] == [name[:2] for name in modules()]
    assert lines[0].startswith("01  ██████████") and f"✓ yours: {load_module('01').yours}" in lines[0]
    assert "█" not in lines[1] and load_module("02").milestone in lines[1]


def test_answers_of_this_session_and_of_other_notebooks_count(tmp_path, monkeypatch):
    root = little.install(tmp_path, monkeypatch)
    little.second(root / "modules")
    monkeypatch.chdir(root / "work")
    monkeypatch.delenv("DARK_SOLUTIONS", raising=False)
    kernel = StudentKernel(root / "work", environment={})
    kernel.history.record(ExecutedCell(RIGHT))
    assert kernel.owned().text.startswith("1 of 2 exercises of module 71 are right.")
    little.student(root / "work" / "71-little.ipynb", slope=RIGHT)
    assert rights(load_module("72"), {})["71"] == 1


def test_what_comes_next_needs_only_what_is_finished():
    right = {load_module(name).id: len(load_module(name).exercises) for name in modules() if name < "06"}
    assert "Next: module 06" in owned_card(load_module("05"), right).text  # 07 builds on 05, but on 06 as well
    assert "Next: module 08" in owned_card(load_module("07"), everything() | {"08": 1}).text


def test_a_module_without_exercises_is_never_finished_by_counting():
    last, right = load_module(modules()[-1]), everything()
    assert last.exercises == {} and right[last.id] == 0
    picture = course_map("01", right)
    assert [row[4] for row in picture.contents.rows][-1] == ""
    assert picture.contents.rows[-1][1].split() == list(last.after)
    assert "after all others" in picture.svg and picture.svg.count("after all others") == 1
    shown = owned_card(last, right, 1234)
    assert shown.ok is None and shown.text.startswith(f"Module {last.id} ends with {last.milestone}.")
    assert "dark capstone check" in shown.text and "1,234 lines" in shown.text
    line = summary_lines({})[-1]
    assert line.startswith(f"{last.id}  a project ") and "yours" not in line and line.endswith(last.milestone)


def test_the_end_of_the_last_module_counts_what_was_written():
    last = load_module(modules()[-1])
    text = owned_card(last, everything(), 1234).text
    exercises = sum(len(load_module(name).exercises) for name in modules())
    assert f"You have written PyTorch: {exercises} exercises, 1,234 lines of your own." in text
    assert "What to read next" in text
    before = {**everything(), "01": 1}
    assert "What to read next" not in owned_card(last, before, 1234).text
    assert "What to read next" not in owned_card(load_module("01"), everything(), 1234).text


def test_lines_that_the_stub_has_and_empty_ones_are_not_written(monkeypatch):
    monkeypatch.setattr(course_map_file, "answers_in", lambda module: {})
    module = load_module("01")
    stub = module.exercises["slope"].stub
    assert lines_written(module, {"slope": stub}) == 0
    assert lines_written(module, {"slope": stub + "\n\n    h = 1e-6\n    return h\n"}) == 2
