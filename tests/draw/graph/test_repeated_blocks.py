"""No box that lies: what folded pictures show is in the record, and nothing that was used leads nowhere."""

import random

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from dark.draw import GraphNode, GraphRecord
from dark.draw.graph.module_folding import fold_modules
from dark.draw.graph.repeated_blocks import repeated_blocks
from tests.draw.graph.honest import assert_honest


def record_of(seed, count, noise):
    """Return a random graph: equal blocks of modules in a row, with chains between them, and a few edges at random."""
    rng = random.Random(seed)
    size, between = rng.randint(1, 4), rng.randint(0, 3)
    template = [[rng.randint(0, k) for _ in range(rng.randint(1, 2))] for k in range(size + between)]
    weights = [rng.random() < 0.5 for _ in template]
    period, residual = rng.randint(1, 2), rng.random() < 0.5
    nodes = [GraphNode("x", role="input", name="x", shape=(3,)), GraphNode("start", "exp", shape=(3,), inputs=("x",))]
    last = "start"
    for block in range(count):
        results = [last]
        for k, inputs in enumerate(template):
            path = (f"layer{period * block + k % period}",) if k < size else ()
            used = [results[j] for j in inputs]
            if residual and k == len(template) - 1:
                used.append(last)
            if rng.random() < noise:
                used.append(rng.choice([node.id for node in nodes]))
            if weights[k]:
                nodes.append(GraphNode(f"w{block}.{k}", role="parameter", name=f"w{block}.{k}", path=path))
                used.append(nodes[-1].id)
            nodes.append(GraphNode(f"{block}.{k}", "add", shape=(3,), inputs=tuple(used), path=path))
            results.append(nodes[-1].id)
        last = results[-1]
    used = {i for node in nodes for i in node.inputs}
    ends = tuple(node.id for node in nodes if node.id not in used)
    return GraphRecord((*nodes, GraphNode("end", "sum", inputs=ends)))


@given(
    st.integers(0, 10**6), st.integers(3, 6), st.sampled_from([0.0, 0.0, 0.1]), st.sampled_from([None, False, True, 1])
)
def test_every_box_that_had_a_use_has_one_and_every_edge_is_in_the_record(seed, count, noise, open):
    record = record_of(seed, count, noise)
    assert_honest(record, open)


def test_blocks_that_use_each_others_results_differently_are_drawn():
    nodes = [GraphNode("x", role="input"), *[GraphNode(k, "exp", inputs=("x",), path=(f"b{k}",)) for k in range(4)]]
    nodes[3] = GraphNode(2, "exp", inputs=(0,), path=("b2",))
    nodes.append(GraphNode("end", "sum", inputs=(1, 2, 3)))
    assert repeated_blocks(GraphRecord(nodes).nodes, GraphRecord(nodes).links).runs == {}
    assert np.all([box.kind != "group" for box in fold_modules(GraphRecord(nodes)).boxes])
