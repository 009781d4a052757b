"""Results know the modules that returned them; the names and paths in a record follow."""

import numpy as np
import pytest

import dark
from dark import nn
from dark.draw import draw, graph_record


def paths(record):
    return {node.operation: node.path for node in record.nodes if node.operation}


class Reused(nn.Module):
    """One layer, called twice."""

    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(2, 2)

    def forward(self, x):
        return self.layer(dark.tanh(self.layer(x)))


def test_a_result_knows_the_modules_of_all_operations():
    network = nn.Sequential(nn.Linear(3, 4), nn.Sequential(nn.Tanh(), nn.Sigmoid()), nn.Linear(4, 1))
    record = graph_record((network(np.ones((2, 3))) ** 2).mean())
    assert paths(record) == {"linear": ("2",), "tanh": ("1", "0"), "sigmoid": ("1", "1"), "**": (), "mean": ()}
    assert [n.name for n in record.nodes if n.role == "parameter"] == ["0.weight", "0.bias", "2.weight", "2.bias"]
    assert record.modules[()] == "Sequential" and record.modules["1", "0"] == "Tanh"


def test_the_data_of_a_network_are_an_input():
    network = nn.Linear(3, 1)
    for x in (np.ones((2, 3)), dark.Constant(np.ones((2, 3)))):
        assert [node.role for node in graph_record(network(x)).nodes].count("input") == 1


def test_what_is_before_and_after_a_network_is_outside_of_it():
    x = dark.Parameter(np.ones((2, 3)))
    y = dark.exp(nn.Sequential(nn.Linear(3, 3), nn.Tanh())(dark.sin(x)))
    assert paths(graph_record(y)) == {"sin": (), "linear": ("0",), "tanh": ("1",), "exp": ()}


def test_a_loss_module_does_not_change_the_names_of_the_network():
    network = nn.Linear(3, 1)
    record = graph_record(nn.MSELoss()(network(np.ones((2, 3))), np.zeros((2, 1))))
    assert {node.name for node in record.nodes if node.role == "parameter"} == {"weight", "bias"}
    assert "MSELoss" in {path[0] for path in (node.path for node in record.nodes) if path}


def test_two_networks_of_one_class_are_numbered():
    first, second = nn.Sequential(nn.Linear(2, 2)), nn.Sequential(nn.Linear(2, 2))
    names = {node.name for node in graph_record(second(first(np.ones((1, 2))))).nodes if node.name}
    assert {name.split(".")[0] for name in names} == {"Sequential1", "Sequential2"}


def test_a_layer_that_is_called_twice_has_one_name():
    network = Reused()
    record = graph_record(network(np.ones((3, 2))))
    paths = [node.path for node in record.nodes if node.operation == "linear"]
    assert paths == [("layer (1)",), ("layer (2)",)] and record.modules["layer (2)",] == "Linear"
    assert draw(network(np.ones((3, 2)))).svg.count("layer.weight") >= 1


def test_every_result_of_a_module_is_marked():
    network = nn.LSTM(2, 3)
    out, (h, c) = network(np.ones((1, 4, 2)))
    assert all(getattr(node, "module_calls", ()) for node in (out,))
    assert {node.name for node in graph_record(out.sum()).nodes if node.role == "parameter"} <= {
        name for name, _ in network.named_parameters()
    }


def test_a_result_without_a_graph_is_not_marked():
    with dark.no_grad():
        y = nn.Linear(2, 1)(np.ones((1, 2)))
    assert not hasattr(y, "module_calls")


def test_a_module_that_is_gone_is_still_known():
    y = nn.Sequential(nn.ReLU())(dark.Parameter(2.0))
    assert paths(graph_record(y)) == {"relu": ("0",)}


def test_a_network_is_drawn_as_a_tree_and_with_inputs_as_a_graph():
    network = nn.Sequential(nn.Linear(3, 4), nn.Dropout(0.5, seed=0), nn.BatchNorm1d(4))
    assert "12" in draw(network).text or "16" in draw(network).text
    before = {name: np.array(value) for name, value in network.state_dict().items()}
    drawing = draw(network, np.ones((5, 3)))
    assert "0: Linear" in drawing.svg and "0.weight" in drawing.text
    assert all(np.array_equal(before[name], value) for name, value in network.state_dict().items())
    assert network.training and network[0].weight.grad is None
    again = nn.Sequential(nn.Linear(3, 4), nn.Dropout(0.5, seed=0), nn.BatchNorm1d(4))
    again.load_state_dict(before)
    x = np.ones((5, 3))
    assert np.array_equal(network(x).value, again(x).value)  # the random state is as before


def test_a_network_that_is_frozen_has_a_graph_too():
    network = nn.Linear(3, 1).requires_grad_(False)
    assert "weight" in draw(network, np.ones((2, 3))).text


def test_a_network_whose_result_is_no_node_is_refused():
    class Broken(nn.Module):
        def forward(self, x):
            return "text"

    with pytest.raises(dark.errors.DrawingError, match="Broken returned str, not a node"):
        draw(Broken(), 1.0)
