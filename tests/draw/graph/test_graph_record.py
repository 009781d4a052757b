"""The neutral record of a graph: order, ids, and what it refuses."""

import pytest

from dark.draw import GraphNode, GraphRecord
from dark.errors import DrawingError


def test_nodes_in_any_order_are_sorted_with_the_root_last():
    nodes = [GraphNode("c", "+", inputs=("b", "a")), GraphNode("b", "*", inputs=("a", "a")), GraphNode("a")]
    record = GraphRecord(nodes)
    assert [node.id for node in record.nodes] == ["a", "b", "c"]
    assert record.links == ((), (0, 0), (1, 0))
    assert record.root is nodes[0] and len(record) == 3


def test_nodes_in_topological_order_keep_it():
    nodes = [GraphNode(k) for k in (3, 1, 2)] + [GraphNode(0, "+", inputs=(1, 2, 3))]
    assert [node.id for node in GraphRecord(nodes).nodes] == [3, 1, 2, 0]


def test_the_root_is_the_last_that_no_other_node_uses():
    nodes = [GraphNode("out", "+", inputs=("x",)), GraphNode("x"), GraphNode("unused")]
    assert GraphRecord(nodes).root.id == "unused"
    assert GraphRecord([GraphNode("out", "+", inputs=("x",)), GraphNode("x")]).root.id == "out"


def test_a_value_may_be_read_later():
    reads = []
    node = GraphNode(0, value=lambda: reads.append(1) or 3.0)
    assert not reads and node.read("value") == 3.0 and reads == [1]
    assert GraphNode(0, value=2.0).read("value") == 2.0 and GraphNode(0).read("grad") is None


@pytest.mark.parametrize(
    "nodes, message",
    [
        ([], "has no nodes"),
        ([GraphNode(0), GraphNode(0)], "two nodes with the id 0"),
        ([GraphNode(1, "exp", inputs=(0,))], "a node 1 with the input 0, which is not in the record"),
        ([GraphNode(0, "a", inputs=(1,)), GraphNode(1, "b", inputs=(0,))], "a cycle through the node"),
        ([3.0], "a node of type float"),
        ([GraphNode(0, role="weight")], "the role 'weight'"),
    ],
)
def test_a_record_that_is_no_graph_is_refused(nodes, message):
    with pytest.raises(DrawingError, match=message):
        GraphRecord(nodes)
