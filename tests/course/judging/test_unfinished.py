"""Partly written answers: a remaining stub is named, with its line and what is already right."""

import pytest

from dark.course.cards.verdict_card import Report
from dark.course.judging.judge import judge_exercise
from dark.course.judging.unfinished import Stub, describe_stubs, stubs_in
from tests.course import arithmetic
from tests.course.arithmetic import MODULE

RAISE = "raise NotImplementedError"
ADDS = "def total(numbers):\n    return sum(numbers, 0.0)\n"


def judge(source, exercise="total"):
    return judge_exercise(MODULE, exercise, {exercise: source}, exam=arithmetic.exam, bank=())


def test_one_of_two_functions_is_written():
    verdict = judge(f"{ADDS}def four(x):\n    {RAISE}\n")
    assert (verdict.status, verdict.earned) == ("partly written", 4)
    assert Report.of(verdict).text.splitlines() == [
        "· total: partly written, 4 of 5 points.",
        "  `four` is still a stub: replace `raise NotImplementedError` in line 4 of the cell by your code.",
        '  Hint 1: hint("total")',
        "",
        "  Already right: The sum of all numbers, 0 for none.",
        "  Already right: A string cannot be added.",
    ]


def test_what_is_wrong_comes_first_and_the_stub_is_named_too():
    verdict = judge(f"def total(n):\n    return 7.0\ndef four(x):\n    {RAISE}\n")
    text = Report.of(verdict).text
    assert verdict.status == "wrong" and text.index("Smallest input") < text.index("`four` is still a stub")


@pytest.mark.parametrize("body", [f"{RAISE}\n    return Leaf(2 * x.value)", f"y = 2 * x.value\n    {RAISE}"])
def test_code_around_a_stub_is_told_to_delete_it(body):
    verdict = judge(f"def twice(x):\n    {body}", "twice")
    assert (verdict.status, verdict.diagnosis) == ("partly written", None)
    assert "still contains `raise NotImplementedError`" in verdict.failing.error.message
    assert "Delete that line." in verdict.failing.error.message


def test_another_docstring_on_a_stub_is_not_an_attempt():
    assert judge(f"def twice(x):\n    'Mine.'\n    {RAISE}", "twice").status == "not attempted"


def test_a_stub_outside_all_functions_is_named_by_its_line():
    verdict = judge(f"def twice(x): return x\n{RAISE}", "twice")
    assert verdict.failing.error.message.startswith("line 2 still contains `raise NotImplementedError`")


@pytest.mark.parametrize("line", [RAISE, f"{RAISE}()", f"{RAISE}('later')"])
def test_stubs_are_found_however_they_raise(line):
    assert stubs_in(f"def f():\n    '''Doc.'''\n    {line}") == (Stub("f", 3, True),)


def test_nothing_else_is_a_stub():
    assert stubs_in("def f():\n    raise ValueError\n    raise\n") == stubs_in("def (") == ()


def test_each_stub_gets_a_line():
    assert len(describe_stubs(stubs_in(f"def f():\n    {RAISE}\ndef g():\n    {RAISE}")).splitlines()) == 2
