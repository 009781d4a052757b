"""Large networks: records as histograms and norms, exponential averages in little memory; rules for weights; dtypes."""

import itertools
import re
import tracemalloc
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import dark
from dark import losses, nn, optim
from dark.engine import Engine, Events
from dark.errors import ShapeError, UsageError, ValueTypeError
from dark.monitor import Kind, Monitor, Note, diagnose
from dark.monitor.notes.exporting import write_tensorboard
from dark.monitor.records.gradient_averages import ExponentialAverages, FlatLayout
from dark.monitor.summary import histogram

QUIET = {"detail": "summary", "averages": "exponential"}


def network(*sizes, dtype=np.float32):
    pairs = itertools.pairwise(sizes)
    layers = [layer for k, (n, m) in enumerate(pairs) for layer in (nn.Linear(n, m, dtype=dtype, seed=k), nn.ReLU())]
    return nn.Sequential(*layers[:-1])


def trained(net, monitor, steps, note=None, every=1, lr=0.01):
    """Train on noise; return the gradients of each step, by name, in float64."""
    optimizer, rng, found = optim.SGD(net.parameters(), lr=lr), np.random.default_rng(0), []
    width, dtype = net[0].in_features, net[0].weight.value.dtype

    def step(engine, batch):
        optimizer.zero_grad()
        loss = losses.cross_entropy(net(rng.normal(size=(8, width)).astype(dtype)), rng.integers(0, 3, 8))
        loss.backward()
        optimizer.step()
        found.append({name: np.array(p.grad, np.float64) for name, p in net.named_parameters()})
        return loss.item()

    engine, event = Engine(step), Events.ITERATION_COMPLETED(every=every)
    monitor.attach(engine, event)
    if note is not None:
        note.attach(engine, event, monitor)
    engine.run(range(steps))
    return found


def size_of(folder):
    return sum(path.stat().st_size for path in folder.iterdir())


def test_a_large_network_is_summarized_and_that_is_said_once():
    net = network(1000, 1000, 3)
    with pytest.warns(
        UserWarning, match=r"1,004,003 parameters, more than 1,000,000: histograms .*'summary'.*'full'"
    ) as said:
        monitor = Monitor(net)
        monitor.register_weights(net.named_parameters())
    assert len(said) == 1
    with warnings.catch_warnings(action="error"):
        Monitor(net, detail="full", averages="window")
        Monitor(network(990, 990, 3))  # fewer than a million
    trained(net, monitor, 2)
    found = monitor.tensors()
    assert set(found) == {f"histograms/{kind}/{n}.{w}" for kind in ("weights", "gradients") for n in "02" for w in
                          ("weight", "bias")} | {f"histograms/activations/{n}" for n in "012"}  # fmt: skip
    assert {"weight_norm/0.weight", "gradient_norm/2.bias", "update_ratio/0.weight", "dead/1"} <= set(monitor.scalars())


@pytest.mark.parametrize("sizes", [(600, 1000, 400, 100, 3), (100, *[200] * 27, 3)])
def test_a_summary_takes_at_most_2_percent_of_the_disk(tmp_path, sizes):
    sizes_of = {}
    for detail in ("full", "summary"):
        net = network(*sizes)
        with Note(tmp_path / detail) as note:
            trained(net, Monitor(net, detail=detail, averages="exponential"), 8, note, every=2)
        sizes_of[detail] = size_of(tmp_path / detail)
    assert sum(p.size for p in net.parameters()) > 1_000_000
    assert sizes_of["summary"] <= 0.02 * sizes_of["full"], sizes_of


