"""Reading a graph: the adapter of dark's nodes, and how an adapter is found."""

from subprocess import run
from sys import executable
from types import SimpleNamespace

import numpy as np
import pytest

import dark
from dark import nn
from dark.draw import GraphNode, GraphRecord, adapters, graph_record
from dark.errors import DrawingError


def test_the_record_of_a_graph_of_dark():
    x, w = dark.Constant(np.ones((2, 3))), dark.Parameter(np.ones((3, 1)), name="w")
    y = (x @ w).sum()
    y.backward()
    nodes = graph_record(y).nodes
    assert [node.role for node in nodes] == ["constant", "parameter", "result", "result"]
    assert [node.operation for node in nodes] == ["", "", "@", "sum"]
    assert nodes[1].name == "w" and nodes[1].shape == (3, 1) and nodes[1].dtype == "float64"
    assert np.array_equal(nodes[1].read("grad"), np.full((3, 1), 2.0))
    assert nodes[3].read("value") == 6.0 and nodes[3].inputs == (2,) and nodes[3].shape == ()
    assert nodes[3].extras["node"] is y


def test_the_parameters_of_a_model_have_dotted_names_and_paths():
    network = nn.Sequential(nn.Linear(3, 2), nn.Sequential(nn.ReLU(), nn.Linear(2, 1)))
    record = graph_record(network(np.ones((4, 3))), model=network)
    named = {node.name: node.path for node in record.nodes if node.name}
    assert named == {"0.weight": ("0",), "0.bias": ("0",), "1.1.weight": ("1", "1"), "1.1.bias": ("1", "1")}
    assert record.modules[()] == "Sequential" and record.modules["1", "1"] == "Linear"


def test_a_class_of_a_student_is_read_too():
    x = SimpleNamespace(inputs=(), value=3.0)
    record = graph_record(SimpleNamespace(inputs=[x, 2], value=6.0, op="mul"))
    assert [(node.role, node.read("value")) for node in record.nodes] == [
        ("parameter", 3.0),
        ("constant", 2),
        ("result", 6.0),
    ]


def test_the_first_adapter_that_accepts_reads(monkeypatch):
    monkeypatch.setattr(
        "dark.draw.adapters.registry.ADAPTERS",
        [adapters.Adapter("mine", lambda thing: isinstance(thing, complex), __name__)],
    )
    monkeypatch.setitem(__import__("sys").modules, __name__, SimpleNamespace(nodes=yield_nodes))
    assert [node.value for node in graph_record(1 + 2j).nodes] == [1 + 2j]


def yield_nodes(thing, model=None):
    yield GraphNode(0, value=thing)


def test_a_record_is_returned_as_it_is():
    record = GraphRecord([GraphNode(0)])
    assert graph_record(record) is record


def test_what_is_not_a_graph_is_refused():
    with pytest.raises(DrawingError, match="float is not a node of a graph"):
        graph_record(3.0)


def test_the_nodes_of_a_function_of_ones_own_are_a_graph():
    record = graph_record(GraphNode(k, "+" if k else "", inputs=(0, 0) if k else ()) for k in range(2))
    assert record.root.inputs == (0, 0)
    assert len(graph_record(list(record.nodes))) == 2


def test_an_adapter_may_be_a_function(monkeypatch):
    mine = adapters.Adapter("mine", adapters.comes_from("decimal"), yield_nodes)
    monkeypatch.setattr("dark.draw.adapters.registry.ADAPTERS", [mine])
    from decimal import Decimal

    assert graph_record(Decimal(3)).root.value == 3


@pytest.mark.long
def test_importing_the_package_imports_no_framework():
    code = "import sys, dark.draw; print(sorted({'torch', 'jax', 'onnx', 'micrograd'} & set(sys.modules)))"
    assert run([executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == "[]"
