"""Modules that open and close, and blocks that repeat."""

import numpy as np
import pytest

import dark
from dark import nn
from dark.draw import GraphNode, GraphRecord, draw, graph_record
from dark.draw.graph.module_folding import checked_open, fold_modules
from dark.draw.graph.quotient import acyclic_groups
from dark.errors import DarkError


class Block(nn.Module):
    """A residual block of two layers."""

    def __init__(self, width=4):
        super().__init__()
        self.first, self.second = nn.Linear(width, width), nn.Linear(width, width)

    def forward(self, x):
        return dark.relu(x + self.second(dark.relu(self.first(x))))


def deep(count=5):
    return nn.Sequential(nn.Linear(3, 4), nn.Sequential(*[Block() for _ in range(count)]), nn.Linear(4, 2))


def loss_of(network):
    return nn.MSELoss()(network(np.ones((6, 3))), np.zeros((6, 2)))


def names(boxes):
    return [box.name for box in boxes if box.kind == "group" and box.name != "MSELoss"]


def test_equal_blocks_are_folded_with_the_first_one_open():
    drawing = draw(loss_of(deep(16)))
    assert drawing.titles["1", "0"] == "1.0 … 15: Block ×16"
    assert {box.path for box in drawing.boxes if box.kind == "parameter"} == {
        ("0",), ("1", "0", "first"), ("1", "0", "second"), ("2",),
    }  # fmt: skip
    assert "×16" in drawing.svg and "layers" not in drawing.svg


def test_two_equal_blocks_are_drawn_both():
    assert not [title for title in draw(loss_of(deep(2))).titles.values() if "×" in title]


def test_blocks_that_differ_are_drawn():
    network = nn.Sequential(*[nn.Sequential(nn.Linear(k, k + 1), nn.ReLU()) for k in range(2, 7)])
    assert not [title for title in draw(network(np.ones((3, 2)))).titles.values() if "×" in title]


def test_everything_is_open_with_true_and_nothing_with_false():
    loss = loss_of(deep(16))
    record = graph_record(loss)
    assert len(draw(loss, open=True).boxes) == len(record)
    closed = draw(loss, open=False)
    assert names(closed.boxes) == ["1: Sequential"] and closed.note.startswith(f"{len(record)} nodes in ")
    assert draw(loss, open=0).boxes == closed.boxes


def test_a_number_opens_levels():
    loss = loss_of(deep(2))
    assert names(draw(loss, open=1).boxes) == ["1.0: Block", "1.1: Block"]
    assert names(draw(loss, open=2).boxes) == []


def test_names_open_modules_and_those_around_them():
    loss = loss_of(deep(4))
    opened = draw(loss, open="1.2")
    assert names(opened.boxes) == ["1.0: Block", "1.1: Block", "1.3: Block"]
    assert names(draw(loss, open=["1.0", "1.3"]).boxes) == ["1.1: Block", "1.2: Block"]
    assert names(draw(loss, open="1.*").boxes) == []


def test_an_unknown_name_is_refused():
    with pytest.raises(DarkError, match=r"no module '1\.9' to open"):
        draw(loss_of(deep(2)), open="1.9")
    with pytest.raises(DarkError, match="no module 'a' to open"):
        draw(dark.Parameter(2.0) * 3.0, open="a")


@pytest.mark.parametrize("wrong", [-1, 1.5, [1], b"a", object()])
def test_what_does_not_say_what_is_open_is_refused(wrong):
    with pytest.raises(DarkError, match="draw: open"):
        draw(dark.Parameter(2.0) * 3.0, open=wrong)


def test_an_integer_of_numpy_is_a_number_of_levels():
    assert checked_open(np.int64(2)) == 2 and checked_open(True) is True


def test_a_closed_module_shows_how_much_is_in_it():
    group = next(box for box in draw(loss_of(deep(3)), open=False).boxes if box.kind == "group")
    assert group.value.endswith("nodes, 40 parameters") and group.operation == "→ float64 (6, 4)"


def test_a_module_that_would_depend_on_itself_is_split():
    nodes = [GraphNode(0, role="input"), GraphNode(1, "exp", inputs=(0,), path=("a",))]
    nodes += [GraphNode(2, "log", inputs=(1,)), GraphNode(3, "exp", inputs=(2,), path=("a",))]
    nodes += [GraphNode(4, "+", inputs=(3, 1), path=("a",))]
    boxes = fold_modules(GraphRecord(nodes), open=False).boxes
    assert all(k < i for i, box in enumerate(boxes) for k in box.inputs)
    groups, order = acyclic_groups(["a", "b", "a", "c"], [(), (0,), (1,), (2,)])
    assert [order.index(group) for group in groups] == sorted(order.index(group) for group in groups)


def test_a_module_that_takes_two_inputs_is_not_split():
    nodes = [GraphNode(0, role="input"), GraphNode(1, "exp", inputs=(0,)), GraphNode(2, "log", inputs=(1,))]
    nodes += [GraphNode(3, "sin", inputs=(0,), path=("a",)), GraphNode(4, "+", inputs=(3, 2), path=("a",))]
    assert names(fold_modules(GraphRecord(nodes), open=False).boxes) == ["a"]


class Projections(nn.Module):
    """Layers of one shape with different tasks."""

    def __init__(self):
        super().__init__()
        self.q, self.k, self.v = nn.Linear(4, 4), nn.Linear(4, 4), nn.Linear(4, 4)

    def forward(self, x):
        return self.q(x) * self.k(x) + self.v(x)


class Dense(nn.Module):
    """A chain of layers, of which the first and the last are used."""

    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(4, 4) for _ in range(4)])

    def forward(self, x):
        results = [x]
        for layer in self.layers:
            results.append(layer(results[-1]))
        return results[1] + results[-1]


@pytest.mark.parametrize("kind", [Projections, Dense])
def test_only_numbered_blocks_in_a_row_are_folded(kind):
    drawing = draw(kind()(np.ones((2, 4))))
    assert len([box for box in drawing.boxes if box.kind == "parameter"]) == len(list(kind().parameters()))
    assert not [title for title in drawing.titles.values() if "×" in title]


def test_parallel_blocks_of_which_all_are_used_are_folded():
    heads = nn.ModuleList([nn.Sequential(nn.Linear(4, 2), nn.Tanh()) for _ in range(5)])
    x = dark.Parameter(np.ones((3, 4)))
    drawing = draw(dark.concatenate([head(x) for head in heads], axis=-1), model=heads)
    assert [title for title in drawing.titles.values() if "×" in title] == ["0 … 4: Sequential ×5"]