@pytest.mark.parametrize(("dtype", "most"), [(np.float32, 24), (np.float64, 24)])
def test_a_monitor_of_a_large_network_takes_at_most_24_bytes_for_each_parameter(dtype, most):
    net = network(512, 1024, 1024, 3, dtype=dtype)
    count = sum(p.size for p in net.parameters())
    trained(net, Monitor(network(2, 3)), 2)  # what the training itself allocates
    tracemalloc.start()
    try:
        trained(net, Monitor(network(2, 3)), 2)
        before = tracemalloc.get_traced_memory()[0]
        monitor = Monitor(net, **QUIET)
        trained_without_keeping(net, monitor, 6)
        monitor.scalars(), monitor.tensors()
        used = tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
    assert used / count <= most, used / count
    assert monitor.budget.size_bytes / count <= most


def trained_without_keeping(net, monitor, steps):
    trained(net, monitor, steps).clear()
    net.zero_grad()


@pytest.mark.parametrize("length", [1, 4, 20, None])
def test_exponential_averages_are_those_of_an_independent_loop(length):
    net = network(5, 7, 3)
    monitor = Monitor(net, averages="exponential", stats_max_length=length)
    gradients = trained(net, monitor, 30)
    decay = 1.0 if length is None else (length - 1) / (length + 1)
    weights = np.array([decay ** (29 - k) for k in range(30)])
    weights /= weights.sum()
    found, scalars = monitor.tensors(), monitor.scalars()
    for name in gradients[0]:
        each = np.stack([step[name] for step in gradients])
        mean = np.tensordot(weights, each, 1)
        np.testing.assert_allclose(found[f"gradients/{name}"], mean, rtol=1e-4, atol=1e-6)
        np.testing.assert_allclose(found[f"gradients_abs/{name}"], np.tensordot(weights, abs(each), 1), 1e-4, 1e-6)
        np.testing.assert_allclose(scalars[f"gradient_norm/{name}"], np.linalg.norm(each[-1]), rtol=1e-5)
        if length != 1:
            rest = (weights**2).sum()
            spread = np.tensordot(weights, (each**2).reshape(30, -1).sum(axis=1), 1) - (mean**2).sum()
            variance = spread / (1 - rest)
            signal = (mean**2).sum() - variance * rest
            if signal > 0.05 * (mean**2).sum():
                np.testing.assert_allclose(scalars[f"gradient_noise/{name}"], variance / signal, rtol=1e-2)


def test_an_exponential_average_of_equal_shares_is_the_mean_and_its_state_is_restored():
    net = network(5, 7, 3)
    monitor, other = Monitor(net, averages="exponential", stats_max_length=None), Monitor(net, stats_max_length=None)
    for one in (monitor, other):
        one.begin()
    dark.sum(net(np.ones((4, 5), np.float32))).backward()
    for one in (monitor, other):
        one.record(), one.begin(), one.record()
    for name, array in other.tensors().items():
        np.testing.assert_allclose(monitor.tensors()[name], array, rtol=1e-6)
    again = Monitor(net, averages="exponential", stats_max_length=None)
    again.load_state_dict(monitor.state_dict())
    for name, array in monitor.tensors().items():
        np.testing.assert_array_equal(again.tensors()[name], array, strict=True)
    with pytest.raises(
        UsageError, match=r"(?s)averages of the same kind, got 'exponential'.*Expected: .*'window'.*Try: Monitor"
    ):
        other.load_state_dict(monitor.state_dict())
    with pytest.raises(UsageError, match="averages of the same kind, got 'window'"):
        monitor.load_state_dict(other.state_dict())


def test_after_a_gradient_that_was_not_finite_an_exponential_average_begins_anew():
    layout = FlatLayout({"w": dark.Parameter(np.zeros(2, np.float32)), "b": dark.Parameter(np.zeros(1, np.float32))})
    averages = ExponentialAverages(layout, 3)
    for values, present in (
        ([1, np.nan, 5], [1, 1]), ([3, 4, np.inf], [1, 1]), ([3, 6, 0], [1, 0]), ([3, 6, 7], [1, 1]),
    ):  # fmt: skip
        with np.errstate(invalid="ignore"):
            averages.add(np.array(values, np.float32), [bool(p) for p in present])
    found = averages.means()
    assert np.isfinite(found["w"][0]).all() and found["b"][0].tolist() == [7]
    assert 4 < found["w"][0][1] < 6 and set(averages.last()) == {"w", "b"}


