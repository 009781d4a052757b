"""Two lists of rows: which is the first that differs, and how it is told."""

import pytest

from dark.course.exams.differences import Difference
from dark.course.exams.plain import encode
from dark.course.exams.rows import AFTER, BEFORE, WIDTH, first_rows, told_apart


def rows(yours, expected):
    return first_rows(encode(yours), encode(expected))


def event(name, iteration):
    return [name, {"epoch": 1, "iteration": iteration}]


LINES = [event("ITERATION_STARTED", k) for k in range(20)]


def test_an_event_too_many_is_the_first_wrong_one():
    found = rows({"trace": [*LINES, event("COMPLETED", 19)], "end": 1}, {"trace": LINES, "end": 1})
    assert (found.path, found.wrong, found.sizes) == ("trace", 21, (21, 20))
    assert found.says == "21st event: yours COMPLETED, expected nothing."
    assert found.lines[-1] == (21, "COMPLETED, epoch 1, iteration 19", "nothing")


def test_only_what_differs_in_an_event_is_said():
    wrong = [*LINES[:7], event("ITERATION_STARTED", 6), *LINES[8:]]
    found = rows(wrong, LINES)
    assert found.says == "8th event, ITERATION_STARTED: yours iteration 6, expected iteration 7."
    assert [number for number, *_ in found.lines] == list(range(8 - BEFORE, 8 + AFTER + 1))


@pytest.mark.parametrize("where", ["[[], {}]", "[{}, 3]", "{{'a': {}, 'b': [1]}}"])
def test_the_list_is_found_wherever_it_stands(where):
    sides = [eval(where.format(lines)) for lines in (LINES[:2], LINES[:3])]
    found = rows(*sides)
    assert found.wrong == 3 and found.says.endswith("yours nothing, expected ITERATION_STARTED.")
    assert found.holds(found.path) and found.holds(f"{found.path}[2]") and not found.holds(f"{found.path}x")


def test_the_first_list_of_rows_is_shown_though_a_number_differs_before():
    assert rows({"n": 1, "trace": ["a"]}, {"n": 2, "trace": ["b"]}).path == "trace"


@pytest.mark.parametrize("pair", [(1, 2), ([1, 2], [1, 3]), ({"a": 1}, {"a": 2}), ([], 3), (["a"], ["a"])])
def test_numbers_alone_are_no_rows(pair):
    assert rows(*pair) is None


def test_rows_of_numbers_and_answers_of_attempts():
    assert rows([[1, 2], [3, 4]], [[1, 2], [3, 5]]).says == "2nd entry: yours [3, 4]; expected [3, 5]."
    assert rows(["done", "done"], ["done", "ValueError"]).says == "2nd entry: yours done, expected ValueError."


def test_long_texts_are_cut_around_what_differs():
    yours, expected = told_apart("x" * 500 + "a" + "y" * 500, "x" * 500 + "b" + "y" * 500)
    assert yours != expected and len(yours) <= WIDTH and len(expected) <= WIDTH
    long = [["STARTED", "x" * 200 + side] for side in "ab"]
    [(_, mine, theirs)] = rows([long[0]], [long[1]]).lines
    assert mine != theirs


def test_the_kind_is_shown_where_only_it_differs():
    assert told_apart(True, "True")[0] != told_apart(True, "True")[1]
    assert rows([["a", 1]], [["a", True]]).says == "1st entry, a: yours 1, expected True."


def test_a_path_is_told_in_words():
    assert Difference("trace[7][2]", 1, 2).where == "3rd item of the 8th item of trace"
    assert Difference("a.b[0].c", 1, 2).subject == "the c of the 1st item of a.b"
    assert Difference("a.b", 1, 2).subject == "`a.b`" and Difference("", 1, 2).subject == "the answer"
