"""A graph as boxes: order, kinds, depth, and what cannot be drawn."""

from types import SimpleNamespace

import pytest

import dark
from dark.draw import Box, boxes_of
from dark.draw.fold import fold
from dark.errors import DrawingError
from tests.draw.student import Add, Constant, Mul, Node, Parameter, chain, shared


def test_boxes_of_the_tutorials_function():
    x = dark.Parameter(10, name="x")
    fx = dark.add(dark.mul(2, dark.pow(x, 2)), 5)
    fx.backward()
    assert boxes_of(fx) == (
        Box("constant", None, 2.0),
        Box("parameter", None, 10.0, 40.0, "x"),
        Box("constant", None, 2.0),
        Box("result", "**", 100.0, 2.0, None, (1, 2)),
        Box("result", "*", 200.0, 1.0, None, (0, 3)),
        Box("constant", None, 5.0),
        Box("result", "+", 205.0, 1.0, None, (4, 5)),
    )


def test_a_students_own_classes_give_boxes():
    assert boxes_of(shared()) == (
        Box("constant", None, 2),
        Box("parameter", None, 1.0, 3.0, "a"),
        Box("result", "×", 2.0, 1.0, None, (0, 1)),
        Box("result", "+", 3.0, 1.0, "y", (2, 1)),
    )


def test_inputs_come_before_what_uses_them_and_each_node_once():
    boxes = boxes_of(shared())
    assert all(k < i for i, box in enumerate(boxes) for k in box.inputs)


def test_a_node_used_twice_by_one_operation_is_one_box_with_two_inputs():
    a = Parameter(3.0)
    assert boxes_of(Node(9.0, Mul(), (a, a)))[1].inputs == (0, 0)


def test_a_chain_of_100000_nodes_needs_no_recursion():
    boxes = boxes_of(chain(100_000))
    assert len(boxes) == 100_001
    assert boxes[-1].inputs == (99_999,)


def test_a_plain_leaf_is_drawn_as_something_to_train():
    assert boxes_of(Node(1.0))[0].kind == "parameter"


def test_a_class_below_constant_is_a_constant():
    class Pi(Constant):
        pass

    assert boxes_of(Pi(3.14))[0].kind == "constant"


def test_a_bare_number_among_the_inputs_is_drawn_as_a_constant():
    assert boxes_of(Node(3.0, Add(), [Parameter(1.0), 2]))[1] == Box("constant", None, 2)


def test_inputs_may_be_missing():
    assert boxes_of(SimpleNamespace(value=1.0, inputs=None)) == (Box("parameter", None, 1.0),)


@pytest.mark.parametrize("thing", [3.0, None, "fx", Node])
def test_what_is_no_node_is_refused(thing):
    with pytest.raises(DrawingError, match=r"is no node of a graph\.\n  Expected: .*`inputs`"):
        boxes_of(thing)


def test_a_circle_is_refused():
    a = Node(1.0, Add(), [])
    a.inputs = [Node(2.0, Add(), [a])]
    with pytest.raises(DrawingError, match=r"runs in a circle through a node with value 1\.0"):
        boxes_of(a)


def test_fold_keeps_what_is_near_the_root_and_counts_the_rest():
    boxes = fold(boxes_of(chain(10)), 2)
    assert [box.kind for box in boxes] == ["folded", "result", "result", "result"]
    assert boxes[0].value == "… 8 more"
    assert [box.inputs for box in boxes] == [(), (0,), (1,), (2,)]


def test_fold_draws_one_edge_to_the_rest_for_each_box():
    boxes = fold(boxes_of(shared()), 0)
    assert [box.inputs for box in boxes] == [(), (0,)]


def test_fold_keeps_a_graph_that_is_not_deeper():
    boxes = boxes_of(shared())
    assert fold(boxes, 2) == boxes


@pytest.mark.parametrize("depth", [-1, 1.5, True, "2"])
def test_a_depth_that_is_no_count_is_refused(depth):
    with pytest.raises(DrawingError, match=r"depth is .*\n  Expected: a whole number"):
        fold(boxes_of(shared()), depth)
