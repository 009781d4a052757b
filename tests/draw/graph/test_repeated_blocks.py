"""No box that lies: what folded pictures show is in the record, and nothing that was used leads nowhere."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dark.draw import GraphNode, GraphRecord, draw
from dark.draw.graph.module_folding import fold_modules
from dark.draw.graph.quotient import users_of
from dark.draw.graph.repeated_blocks import repeated_blocks

torch = pytest.importorskip("torch", reason="PyTorch is not installed")


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


def assert_honest(record, open):
    folded = fold_modules(record, open)
    stand_in = repeated_blocks(record.nodes, record.links).stand_in if open is not True else range(len(record))
    box_of = {i: b for b, inside in enumerate(folded.members) for i in inside}
    assert sorted(box_of) == list(range(len(record))) and all(box_of[i] == box_of[k] for i, k in enumerate(stand_in))
    edges = {(k, b) for b, box in enumerate(folded.boxes) for k in box.inputs}
    known = {(box_of[stand_in[k]], box_of[stand_in[i]]) for i, links in enumerate(record.links) for k in links}
    assert edges <= known
    for i, links in enumerate(record.links):  # of each node that is drawn, all edges
        if stand_in[i] == i:
            assert all(box_of[stand_in[k]] == box_of[i] or (box_of[stand_in[k]], box_of[i]) in edges for k in links)
    ends = {box_of[stand_in[i]] for i, users in enumerate(users_of(record.links)) if not users}
    dead = set(range(len(folded.boxes))) - {k for k, _ in edges}
    assert dead <= ends
    assert folded.folded == len(record) - len(folded.boxes)


def layers(kind, count):
    layer = getattr(torch.nn, f"Transformer{kind}Layer")(16, nhead=4, dim_feedforward=32, batch_first=True)
    return getattr(torch.nn, f"Transformer{kind}")(layer, num_layers=count)


class Residual(torch.nn.Module):
    """Layers whose results are added to what they were given."""

    def __init__(self, count=20):
        super().__init__()
        self.layers = torch.nn.ModuleList(torch.nn.Linear(8, 8) for _ in range(count))

    def forward(self, x):
        for layer in self.layers:
            x = x + torch.relu(layer(x))
        return x


@pytest.mark.parametrize("kind", ["Encoder", "Decoder", "residual"])
def test_the_loss_of_a_network_of_pytorch_has_no_box_that_leads_nowhere(kind):
    x = torch.ones(2, 8) if kind == "residual" else torch.ones(2, 5, 16)
    network = Residual() if kind == "residual" else layers(kind, 6)
    loss = (network(x, x) if kind == "Decoder" else network(x)).square().mean()
    drawing = draw(loss, model=network)
    assert_honest(drawing.record, None)
    used = {k for box in drawing.boxes for k in box.inputs}
    assert set(range(len(drawing.boxes) - 1)) == used
    assert len(drawing.boxes) < 90 < len(drawing.record) and any("×" in title for title in drawing.titles.values())
    assert drawing.note.startswith(f"{len(drawing.record)} nodes in {len(drawing.boxes)} boxes")


def test_chains_between_blocks_are_folded_with_them():
    network = Residual(20)
    boxes = draw(network(torch.ones(2, 8)).mean(), model=network).boxes
    assert [box.name for box in boxes if box.kind == "result" and box.name] == ["×19", "×19"]  # relu and +
    assert len(boxes) <= 11


@pytest.mark.parametrize("period", [1, 2, 3])
def test_blocks_of_several_layers_are_folded(period):
    kinds = [torch.nn.Linear, torch.nn.Tanh, torch.nn.LayerNorm][:period]
    network = torch.nn.Sequential(*[kind(*[8] * (2 - k)) for _ in range(30) for k, kind in zip((0, 2, 1), kinds)])
    drawing = draw(network, torch.ones(2, 8))
    titles = set(drawing.titles.values())
    for k, kind in enumerate(kinds):
        middle = "" if period == 1 else f", {k + period}"
        assert f"{k}{middle} … {29 * period + k}: {kind.__name__} ×30" in titles
    assert len(drawing.boxes) <= 9
    assert_honest(drawing.record, None)


def test_blocks_that_use_each_others_results_differently_are_drawn():
    nodes = [GraphNode("x", role="input"), *[GraphNode(k, "exp", inputs=("x",), path=(f"b{k}",)) for k in range(4)]]
    nodes[3] = GraphNode(2, "exp", inputs=(0,), path=("b2",))
    nodes.append(GraphNode("end", "sum", inputs=(1, 2, 3)))
    assert repeated_blocks(GraphRecord(nodes).nodes, GraphRecord(nodes).links).runs == {}
    assert np.all([box.kind != "group" for box in fold_modules(GraphRecord(nodes)).boxes])


class CalledAgain(torch.nn.Module):
    """Convolutions with one pooling layer between each and the next."""

    def __init__(self):
        super().__init__()
        self.blocks = torch.nn.ModuleList(torch.nn.Conv2d(k, k + 1, 3, padding=1) for k in (1, 2, 3))
        self.pool = torch.nn.MaxPool2d(2)

    def forward(self, x):
        for block in self.blocks:
            x = self.pool(block(x))
        return x


def test_a_module_that_is_called_again_is_numbered_and_no_other_is_split():
    record = draw(CalledAgain(), torch.ones(1, 1, 8, 8)).record
    folded = fold_modules(record, open=False, layers=True)
    names = [box.name for box in folded.boxes if box.kind == "group"]
    assert [name for name in names if name.startswith("pool")] == [
        "pool: MaxPool2d (1)", "pool: MaxPool2d (2)", "pool: MaxPool2d (3)",
    ]  # fmt: skip
    assert len(names) == len(set(names)) and not [name for name in names if "(4)" in name]


def test_a_layer_is_one_box_with_its_shapes_and_its_parameters():
    network = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.Tanh())
    record = draw(network, torch.ones(4, 2)).record
    boxes = fold_modules(record, layers=True).boxes
    assert [(box.kind, box.name, box.operation, box.value) for box in boxes] == [
        ("input", "input", None, "float32 (4, 2)"),
        ("group", "0: Linear", None, "(4, 2) → (4, 3), 9 parameters"),
        ("group", "1: Tanh", None, "(4, 3) → (4, 3)"),
    ]
