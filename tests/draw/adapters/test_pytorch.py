"""The graphs of PyTorch: names, modules, values that were saved, and gradients."""

import numpy as np
import pytest

import dark
from dark.draw import graph_record
from dark.errors import DrawingError

torch = pytest.importorskip("torch", reason="the oracle extra (PyTorch) is not installed")
pytestmark = pytest.mark.oracle


def network():
    torch.manual_seed(0)
    return torch.nn.Sequential(
        torch.nn.Linear(3, 4), torch.nn.Sequential(torch.nn.ReLU(), torch.nn.Linear(4, 2)), torch.nn.Tanh()
    )


def operations(record):
    return [node.operation for node in record.nodes if node.operation]


def named(record):
    return {node.name: node for node in record.nodes if node.name}


def test_the_graph_of_a_loss_has_names_shapes_modules_and_the_values_that_were_saved():
    model, x = network(), torch.ones(5, 3)
    loss = model(x).square().mean()
    record = graph_record(loss, model=model)
    assert operations(record) == ["t", "addmm", "relu", "t", "addmm", "tanh", "pow", "mean"]
    assert named(record).keys() == dict(model.named_parameters()).keys()
    for name, parameter in model.named_parameters():
        node = named(record)[name]
        assert node.role == "parameter" and node.shape == tuple(parameter.shape) and node.dtype == "float32"
        np.testing.assert_array_equal(node.value, parameter.detach().numpy())
        assert node.grad is None
    paths = {node.operation: node.path for node in record.nodes if node.operation in ("relu", "tanh", "mean")}
    assert paths == {"relu": (), "tanh": (), "mean": ()}  # between modules, as far as the parameters tell
    relu = next(node for node in record.nodes if node.operation == "relu")
    np.testing.assert_array_equal(relu.value, model[1][0](model[0](x)).detach().numpy())
    assert record.root.value == loss.item() and relu.shape == (5, 4) and relu.extras["bytes_kept"] == 5 * 4 * 4


def test_after_backward_leaves_have_gradients_and_what_was_saved_is_freed():
    model = network()
    loss = model(torch.ones(5, 3)).square().mean()
    loss.backward()
    record = graph_record(loss, model=model)
    for name, parameter in model.named_parameters():
        np.testing.assert_array_equal(named(record)[name].grad, parameter.grad.numpy())
    relu = next(node for node in record.nodes if node.operation == "relu")
    assert relu.value is None and relu.shape == (5, 4) and "bytes_kept" not in relu.extras


def test_a_result_that_retains_its_gradient_shows_it():
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * 3
    y.retain_grad()
    z = (y * y).sum()
    z.backward(retain_graph=True)
    node = next(node for node in graph_record(z).nodes if node.operation == "mul")
    np.testing.assert_array_equal(node.grad, [6.0, 12.0])
    np.testing.assert_array_equal(node.value, [3.0, 6.0])


def test_a_network_with_an_example_knows_the_module_of_every_operation_and_keeps_no_hook():
    model = network()
    record = graph_record(model, torch.ones(5, 3))
    paths = {node.operation: node.path for node in record.nodes if node.operation in ("relu", "tanh")}
    assert paths == {"relu": ("1", "0"), "tanh": ("2",)}
    assert record.modules["1", "0"] == "ReLU" and record.modules[()] == "Sequential"
    assert [node.shape for node in record.nodes if node.role == "input"] == [(5, 3)]
    assert not any(module._forward_hooks for module in model.modules())


