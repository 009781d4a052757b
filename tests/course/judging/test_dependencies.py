"""An answer that depends on the student's other answers is judged with those that are right."""

import pytest

from dark.course.cards.verdict_card import Report, verdict_data
from dark.course.judging.dependencies import dependencies_of
from dark.course.judging.judge import judge_exercise
from dark.course.lessons.library import load_module
from tests.course import arithmetic
from tests.course.arithmetic import MODULE, TOTAL, TWICE

SCALAR = load_module("01")
SOLVED = {name: each.solution for name, each in SCALAR.exercises.items()}
BY = "def twice(x, by=2):\n    return Leaf(by * x.value, (x,))"
FOUR = TOTAL.replace("twice(twice(x))", "twice(x, 4)")


def judge(sources, exercise="total"):
    return judge_exercise(MODULE, exercise, sources, exam=arithmetic.exam, bank=())


def with_node(line, *, of="node", name="backward", old, new):
    """Write a line into the class Node, and make another answer use it."""
    node = SOLVED["node"].replace("    def __repr__", f"{line}\n\n    def __repr__")
    assert old in SOLVED[name]
    return {**SOLVED, "node": node, name: SOLVED[name].replace(old, new)}


TAKES = "n.receive(dldn)"
GIVES = "if not isinstance(n, Constant):\n                    n.grad = (n.grad or 0.0) + dldn"
RECEIVE = """    def receive(self, dldn):
        if not isinstance(self, Constant):
            self.grad = (self.grad or 0.0) + dldn"""
IS_RESULT = "    @property\n    def is_result(self):\n        return self.op is not None"
NEEDING = {
    "a method": ("backward", with_node(RECEIVE, old=GIVES, new=TAKES)),
    "a property": ("backward", with_node(IS_RESULT, old="if node.op is not None", new="if node.is_result")),
    "a field": (
        "zero_grad",
        with_node("    nil = 0.0", name="zero_grad", old="n.grad = 0.0", new="n.grad = n.nil"),
    ),
}
MADE = SOLVED["node"].replace("self, value)", "self, value, op=None, inputs=())")
MADE = MADE.replace("self.op = None", "self.op = op").replace("self.inputs = ()", "self.inputs = inputs")
ENDS = "    node = Node(y)\n    node.op, node.inputs = cls, inputs\n    return node"
NEEDING["an argument"] = (
    "apply",
    {**SOLVED, "node": MADE, "apply": SOLVED["apply"].replace(ENDS, "    return Node(y, cls, inputs)")},
)


@pytest.mark.parametrize("need", NEEDING)
def test_an_answer_that_needs_the_students_own_class_is_right_with_it(need):
    exercise, sources = NEEDING[need]
    verdict = judge_exercise(SCALAR, exercise, sources)
    assert verdict.is_right and verdict.dependencies == ("node",) and verdict.earned == verdict.points
    assert "It was tested together with your own `node`, which it depends on." in Report.of(verdict).text
    assert verdict_data(verdict)["dependencies"] == ["node"]


def test_a_wrong_answer_stays_wrong_with_its_dependencies():
    exercise, sources = NEEDING["a method"]
    overwrites = RECEIVE.replace("(self.grad or 0.0) + dldn", "dldn")
    sources = with_node(overwrites, old=GIVES, new=TAKES)
    verdict = judge_exercise(SCALAR, exercise, sources)
    assert verdict.status == "wrong" and verdict.earned < verdict.points


def test_with_an_argument_more_in_the_other_exercise_the_question_is_right():
    verdict = judge({"twice": BY, "total": FOUR})
    assert verdict.is_right and verdict.dependencies == ("twice",)
    assert judge({"twice": BY, "total": TOTAL}).dependencies == ()


ENDLESS = pytest.param("while True: pass", marks=pytest.mark.long)


@pytest.mark.parametrize("body", ["return Leaf(by * x.value + 1, (x,))", ENDLESS, "raise SystemExit"])
def test_an_earlier_exercise_that_fails_is_not_a_dependency(body):
    sources = {"twice": f"def twice(x, by=2):\n    {body}", "total": FOUR}
    alone = judge({"total": FOUR})
    assert judge(sources) == alone and alone.earned == 4
    assert judge({**sources, "total": TOTAL}).is_right


def test_the_better_of_both_counts_and_says_with_whom():
    wrong = FOUR.replace("result = 0.0", "result = 1.0")
    verdict = judge({"twice": BY, "total": wrong})
    assert verdict.earned == 2 and verdict.dependencies == ("twice",)
    assert "together with your own `twice`" in Report.of(verdict).text


def test_two_that_need_each_other_are_not_used():
    twice = "def twice(x, by=2):\n    return Leaf(whole(by) * x.value, (x,))"
    total = FOUR + "\n\ndef whole(n):\n    return n\n"
    verdict = judge({"twice": twice, "total": total})
    assert verdict.earned == 4 and verdict.dependencies == ()


def test_only_what_is_defined_differently_is_a_dependency():
    assert dependencies_of(MODULE, "total", {"twice": TWICE, "total": TOTAL}) == []
    assert dependencies_of(MODULE, "total", {"twice": "def twice(x): return Leaf(3)", "total": TOTAL}) == []
    assert dependencies_of(MODULE, "total", {"twice": BY, "total": TOTAL}) == ["twice"]
    assert dependencies_of(MODULE, "total", {"twice": BY, "total": "def total(numbers): return 0"}) == []
    assert dependencies_of(MODULE, "total", {"twice": "def twice(", "total": FOUR}) == []


def test_an_error_in_the_reference_of_another_exercise_is_asked_again_with_the_students():
    twice = "def twice(x):\n    return Leaf(0.0, ()) if x is None else Leaf(2 * x.value, (x,))"
    total = TOTAL.replace("twice(twice(x))", "(twice(None), twice(twice(x)))[1]")
    verdict = judge({"twice": twice, "total": total})
    assert verdict.is_right and verdict.dependencies == ("twice",)
    assert judge({"total": total}).status == judge({"twice": TWICE, "total": total}).status == "error"


def test_a_layer_without_activation_works_with_the_students_own_neuron():
    module = load_module("03")
    solved = {name: each.solution for name, each in module.exercises.items()}
    own = solved["neuron"].replace(
        "return self.activation(total)", "return self.activation(total) if self.activation else total"
    )
    last = solved["mlp"].replace("[lambda total: total]", "[None]")
    verdict = judge_exercise(module, "mlp", {**solved, "neuron": own, "mlp": last})
    assert verdict.is_right and verdict.dependencies == ("neuron",)
