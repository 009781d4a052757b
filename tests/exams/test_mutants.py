"""Mutants of the solutions and of other right answers: each is refused, or declared equal with its reason.

`equal_mutants/` declares the mutants of each module. One that no longer survives, or is no longer a mutant, fails too.
"""

import tomllib
from itertools import chain
from pathlib import Path

import pytest

from dark.course.judging.bank import load_bank
from dark.course.lessons.library import load_module, modules
from tests.exams.mutants.mutants import mutants_of
from tests.exams.mutants.trial import SECONDS, Trial

QUICK = {"slope", "zero_grad", "kinks", "layer", "reshape", "dataset", "modes"}  # the others are long
MODULES = [module for module in map(load_module, modules()) if module.exercises]
EXERCISES = [
    pytest.param(module, exercise, id=f"{module.id}-{exercise}") for module in MODULES for exercise in module.exercises
]
ANSWERS = [
    pytest.param(
        module, exercise, answer,
        marks=() if exercise in QUICK and answer == "solution" else pytest.mark.long,
        id=f"{module.id}-{exercise}-{answer}",
    )
    for module in MODULES
    for exercise in module.exercises
    for answer in ["solution", *(each.name for each in load_bank(module, exercise).right)]
]  # fmt: skip


def declared():
    """Return the mutants that are declared equal, by module, exercise and answer."""
    found = {}
    files = sorted(Path(__file__).with_name("equal_mutants").glob("*.toml"))
    for entry in chain.from_iterable(tomllib.loads(file.read_text(encoding="utf-8"))["equal"] for file in files):
        module, exercise, answer = entry["answer"].split("/")
        assert entry["reason"] and entry["mutants"], entry
        names = found.setdefault((module, exercise, answer), set())
        assert not names & set(entry["mutants"]), f"{entry['answer']}: declared twice"
        names |= set(entry["mutants"])
    return found


EQUAL = declared()


def source_of(module, exercise, answer):
    """Return the cell of an answer."""
    if answer == "solution":
        return module.exercises[exercise].solution
    return {each.name: each.source for each in load_bank(module, exercise).right}[answer]


@pytest.mark.parametrize(("module", "exercise", "answer"), ANSWERS)
def test_every_mutant_is_refused_or_declared_equal(module, exercise, answer):
    mutants = mutants_of(source_of(module, exercise, answer))
    trial = Trial(module, exercise)
    equal = EQUAL.get((module.id, exercise, answer), set())
    assert equal <= {mutant.name for mutant in mutants}
    if answer != "solution":  # a quarter of the mutants
        mutants = mutants[::4]
        equal = equal & {mutant.name for mutant in mutants}
    survivors = {mutant.name for mutant in mutants if trial.survives(mutant)}
    late = [mutant for mutant in mutants if mutant.name in equal - survivors]  # a machine may have been busy
    survivors |= {mutant.name for mutant in late if trial.survives(mutant, 20 * SECONDS)}
    assert survivors == equal, {"neither refused nor declared": survivors - equal, "refused": equal - survivors}


@pytest.mark.long
@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize(("module", "exercise"), EXERCISES)
def test_a_mutant_that_is_not_declared_is_refused_with_another_seed(module, exercise, seed):
    equal = EQUAL.get((module.id, exercise, "solution"), set())
    mutants = [each for each in mutants_of(source_of(module, exercise, "solution")) if each.name not in equal]
    trial = Trial(module, exercise, seed)
    some = mutants[seed - 1 :: 4]  # each of these two seeds asks a quarter of the mutants
    assert some and not [mutant.name for mutant in some if trial.survives(mutant)]


def test_every_declaration_is_of_a_known_answer():
    assert set(EQUAL) <= {(module.id, exercise, answer) for module, exercise, answer in (p.values for p in ANSWERS)}


def test_a_trial_notices_a_wrong_answer():
    module = MODULES[0]
    trial = Trial(module, "add_mul")
    [wrong] = [m for m in mutants_of(module.exercises["add_mul"].solution) if m.name == "return a + b → return a - b"]
    assert not trial.survives(wrong)