def test_a_function_between_two_modules_is_in_the_module_that_calls_it():
    class Block(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.first, self.last = torch.nn.Linear(3, 3), torch.nn.Linear(3, 3)

        def forward(self, x):
            return x + self.last(torch.relu(self.first(x)))

    record = graph_record(torch.nn.Sequential(Block(), Block()), torch.ones(2, 3))
    paths = [node.path for node in record.nodes if node.operation in ("relu", "add")]
    assert sorted(paths) == [("0",), ("0",), ("1",), ("1",)]


def test_constants_are_shown_where_an_operation_saved_them_and_where_it_did_not():
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = (torch.tensor([3.0, 4.0]) * x + 5).sum()
    nodes = graph_record(y).nodes
    assert [node.operation or node.role for node in nodes] == [
        "parameter", "constant", "mul", "constant", "add", "sum",
    ]  # fmt: skip
    np.testing.assert_array_equal(nodes[1].value, [3.0, 4.0])
    assert nodes[3].value is None


def test_several_outputs_settings_functions_of_ones_own_and_a_leaf_alone():
    class Cube(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x**3

        @staticmethod
        def backward(ctx, g):
            (x,) = ctx.saved_tensors
            return 3 * g * x**2

    x = torch.arange(4.0, requires_grad=True)
    first, last = (x + x).split(2)
    record = graph_record(Cube.apply(first * last).exp().sum())
    assert operations(record) == ["add", "split", "split", "mul", "cube", "exp", "sum"]
    split = next(node for node in record.nodes if node.operation == "split")
    assert split.extras["settings"] == {"dim": 0, "split_size": 2} and split.shape == (2,)
    (leaf,) = graph_record(x).nodes
    np.testing.assert_array_equal(leaf.value, x.detach().numpy())


@pytest.mark.long
def test_reading_the_graph_does_not_change_it():
    def gradient(look):
        torch.manual_seed(1)
        x = torch.randn(3, 4, requires_grad=True)
        inner = torch.utils.checkpoint.checkpoint(lambda t: torch.dropout(t.exp(), 0.5, True), x, use_reentrant=False)
        loss = (inner.to(torch.bfloat16).float() * x).sum()
        if look:
            graph_record(loss)
        loss.backward()
        return x.grad.numpy()

    np.testing.assert_array_equal(gradient(True), gradient(False))


def test_a_dtype_that_numpy_lacks_becomes_float32():
    x = torch.ones(3, dtype=torch.bfloat16, requires_grad=True)
    leaf = graph_record((x * x).sum()).nodes[0]
    assert leaf.dtype == "bfloat16" and leaf.value.dtype == np.float32


def test_a_tensor_without_a_graph_is_refused():
    with pytest.raises(DrawingError, match="does not require grad"):
        graph_record(torch.ones(3) * 2)


def test_a_network_without_a_result_that_requires_grad_is_drawn_and_has_no_graph_of_autograd():
    class Sizes(torch.nn.Module):
        def forward(self, x):
            return x.shape, x.detach()

    record = graph_record(Sizes(), torch.ones(4, 2))
    assert [(node.operation, node.role) for node in record.nodes] == [
        ("", "input"), ("detach", "detached"), ("tuple", "detached"),
    ]  # fmt: skip
    assert record.root.labels == ("[1]",)
    with pytest.raises(DrawingError, match="returned .*tuple.*no tensor that requires grad"):
        graph_record(Sizes(), torch.ones(4, 2), grad_fn=True)


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")
def test_a_network_that_was_compiled_by_jit_is_drawn_as_autograd_recorded_it():
    for compiled in (torch.jit.trace(network(), torch.ones(2, 3)), torch.jit.script(network())):
        drawing = dark.draw(compiled, torch.ones(2, 3))
        assert operations(drawing.record)[-1] == "tanh" and "compiled by torch.jit" in drawing.note
        assert {node.name for node in drawing.record.nodes if node.role == "parameter"} == {
            name for name, _ in compiled.named_parameters()
        }


def test_several_results_of_a_network_are_the_inputs_of_a_last_node():
    record = graph_record(torch.nn.LSTM(2, 3), torch.ones(4, 2))
    assert record.root.operation == "tuple" and len(record.root.inputs) == 3
    assert "<svg" in dark.draw(torch.nn.LSTM(2, 3), torch.ones(4, 2)).svg


class Branches(torch.nn.Module):
    """Takes a tuple and a list of steps, changes an input in place, and returns a dict."""

    def __init__(self):
        super().__init__()
        self.norm, self.drop, self.cell = torch.nn.BatchNorm1d(3), torch.nn.Dropout(0.5), torch.nn.RNNCell(3, 3)

    def forward(self, pair, *steps):
        x, tokens = pair
        x += 1.0
        h = self.drop(self.norm(x)) * tokens
        for step in steps:
            h = self.cell(step, h)
        return {"last": h, "square": h**2}


def test_a_call_does_not_change_the_network_its_inputs_or_the_random_generator():
    torch.manual_seed(3)
    model, pair, steps = Branches(), (torch.randn(4, 3), torch.ones(4, 3, dtype=torch.int64)), torch.randn(3, 4, 3)
    before = {name: value.clone() for name, value in model.state_dict().items()}
    x, state = pair[0].clone(), torch.random.get_rng_state()
    with torch.no_grad():
        record = graph_record(model, pair, *steps)
    assert all(torch.equal(value, before[name]) for name, value in model.state_dict().items())
    assert torch.equal(pair[0], x) and torch.equal(torch.random.get_rng_state(), state)
    assert not any(p.grad is not None for p in model.parameters())
    names = {node.name for node in record.nodes if node.role == "input"}
    assert names == {"pair.0", "pair.1", "steps.0", "steps.1", "steps.2"} and record.root.operation == "dict"


def test_the_layers_of_a_frozen_network_are_drawn_and_their_parameters_have_names():
    model = network().requires_grad_(False)
    record = graph_record(model, torch.ones(5, 3))
    assert operations(record) == ["linear", "relu", "linear", "tanh"]
    assert operations(graph_record(model, torch.ones(5, 3), grad_fn=True)) == [
        "t",
        "addmm",
        "relu",
        "t",
        "addmm",
        "tanh",
    ]
    assert {name for name, node in named(record).items() if node.role == "parameter"} == {
        name for name, _ in model.named_parameters()
    }
    assert not any(p.requires_grad for p in model.parameters())


def test_the_values_of_results_are_known_unless_they_were_changed_in_place():
    class Net(torch.nn.Module):
        def forward(self, x):
            y = x * 3.0
            z = y.exp()
            z += 1.0
            return z + y

    values = {node.operation: node.value for node in graph_record(Net(), torch.ones(2)).nodes if node.operation}
    np.testing.assert_array_equal(values["mul"], [3.0, 3.0])
    np.testing.assert_array_equal(values["add"], values["mul"] + np.exp(np.float32(3.0)) + 1.0)
    assert values["exp"] is None


def test_constants_are_in_the_module_that_uses_them_and_equal_steps_are_one_box():
    torch.manual_seed(0)

    class Net(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.cell, self.drop = torch.nn.RNNCell(3, 5), torch.nn.Dropout(0.5)

        def forward(self, steps):
            h = torch.zeros(2, 5)
            for x in steps:
                h = self.cell(x, h)
            return self.drop(h)

    drawing = dark.draw(Net(), torch.ones(100, 2, 3))
    assert len([box for box in drawing.boxes if box.operation == "unbind"]) == 1 and len(drawing.boxes) <= 9
    assert "cell: RNNCell ×100" in drawing.titles.values()
    width = float(drawing.svg.split('viewBox="0 0 ')[1].split()[0])
    (steps,) = [node for node in drawing.record.nodes if node.operation == "unbind"]
    assert width < 600 and [part.shape for part in steps.results] == [(2, 3)] * 100
    assert [node.path for node in drawing.record.nodes if node.operation == "dropout"] == [("drop",)]
    by_autograd = graph_record(Net(), torch.ones(5, 2, 3), grad_fn=True)
    masks = [node for node in by_autograd.nodes if node.role == "constant"]
    assert ("drop",) in {node.path for node in masks}


def test_a_power_shows_its_exponent():
    x = torch.tensor(3.0, requires_grad=True)
    (power,) = [node for node in graph_record(x**3).nodes if node.operation == "pow"]
    record = graph_record(x**3)
    assert [record.nodes[i].value for i in record.links[-1]] == [3.0, 3] and len(power.inputs) == 2


F = torch.nn.functional
X, S = torch.ones(2, 3, 8, 8, requires_grad=True), torch.ones(5, 2, 4, requires_grad=True)
LOSSES = {
    "lstm": lambda: torch.nn.LSTM(4, 3)(S)[0],
    "attention": lambda: torch.nn.MultiheadAttention(4, 2)(S, S, S)[0],
    "transformer": lambda: torch.nn.TransformerEncoderLayer(4, 2, 8)(S),
    "sparse embedding": lambda: torch.nn.Embedding(10, 4, sparse=True)(torch.tensor([1, 2])),
    "two outputs": lambda: S.topk(2)[0] + S.max(-1, keepdim=True)[0],
    "indices": lambda: X[:, [0, 1]].sum() + X[X > 0].sum(),
    "constants": lambda: torch.where(X > 0, torch.cat([X, torch.zeros(2, 3, 8, 8)])[:2], 0.0),
    "complex": lambda: torch.fft.fft(S * 1j).abs(),
    "in place": lambda: (X * 1).mul_(2) + (X * 2)[0].zero_(),
    "no inputs that are kept": lambda: F.ctc_loss(F.log_softmax(torch.randn(9, 1, 5, requires_grad=True), -1),
                                                  torch.tensor([[1, 2]]), [9], [2]),
    "a gradient": lambda: torch.autograd.grad((S**3).sum(), S, create_graph=True)[0],
    "parametrized": lambda: torch.nn.utils.parametrizations.weight_norm(torch.nn.Linear(4, 3))(S),
    "half": lambda: S.half() * 2 + S.double().float(),
}  # fmt: skip


@pytest.mark.long
@pytest.mark.parametrize("name", LOSSES)
def test_any_graph_is_read_drawn_and_searched_before_and_after_backward(name):
    loss = LOSSES[name]().sum().float()
    for passed in (False, True):
        if passed:
            loss.backward()
        record = graph_record(loss)
        known = [node for node in record.nodes if node.value is not None and node.shape is not None]
        assert record.root.value == pytest.approx(loss.item(), nan_ok=True)
        assert all(np.shape(node.value) == node.shape for node in known)
        assert "<svg" in dark.draw(loss).svg and dark.draw.compare(loss, loss).equal
        assert dark.draw.where(loss, nan=True).summary
    X.grad = S.grad = None
