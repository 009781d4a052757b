"""Folding of large graphs: by the names of parameters, by depth, always without cycles."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dark
from dark.draw import Box, boxes_of, draw, draw_boxes, draw_graph
from dark.draw.graph.grouping import fold_groups
from dark.errors import DrawingError
from tests.draw.student import Node, Parameter, chain


def network(names, width=10):
    """Return a graph of scalars: a chain of layers, each with `width` weights."""
    y = dark.Constant(1.0, name="x")
    for name in names:
        for k in range(width):
            y = dark.tanh(y * dark.Parameter(0.5, name=f"{name}.weight{k}") + 1.0)
    return y


def groups_of(boxes):
    return {box.name: box for box in boxes if box.kind == "group"}


@st.composite
def many_boxes(draw):
    """Generate boxes with dotted names in any order, and any inputs."""
    count = draw(st.integers(1, 60))
    names = st.none() | st.sampled_from(["x", "a.w", "a.b", "b.w", "net.a.w", "net.b.w", "net.b.c.w", "."])
    boxes = []
    for i in range(count):
        inputs = tuple(draw(st.lists(st.integers(0, i - 1), max_size=3))) if i else ()
        mark = draw(st.sampled_from([None, None, None, None, "wrong"]))
        boxes.append(
            Box("result" if inputs else "parameter", "+" if inputs else None, 1.0, None, draw(names), inputs, mark)
        )
    return tuple(boxes)


@given(many_boxes())
@pytest.mark.long
def test_folding_creates_no_cycle_and_loses_no_node(boxes):
    parts = fold_groups(boxes)
    assert all(k < i for i, box in enumerate(parts) for k in box.inputs)
    counts = [int(box.value.split()[0]) if box.kind == "group" else 1 for box in parts]
    assert sum(counts) == len(boxes)
    assert (parts[-1].name, parts[-1].kind) == (boxes[-1].name, boxes[-1].kind)
    assert sum(box.mark == "wrong" for box in parts[:-1]) == min(20, sum(box.mark == "wrong" for box in boxes[:-1]))


@given(many_boxes())
@pytest.mark.long
def test_every_group_is_used_if_every_node_is(boxes):
    reached = lambda boxes: len({len(boxes) - 1} | {k for box in boxes for k in box.inputs})
    parts = fold_groups(boxes)
    if reached(boxes) == len(boxes):  # every node is the input of another one
        assert reached(parts) == len(parts)


@pytest.mark.long
def test_groups_have_the_names_of_their_parameters():
    drawing = draw(network(["layer1", "layer2", "layer3", "layer4"], 20))
    assert list(groups_of(drawing.boxes)) == ["layer1", "layer2", "layer3", "layer4"]
    assert groups_of(drawing.boxes)["layer2"].value == "100 nodes, 20 parameters"
    assert groups_of(drawing.boxes)["layer2"].operation == "* + tanh"
    assert drawing.boxes[-1].kind == "result"
    assert "x = 1" in drawing.svg
    assert "layer2: 100 nodes, 20 parameters, folded, with * + tanh" in drawing.svg


def test_long_names_are_shortened_until_there_are_few_groups():
    names = [f"net.block{k}.layer{j}" for k in range(5) for j in range(30)]
    assert list(groups_of(fold_groups(boxes_of(network(names, 3)))))[:2] == ["net.block0", "net.block1"]


def test_a_weight_that_is_the_left_input_belongs_to_its_layer():
    y = dark.Constant(1.0, name="x")
    for name in ("first", "second", "third", "fourth"):
        for k in range(20):
            y = dark.tanh(dark.Parameter(0.5, name=f"{name}.w{k}") * y)
    assert {box.value for box in groups_of(draw(y, depth=200).boxes).values()} == set()
    parts = groups_of(fold_groups(boxes_of(y)))
    assert {name: box.value for name, box in parts.items()} == {
        "first": "60 nodes, 20 parameters", "second": "60 nodes, 20 parameters",
        "third": "60 nodes, 20 parameters", "fourth": "59 nodes, 20 parameters",
    }  # fmt: skip


def test_a_group_that_occurs_twice_becomes_two_boxes():
    tied = [dark.Parameter(0.5, name="tied.w"), dark.Parameter(0.5, name="other.w"), dark.Parameter(1.0, name="z.w")]
    y = dark.Constant(1.0, name="x")
    for weight in (tied[0], tied[1], tied[0], tied[2]):
        for _ in range(60):
            y = dark.tanh(y * weight)
    boxes = fold_groups(boxes_of(y))
    assert all(k < i for i, box in enumerate(boxes) for k in box.inputs)


def test_without_names_groups_are_bands_of_equal_depth():
    drawing = draw(chain(1199))
    assert [box.name for box in drawing.boxes[:2]] == ["depth 1100 to 1198", "depth 1000 to 1099"]
    assert len(drawing.boxes) == 13


def test_the_note_counts_folded_nodes_and_suggests_depth():
    drawing = draw(chain(300), title="long")
    line = f"301 nodes, folded into {len(drawing.boxes)} boxes; draw(node, depth=5), or --depth 5 in the shell"
    assert drawing.note.startswith(line)
    assert line in drawing.svg and line in drawing.alt
    assert drawing.text.splitlines()[-1] == drawing.note


def test_a_picture_of_300_nodes_is_not_folded():
    assert len(draw(chain(299)).boxes) == 300
    assert draw(chain(299)).note == ""


def test_many_leaves_of_one_node_are_one_group():
    root = Node(1.0, "sum", [Parameter(1.0) for _ in range(5000)], name="total")
    drawing = draw(root)
    assert [box.value for box in drawing.boxes] == ["5000 nodes, 5000 parameters", 1.0]
    assert drawing.svg.count("5000 times</text>") == 1 and "(5000 times)" in drawing.text
    few = Node(1.0, "+", [chain(400), *(Parameter(float(k)) for k in range(20))])
    assert [box.value for box in draw(few).boxes if box.kind == "parameter"] == list(range(20))


def test_a_marked_box_is_not_folded():
    boxes = [Box("parameter", None, 1.0)]
    boxes += [Box("result", "exp", 1.0, inputs=(i,), mark="wrong" if i == 200 else None) for i in range(400)]
    drawing = draw_boxes(boxes)
    assert [box.operation for box in drawing.boxes if box.mark == "wrong"] == ["exp"]
    assert "First wrong" in drawing.alt and "first wrong" in drawing.svg


def test_a_large_graph_with_depth_is_folded_as_well():
    drawing = draw(chain(1000), depth=500)
    assert "… 500 more" in drawing.text
    assert drawing.note.startswith("502 nodes, folded")


@pytest.mark.long
def test_a_graph_of_many_nodes_needs_no_recursion():
    assert len(draw(chain(50_000)).boxes) < 20


def test_values_of_folded_nodes_are_not_read():
    class Costly:
        reads = 0

        def __init__(self, below=()):
            self.inputs, self.op, self.name = below, None, None

        @property
        def grad(self):
            return None

        @property
        def value(self):
            Costly.reads += 1
            return np.zeros(9)

    node = Costly()
    for _ in range(400):
        node = Costly((node,))
    reads = Costly.reads
    assert len(boxes_of(node)) == 401
    full = Costly.reads - reads
    drawing = draw(node)
    assert Costly.reads - reads - full <= full - 400 + sum(box.kind != "group" for box in drawing.boxes)


def test_a_graph_too_large_to_fold_is_drawn_near_its_root(monkeypatch):
    monkeypatch.setattr(draw_graph, "MOST_FOLDED", 1000)
    drawing = draw(chain(1000))
    assert [box.kind for box in drawing.boxes] == ["folded"] + ["result"] * 6
    assert "995 more" in drawing.text
    assert drawing.note == "the part near the root; the graph has more than 1000 nodes"
    with pytest.raises(DrawingError, match="folded"):
        drawing.steps()
    assert draw(chain(999)).note.startswith("1000 nodes, folded into")


def test_steps_of_a_folded_picture_raise():
    y = network(["a", "b", "c", "d"], 20)
    y.backward()
    with pytest.raises(DrawingError, match=r"some nodes of this picture are folded(.|\n)*depth=5"):
        draw(y).steps()
    assert len(draw(y, depth=4).steps()) > 1
