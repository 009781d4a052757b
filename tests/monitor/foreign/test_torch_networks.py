"""A training with PyTorch is the same with and without a monitor; wrapped, compiled, shared and unusual networks."""

import copy
import random
import subprocess
import sys

import numpy as np
import pytest

from dark.engine import Events
from dark.errors import UsageError, ValueTypeError
from dark.monitor import Kind, Monitor

torch = pytest.importorskip("torch", reason="the oracle extra (PyTorch) is not installed")
pytestmark = pytest.mark.oracle

from tests.monitor.foreign.pairs import KINDS, TIMED, Theirs, batches, pair, state  # noqa: E402 - it needs PyTorch

nn = torch.nn
ALWAYS = Events.ITERATION_COMPLETED


class Noisy(nn.Module):
    """A network with dropout, running statistics, operations in place, global generators and a counter."""

    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(6, 8), nn.BatchNorm1d(8), nn.ReLU(inplace=True), nn.Dropout(0.5))
        self.head, self.calls = nn.Linear(8, 3), 0
        self.register_buffer("seen", torch.zeros(1))

    def forward(self, x):
        self.calls += 1
        self.seen += 1
        noise = torch.randn_like(x) + torch.from_numpy(np.random.normal(size=x.shape)) + random.random()
        return self.head(self.layers(x + 0.1 * noise * (1 + 0.01 * self.calls)))


def run(make, rules=None, event=ALWAYS, settings=()):
    """Train with a monitor, or without; return everything that the training may have changed, and the monitor."""
    torch.manual_seed(0), np.random.seed(0), random.seed(0)
    network = make().double()
    train, monitor = Theirs(network), None
    if rules is not None:
        monitor = Monitor(network, monitor_activations=rules, sample_num=2, **dict(settings))
        monitor.attach(event=event)
    losses = []
    for x, y in batches():
        if monitor is None:
            losses.append(train(x, y))
            continue
        with monitor.step() as step:
            step.loss = train(x, y)
        losses.append(step.loss)
        monitor.scalars(), monitor.tensors()
    grads = [p.grad.numpy().tobytes() for p in network.parameters()]
    modes = [(m.training, list(vars(m)), getattr(m, "calls", None)) for m in network.modules()]
    generators = torch.get_rng_state().tolist(), np.random.random(3).tolist(), random.random()
    hooks = [] if monitor is None else monitor.detach()
    assert not hooks and not any(m._forward_hooks for m in network.modules())
    return (state(network), losses, grads, modes, generators, train.optimizer.state_dict()["state"].keys()), monitor


@pytest.mark.parametrize("event", [ALWAYS, ALWAYS(every=3), ALWAYS(lambda engine, n: n % 4 == 1)])
@pytest.mark.parametrize("rules", [True, [("*", Kind.TYPE_II)], [("*head", 2), ("*", 1)]])
def test_a_training_with_a_monitor_is_the_training_without(rules, event):
    plain, _ = run(Noisy)
    observed, monitor = run(Noisy, rules, event)
    assert observed == plain
    assert monitor.records >= 3 and monitor.dropped == {} and monitor.scalars()["loss"] > 0


def test_an_operation_in_place_does_not_change_what_was_recorded():
    network = nn.Sequential(nn.Linear(6, 8), nn.ReLU(inplace=True)).double()
    monitor, x = Monitor(network, stats_max_length=1), torch.from_numpy(batches()[0][0])
    monitor.begin()
    network(x).sum().backward()
    monitor.record()
    with torch.no_grad():
        expected = network[0](x).mean(0)
    np.testing.assert_allclose(monitor.tensors()["activations/0"], expected, 1e-12)


@pytest.mark.parametrize("set_to_none", [True, False])
def test_gradients_are_those_of_the_update_even_if_they_are_cleared_in_the_step(set_to_none):
    found = []
    for clears_after in (False, True):
        network = pair("perceptron")[1]
        optimizer, monitor = torch.optim.SGD(network.parameters(), lr=0.1), Monitor(network)
        for x, y in batches():
            monitor.begin()
            if not clears_after:
                optimizer.zero_grad(set_to_none)
            nn.functional.cross_entropy(network(torch.from_numpy(x)), torch.from_numpy(y)).backward()
            nn.utils.clip_grad_norm_(network.parameters(), 0.1)
            optimizer.step()
            if clears_after:
                optimizer.zero_grad(set_to_none)
            monitor.record()
        found.append((monitor.scalars(), monitor.tensors()))
        assert sum(v**2 for k, v in found[0][0].items() if k.startswith("gradient_norm")) == pytest.approx(0.01, 1e-3)
    np.testing.assert_equal(found[0], found[1])


