"""Diagnoses from the bank."""

from functools import partial

import pytest

from dark.course.judging.answer_facts import UNKNOWN
from dark.course.judging.bank import Answer
from dark.course.judging.judge import judge_exercise
from dark.course.judging.observe import LocalObserver
from tests.course.arithmetic import BANK, BANK_WITH_ENDLESS, MODULE, exam


def diagnosis(source, exercise="twice", bank=BANK):
    return judge_exercise(MODULE, exercise, {exercise: source}, exam=exam, bank=bank).diagnosis


def known(**cells):
    return [Answer(name, source, f"{name}.", "Do.") for name, source in cells.items()]


@pytest.mark.parametrize(
    "bug",
    [*BANK, pytest.param(BANK_WITH_ENDLESS[-1], marks=pytest.mark.long)],  # its time limits take some seconds
    ids=lambda bug: bug.name,
)
def test_every_bug_is_caught_and_named_for_three_seeds(bug):
    for seed in range(3):
        known = {"exam": exam, "bank": BANK_WITH_ENDLESS, "observer": partial(LocalObserver, seconds=0.5)}
        verdict = judge_exercise(MODULE, "twice", {"twice": bug.source}, seed=seed, **known)
        assert not verdict.is_right and verdict.diagnosis == (bug.says, bug.next)


def test_a_bug_is_known_however_it_is_written():
    other = "class Odd(Leaf): pass\ndef twice(number): return Odd(number.value ** 2, [number], 'squared')"
    assert diagnosis(other) == (BANK[0].says, BANK[0].next)


def test_where_no_bug_explains_everything_the_first_failure_is_explained_alone():
    says, step = diagnosis("def twice(x): return Leaf(x.value**2)")
    assert (says, step) == (f"Looks like this: {BANK[0].says}", BANK[0].next)


def test_of_two_bugs_that_explain_the_first_failure_the_likelier_one_is_named():
    start = "def total(n): return {}\ndef four(x): return Leaf({})\n"
    both = start.format("0.0", "3.0")
    refusing = "sum(n) if 'a' in n else 0.0"
    bank = known(one=start.format(refusing, "9.0"), two=start.format(refusing, "3.0"))
    assert diagnosis(both, "total", bank)[0] == "Looks like this: two."


def test_a_bug_that_fails_where_the_answer_is_right_is_not_named():
    start = "def total(n): return {}\ndef four(x): return Leaf({})\n"
    bank = known(one=start.format("0.0", "9.0"))
    assert "one." not in diagnosis(start.format("0.0", "2.0"), "total", bank)[0]
    assert diagnosis(start.format("0.0", "3.0"), "total", bank) == ("Looks like this: one.", "Do.")


FACTS = {"return Leaf(3 * x.value, (x,))": "Looks like `value` is 1.5 times", "return Leaf('two')": "`value` is 'two'"}


@pytest.mark.parametrize("line", FACTS)
def test_of_an_unknown_mistake_the_values_tell(line):
    assert diagnosis(f"def twice(x): {line}")[0].startswith(FACTS[line])


def test_invalid_python_is_named_with_its_line():
    assert diagnosis("def twice(x) return")[0] == "Python cannot read line 1: expected ':'."
    assert diagnosis("def twice(x):\n  y = 1\n    return y")[0] == "Python cannot read line 3: unexpected indent."


def test_the_first_of_two_bugs_that_answer_alike_wins():
    assert diagnosis(BANK[1].source, bank=(BANK[1], BANK[1], BANK[0])) == (BANK[1].says, BANK[1].next)


def test_where_a_question_judges_itself_alike_is_what_it_remarks():
    start = "def total(n): return sum(n, 0.0)\n"
    bank = known(three=f"{start}def four(x): return Leaf(3.0)\n")
    other = start + "def four(x): return Leaf(3)"  # remarks "3", not "3.0"
    assert diagnosis(other, "total", bank) == UNKNOWN
    assert diagnosis(start + "def four(y): return Leaf(1.5 * 2)", "total", bank) == ("three.", "Do.")


def test_a_right_answer_gets_no_diagnosis():
    assert diagnosis(MODULE.exercises["twice"].solution) is None
