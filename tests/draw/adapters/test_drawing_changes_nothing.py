"""Looking at a network changes nothing of it, and what it wraps, how it fails and what it takes are no obstacle."""

import pickle
import random
import threading
from copy import deepcopy

import numpy as np
import pytest

import dark
from dark.draw import graph_record
from dark.errors import DrawingError

torch = pytest.importorskip("torch", reason="the oracle extra (PyTorch) is not installed")
pytestmark = pytest.mark.oracle
nn = torch.nn


class Restless(nn.Module):
    """Changes all that a module can change when it runs."""

    def __init__(self):
        super().__init__()
        self.layer, self.norm, self.drop = nn.Linear(3, 3), nn.BatchNorm1d(3), nn.Dropout(0.5)
        self.code = nn.Parameter(torch.ones(3))
        self.register_buffer("mean", torch.zeros(3))
        self.calls, self.history, self.by_name, self.lock = 0, [], {"last": None}, threading.Lock()
        self.generator = torch.Generator().manual_seed(3)
        self.rng = np.random.default_rng(3)
        self.kept = self.layer(torch.ones(1, 3))  # a result with a graph, which PyTorch refuses to copy

    def forward(self, pair, ids, steps):
        x, scale = pair
        with self.lock:
            self.calls += 1
        x += torch.rand(3, generator=self.generator) + random.random() + np.random.rand() + self.rng.random()
        ids += 1
        steps["done"].append(int(ids[0]))
        with torch.no_grad():
            self.mean.mul_(0.9).add_(x.mean(0))
            self.code.add_(1.0)
            self.code.data[0] = 5.0
        y = self.drop(self.norm(self.layer(x * scale))) * self.code + self.kept
        self.history.append(y)
        self.by_name["last"] = y
        self.eval()
        return y.sum() + ids.sum()


def state(network):
    """Return all of the state as bytes and numbers that can be compared."""
    return {
        "tensors": {name: value.detach().numpy().tobytes() for name, value in network.state_dict().items()},
        "grads": {name: None if p.grad is None else p.grad.numpy().tobytes() for name, p in network.named_parameters()},
        "needs": [p.requires_grad for p in network.parameters()],
        "python": (network.calls, len(network.history), dict(network.by_name)),
        "modes": [module.training for module in network.modules()],
        "hooks": [(len(m._forward_hooks), len(m._forward_pre_hooks)) for m in network.modules()],
        "generators": (network.generator.get_state().numpy().tobytes(), str(network.rng.bit_generator.state)),
        "global": (torch.get_rng_state().numpy().tobytes(), random.getstate(), pickle.dumps(np.random.get_state())),
        "grad mode": torch.is_grad_enabled(),
    }


@pytest.mark.parametrize("options", [{}, {"grad_fn": True}])
def test_the_network_its_arguments_and_all_generators_are_as_before(options):
    torch.manual_seed(0)
    network = Restless()
    network.layer.weight.grad = torch.ones(3, 3)
    network.norm.weight.requires_grad_(False)
    arguments = ([torch.ones(4, 3), torch.ones(3)], torch.tensor([1, 2]), {"done": [], "mask": torch.ones(2) > 0})
    before, given, ids = state(network), deepcopy(arguments), [id(p) for p in network.parameters()]
    dark.draw(network, *arguments, **options)
    assert state(network) == before and ids == [id(p) for p in network.parameters()]
    assert str(arguments) == str(given) and not arguments[0][0].requires_grad
    assert not network.lock.locked()
    network(*deepcopy(arguments))
    assert network.calls == 1  # what it does when it is really called
    assert state(network)["tensors"] != before["tensors"]


def test_a_parameter_shows_its_gradient_and_its_value_from_before():
    network = nn.Linear(2, 1)
    network.weight.grad = torch.full((1, 2), 4.0)
    weight = next(n for n in graph_record(network, torch.ones(1, 2)).nodes if n.name == "weight")
    assert np.array_equal(weight.grad, [[4.0, 4.0]]) and np.array_equal(weight.value, network.weight.detach())


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind", ["DataParallel", "torch.compile", "inside"])
def test_a_wrapped_network_is_drawn_as_the_network_inside(kind):
    network = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2))
    plain = graph_record(network, torch.ones(2, 3))
    if kind == "inside":
        wrapped = nn.Sequential(*network[:2], torch.compile(network[2]))
    else:
        wrapped = nn.DataParallel(network) if kind == "DataParallel" else torch.compile(network)
    drawing = dark.draw(wrapped, torch.ones(2, 3))
    assert [(n.name, n.operation, n.path) for n in drawing.record.nodes] == [
        (n.name, n.operation, n.path) for n in plain.nodes
    ]
    assert (f"{kind}: the network inside is drawn" in drawing.note) == (kind != "inside")
    assert kind == "inside" or kind in drawing.svg
    assert drawing.record.modules["2",] == "Linear"


def fails(error):
    """Return a network whose second layer fails."""

    class Last(nn.Module):
        def forward(self, x):
            if error is not None:
                raise error
            return x @ torch.ones(3, 3)

    return nn.Sequential(nn.Linear(4, 2), Last())


def test_a_network_that_fails_is_drawn_up_to_the_call_that_failed(tmp_path):
    with pytest.raises(DrawingError, match=r"fails in matmul in 1 of float32 \(5, 2\) and float32 \(3, 3\)") as caught:
        dark.draw(fails(None), torch.ones(5, 4))
    error = caught.value
    assert "test_drawing_changes_nothing.py, line" in str(error) and "return x @ torch.ones(3, 3)" in str(error)
    assert "Expected: a call that runs with input float32 (5, 4); the error is in" in str(error)
    assert isinstance(error.__cause__, RuntimeError)
    assert [n.operation for n in error.record.nodes if n.operation] == ["linear", "matmul"]
    assert error.record.root.mark == "failed" and "failed here" in error.drawing.svg
    assert error.drawing.save(tmp_path / "failed.svg").exists()
    shown = error._repr_mimebundle_()
    assert "failed here" in shown["image/svg+xml"] and "fails in matmul" in shown["text/plain"]


