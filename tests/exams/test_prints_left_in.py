"""A print that is left in an answer costs no points; one that prints too much is named."""

import pytest

from dark.course.judging.bank import MARKERS, edited
from dark.course.judging.judge import judge_exercise
from dark.course.lessons.library import load_module

MODULE = load_module("01")
PRINTS = {
    "topological_order": ("order.append(node)", "print(node, node.inputs, len(waiting))\norder.append(node)"),
    "backward": ("for node in reversed(order):", "print(order, self.inputs)\nfor node in reversed(order):"),
    "zero_grad": ("if n.grad is not None:", "print(n, n.inputs)\nif n.grad is not None:"),
    "apply": ("node = Node(y)", "print(cls, inputs, y)\nnode = Node(y)"),
    "minimize": ("height.backward()", "print(x, height, path)\nheight.backward()"),
}


def verdict_with(exercise, old, new):
    source = edited(MARKERS.sub("", MODULE.exercises[exercise].solution), {old: new})
    return judge_exercise(MODULE, exercise, {exercise: source})


@pytest.mark.parametrize("exercise", PRINTS)
def test_an_answer_with_a_print_gets_full_points(exercise):
    verdict = verdict_with(exercise, *PRINTS[exercise])
    assert verdict.status == "right" and verdict.earned == verdict.points


@pytest.mark.long
def test_a_print_of_a_list_that_grows_is_named():
    popped = "node, inputs_done = waiting.pop()"
    verdict = verdict_with("topological_order", popped, f"print(waiting)\n{popped}")
    assert "too much is printed here, or for too long: `print(waiting)` (line 5)" in verdict.diagnosis[0]
