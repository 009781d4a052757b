"""Properties of every exercise of every module, tested on the exercises themselves.

A blank is "not attempted"; the solution gets full points, with three seeds; every banked bug is
caught and named; a right answer written differently passes; no solution stands in a blank notebook.
"""

import re

import pytest

from dark.course.exams import Choice
from dark.course.exams.questions import load_exam
from dark.course.judging.bank import load_bank
from dark.course.judging.judge import judge_exercise
from dark.course.lessons.library import load_module, modules

SEEDS = [0, pytest.param(1, marks=pytest.mark.long), pytest.param(2, marks=pytest.mark.long)]
MODULES = [module for module in map(load_module, modules()) if module.exercises]
EXERCISES = [(module, name) for module in MODULES for name in module.exercises]
LAST = [(module, list(module.exercises)[-1]) for module in MODULES]  # what stands on the other exercises of its module
BANKS = {(module.id, name): load_bank(module, name) for module, name in EXERCISES}
BUGS = [  # with seed 0, and half of them with each other seed; `make test` asks the first of each exercise
    pytest.param(module, name, bug, seed, marks=() if k == seed == 0 else pytest.mark.long)
    for module, name in EXERCISES
    for k, bug in enumerate(BANKS[module.id, name].bug)
    for seed in (0, 1 + k % 2)
]
RIGHT = [
    pytest.param(module, name, answer, marks=() if k == 0 and (module, name) in LAST else pytest.mark.long)
    for module, name in EXERCISES
    for k, answer in enumerate(BANKS[module.id, name].right)
]
ALL_YOURS = [
    pytest.param(module, name, marks=() if (module, name) in LAST else pytest.mark.long) for module, name in EXERCISES
]
every_exercise = pytest.mark.parametrize(("module", "name"), EXERCISES, ids=lambda v: getattr(v, "id", v))


def solutions(module):
    return {name: exercise.solution for name, exercise in module.exercises.items()}


@every_exercise
def test_points_follow_the_minutes(module, name):
    points = sum(question.points for question in load_exam(module.id).questions_of(name))
    assert 1 <= points / module.exercises[name].minutes <= 2


@every_exercise
def test_a_table_of_recorded_answers_earns_less_than_half(module, name):
    questions = load_exam(module.id).questions_of(name)
    free = [each for each in questions if any(not isinstance(draw, Choice) for draw in each.draws.values())]
    assert sum(each.points for each in free) > sum(each.points for each in questions) / 2


@every_exercise
def test_a_blank_is_not_attempted_and_earns_nothing(module, name):
    blanks = {each: exercise.stub for each, exercise in module.exercises.items()}
    for sources in (blanks, {}):
        verdict = judge_exercise(module, name, sources)
        assert verdict.status == "not attempted" and verdict.earned == 0 < verdict.points


@every_exercise
@pytest.mark.parametrize("seed", SEEDS)
def test_the_solution_gets_full_points(module, name, seed):
    verdict = judge_exercise(module, name, solutions(module), seed=seed)
    assert verdict.status == "right" and verdict.earned == verdict.points > 0


@pytest.mark.parametrize(("module", "name"), ALL_YOURS, ids=lambda v: getattr(v, "id", v))
def test_the_solution_gets_full_points_when_all_is_the_students(module, name):
    assert judge_exercise(module, name, solutions(module), all_yours=True).status == "right"


@every_exercise
def test_a_right_answer_written_differently_is_known(module, name):
    assert BANKS[module.id, name].right, (
        f"tests/exams/bank/{module.id}/{name}.toml has no table [right].\n"
        "  Expected: a right answer or more, written differently from the solution.\n"
        "  Try: [right.otherwise]\n       change = { 'text of the solution' = 'other text' }"
    )


@pytest.mark.parametrize(("module", "name", "answer"), RIGHT, ids=lambda v: getattr(v, "id", getattr(v, "name", v)))
def test_a_right_answer_written_differently_passes(module, name, answer, same_in_another_process):
    verdict = judge_exercise(module, name, {name: answer.source})
    assert verdict.status == "right", verdict
    same_in_another_process(verdict, module, {name: answer.source})


@pytest.mark.long
@pytest.mark.parametrize("module", MODULES, ids=lambda m: m.id)
def test_all_answers_written_differently_pass_together(module):
    answers = {name: BANKS[module.id, name].right[0].source for name in module.exercises}
    for name in module.exercises:
        assert judge_exercise(module, name, answers, all_yours=True).status == "right"


@every_exercise
def test_there_are_six_to_thirty_bugs_for_each_definition(module, name):
    names = [each.rpartition(".")[2] for each in module.exercises[name].defines]
    definitions = len({each.replace("_", "").lower() for each in names})  # Add and its function add are one
    found, most = len(BANKS[module.id, name].bug), 30 * max(1, definitions)
    assert 6 <= found <= most, (
        f"tests/exams/bank/{module.id}/{name}.toml has {found} tables [bug.…].\n"
        f"  Expected: 6 to {most} mistakes, each with `says`, `next` and `change`.\n"
        "  Try: [bug.overwrites]\n       says = 'What is wrong, in one sentence.'"
    )


@pytest.mark.parametrize(("module", "name", "bug", "seed"), BUGS, ids=lambda v: getattr(v, "name", getattr(v, "id", v)))
def test_every_bug_is_caught_and_named(module, name, bug, seed, same_in_another_process):
    sources = {**solutions(module), name: bug.source}
    verdict = judge_exercise(module, name, sources, seed=seed)
    assert verdict.status not in ("right", "not attempted") and verdict.earned < verdict.points
    assert verdict.diagnosis == (bug.says, bug.next)
    if seed == 0:
        same_in_another_process(verdict, module, sources)


@pytest.mark.parametrize("module", MODULES, ids=lambda m: m.id)
def test_no_line_of_a_solution_is_left_in_the_blank(module):
    blank = "\n".join("".join(cell["source"]) for cell in module.blank["cells"])
    assert "BEGIN SOLUTION" not in blank
    for exercise in module.exercises.values():
        given = {line.strip() for line in exercise.stub.splitlines()}
        answer = re.findall(r"### BEGIN SOLUTION\n(.*?)### END SOLUTION", exercise.solution, re.DOTALL)
        assert answer
        for line in "\n".join(answer).splitlines():
            if line.strip() and line.strip() not in given and len(line.strip()) > 12:
                assert line.strip() not in blank, f"{exercise.id}: {line!r} stands in the blank"
        assert "Your code here" in exercise.stub
