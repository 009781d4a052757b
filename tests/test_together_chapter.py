"""The program with all parts, and what the chapter says to readers of the tutorial."""

import importlib
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import dark
from dark.errors import GradientError, OperationError
from dark.monitor import Note

ROOT = Path(dark.__file__).parents[1]


@pytest.fixture
def example(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "examples")
    return importlib.import_module("all_together")


def test_the_program_continues_where_it_ended(example, tmp_path, capsys):
    whole, _ = example.run(tmp_path / "whole", epochs=2)
    example.main(["--out", str(tmp_path / "parts"), "--epochs", "1"])
    example.main(["--out", str(tmp_path / "parts"), "--epochs", "2"])
    printed = capsys.readouterr().out.splitlines()
    assert printed[0] == "ClassifierLoss + 0.0001 * WeightDecay" and "epoch 2, step 90" in printed[4]
    again = dark.load(max((tmp_path / "parts" / "checkpoints").iterdir(), key=lambda path: path.stat().st_mtime))
    for name, value in whole.players["classifier"].module.state_dict().items():
        assert np.array_equal(again["classifier"][name], value)
    run = Note.load(tmp_path / "parts" / "run")
    assert run.criteria["accuracy"] > 0.9 and "gradients/0.weight" in run.tensor_dict
    assert (tmp_path / "parts" / "loss.svg").read_text("utf-8").startswith("<svg")


def test_the_program_says_what_it_does():
    command = [sys.executable, str(ROOT / "examples" / "all_together.py"), "--help"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env={"PYTHONPATH": str(ROOT)})
    assert "A graph, an engine, a context" in done.stdout and "--epochs" in done.stdout


class TutorialPow(dark.Operation):
    """The listing of the tutorial, with Python's power."""

    @staticmethod
    def _f(x, n):
        return x**n

    @staticmethod
    def _df(dldy, y, x, n):
        return [n * x ** (n - 1) * dldy]


def test_the_listing_of_pow_is_refused_in_the_backward_pass():
    y = TutorialPow.apply(dark.Parameter(10), 2)
    assert y.value == 100
    with pytest.raises(OperationError, match=r"\(list\)\.\n  Expected: a tuple of 2 gradients, one for each input"):
        y.backward()


def test_the_rows_for_readers_of_the_tutorial():
    x, two = dark.Parameter(10), dark.Parameter(2)
    assert x.grad is None and x.inputs == () and dark.Constant(2).grad is None
    y = dark.add(dark.mul(two, dark.pow(x, 2)), 5)
    y.backward()
    assert (two.grad, x.grad) == (100, 40)
    for _ in range(2):  # the second pass begins with 1, too
        y.zero_grad()
        assert (x.grad, y.grad) == (0, 0)
        y.backward()
        assert (x.grad, y.grad) == (40, 1)
    x.grad = 3.0
    assert x.grad == 3
    with pytest.raises(GradientError, match="does not require grad; its grad cannot be set"):
        dark.Constant(3).grad = 5
    total = dark.Parameter(1.0)
    for _ in range(5000):
        total = total + 0.0
    total.backward()


def test_the_modes_are_those_of_no_grad():
    try:
        dark.is_training = False
        assert (2 * dark.Parameter(3)).op is None
    finally:
        dark.is_training = True
    assert (2 * dark.Parameter(3)).op is not None