def test_an_error_of_python_is_marked_at_the_module_that_raised_it():
    with pytest.raises(DrawingError, match=r"fails in Last in 1 of float32 \(5, 2\): KeyError: 'no'") as caught:
        graph_record(fails(KeyError("no")), torch.ones(5, 4))
    root = caught.value.record.root
    assert (root.mark, root.path, len(root.inputs)) == ("failed", ("1",), 1)


def test_an_error_that_the_network_catches_is_no_failure():
    def forward(x):
        try:
            return x @ torch.ones(7, 7)
        except RuntimeError:
            return x.exp()

    assert graph_record(forward, torch.ones(2, 3)).root.operation == "exp"


def test_the_picture_of_a_failure_is_displayed_in_a_notebook(monkeypatch):
    display = pytest.importorskip("IPython.display")
    shown = []
    monkeypatch.setattr(display, "display", shown.append)
    with pytest.raises(DrawingError) as caught:
        dark.draw(fails(None), torch.ones(5, 4))
    lines = caught.value._render_traceback_()
    assert shown == [caught.value.drawing] and lines[0].startswith("NetworkError: draw: Sequential fails in matmul")


def test_networks_that_need_plain_inputs_are_called_with_plain_inputs():
    record = graph_record(lambda x: torch.from_numpy(x.numpy() * 2).exp(), torch.ones(2))
    assert record.root.operation == "exp" and record.root.role == "detached"


def test_functions_of_tensors_are_drawn_with_the_networks_in_them():
    network = nn.Sequential(nn.Linear(3, 2), nn.BatchNorm1d(2))
    before = {name: value.clone() for name, value in network.state_dict().items()}
    record = graph_record(lambda a, b: (network(a) + b).sum(), torch.ones(4, 3), torch.ones(2))
    assert {n.name for n in record.nodes if n.role == "input"} == {"a", "b"}
    assert next(n for n in record.nodes if n.operation == "batch_norm").path == ("network", "1")
    assert all(torch.equal(value, before[name]) for name, value in network.state_dict().items())
    assert graph_record(torch.nn.functional.relu, torch.ones(2)).root.operation == "relu"
    given = graph_record(lambda model, x: model(x), network, torch.ones(4, 3))
    assert given.root.path == ("model", "1") and given.modules["model", "0"] == "Linear"
    assert all(torch.equal(value, before[name]) for name, value in network.state_dict().items())
    assert graph_record(network.forward, torch.ones(4, 3)).root.operation == "batch_norm"


def test_containers_and_results_of_tensors_are_drawn_with_their_names():
    layer, x = nn.Linear(3, 2), torch.ones(2, 3)
    for result, kind, labels in [
        ((layer(x), layer(x).sum()), "tuple", ("[0]", "[1]")),
        ({"out": layer(x), "loss": layer(x).sum()}, "dict", ("out", "loss")),
        ([layer(x).sum(), layer(x).mean()], "list", ("[0]", "[1]")),
        (torch.distributions.Normal(layer(x), layer(x).exp()), "Normal", ("loc", "scale")),
    ]:
        root = dark.draw(result).record.root
        assert (root.operation, root.labels) == (kind, labels)
        root = graph_record(lambda a, result=result: result, x).root
        assert (root.operation, root.labels) == (kind, labels)


def test_results_without_a_tensor_have_a_line_and_a_picture():
    drawing = dark.draw(lambda x: float(x.exp().sum()), torch.zeros(2))
    assert drawing.record.root.operation == "sum" and "2.0 (float), without a tensor" in drawing.note


@pytest.mark.parametrize(
    ("held", "words"),
    [
        (None, "there is no file model.pt"),
        ("weights", r"holds weights(.|\n)*load_state_dict"),
        ("network", r"any program(.|\n)*torch.load\(path, weights_only=False\)"),
    ],
)
def test_the_path_of_a_file_says_how_to_read_it(tmp_path, held, words):
    network = nn.Linear(2, 1)
    if held is not None:
        torch.save(network if held == "network" else network.state_dict(), tmp_path / "model.pt")
    with pytest.raises(DrawingError, match=words):
        dark.draw(str(tmp_path / "model.pt"), torch.ones(1, 2))


def test_lazy_parametrized_and_meta_networks_are_drawn():
    lazy = nn.LazyLinear(3)
    assert graph_record(lazy, torch.ones(1, 2)).root.shape == (1, 3) and isinstance(lazy, nn.LazyLinear)
    weight = nn.utils.parametrizations.weight_norm(nn.Linear(3, 2))
    assert graph_record(weight, torch.ones(3)).root.operation == "linear"
    assert graph_record(nn.Linear(3, 2, device="meta"), torch.ones(1, 3, device="meta")).root.value is None


def test_a_transformation_is_one_operation_as_autograd_knows_it():
    record = graph_record(lambda x: torch.vmap(torch.sin)(x).sum(), torch.ones(3, 2))
    assert [n.operation for n in record.nodes] == ["", "sin", "sum"]


def test_weights_without_a_computation_are_refused():
    network = nn.Linear(2, 1)
    for weights in (network.state_dict(), torch.optim.SGD(network.parameters(), lr=0.1)):
        with pytest.raises(DrawingError, match="the tensors in .* do not require grad, so PyTorch recorded no graph"):
            dark.draw(weights)