@given(arrays(np.float64, st.integers(0, 400), elements=st.floats(width=64, allow_subnormal=False)))
def test_a_histogram_counts_every_value(values):
    with np.errstate(all="ignore"):  # differences of the largest numbers overflow
        edges, counts = histogram(values)
        finite = values[np.isfinite(values)]
        assert counts.sum() == len(values) and counts[-1] == len(values) - len(finite) and len(edges) <= 65
        if not len(finite):
            return
        assert edges[0] == finite.min() and np.isclose(edges[-1], finite.max(), rtol=1e-12)
        assert (np.diff(edges) >= 0).all()
        if np.ptp(finite / 2) <= 1e-300 or not np.all(np.diff(edges) > 0):
            return
        inner = np.histogram(finite / 2, edges / 2)[0]
        at_edges = np.isclose(finite[:, None] / 2, edges / 2, rtol=1e-9, atol=1e-9 * np.ptp(edges / 2)).any(axis=1)
        # Values at an edge may count at either side.
        assert np.abs(np.cumsum(inner) - np.cumsum(counts[:-1])).max() <= at_edges.sum()


def test_an_export_to_tensorboard_has_histograms_of_what_was_summarized(tmp_path):
    accumulator = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")
    net = network(20, 30, 3)
    with Note(tmp_path / "run") as note:
        trained(net, Monitor(net, detail="summary"), 3, note)
    run = Note.load(tmp_path / "run")
    write_tensorboard(run, tmp_path / "board")
    board = accumulator.EventAccumulator(str(tmp_path / "board"), {"histograms": 0})
    board.Reload()
    event = board.Histograms("weights/0.weight")[-1].histogram_value
    assert event.num == 600 and len(board.Histograms("weights/0.weight")) == 3
    weight = net[0].weight.value
    assert np.isclose(event.sum, weight.sum(), atol=0.05 * 600 * np.ptp(weight) / 64) and event.max <= weight.max()


def test_the_doctor_reads_a_summary(tmp_path):
    net = network(20, 30, 3)
    with Note(tmp_path / "run") as note, np.errstate(all="ignore"):
        trained(net, Monitor(net, detail="summary"), 40, note, lr=30)
    assert "learning rate too large" in {finding.kind for finding in diagnose(tmp_path / "run").findings}


def test_rules_choose_weights_and_gradients():
    net = nn.Sequential(nn.Conv2d(1, 2, 3, seed=0), nn.Flatten(), nn.Linear(2, 3, seed=1))
    x = np.ones((4, 1, 3, 3))

    def recorded(**options):
        monitor = Monitor(net, **options)
        monitor.begin()
        dark.sum(net(x)).backward()
        monitor.record()
        found = {**monitor.scalars(), **monitor.tensors()}
        kinds = ("weights", "update_ratio", "gradients", "gradient_norm")
        return [{n.partition("/")[2] for n in found if n.startswith(f"{kind}/")} - {"all"} for kind in kinds]

    conv, linear = {"0.weight", "0.bias"}, {"2.weight", "2.bias"}
    assert recorded(export_weights="0.*") == [conv, conv, conv | linear, conv | linear]
    assert recorded(export_weights="0", export_weight_grads="2*") == [conv, conv, linear, linear]
    biases = {"0.bias", "2.bias"}
    assert recorded(export_weight_grads=re.compile("bias$"), export_weights=False) == [set(), set(), biases, biases]
    rules = [("0.bias", Kind.IGNORE), lambda path, module, weight: isinstance(module, nn.Conv2d)]
    assert recorded(export_weights=rules, export_weight_grads=False) == [{"0.weight"}, {"0.weight"}, set(), set()]


