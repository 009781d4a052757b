"""The record of a graph as JSON and as a graph of networkx: for other programs, with all nodes and edges."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dark
from dark import nn
from dark.draw import GraphNode, GraphRecord, draw, graph_record
from dark.draw.graph.graph_record import Result
from dark.errors import DarkError

networkx = pytest.importorskip("networkx", reason="networkx is not installed")


def network_record():
    network = nn.Sequential(nn.Linear(2, 3, seed=0), nn.Tanh())
    return draw(network, np.ones((4, 2))).record


def test_json_has_every_node_and_every_edge(tmp_path):
    record = network_record()
    data = json.loads(record.as_json())
    assert data["format"] == "dark-graph-1" and data["root"] == len(record) - 1 == data["nodes"][-1]["id"]
    assert [tuple(each["node"] for each in node["inputs"]) for node in data["nodes"]] == list(record.links)
    assert {node.get("name") for node in data["nodes"]} >= {"0.weight", "0.bias"}
    assert data["modules"]["0"] == "Linear" and {node.get("module") for node in data["nodes"]} >= {"0", "1"}
    path = draw(dark.Parameter(2.0, name="x") * 3.0).save(tmp_path / "x.json")
    assert json.loads(path.read_text(encoding="utf-8"))["nodes"][0]["value"] == 2.0


def test_what_calls_know_is_in_json():
    nodes = [GraphNode("x", role="input", shape=("batch", 2)), GraphNode("y", "topk", inputs=("x",), mark="failed")]
    nodes[1] = GraphNode(
        "y", "topk", inputs=("x",), labels=("input",), mark="failed", extras={"settings": {"k": 2, "to": np.float32}},
        results=(Result("values", (2,), "float32"), Result("indices", None, "int64")),
    )  # fmt: skip
    x, y = json.loads(GraphRecord(nodes).as_json())["nodes"]
    assert x["shape"] == ["batch", 2] and y["inputs"] == [{"node": 0, "label": "input"}] and y["mark"] == "failed"
    assert [result["name"] for result in y["results"]] == ["values", "indices"] and y["settings"]["k"] == 2


@given(st.lists(st.floats(width=32), max_size=20))
def test_json_is_strict_and_small(values):
    record = GraphRecord([GraphNode("x", role="input", value=np.array(values), shape=(len(values),))])
    (node,) = json.loads(record.as_json(), parse_constant=lambda word: pytest.fail(f"{word} is not JSON"))["nodes"]
    found = node.get("value")
    assert (found is None) == (len(values) > 16)
    if found is not None:
        assert np.array_equal(np.array([float(x) for x in found]), np.array(values), equal_nan=True)


def test_networkx_has_the_same_graph():
    record = network_record()
    graph = record.to_networkx()
    assert list(graph.nodes) == list(range(len(record))) and networkx.is_directed_acyclic_graph(graph)
    edges = [(i, k, place) for k, links in enumerate(record.links) for place, i in enumerate(links)]
    assert sorted((i, k, data["place"]) for i, k, data in graph.edges(data=True)) == sorted(edges)
    assert graph.nodes[0]["role"] == record.nodes[0].role


def test_a_picture_without_a_record_has_no_json(tmp_path):
    with pytest.raises(DarkError, match=r"\.json"):
        draw(nn.Linear(2, 3)).save(tmp_path / "tree.json")
    assert len(graph_record(dark.Parameter(1.0)).as_json()) < 400
