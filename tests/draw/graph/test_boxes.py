"""Graphs as boxes: topological order, kinds of nodes, depth, and errors."""

from types import SimpleNamespace

import pytest

import dark
from dark.draw import Box, boxes_of, draw
from dark.draw.graph.near_root import MOST_NEAR, near_root
from dark.errors import DrawingError, UsageError, ValueTypeError
from tests.draw.student import Add, Constant, Mul, Node, Parameter, chain, shared


def test_boxes_of_the_function_of_the_tutorial():
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


def test_boxes_of_a_students_classes():
    assert boxes_of(shared()) == (
        Box("constant", None, 2),
        Box("parameter", None, 1.0, 3.0, "a"),
        Box("result", "×", 2.0, 1.0, None, (0, 1)),
        Box("result", "+", 3.0, 1.0, "y", (2, 1)),
    )


def test_boxes_are_in_topological_order():
    boxes = boxes_of(shared())
    assert all(k < i for i, box in enumerate(boxes) for k in box.inputs)


def test_a_node_used_twice_by_one_operation_is_one_box_with_two_inputs():
    a = Parameter(3.0)
    assert boxes_of(Node(9.0, Mul(), (a, a)))[1].inputs == (0, 0)


@pytest.mark.long
def test_a_chain_of_100000_nodes_needs_no_recursion():
    boxes = boxes_of(chain(100_000))
    assert len(boxes) == 100_001
    assert boxes[-1].inputs == (99_999,)


def test_a_leaf_of_an_unknown_class_is_a_parameter():
    assert boxes_of(Node(1.0))[0].kind == "parameter"


def test_a_subclass_of_constant_is_a_constant():
    class Pi(Constant):
        pass

    assert boxes_of(Pi(3.14))[0].kind == "constant"


def test_a_number_among_the_inputs_is_a_constant():
    assert boxes_of(Node(3.0, Add(), [Parameter(1.0), 2]))[1] == Box("constant", None, 2)


def test_inputs_may_be_none():
    assert boxes_of(SimpleNamespace(value=1.0, inputs=None)) == (Box("parameter", None, 1.0),)


@pytest.mark.parametrize("thing", [3.0, None, "fx", Node])
def test_an_object_that_is_not_a_node_raises(thing):
    with pytest.raises(DrawingError, match=r"is not a node of a graph\.\n  Expected: .*`inputs`"):
        boxes_of(thing)


def test_a_cycle_raises():
    a = Node(1.0, Add(), [])
    a.inputs = [Node(2.0, Add(), [a])]
    with pytest.raises(DrawingError, match=r"has a cycle through a node with value 1\.0"):
        boxes_of(a)


@pytest.mark.parametrize("inputs", [[2, 2], (2.0, 2.0)])
def test_equal_numbers_among_the_inputs_are_separate_boxes(inputs):
    assert [box.inputs for box in boxes_of(Node(4.0, Add(), inputs))] == [(), (), (0, 1)]


class Failing:
    """A value whose repr raises."""

    def __repr__(self):
        raise RuntimeError("first\nsecond")


class WithMethod(Node):
    """A node whose `inputs` is a method."""

    value = 1.0

    def __init__(self):
        pass

    def inputs(self):
        return ()


class WithProperty:
    """A node whose `value` is a property that raises."""

    inputs = ()

    @property
    def value(self):
        return 1 / 0


class Signless:
    """An operation whose `sign` raises."""

    @property
    def sign(self):
        return 1 / 0


@pytest.mark.parametrize(
    ("node", "message"),
    [
        (Node(1.0, Add(), 3), r"inputs of Node must be a tuple or a list, got int\.\n  Expected: a tuple or a list"),
        (Node(1.0, Add(), "ab"), r"inputs of Node must be a tuple or a list, got str\."),
        (Node(1.0, Add(), {"a": Node(1.0)}), r"inputs of Node must be a tuple or a list, got dict\."),
        (
            Node(1.0, Add(), [abs]),
            r"must be nodes or numbers, got an object of type builtin_function_or_method\.(.|\n)*its \(\)",
        ),
        (
            Node(1.0, Add(), Node(1.0)),
            r"inputs of Node must be a tuple or a list, got Node\.(.|\n)*\(x,\) for a single one",
        ),
        (Node(1.0, Add(), iter([Node(1.0)])), r"inputs of Node must be a tuple or a list, got list_iterator\."),
        (WithMethod(), r"inputs of WithMethod must not be a method\.(.|\n)*@property"),
        (WithProperty(), r"value of WithProperty cannot be read: ZeroDivisionError: division by zero\n"),
        (Node(Failing()), r"value of Node cannot be read: RuntimeError: first second\n(.|\n)*__repr__"),
        (Node(1.0, grad=Failing()), r"grad of Node cannot be read: RuntimeError"),
        (Node(1.0, grad=Failing), r"grad of Node must not be a method"),
        (Node(1.0, name=Failing()), r"name of Node cannot be read: RuntimeError"),
        (Node(1.0, Signless(), (Node(1.0),)), r"op of Node cannot be read: ZeroDivisionError"),
        (Node(1.0, Add(), (WithProperty(),)), r"value of WithProperty cannot be read"),
    ],
)
def test_a_field_that_cannot_be_read_is_named_with_its_class(node, message):
    with pytest.raises(DrawingError, match=message):
        draw(node)
    with pytest.raises(DrawingError, match=message):
        draw(node, depth=3)


