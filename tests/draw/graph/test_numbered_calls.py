"""A module that is called more than once: its calls are numbered as they were made, and equal ones in a row rolled."""

import numpy as np
import pytest

import dark
from dark import nn
from dark.draw import draw


class Unrolled(nn.Module):
    """A recurrent cell over six steps."""

    def __init__(self):
        super().__init__()
        self.cell, self.out = nn.RNNCell(4, 4, seed=0), nn.Linear(4, 2, seed=1)

    def forward(self, x):
        h = dark.Constant(np.zeros((2, 4)))
        for _ in range(6):
            h = self.cell(x, h)
        return self.out(h)


class Siamese(nn.Module):
    """One body for two inputs."""

    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(4, 3, seed=0), nn.ReLU())

    def forward(self, a, b):
        return self.body(a) - self.body(b)


def in_torch(kind):
    torch = pytest.importorskip("torch")

    class Again(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.cell, self.out = torch.nn.RNNCell(4, 4), torch.nn.Linear(4, 2)
            self.body = torch.nn.Sequential(torch.nn.Linear(4, 3), torch.nn.ReLU())

        def forward(self, x, other=None):
            if kind == "siamese":
                return self.body(x) - self.body(other)
            h = torch.zeros(2, 4)
            for _ in range(6):
                h = self.cell(x, h)
            return self.out(h)

    x = torch.ones(2, 4)
    return draw, Again(), (x, 2 * x) if kind == "siamese" else (x,)


def in_dark(kind):
    x = np.ones((2, 4))
    return draw, Siamese() if kind == "siamese" else Unrolled(), (x, 2 * x) if kind == "siamese" else (x,)


@pytest.mark.parametrize("framework", [in_dark, in_torch])
def test_a_cell_over_time_is_one_cell_that_opens(framework):
    draw, network, inputs = framework("unrolled")
    drawing = draw(network, *inputs)
    assert "cell: RNNCell ×6" in drawing.titles.values() and "×6" in drawing.svg
    whole = draw(network, *inputs, open=True)
    assert {f"cell: RNNCell ({k})" for k in range(1, 7)} <= set(whole.titles.values())
    assert len(whole.boxes) == len(whole.record) > len(drawing.boxes)


@pytest.mark.parametrize("framework", [in_dark, in_torch])
def test_two_calls_are_numbered_and_share_their_parameters(framework):
    draw, network, inputs = framework("siamese")
    drawing = draw(network, *inputs)
    assert {"body: Sequential (1)", "body: Sequential (2)"} <= set(drawing.titles.values())
    weights = [k for k, box in enumerate(drawing.boxes) if box.name == "body.0.weight"]
    assert len(weights) == 1 and sum(weights[0] in box.inputs for box in drawing.boxes) == 2
    assert drawing.boxes[weights[0]].path == ()
    closed = draw(network, *inputs, open=False)
    assert [box.name for box in closed.boxes if box.kind == "group"] == ["body: Sequential (1)", "body: Sequential (2)"]
    opened = draw(network, *inputs, open="body")
    assert not [box for box in opened.boxes if box.kind == "group"]
