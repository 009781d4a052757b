"""The next step of a diagnosis leads to the solution, and does not spell it out."""

import ast
import re

import pytest

from dark.course.judging.bank import MARKERS, load_bank
from dark.course.lessons.library import load_module, modules

LONGEST = 15  # characters without spaces of an expression of the solution that a next step may contain
COMPUTING = (ast.Call, ast.BinOp, ast.Compare, ast.BoolOp, ast.ListComp, ast.GeneratorExp)
MODULES = [module for module in map(load_module, modules()) if module.exercises]


def squeeze(text):
    return re.sub(r"\s+|`", "", text)


def computed(source):
    """Return the expressions of a cell that compute something: calls, operators, comprehensions."""
    nodes = ast.walk(ast.parse(source))
    return {squeeze(ast.unparse(node)) for node in nodes if isinstance(node, COMPUTING)}


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.id)
def test_no_next_step_contains_a_long_expression_of_the_solution(module):
    found = {}
    for name, exercise in module.exercises.items():
        decisive = computed(MARKERS.sub("", exercise.solution)) - computed(exercise.stub)
        for bug in load_bank(module, name).bug:
            step = squeeze(bug.next)
            spelled = [each for each in decisive if len(each) > LONGEST and each in step or each + "." == step]
            found.update({f"{name}: {bug.name}": bug.next} if spelled else {})
    assert found == {}
