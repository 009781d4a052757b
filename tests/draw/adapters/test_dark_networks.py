"""The picture of a network of dark as it runs: keywords, all results, parts without gradient, and failures."""

import numpy as np
import pytest

import dark
from dark import nn
from dark.draw import draw, graph_record
from dark.errors import DrawingError


class Network(nn.Module):
    """A frozen body, indices by keyword, and several results."""

    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(3, 4), nn.ReLU())
        self.head, self.table = nn.Linear(4, 2), nn.Embedding(5, 4)
        self.calls, self.history = 0, []

    def forward(self, x, ids=None, *, title=None):
        self.calls += 1
        with dark.no_grad():
            features = self.body(x)
        y = self.head(features + self.table(ids))
        self.history.append(y)
        if title is not None:
            y = y + title
        return {"y": y, "aux": (features, y.mean())}


X, IDS = np.ones((2, 3)), np.array([1, 2])


def rows(record):
    words = {n.id: n.name or n.operation for n in record.nodes}
    return [(words[n.id], *(words[i] for i in n.inputs)) for n in record.nodes if n.operation]


def test_modules_without_gradient_indices_and_all_results_are_drawn():
    record = draw(Network(), X, ids=IDS).record
    assert rows(record) == [
        ("Linear", "x"), ("ReLU", "Linear"), ("[]", "table.weight", "ids"), ("+", "ReLU", "[]"),
        ("linear", "+", "head.weight", "head.bias"), ("mean", "linear"), ("dict", "linear", "ReLU", "mean"),
    ]  # fmt: skip
    roles = {n.operation: (n.role, n.path) for n in record.nodes if n.operation}
    assert roles["Linear"] == ("detached", ("body", "0")) and roles["linear"] == ("result", ("head",))
    assert record.root.labels == ("y", "aux.0", "aux.1")
    assert {n.name: (n.shape, n.dtype) for n in record.nodes if n.role == "input"} == {
        "x": ((2, 3), "float64"), "ids": ((2,), "int64"),
    }  # fmt: skip


def test_an_argument_with_the_name_of_an_option_is_given_apart():
    drawing = draw(Network(), X, IDS, title="Mine", arguments={"title": np.ones(2)})
    assert drawing.title == "Mine" and "title" in {n.name for n in drawing.record.nodes if n.role == "input"}
    with pytest.raises(DrawingError, match="title cannot be(.|\n)*in `arguments`"):
        draw(Network(), X, IDS, title=np.ones(2))
    with pytest.raises(DrawingError, match="arguments must be a dict, got 3"):
        draw(Network(), X, IDS, arguments=3)


def test_the_network_its_inputs_and_its_modules_are_as_before():
    class Changing(nn.Module):
        def __init__(self):
            super().__init__()
            self.layer, self.drop, self.calls, self.kept = nn.Linear(2, 2), nn.Dropout(0.5, seed=0), 0, []

        def forward(self, x, steps):
            self.calls += 1
            self.kept.append(x)
            steps["ids"] += 1
            steps["done"].append(np.random.rand())
            self.eval()
            return self.drop(self.layer(x))

    network, steps = Changing(), {"ids": np.array([1, 2]), "done": []}
    before, state = np.random.get_state()[1].copy(), str(network.drop)
    draw(network, np.ones((1, 2)), steps)
    assert (network.calls, network.kept, steps["done"], steps["ids"].tolist()) == (0, [], [], [1, 2])
    assert network.training and str(network.drop) == state and np.array_equal(np.random.get_state()[1], before)
    assert network.layer.weight.grad is None


def test_a_network_that_fails_is_drawn_up_to_the_module_that_failed(tmp_path):
    with pytest.raises(DrawingError, match=r"Network fails in Linear in body\.0 of float64 \(2, 9\): Shape") as caught:
        draw(Network(), np.ones((2, 9)), IDS)
    root = caught.value.record.root
    assert (root.operation, root.mark, root.path) == ("Linear", "failed", ("body", "0"))
    assert "failed here" in caught.value.drawing.svg and "test_dark_networks.py, line" in str(caught.value)
    with pytest.raises(
        DrawingError, match=r"Network fails in Network of .*float64 \(2, 4\) and float64 \(3, 4\)"
    ) as caught:
        graph_record(Network(), X, np.array([1, 2, 3]))
    names = [n.operation for n in caught.value.record.nodes if n.operation]
    assert names == ["Linear", "ReLU", "[]", "Network"]


def test_keywords_without_a_network_are_refused():
    with pytest.raises(TypeError, match=r"unexpected keyword argument 'x'(.|\n)*one of the options model, gradients"):
        draw(dark.Parameter(2.0), x=3)
    with pytest.raises(DrawingError, match="cannot be given by keyword"):
        graph_record(dark.Parameter(2.0), keywords={"x": 3})
    with pytest.raises(DrawingError, match="grad_fn=True cannot be given"):
        graph_record(dark.Parameter(2.0), grad_fn=True)


def test_a_picture_near_the_result_is_drawn_too():
    assert len(draw(nn.Sequential(nn.Linear(3, 4), nn.ReLU()), X, depth=1).boxes) == 3
