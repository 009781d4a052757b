"""Claims that a process makes without running an answer earn next to nothing.

It may send any data, and it sees the questions and their inputs. So what is right must depend on the inputs, also where
a judge compares the claims of an answer with each other.
"""

from functools import lru_cache, partial

import pytest

from dark.course.exams.questions import load_exam
from dark.course.judging.asking.sheet import sheets_of
from dark.course.judging.outcome import compare_observations
from dark.course.judging.verdict import RIGHT
from dark.course.lessons.library import load_module, modules
from tests.exams.forgeries.claims import MADE_UP, all_equal, made_up, one_made_up, short

SHARE = 0.05  # of the points of a module, at most, for claims that are the same for every input
FEW = 5  # inputs for which made-up claims are tried
PLACES = range(6)  # of the different arrays of an answer, at most
SEEDS = [0, *(pytest.param(seed, marks=pytest.mark.long) for seed in (1, 2))]
CLAIMS = {kind: partial(made_up, kind=kind) for kind in MADE_UP} | {
    "one number in place of each array": short,
    "one array in place of all": all_equal,
}
JUDGED = [
    pytest.param(stem, question.name, id=f"{stem[:2]}-{question.name}")
    for stem in modules()
    for question in load_exam(stem).questions.values()
    if question.judge is not None
]


@lru_cache(maxsize=3)  # of each seed: tests of a module stand together
def rows_of(stem, seed):
    """Return the questions of a module with their drawn inputs, and what the reference answers."""
    exam = load_exam(stem)
    sheets = [sheet for exercise in load_module(stem).exercises for sheet in sheets_of(exam, exercise, seed)]
    return [row for sheet in sheets for row in sheet.rows]


def is_right(drawn, seen):
    """Return whether what a process says is right for a question with some inputs."""
    question = drawn.question
    return compare_observations(question, drawn.inputs, seen, drawn.expected, question.exercise).status == RIGHT


def is_constant(row):
    """Return whether the answer to one of the inputs is right for all of them."""
    claims = {repr(drawn.plain): drawn.plain for drawn in row.drawn}
    return any(all(is_right(drawn, claim) for drawn in row.drawn) for claim in claims.values())


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("stem", [stem for stem in modules() if load_module(stem).exercises])
def test_answers_that_are_the_same_for_every_input_earn_little(stem, seed):
    rows = rows_of(stem, seed)
    constant = {row.question.name: row.question.points for row in rows if is_constant(row)}
    assert sum(constant.values()) <= SHARE * sum(row.question.points for row in rows), constant


def judged(stem, name, seed):
    """Return some of the drawn inputs of a question, and the right answers."""
    [row] = [row for row in rows_of(stem, seed) if row.question.name == name]
    assert row.is_same_right
    return row.drawn[:FEW], [drawn.plain["returned"] for drawn in row.drawn[:FEW]]


def convincing(drawn, right, claims):
    """Return the claims that are right for their inputs, although they differ from the answer of the reference."""
    triples = zip(drawn, right, claims, strict=True)
    return [claim for each, truth, claim in triples if claim != truth and is_right(each, {"returned": claim})]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("kind", CLAIMS)
@pytest.mark.parametrize("stem, name", JUDGED)
def test_made_up_claims_do_not_convince_a_judge(stem, name, kind, seed):
    drawn, right = judged(stem, name, seed)
    assert not convincing(drawn, right, CLAIMS[kind](right))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("stem, name", JUDGED)
def test_the_answers_to_other_inputs_do_not_convince_a_judge(stem, name, seed):
    drawn, right = judged(stem, name, seed)
    assert len(convincing(drawn, right, [*right[1:], right[0]])) < len(right) / 2


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("stem, name", JUDGED)
def test_a_judge_looks_at_every_array_of_an_answer(stem, name, seed):
    drawn, right = judged(stem, name, seed)
    for place in PLACES:
        assert not convincing(drawn, right, [one_made_up(answer, place) for answer in right])
