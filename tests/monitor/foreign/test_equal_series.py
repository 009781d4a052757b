"""A training with PyTorch and one with `dark`, from equal weights on equal data, have equal series."""

import numpy as np
import pytest

from dark.engine import Events
from dark.monitor import Kind, Monitor

torch = pytest.importorskip("torch", reason="the oracle extra (PyTorch) is not installed")
pytestmark = pytest.mark.oracle

from tests.monitor.foreign.pairs import KINDS, TIMED, Own, Theirs, batches, pair  # noqa: E402 - it needs PyTorch


def series(kind, step, dtype="float64", rules=True, **settings):
    """Train a network with a monitor; return the scalars and arrays after each record."""
    network = pair(kind, dtype)[step is Theirs]
    monitor = Monitor(network, monitor_activations=rules, sample_axis=int(kind in TIMED), **settings)
    train, records = step(network), []
    monitor.attach(event=Events.ITERATION_COMPLETED(every=2))
    for k, (x, y) in enumerate(batches(kind, dtype), 1):
        with monitor.step() as this:
            this.loss = train(x, y)
        if k % 2 == 0:
            records.append((monitor.scalars(), monitor.tensors()))
    assert monitor.dropped == {}
    return records


def assert_equal(mine, right, tolerance):
    assert len(mine) == len(right)
    for own, theirs in zip(mine, right):
        for a, b in zip(own, theirs):
            assert a.keys() == b.keys()
            for name in a:
                size = np.abs(b[name]).max(initial=0)
                np.testing.assert_allclose(a[name], b[name], tolerance, tolerance * max(size, 1e-3), err_msg=name)


@pytest.mark.parametrize("length", [20, 2, None])
@pytest.mark.parametrize("kind", KINDS)
def test_all_series_are_equal(kind, length):
    mine, right = (series(kind, step, stats_max_length=length) for step in (Own, Theirs))
    assert_equal(mine, right, 1e-9)
    names = {name.partition("/")[0] for name in right[-1][0].keys() | right[-1][1].keys()}
    assert names >= {"loss", "update_ratio", "gradient_norm", "weights", "flips", "activations"}
    assert len(right) == 6 and any("/" in name for name in right[-1][1])


@pytest.mark.parametrize("kind", ["perceptron", "convolutional"])
def test_those_of_single_precision_differ_by_rounding(kind):
    mine, right = (series(kind, step, "float32") for step in (Own, Theirs))
    noisy = [{name: v for name, v in own.items() if "noise" not in name} for own, _ in mine]
    calm = [{name: v for name, v in theirs.items() if "noise" not in name} for theirs, _ in right]
    assert_equal([(a, t) for a, (_, t) in zip(noisy, mine)], [(a, t) for a, (_, t) in zip(calm, right)], 2e-3)
    assert all(v.dtype == np.float32 for name, v in right[-1][1].items() if name.startswith("weights"))


def test_dead_and_saturated_units_are_those_of_dark():
    for step in (Own, Theirs):
        (*_, (scalars, _)) = series("perceptron", step, flip_beta=0.9)
        assert {"dead/1", "saturated/3", "saturated/5"} <= scalars.keys()
    (*_, (scalars, _)) = series("recurrent", Theirs)
    assert {"saturated/read[0]", "saturated/read[1][0]", "saturated/read#2[0]"} <= scalars.keys()
    assert "saturated/read[1][1]" not in scalars
    (*_, (scalars, _)) = series("shared", Theirs)
    assert {"dead/relu", "dead/relu#2", "weight_norm/frozen.weight"} <= scalars.keys()
    assert not scalars.keys() & {"gradient_norm/frozen.weight", "weight_norm/tied.weight"}


RULES = [
    [("*", Kind.TYPE_II)],
    [("*[6d]", Kind.TYPE_II), ("*", Kind.TYPE_I)],
    [lambda path, module, output: 2 * (type(module).__name__ == "Linear")],
]


@pytest.mark.parametrize("rules", RULES, ids=["glob", "pairs", "function"])
@pytest.mark.parametrize("kind", ["perceptron", "convolutional", "shared"])
def test_rules_and_exemplars_are_those_of_dark(kind, rules):
    mine, right = (series(kind, step, rules=rules, sample_num=2) for step in (Own, Theirs))
    assert_equal(mine, right, 1e-9)
    assert any(name.startswith("samples/training 1/") for name in right[-1][1])


def test_sample_sets_are_chosen_by_the_criterion_in_both():
    found = []
    x, y = batches(steps=1)[0]
    for k, as_tensor in enumerate([np.array, torch.from_numpy]):
        network = pair("perceptron")[k]
        monitor = Monitor(network, monitor_activations=[("6", Kind.TYPE_II)])
        monitor.register_samples(
            "worst", as_tensor(x), as_tensor(y), num=2,
            criterion=lambda scores, labels: (scores**2).sum(-1) + labels,
        )  # fmt: skip
        monitor.register_samples("arrays", x, indices=[-1])
        monitor.record()
        found.append((monitor.scalars(), monitor.tensors()))
    assert_equal(found[:1], found[1:], 1e-9)
    assert {"samples/worst 1/index"} <= found[1][0].keys() and "samples/arrays 0/6" in found[1][1]
