"""The training examples reach their accuracy, are reproducible, and save their results when Ctrl-C ends them."""

import importlib
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import dark

for package in ("sklearn", "tqdm", "matplotlib"):
    pytest.importorskip(package, reason="the extra 'lab' is not installed")
threadpool_limits = importlib.import_module("threadpoolctl").threadpool_limits

ROOT = Path(__file__).parents[1]
PROMISED = {"digits": 0.95, "digits_cnn": 0.97}
FILES = ["confusion.png", "confusion.svg", "curves.png", "curves.svg", "weights.safetensors"]
ROW = re.compile(r"^(\d+) +(\d+) +(0\.\d{4}|–) +(\d+\.\d\d) +([0-9a-f]{16})$", re.MULTILINE)
DONE = re.compile(r"Stopped\. The weights after epoch (\d+) of 5000 are in (.*)\.")


@pytest.fixture(params=["digits", pytest.param("digits_cnn", marks=pytest.mark.long)])
def example(request, monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "examples")
    return importlib.import_module(request.param)


@pytest.fixture
def digits(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "examples")
    return importlib.import_module("digits")


@pytest.fixture
def running(digits):
    return importlib.import_module("running")


def started(*arguments):
    """Start an example as a program."""
    command = [sys.executable, str(ROOT / "examples" / arguments[0]), *map(str, arguments[1:])]
    settings = {"PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen(command, env={**os.environ, **settings}, text=True, **pipes)


def test_an_example_reaches_what_it_promises(example):
    with threadpool_limits(1):
        *_, last = example.training_of(0).records
    assert last["epoch"] == example.EPOCHS
    assert last["test_accuracy"] >= PROMISED[example.__name__]


def test_a_second_run_ends_with_the_same_bits(example, tmp_path, capsys):
    digests = []
    for name in "ab":
        assert example_main(example, ["--seed", "3", "--epochs", "2", "--out", str(tmp_path / name)]) == 0
        digests += [row[-1] for row in ROW.findall(capsys.readouterr().out)]
    assert len(digests) == 2 and digests[0] == digests[1]
    for file in FILES:
        first, second = ((tmp_path / name / "seed-3" / file).read_bytes() for name in "ab")
        assert first == second, file


def example_main(example, arguments):
    return importlib.import_module("running").main(example.__doc__, example.training_of, "unused", arguments)


@pytest.mark.long
def test_each_seed_has_a_row_a_folder_and_bits_of_its_own(digits, tmp_path, capsys):
    example_main(digits, ["--seed", "1", "--seeds", "2", "--epochs", "1", "--out", str(tmp_path)])
    printed = capsys.readouterr()
    rows = ROW.findall(printed.out)
    assert [row[0] for row in rows] == ["1", "2"]
    assert rows[0][-1] != rows[1][-1]
    worst = min(rows, key=lambda row: float(row[2]))
    assert f"worst: seed {worst[0]} with test accuracy {worst[2]}" in printed.out
    assert sorted(path.name for path in (tmp_path / "seed-2").iterdir()) == FILES
    assert "seed 1: 100%" in printed.err


def test_the_saved_weights_are_those_of_the_network(digits, running, tmp_path):
    training = digits.training_of(0, epochs=1)
    row, stopped = running.run(training, 0, tmp_path)
    weights = dark.load(tmp_path / running.WEIGHTS)
    again = digits.perceptron(seed=99)
    again.load_state_dict(weights)
    x, labels = training.test
    assert digits.measured(again, "test", x, labels)["test_accuracy"] == pytest.approx(float(row[2]), abs=5e-5)
    assert row[-1] == running.digest(weights) and not stopped


def test_the_training_part_alone_says_how_to_standardize(digits):
    (x, labels), (x_test, labels_test) = digits.parts(seed=5)
    np.testing.assert_allclose(x.mean(axis=0), 0, atol=1e-6)
    assert abs(x_test.mean(axis=0)).max() > 1e-3
    assert len(x) + len(x_test) == 1797
    shares = np.bincount(labels_test) / np.bincount(np.concatenate([labels, labels_test]))
    assert np.all(abs(shares - 0.2) < 0.01)


def test_ctrl_c_in_the_middle_of_an_epoch_leaves_the_last_whole_one(digits, running, tmp_path, capsys):
    training = digits.training_of(0, epochs=3)
    first = digits.training_of(0, epochs=3)
    next(first.records)

    def interrupted():
        yield next(training.records)
        training.network[0].weight.value = np.zeros_like(training.network[0].weight.value)
        raise KeyboardInterrupt

    row, stopped = running.run(running.Training(training.network, training.test, 3, interrupted()), 0, tmp_path)
    assert stopped and row[1] == 1
    assert "Stopped. The weights after epoch 1 of 3 are in" in capsys.readouterr().out
    assert row[-1] == running.digest(first.network.state_dict())


def test_ctrl_c_before_the_first_epoch_leaves_the_initial_weights(digits, running, tmp_path, capsys):
    def interrupted():
        raise KeyboardInterrupt
        yield

    training = digits.training_of(0)
    row, stopped = running.run(running.Training(training.network, training.test, 25, interrupted()), 0, tmp_path)
    assert stopped and row[1:3] == (0, "–")
    running.show([row])
    assert "worst" not in capsys.readouterr().out
    assert dark.load(tmp_path / running.WEIGHTS).keys() == training.network.state_dict().keys()
    assert sorted(path.name for path in tmp_path.iterdir()) == [f for f in FILES if "curves" not in f]


@pytest.mark.long
@pytest.mark.skipif(os.name == "nt", reason="Windows sends no SIGINT to another process")
def test_the_program_ends_well_by_ctrl_c(tmp_path):
    process = started("digits.py", "--epochs", 5000, "--out", tmp_path)
    for line in process.stderr:
        if "accuracy" in line:
            break
    process.send_signal(signal.SIGINT)
    out, err = process.communicate()
    assert process.returncode == 130, err
    assert "Traceback" not in err
    epoch, path = DONE.search(out).groups()
    assert len(dark.load(path)) == 4 and 1 <= int(epoch) < 5000


def test_ctrl_c_while_pictures_are_drawn_leaves_the_weights(digits, running, tmp_path, capsys, monkeypatch):
    def interrupted(training, records):
        raise KeyboardInterrupt

    monkeypatch.setattr(running, "pictures_of", interrupted)
    assert example_main(digits, ["--epochs", "1", "--out", str(tmp_path)]) == running.INTERRUPTED
    assert "Stopped." in capsys.readouterr().out
    assert [path.name for path in (tmp_path / "seed-0").iterdir()] == [running.WEIGHTS]


@pytest.mark.parametrize("name", PROMISED)
def test_the_help_names_every_option(name):
    out, err = started(f"{name}.py", "--help").communicate()
    assert not err
    assert all(option in out for option in ("--seed ", "--seeds N", "--epochs N", "--out FOLDER"))
    assert "Handwritten digits" in out


@pytest.mark.parametrize("option", ["--seed=-1", "--seeds=0", "--epochs=0"])
def test_a_number_that_makes_no_sense_is_refused(digits, option, capsys):
    with pytest.raises(SystemExit, match="2"):
        example_main(digits, [option])
    assert f"{option.partition('=')[0]} is" in capsys.readouterr().err
