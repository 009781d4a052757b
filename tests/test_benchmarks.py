"""The benchmarks: each starts with `python -m benchmarks.NAME`, and each measured step computes what it should."""

import doctest
import importlib
import importlib.util
import math
import subprocess
import sys
from contextlib import nullcontext
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from benchmarks.graders.asserts import ASSERTS, CLOSE
from benchmarks.graders.notebooks import cells, otter_tests
from benchmarks.graders.runs import Dark
from benchmarks.networks import machine
from benchmarks.rivals import dark as adapter
from dark.course.lessons.library import load_module

ROOT = Path(__file__).parents[1]


def layers(*sizes, seed=0):
    rng = np.random.default_rng(seed)
    return [(rng.normal(size=(n, m)).astype("f"), np.zeros(m, "f")) for n, m in pairwise(sizes)]


def labeled(n, width, classes=3, seed=1):
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
    x, y = labeled(12, 4)
    spec = {"params": layers(4, 5, 3), "lr": 0.02, "batches": [(x, y)]}
    if workload == "S2":
        spec = {"params": layers(4, 3, 1), "lr": 0.02, "alpha": 1e-4, "X": x, "y": np.where(y == 0, 1.0, -1.0)}
    step, _ = getattr(adapter, workload)(spec)
    losses = [step() for _ in range(30)]
    assert losses[-1] < 0.5 * losses[0]


def test_a_whole_training_ends_at_its_target():
    x, y = labeled(60, 4)
    spec = {"params": layers(4, 8, 3), "X": x, "y": y, "Xt": x, "yt": y, "lr": 0.05, "batch": 20, "max_epochs": 50}
    assert 1 <= adapter.E1(spec | {"target": 0.9})[0]() <= 50
    assert adapter.E1(spec | {"target": 1.1, "max_epochs": 2})[0]() == -1


def slope(make, spec, name, nudge=1e-5):
    """Measure the slope of a step's loss along one random direction of one array; return it and the direction."""
    array = spec[name][0] if isinstance(spec[name], tuple) else spec[name]
    direction = np.random.default_rng(5).normal(size=array.shape)
    losses = []
    for sign in (1, -1):
        moved = array + sign * nudge * direction
        moved = (moved, spec[name][1]) if isinstance(spec[name], tuple) else moved
        losses.append(make(spec | {name: moved})[0]())
    return (losses[0] - losses[1]) / (2 * nudge), direction


@pytest.mark.parametrize(("workload", "gates"), [("A4r", 1), ("A4g", 3)])
def test_a_recurrent_step_has_the_gradients_that_are_measured(workload, gates):
    rng = np.random.default_rng(0)
    shapes = {
        "x": (4, 5, 3),
        "w_ih": (3, gates * 6),
        "b_ih": (gates * 6,),
        "w_hh": (6, gates * 6),
        "b_hh": (gates * 6,),
    }
    spec = {name: rng.normal(size=shape) for name, shape in shapes.items()}
    spec |= {"fc": (rng.normal(size=(6, 2)), np.zeros(2)), "y": np.array([0, 1, 1, 0, 1])}
    make = getattr(adapter, workload)
    step, gradients = make(spec)
    assert step() == step() > 0
    for name, gradient in zip(("w_ih", "b_ih", "w_hh", "b_hh", "fc"), gradients()):
        measured, direction = slope(make, spec, name)
        assert (gradient * direction).sum() == pytest.approx(measured, rel=1e-6, abs=1e-9)


def test_a_transformer_block_has_the_gradients_that_are_measured():
    rng, d = np.random.default_rng(0), 4
    pair = lambda n, m: (rng.normal(size=(n, m)) / 2, rng.normal(size=m))
    spec = {"x": rng.normal(size=(2, 3, d)), "t": rng.normal(size=(2, 3, d)), "heads": 2}
    spec |= {"qkv": pair(d, 3 * d), "o": pair(d, d), "f1": pair(d, 8), "f2": pair(8, d)}
    spec |= {"ln1": (np.ones(d), np.zeros(d)), "ln2": (np.ones(d), np.zeros(d))}
    step, gradients = adapter.A6(spec)
    step()
    for name, gradient in zip(("qkv", "f1"), gradients()):
        measured, direction = slope(adapter.A6, spec, name)
        assert (gradient * direction).sum() == pytest.approx(measured, rel=1e-6, abs=1e-9)


def test_a_discriminator_learns_to_tell_what_is_real_from_what_is_made_up():
    rng = np.random.default_rng(0)
    real = [(3 + rng.normal(size=(16, 2))).astype("f") for _ in range(2)]
    noise = [rng.normal(size=(16, 3)).astype("f") for _ in range(2)]
    spec = {"G": layers(3, 8, 2, seed=1), "D": layers(2, 8, 1, seed=2), "real": real, "noise": noise, "slope": 0.2}
    step, _ = adapter.A5(spec | {"lr": 0.02})
    losses = [step() for _ in range(40)]
    assert np.isfinite(losses).all() and min(losses) < 0.7 * losses[0]


