"""Records of arrays that are given: of JAX, of NumPy, of any framework."""

import numpy as np
import pytest

from dark import nn, optim
from dark.errors import ShapeError, UsageError, ValueTypeError
from dark.monitor import Kind, Monitor, Note


def nested(flat):
    """Return arrays with dotted names as nested mappings."""
    found = {}
    for name, value in flat.items():
        place = found
        *path, last = name.split(".")
        for part in path:
            place = place.setdefault(part, {})
        place[last] = value
    return found


@pytest.mark.parametrize("every, updates", [(1, False), (1, True), (3, True)])
def test_given_arrays_have_the_series_of_the_network_that_computed_them(tmp_path, every, updates):
    net = nn.Sequential(nn.Linear(3, 4, seed=0), nn.ReLU(), nn.Linear(4, 2, seed=1), nn.Tanh())
    optimizer, rng = optim.SGD(net.parameters(), lr=0.1), np.random.default_rng(0)
    own, given = Monitor(net, stats_max_length=3), Monitor(stats_max_length=3)
    note = Note(tmp_path)
    given.attach(note=note)
    for k in range(1, 13):
        x, before = rng.normal(size=(6, 3)), {n: p.value.copy() for n, p in net.named_parameters()}
        own.begin()
        outputs = {"0": net[0](x)}
        for name in "123":
            outputs[name] = net[int(name)](outputs[str(int(name) - 1)])
        loss = (outputs["3"] ** 2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if k % every:
            own.end()
            continue
        own.register_loss(lambda: loss.item())
        own.record()
        weights = {n: p.value for n, p in net.named_parameters()}
        moved = {n: weights[n] - before[n] for n in weights}
        given.record(
            k, scalars=loss, weights=nested(weights), gradients=nested({n: p.grad for n, p in net.named_parameters()}),
            activations={name: y.value for name, y in outputs.items()}, updates=nested(moved) if updates else None,
            units={"1": "relu", "3": "tanh"},
        )  # fmt: skip
        expected, found = own.scalars(), given.scalars()
        if k == 1 and not updates:
            expected = {name: v for name, v in expected.items() if not name.startswith("update_ratio")}
        assert found.keys() == expected.keys() and {"dead/1", "saturated/3"} <= found.keys()
        for name in expected:
            assert found[name] == pytest.approx(expected[name], 1e-9), name
        np.testing.assert_equal(given.tensors(), own.tensors())
    assert note.scalar_dict["loss"].steps.tolist() == list(range(every, 13, every))
    assert note.tensor_dict["weights/0.weight"].at(12).tolist() == net[0].weight.value.tolist()


def test_names_are_joined_by_dots_and_rules_choose():
    monitor = Monitor(monitor_activations=[("block.1", Kind.TYPE_I)])
    weights = {"block": [{"w": np.ones(2)}, {"w": np.ones(3), "none": None}], "a/b": np.ones(1)}
    monitor.record(7, weights=weights, activations={"block": [np.ones((4, 2)), np.ones((4, 3))]})
    names = {name for name in monitor.tensors() if name.startswith(("weights/", "activations/"))}
    assert names == {"weights/block.0.w", "weights/block.1.w", "weights/a.b", "activations/block.1"}
    assert monitor.recorded.iteration == 7 and monitor.records == 1


def test_what_a_record_lacks_is_not_taken_from_an_earlier_one():
    monitor, w = Monitor(), {"w": np.ones(2)}
    monitor.record(1, scalars={"loss": 1.0}, weights=w, gradients=w, activations={"a": np.ones((2, 2))})
    monitor.record(5, scalars={"lr": 0.1}, weights=w)
    assert monitor.scalars().keys() == {"lr", "weight_norm/w"}
    assert monitor.tensors().keys() == {"weights/w", "flips/w"}


def refused(kind, match, monitor, *args, **values):
    before = monitor.records
    with pytest.raises(kind, match=match):
        monitor.record(*args, **values)
    assert monitor.records == before


def test_what_does_not_fit_is_refused_in_three_parts():
    w = {"layer": {"w": np.ones((2, 3))}}
    monitor = Monitor()
    refused(ValueTypeError, r"weights must be a mapping, got array.*\n  Expected: a mapping.*\n  Try: weights={'name'",
            monitor, 1, weights=np.ones(2))  # fmt: skip
    refused(UsageError, r"gradients have the unknown name 'w'\.\n  Expected: the names of the weights", monitor, 1,
            gradients={"w": np.ones(2)})  # fmt: skip
    refused(ValueTypeError, r"'w' of weights must be real numbers, got 'x'.*\n  Expected: an array of real numbers",
            monitor, 1, weights={"w": "x"})  # fmt: skip
    monitor.record(1, weights=w, gradients=w)
    refused(UsageError, r"unknown name 'layer.v'.*\n  Expected.*\n  Try: .*layer.w", monitor, 2, weights=w,
            gradients={"layer": {"v": np.ones(2)}})  # fmt: skip
    refused(ShapeError, r"'layer.w' of weights must have the shape \(2, 3\), got \(3,\)\.\n  Expected: \(2, 3\)",
            monitor, 2, weights={"layer": {"w": np.ones(3)}})  # fmt: skip
    refused(UsageError, r"weights must contain 'layer.w', as earlier records do\.\n  Expected: all weights in",
            monitor, 2, scalars=1.0)  # fmt: skip
    refused(UsageError, r"units have the unknown name 'b'.*\n  Expected: names of activations", monitor, 2, weights=w,
            activations={"a": np.ones((1, 2))}, units={"b": "relu"})  # fmt: skip
    refused(UsageError, r"invalid units\['a'\] 'gelu'\.\n  Expected: one of 'relu', 'sigm", monitor, 2, weights=w,
            activations={"a": np.ones((1, 2))}, units={"a": "gelu"})  # fmt: skip
    refused(UsageError, r"updates cannot be given, as the monitor has.*\n  Expected: a monitor without a network",
            Monitor(nn.Linear(2, 1)), 1, weights=w, updates=w)  # fmt: skip


@pytest.mark.oracle
def test_trees_of_jax_are_recorded(tmp_path):
    jax = pytest.importorskip("jax", reason="the oracle extra (JAX) is not installed")
    jnp = jax.numpy
    rng = np.random.default_rng(0)
    parameters = {"dense": {"kernel": jnp.asarray(rng.normal(size=(4, 8)), jnp.bfloat16)}, "out": [jnp.ones((8, 1))]}
    x = jnp.asarray(rng.normal(size=(16, 4)))

    def loss_of(parameters):
        hidden = jax.nn.relu(x @ parameters["dense"]["kernel"])
        return ((hidden @ parameters["out"][0] - x[:, :1]) ** 2).mean(), hidden

    monitor, note = Monitor(), Note(tmp_path)
    monitor.attach(note=note)
    for step in range(1, 31):
        (loss, hidden), gradients = jax.value_and_grad(loss_of, has_aux=True)(parameters)
        updates = jax.tree.map(lambda g: -0.01 * g, gradients)
        parameters = jax.tree.map(lambda p, u: p + u, parameters, updates)
        if step % 10 == 0:
            monitor.record(
                step, scalars=loss, weights=parameters, gradients=gradients, updates=updates,
                activations={"hidden": hidden}, units={"hidden": "relu"},
            )  # fmt: skip
    assert note.scalar_dict["loss"].steps.tolist() == [10, 20, 30]
    assert {"update_ratio/dense.kernel", "gradient_norm/out.0", "dead/hidden"} <= note.scalar_dict.keys()
    assert note.tensor_dict["weights/dense.kernel"].at(30).dtype == np.float32
    expected = np.asarray(parameters["dense"]["kernel"], np.float32)
    np.testing.assert_array_equal(note.tensor_dict["weights/dense.kernel"].at(30), expected)


def test_a_parameter_of_pytorch_that_is_not_trained_on_purpose_is_known_as_such():
    torch = pytest.importorskip("torch")
    network = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.Linear(2, 1))
    network[0].weight.requires_grad_(False)
    monitor = Monitor(network)
    optimizer = torch.optim.SGD([p for p in network.parameters() if p.requires_grad], lr=0.1)
    for _ in range(50):
        with monitor.step(loss := network(torch.ones(4, 2)).square().mean()):
            loss.backward()
            optimizer.step()
    assert {name for name in monitor.scalars() if name.startswith("requires_grad/")} == {"requires_grad/0.weight"}
