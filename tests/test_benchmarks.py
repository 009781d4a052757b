"""The steps that are measured beside other frameworks: on small arrays, each does what it says."""

from itertools import pairwise

import numpy as np
import pytest

from benchmarks import adapter


def layers(*sizes, seed=0):
    rng = np.random.default_rng(seed)
    return [(rng.normal(size=(n, m)).astype("f"), np.zeros(m, "f")) for n, m in pairwise(sizes)]


def labelled(n, width, classes=3, seed=1):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % classes
    return (rng.normal(size=(n, width)) + 3 * np.eye(classes, width)[y]).astype("f"), y


def test_a_program_of_numbers_runs():
    step, _ = adapter.S1({"leaves": [2.0, -3.0], "prog": [(0, 0, 1), (1, 0, 1), (2, 3, 3), (0, 2, 4)]})
    assert step() == (2 - 3) + max(2 * -3, 0)


def test_a_chain_has_the_gradients_that_are_measured():
    rng = np.random.default_rng(0)
    spec = {name: rng.normal(size=5) for name in "xyz"}

    def chain(x, y, z):
        u = np.tanh(x) * y + np.exp(-z)
        return np.mean(u / (1 + u * u))

    step, gradients = adapter.A1(spec)
    assert step() == pytest.approx(chain(**spec))
    for name, gradient in zip("xyz", gradients()):
        for k, nudge in enumerate(1e-6 * np.eye(5)):
            rise = chain(**spec | {name: spec[name] + nudge}) - chain(**spec | {name: spec[name] - nudge})
            assert gradient[k] == pytest.approx(rise / 2e-6, rel=1e-5, abs=1e-9)


@pytest.mark.parametrize("workload", ["A2", "S2"])
def test_training_makes_the_loss_smaller(workload):
    x, y = labelled(12, 4)
    spec = {"params": layers(4, 5, 3), "lr": 0.02, "batches": [(x, y)]}
    if workload == "S2":
        spec = {"params": layers(4, 3, 1), "lr": 0.02, "alpha": 1e-4, "X": x, "y": np.where(y == 0, 1.0, -1.0)}
    step, _ = getattr(adapter, workload)(spec)
    losses = [step() for _ in range(30)]
    assert losses[-1] < 0.5 * losses[0]


def test_a_whole_training_ends_at_its_target():
    x, y = labelled(60, 4)
    spec = {"params": layers(4, 8, 3), "X": x, "y": y, "Xt": x, "yt": y, "lr": 0.05, "batch": 20, "max_epochs": 50}
    assert 1 <= adapter.E1(spec | {"target": 0.9})[0]() <= 50
    assert adapter.E1(spec | {"target": 1.1, "max_epochs": 2})[0]() == -1