def test_each_network_of_an_adversarial_training_keeps_the_gradients_of_its_own_update():
    torch.manual_seed(0)
    networks = {"generator": nn.Linear(2, 6), "discriminator": nn.Linear(6, 1)}
    one, other = networks.values()
    optimizers = [torch.optim.SGD(network.parameters(), lr=0.1) for network in (one, other)]
    monitor = Monitor(networks)
    monitor.begin()
    other(one(torch.randn(4, 2)).detach()).mean().backward()
    own = other.weight.grad.clone()
    optimizers[1].step()
    other(one(torch.randn(4, 2))).mean().backward()  # adds to the gradient of the discriminator, too
    optimizers[0].step()
    monitor.record()
    assert monitor.scalars()["gradient_norm/discriminator.weight"] == pytest.approx(own.norm().item())
    assert {"activations/discriminator#2", "activations/generator"} <= monitor.tensors().keys()


def wrapped(network):
    yield "DataParallel", nn.DataParallel(network)
    yield "compiled", torch.compile(network, backend="eager")
    yield "compiled and wrapped", nn.DataParallel(torch.compile(network, backend="eager"))


@pytest.mark.parametrize("k", range(3))
@pytest.mark.filterwarnings("ignore:Monitor. activations is not recorded", "ignore::DeprecationWarning")
def test_a_wrapped_network_has_the_names_of_the_network_within(k):
    plain = Theirs(pair("perceptron")[1])
    train = Theirs(pair("perceptron")[1])
    _, train.network = list(wrapped(train.network))[k]
    monitor = Monitor(train.network)
    monitor.attach(event=ALWAYS(every=2))
    for x, y in batches():
        plain(x, y)
        with monitor.step() as step:
            step.loss = train(x, y)
    assert monitor.tensors()["weights/0.weight"].tobytes() == plain.network[0].weight.detach().numpy().tobytes()
    assert "gradient_norm/6.bias" in monitor.scalars()
    seen = [name for name in monitor.tensors() if name.startswith("activations/")]
    assert len(seen) == (7 if k == 0 else 0)
    assert (monitor.dropped == {}) if k == 0 else ("of a compiled one" in monitor.dropped["activations"])


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_monitor_adds_nothing_to_compiled_code():
    from torch._dynamo.testing import CompileCounter

    train, counter = Theirs(pair("perceptron")[1]), CompileCounter()
    inner, train.network = train.network, torch.compile(train.network, backend=counter)
    monitor = Monitor(inner)
    monitor.attach(event=ALWAYS(every=2))
    with pytest.warns(UserWarning, match="of a compiled one, calls cannot be observed"):
        for x, y in [batches()[0]] * 6:
            with monitor.step():
                train(x, y)
    assert counter.frame_count == 1 and counter.op_count == 7


@pytest.mark.parametrize("dtype", ["bfloat16", "float16"])
def test_dtypes_that_numpy_lacks_become_float32(dtype):
    network = nn.Sequential(nn.Linear(6, 8), nn.Tanh(), nn.Linear(8, 2)).to(getattr(torch, dtype))
    optimizer, monitor = torch.optim.SGD(network.parameters(), lr=0.1), Monitor(network)
    monitor.begin()
    loss = network(torch.randn(9, 6, dtype=getattr(torch, dtype))).float().square().mean()
    loss.backward()
    optimizer.step()
    monitor.record()
    assert monitor.tensors()["weights/0.weight"].dtype == (np.float32 if dtype == "bfloat16" else np.float16)
    np.testing.assert_array_equal(monitor.tensors()["weights/0.weight"], network[0].weight.detach().float().numpy())
    expected = network[0].weight.grad.float().norm().item()
    assert monitor.scalars()["gradient_norm/0.weight"] == pytest.approx(expected, 1e-3)
    assert {"activations/1", "gradients/2.bias"} <= monitor.tensors().keys() and "saturated/1" in monitor.scalars()


