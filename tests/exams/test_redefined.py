"""A definition in an answer's own cell wins, for that answer alone, over what other code has by the same name."""

import ast
import copy
import os

import pytest

from dark.course.judging.judge import judge_exercise
from dark.course.lessons.answers import collect
from dark.course.lessons.code import code_of
from dark.course.lessons.library import load_module, modules
from tests.exams.ways import judge_in, marks

MODULES = [module for module in map(load_module, modules()) if module.exercises]
EXERCISES = [
    pytest.param(module, name, id=f"{module.id}-{name}", marks=() if k == 0 else pytest.mark.long)
    for module in MODULES
    for k, name in enumerate(reversed(module.exercises))
]


def names_to_redefine(module, exercise):
    """Return the functions and classes of other code that the solution does not refer to."""
    each, tree = module.exercises[exercise], ast.parse(module.exercises[exercise].solution)
    used = {getattr(node, "id", None) for node in ast.walk(tree)} | {name.split(".")[0] for name in each.own_names}
    definitions = [found for part in module.parts for found in code_of(part.source).definitions]
    return sorted({found.name for found in definitions if found.how in ("def", "class")} - used)


def with_own_definitions(module, exercise):
    """Return the solution with definitions that are of no use to any other code, and which it needs."""
    solution = module.exercises[exercise].solution
    tree, names = ast.parse(solution), names_to_redefine(module, exercise)
    scopes = sorted((node for node in ast.walk(tree) if hasattr(node, "body") and hasattr(node, "name")), key=rank)
    called = ", ".join(f"{name}()" for name in names)
    used = ast.parse(f"own_definitions = [{called}]\nassert set(own_definitions) <= {{'own'}}").body
    if isinstance(scopes[0], ast.ClassDef):
        used = used[:1]
    scopes[0].body[bool(ast.get_docstring(scopes[0])) : 0] = used
    helpers = "\n".join(f"def {name}():\n    return 'own'\n" for name in names)
    return f"{helpers}\n{ast.unparse(tree)}"


def rank(scope):
    return isinstance(scope, ast.ClassDef), scope.lineno


def answers_of(module, exercises):
    """Return what is collected from a notebook with such answers, and the solutions of the other exercises."""
    notebook = copy.deepcopy(module.blank)
    for cell in notebook["cells"]:
        course = cell["metadata"].get("dark", {})
        if course.get("kind") == "exercise":
            name = course["exercise"]
            own = name in exercises
            cell["source"] = with_own_definitions(module, name) if own else module.exercises[name].solution
    return collect(notebook, module).sources


@pytest.mark.parametrize(("module", "exercise"), EXERCISES)
def test_an_answer_with_own_definitions_keeps_its_points(module, exercise):
    sources = answers_of(module, [exercise])
    assert names_to_redefine(module, exercise) and "return 'own'" in sources[exercise]
    verdict = judge_exercise(module, exercise, sources, bank=())
    assert verdict.status == "right", verdict.findings
    assert judge_exercise(module, exercise, sources, bank=(), all_yours=True).status == "right"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="a worker forks")
@pytest.mark.parametrize(("module", "exercise"), EXERCISES)
def test_it_has_the_same_points_in_another_process(module, exercise, worker):
    sources = answers_of(module, [exercise])
    verdict = judge_exercise(module, exercise, sources, bank=())
    assert marks(verdict) == marks(judge_in(worker, module, exercise, sources))


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.id)
def test_the_own_definitions_of_an_answer_change_no_other_answer(module):
    sources, last = answers_of(module, module.exercises), list(module.exercises)[-1]
    for source in (sources[last], module.exercises[last].solution):
        verdict = judge_exercise(module, last, {**sources, last: source}, bank=(), all_yours=True)
        assert verdict.status == "right", verdict.findings


LOG_OF_ARRAYS = """
class Log(Operation):
    _f = staticmethod(lambda x: np.log(x))
    _df = staticmethod(lambda dldy, y, x: (dldy / x,))

class Exp(Operation):
    _f = staticmethod(lambda x: np.exp(x))
    _df = staticmethod(lambda dldy, y, x: (dldy * y,))

"""
COMPOSED = """
    value = x.value if isinstance(x, Node) else x
    most = np.max(value, axis=axis, keepdims=True)
    shifted = x - Constant(most)
    y = Log.apply(sum_of(Exp.apply(shifted), axis=axis))
    return y + Constant(np.squeeze(most, axis=axis))
"""
NATURAL = {  # operations on scalars of module 02, written again for arrays
    ("04", "log_sum_exp"): f"{LOG_OF_ARRAYS}\nclass LogSumExp: pass\n\ndef log_sum_exp(x, axis=None):{COMPOSED}",
    ("05", "cross_entropy"): f"""{LOG_OF_ARRAYS}
def cross_entropy(logits, classes):
    rows, columns = logits.value.shape
    each = exp(logits - Constant(np.max(logits.value, axis=1, keepdims=True)))
    shifted = logits - Constant(np.max(logits.value, axis=1, keepdims=True))
    right = take(reshape(shifted, (rows * columns,)), columns * np.arange(rows) + classes)
    return mean(Log.apply(sum_of(each, axis=1)) - right)
""",
    ("05", "softmax"): """
class Div(Operation):
    _f = staticmethod(lambda x1, x2: x1 / x2)
    _df = staticmethod(lambda dldy, y, x1, x2: (dldy / x2, -dldy * y / x2))

div = Div.apply

def softmax(x, axis=-1):
    e = exp(x - Constant(np.max(x.value, axis=axis, keepdims=True)))
    return div(e, sum_of(e, axis=axis, keepdims=True))
""",
}


@pytest.mark.parametrize(("number", "exercise"), NATURAL)
def test_an_operation_on_scalars_may_be_written_again_for_arrays(number, exercise):
    module = load_module(number)
    notebook = copy.deepcopy(module.blank)
    cell = next(each for each in notebook["cells"] if each.get("id") == f"exercise-{exercise}")
    cell["source"] = NATURAL[number, exercise]
    verdict = judge_exercise(module, exercise, collect(notebook, module).sources, bank=())
    assert verdict.status == "right", verdict.findings