@pytest.mark.parametrize(
    "name",
    [
        "check", "distributed", "doctor", "draw", "engine", "explorer", "first_check", "grading", "kill", "monitor",
        "networks", "notes", "optimizers", "scalar", "trainers", "viewer",
    ],
)  # fmt: skip
def test_every_benchmark_is_a_module_that_the_readme_starts(name):
    assert importlib.util.find_spec(f"benchmarks.{name}") is not None
    assert f"-m benchmarks.{name} " in (ROOT / "benchmarks" / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "name",
    [
        "check", "distributed", "doctor.__main__", "draw", "engine", "explorer", "first_check", "grading", "kill",
        "monitor", "networks.__main__", "notes", "optimizers", "scalar", "trainers", "viewer",
    ],
)  # fmt: skip
def test_a_benchmark_prints_its_help(name, capsys, monkeypatch):
    module = importlib.import_module(f"benchmarks.{name}")
    monkeypatch.setattr(sys, "argv", [name, "--help"])
    with pytest.raises(SystemExit, match="0"):
        module.main()
    said = " ".join(capsys.readouterr().out.split())
    assert said.startswith(f"usage: python -m benchmarks.{name.partition('.')[0]} [-h]")


def test_the_steps_of_two_checkouts_alternate_and_each_checkout_runs_its_own_code(tmp_path):
    optimizers = importlib.import_module("benchmarks.optimizers")
    package = tmp_path / "dark"
    package.mkdir()
    (package / "__init__.py").write_text("class Parameter:\n    def __init__(self, value): pass\n")
    (package / "optim.py").write_text(
        "import time\nclass SGD:\n    def __init__(self, parameters, lr): pass\n"
        "    def step(self):\n        end = time.process_time() + 0.005\n"
        "        while time.process_time() < end: pass\n"
    )
    (ratio,) = optimizers.times((tmp_path, ROOT), "SGD", ["one number"], 3)
    assert ratio > 2


def test_latency_and_bandwidth_predict_the_sums_they_were_computed_from():
    distributed = importlib.import_module("benchmarks.distributed")
    sums = {size: distributed.predicted(2, size, 1e-5, 1e9) for size in (8, 1 << 10, 1 << 20)}
    latency, bandwidth = distributed.line(sums)
    assert latency == pytest.approx(1e-5, rel=1e-3) and bandwidth == pytest.approx(1e9, rel=1e-3)
    assert distributed.predicted(1000, 4e6, latency, bandwidth) == pytest.approx(2e-2 + 8e-3, rel=0.01)


def test_notes_are_measured(capsys, monkeypatch):
    module = importlib.import_module("benchmarks.notes")
    monkeypatch.setattr(sys, "argv", ["notes", "--steps", "20", "--tensors", "3"])
    module.main()
    assert "20 steps of 3 arrays of 100 numbers" in capsys.readouterr().out


@pytest.mark.long
def test_two_processes_are_measured():
    pytest.importorskip("mpi4py", reason="the extra 'mpi' is not installed")
    command = [sys.executable, "-m", "benchmarks.distributed", "--seconds", "0.01"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert (
        "| 16 MB |" in done.stdout
        and "| 784-512-512-10 | 669,706 |" in done.stdout
        and "| 100 million |" in done.stdout
    )


def test_the_processor_has_a_name():
    assert machine.processor().strip()


def test_the_asserts_of_the_other_graders_hold_for_the_solution_and_fail_for_a_blank():
    module = load_module("01")
    assert set(ASSERTS) == set(module.exercises)
    for kind in ("solved", "blank"):
        names = {"math": math}
        for _, source in cells(kind):
            exec(source, names)
        exec(CLOSE, names)
        for asserts in ASSERTS.values():
            with nullcontext() if kind == "solved" else pytest.raises((NotImplementedError, AssertionError)):
                exec(asserts, names)


def test_the_tests_of_otter_are_doctests_that_hold_for_the_solution():
    names = {"math": math}
    for _, source in cells("solved"):
        exec(source, names)
    for name, source in otter_tests().items():
        found = {}
        exec(source, found)
        code = found["test"]["suites"][0]["cases"][0]["code"]
        parsed = doctest.DocTestParser().get_doctest(code, dict(names), name, name, 0)
        assert doctest.DocTestRunner(verbose=False).run(parsed).failed == 0


@pytest.mark.long
def test_a_small_class_is_graded_by_the_benchmark(tmp_path, capsys):
    graders = Dark(tmp_path, 2)
    assert graders.run("solved")[0] > 0 and graders.earned("solved") == 1
    assert graders.run("blank")[0] > 0 and graders.earned("blank") == 0
    grading = importlib.import_module("benchmarks.grading")
    assert grading.floor(1) > 0 and grading.graded("limits", 1) > 0


def test_without_the_other_graders_the_benchmark_says_how_to_get_them(tmp_path):
    grading = importlib.import_module("benchmarks.grading")
    python = tmp_path / "python"
    python.write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    python.chmod(0o755)
    with pytest.raises(SystemExit, match="does not have the other graders"):
        grading.check_others(str(python))