def test_sparse_gradients_tokens_and_several_outputs_are_recorded():
    class Words(nn.Module):
        def __init__(self):
            super().__init__()
            self.words, self.attend = nn.Embedding(10, 4, sparse=True), nn.MultiheadAttention(4, 2, batch_first=True)

        def forward(self, tokens):
            x = self.words(tokens)
            return self.attend(x, x, x)[0].mean(1)

    network = Words()
    optimizer, monitor = torch.optim.SGD(network.parameters(), lr=0.1), Monitor(network, monitor_activations=["*"])
    monitor.begin()
    network(torch.randint(10, (5, 3))).square().sum().backward()
    optimizer.step()
    monitor.record()
    assert {"gradients/words.weight", "activations/attend[0]", "activations/attend[1]"} <= monitor.tensors().keys()
    assert monitor.tensors()["gradients/words.weight"].shape == (10, 4)


def test_calls_without_gradients_are_not_recorded():
    network = pair("perceptron")[1]
    monitor, x = Monitor(network, stats_max_length=1), torch.from_numpy(batches()[0][0])
    monitor.begin()
    with torch.no_grad():
        network(x + 5)
    with torch.inference_mode():
        network(x + 5)
    network(x).sum().backward()
    monitor.record()
    assert "activations/0#2" not in monitor.tensors()
    np.testing.assert_allclose(monitor.tensors()["activations/0"], network[0](x).mean(0).detach(), 1e-12)


def test_weights_on_no_device_and_complex_ones_are_left_out():
    network = nn.Module()
    network.here, network.away = nn.Linear(2, 3), nn.Linear(2, 3, device="meta")
    network.phase = nn.Parameter(torch.ones(2, dtype=torch.complex64))
    with pytest.warns(UserWarning, match="weights/phase is not recorded: its elements are not real numbers in memory"):
        monitor = Monitor(network)
    monitor.record()
    assert {name for name in monitor.tensors() if name.startswith("weights")} == {
        "weights/here.weight",
        "weights/here.bias",
    }
    assert monitor.dropped.keys() == {"weights/phase", "weights/away.weight", "weights/away.bias"}


def test_what_is_not_a_network_is_refused_in_three_parts():
    text = r"those of lazy modules have none yet\.\n  Expected: .*shapes are known\.\n  Try: call the netw"
    with pytest.raises(UsageError, match=text):
        Monitor(nn.LazyLinear(3))
    for given in (nn.Linear, torch.ones(3), torch.optim.SGD([torch.ones(1, requires_grad=True)])):
        with pytest.raises(
            ValueTypeError, match=r"the model must be a module.*\n  Expected: a module, or a dictionary"
        ):
            Monitor(given)
    with pytest.raises(ValueTypeError, match="expected parameters, got"):
        Monitor(nn.Linear(2, 3)).register_weights({"w": "weight"})


def test_other_weights_may_be_registered():
    network = nn.Linear(2, 3)
    monitor = Monitor(network)
    monitor.register_weights([network.bias])
    monitor.register_weights({"b": network.bias})
    monitor.record()
    assert "weights/b" in monitor.tensors() and "weights/weight" not in monitor.tensors()


@pytest.mark.parametrize("kind", KINDS)
def test_a_state_is_restored_into_a_new_monitor(kind):
    network = pair(kind)[1]
    train, axis = Theirs(network), int(kind in TIMED)
    first, second = (Monitor(network, sample_axis=axis) for _ in range(2))
    for monitor in (first, second):
        if monitor is second:
            second.load_state_dict(copy.deepcopy(first.state_dict()))
            np.testing.assert_equal(second.scalars(), first.scalars())
        monitor.begin()
        train(*batches(kind)[0])
        monitor.record()
    assert second.stats_dict.keys() == first.stats_dict.keys() and second.tensors().keys() == first.tensors().keys()


def test_pytorch_is_imported_by_its_user_alone():
    code = (
        "import sys, dark.monitor as m; from dark import nn; m.Monitor(nn.Linear(2, 3)); print('torch' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