@pytest.mark.parametrize(
    ("options", "error", "text"),
    [
        ({"export_weights": "convv*"}, UsageError, "export_weights: no weight matches the rules"),
        ({"export_weight_grads": [("*", 2)]}, UsageError, "the weight 0.weight cannot be of Kind.TYPE_II"),
        ({"export_weights": 3}, ValueTypeError, "export_weights: 3 (int) is not a rule"),
        ({"detail": "low"}, UsageError, "Monitor: invalid detail 'low'"),
        ({"averages": "mean"}, UsageError, "Monitor: invalid averages 'mean'"),
    ],
)
def test_errors_of_choices(options, error, text):
    with pytest.raises(error, match=f"(?s){re.escape(text)}.*Expected: .*Try: "):
        Monitor(network(2, 3), **options)


@pytest.mark.parametrize("averages", ["window", "exponential"])
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_a_record_is_in_the_dtype_of_its_weights(dtype, averages):
    net = network(4, 5, 3, dtype=np.float64)
    for parameter in net.parameters():
        parameter.value = parameter.value.astype(dtype)
    monitor = Monitor(net, averages=averages)
    trained(net, monitor, 3)
    for name, array in monitor.tensors().items():
        assert array.dtype == dtype, name


def test_weights_of_several_dtypes_keep_theirs():
    net = network(4, 5, 3)
    net[0].weight.value = net[0].weight.value.astype(np.float16)
    monitor = Monitor(net)
    monitor.record_weights()
    assert [monitor.tensors()[f"weights/{n}"].dtype for n in ("0.weight", "0.bias")] == [np.float16, np.float32]


def test_the_ratio_of_float16_weights_is_computed_in_float32():
    weight = dark.Parameter(np.linspace(0.5, 2, 400, dtype=np.float16))
    monitor = Monitor(nn.Identity())
    monitor.register_weights({"w": weight})
    monitor.begin()
    before = weight.value.astype(np.float64)
    weight.value = (weight.value + np.float16(1e-3)).astype(np.float16)
    monitor.record_weights()
    expected = np.linalg.norm(weight.value.astype(np.float64) - before) / np.linalg.norm(before)
    assert monitor.scalars()["update_ratio/w"] == pytest.approx(expected, rel=1e-5)
    assert monitor.scalars()["weight_norm/w"] == pytest.approx(np.linalg.norm(weight.value.astype(float)), rel=1e-5)


@pytest.mark.parametrize("value", [np.ones((9, 4)), np.ones((4, 5))])
def test_a_weight_whose_shape_has_changed_is_refused(value):
    net = network(4, 5, 3)
    monitor = Monitor(net)
    monitor.record_weights()
    net[0].weight.value = value.astype(np.float32)
    with pytest.raises(
        ShapeError, match=rf"(?s)0.weight must keep the shape \(5, 4\), got \({value.shape[0]}, .*Expected:.*Try:"
    ):
        monitor.record_weights()


@pytest.mark.parametrize("layer", [nn.RNN, nn.GRU, nn.LSTM])
@pytest.mark.parametrize(("batch", "layers"), [(2, 2), (1, 1), (3, 2), (2, 1), (4, 4)])
def test_final_states_are_averaged_over_examples_whatever_their_number(layer, batch, layers):
    net = layer(3, 4, num_layers=layers, batch_first=True, seed=0)
    monitor = Monitor(net, monitor_activations="*")
    monitor.begin()
    _, state = net(np.random.default_rng(0).normal(size=(batch, 5, 3)))
    monitor.record()
    states = {"(root)[1]": state} if layer is not nn.LSTM else {"(root)[1][0]": state[0], "(root)[1][1]": state[1]}
    for name, node in states.items():
        np.testing.assert_allclose(monitor.tensors()[f"activations/{name}"], node.value.mean(axis=1))
        np.testing.assert_allclose(monitor.tensors()[f"activations_abs/{name}"], abs(node.value).mean(axis=1))
