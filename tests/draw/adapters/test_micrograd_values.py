"""The graphs of micrograd."""

import random
from types import SimpleNamespace

import pytest

from dark.draw import draw, graph_record

engine = pytest.importorskip("micrograd.engine", reason="micrograd is not installed")
nn = pytest.importorskip("micrograd.nn", reason="micrograd is not installed")


def test_inputs_are_in_order_and_one_that_is_used_twice_occurs_twice():
    a, b = engine.Value(2.0), engine.Value(3.0)
    y = a * a + b * 4
    y.backward()
    nodes = graph_record(y).nodes
    assert [node.operation for node in nodes] == ["", "*", "", "", "*", "+"]
    assert nodes[1].inputs == (0, 0) and nodes[4].inputs == (2, 3) and nodes[5].inputs == (1, 4)
    assert [node.value for node in nodes] == [2.0, 4.0, 3.0, 4.0, 12.0, 16.0]
    assert [node.grad for node in nodes] == [4.0, 1.0, 4.0, 3.0, 1.0, 1.0]


def test_before_backward_there_are_no_gradients():
    assert {node.grad for node in graph_record(engine.Value(2.0).relu() ** 3).nodes} == {None}


def test_the_parameters_of_a_network_have_names_and_modules():
    random.seed(0)
    model = nn.MLP(2, [2, 1])
    record = graph_record(model([1.0, -2.0]), model=model)
    named = {node.name: node for node in record.nodes if node.name}
    assert len(named) == len(model.parameters()) and named["0.1.w0"].path == ("0", "1")
    assert named["1.0.w1"].value == model.layers[1].neurons[0].w[1].data


def test_a_long_chain_is_read_without_recursion():
    y = engine.Value(1.0)
    for _ in range(3000):
        y = y + 0
    assert len(graph_record(y)) == 6001


def test_a_copy_of_the_class_is_read_too():
    class Value:
        def __init__(self, data, inputs=(), op=""):
            self.data, self.grad, self._prev, self._op = data, 0.0, set(inputs), op
            self._backward = SimpleNamespace

        def __mul__(self, other):
            return Value(self.data * other.data, (self, other), "*")

    x = Value(3.0)
    assert [node.inputs for node in graph_record(x * x).nodes] == [(), (0, 0)]


def test_equal_neurons_are_folded_with_their_sums_and_data():
    random.seed(0)
    model = nn.MLP(3, [4, 1])
    drawing = draw(model([1.0, 2.0, -1.0]), model=model)
    assert drawing.titles["0", "0"] == "0.0 … 3 ×4" and len(drawing.boxes) == 27
    assert all(box.path for box in drawing.boxes)