def test_a_cycle_of_values_whose_repr_raises_raises():
    a = Node(Failing(), Add(), [])
    a.inputs = [Node(2.0, Add(), [a])]
    with pytest.raises(DrawingError, match="value of Node cannot be read"):
        boxes_of(a)


@pytest.mark.parametrize("name", [" ", "\n\t", ""])
def test_a_blank_name_becomes_none(name):
    assert boxes_of(Node(1.0, name=name))[0].name is Box("parameter", None, 1.0, name=name).name is None


def test_minus_zero_becomes_zero():
    assert [str(thing) for thing in (boxes_of(Node(-0.0, grad=-0.0))[0].value, boxes_of(Node(1.0))[0].grad)] == [
        "0.0", "None",
    ]  # fmt: skip


def test_depth_keeps_the_nodes_near_the_root_and_counts_the_rest():
    boxes, nodes = near_root(chain(10), 2)
    assert [box.kind for box in boxes] == ["folded", "result", "result", "result"]
    assert boxes[0].value == "… 8 more"
    assert [box.inputs for box in boxes] == [(), (0,), (1,), (2,)]
    assert nodes == ()


def test_depth_draws_one_edge_to_the_rest_for_each_box():
    a = Parameter(1.0)
    low = Node(1.0, Add(), (a, 2, a))
    boxes, _ = near_root(Node(1.0, Add(), (low, low)), 1)
    assert [box.inputs for box in boxes] == [(), (0,), (1, 1)]
    assert boxes[0].value == "… 2 more"


@pytest.mark.parametrize("depth", [2, 3, 10**9])
def test_depth_keeps_a_graph_that_is_not_deeper(depth):
    root = shared()
    boxes, nodes = near_root(root, depth)
    assert boxes == boxes_of(root)
    assert nodes[-1] is root


def test_the_rest_of_a_deep_graph_is_counted_up_to_a_limit():
    boxes, _ = near_root(chain(30_000), 1)
    assert [box.value for box in boxes] == ["… over 10000 more", 1.0, 1.0]


def test_too_many_nodes_near_the_root_raise():
    wide = Node(1.0, Add(), [1.0] * MOST_NEAR)
    with pytest.raises(DrawingError, match=r"at most 100000 nodes can be within 1 edge of the root(.|\n)*fewer inputs"):
        draw(wide)
    with pytest.raises(DrawingError, match=r"within 2 edges of the root(.|\n)*draw\(node, depth=1\)"):
        draw(Node(1.0, Add(), [wide]), depth=7)


class Fresh:
    """A node whose `inputs` property creates new nodes on every access."""

    value, op, grad = 1.0, None, None

    def __init__(self, below):
        self.below = below

    @property
    def inputs(self):
        return [Fresh(self.below - 1)] if self.below else []


def test_the_inputs_of_a_node_are_read_once():
    assert [box.inputs for box in boxes_of(Fresh(3))] == [(), (0,), (1,), (2,)]
    boxes, _ = near_root(Fresh(50), 3)
    assert [box.inputs for box in boxes] == [(), (0,), (1,), (2,), (3,)]
    assert boxes[0].value == "… 47 more"


@pytest.mark.parametrize("depth", [0, -1, 1.5, True, "2"])
def test_a_depth_that_is_not_a_positive_integer_raises(depth):
    with pytest.raises(
        (UsageError, ValueTypeError),
        match=rf"depth must be (1 or more|an integer), got {depth!r}.*\n  Expected: an integer",
    ):
        draw(shared(), depth=depth)
