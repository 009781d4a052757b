"""The example of an adversarial training: its program, its sheet of samples, and all ten digits."""

import importlib
import re
import subprocess
import sys
from itertools import count
from pathlib import Path

import numpy as np
import pytest

for package in ("sklearn", "threadpoolctl", "tqdm", "matplotlib"):
    pytest.importorskip(package, reason="the extra 'lab' is not installed")

ROOT = Path(__file__).parents[1]
STEPS_A_SECOND = 125  # of the training; a core of a laptop does more


@pytest.fixture
def example(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "examples")
    return importlib.import_module("gan_digits")


@pytest.mark.long
def test_a_short_training_shows_its_progress_and_saves_a_sheet(example, tmp_path, capsys):
    counts = example.train(0, 0.4, tmp_path)
    assert counts.sum() == example.SAMPLES and len(counts) == 10
    said = capsys.readouterr().out
    lines = [line for line in said.splitlines() if "(among real ones" in line]
    assert "of 0 to 9:" in said and "samples over time" in said
    alt = re.search(r"<desc[^>]*>(.*?)</desc>", (tmp_path / "digits.svg").read_text(encoding="utf-8"))[1]
    first, last = (re.search(r"nearest real digit (\d\.\d\d)", line)[1] for line in (lines[0], lines[-1]))
    assert f"at {len(lines)} times" in alt and f"falls from {first} to {last}" in alt and alt in said
    assert (tmp_path / "digits.png").read_bytes().startswith(b"\x89PNG")


def test_the_sheet_shows_the_nearest_real_digits_and_their_distances(example):
    images, labels = example.real_digits()
    progress = example.Progress(example.make_trainer(0), images, labels, seed=0, seconds=1)
    progress.measure(1, 0.5)
    picture = progress.sheet()
    (axes,) = picture.figure.axes
    assert [label.get_text() for label in axes.get_yticklabels()] == [*progress.labels, "nearest real digit"]
    samples, page = progress.rows[-1], axes.images[0].get_array().filled(np.nan)
    for k, label in enumerate(axes.get_xticklabels()):
        closest = page[9:17, 9 * k : 9 * k + 8].ravel()
        assert (images == closest).all(axis=1).any()
        assert f"{np.linalg.norm(samples[k] - closest):.1f}" == label.get_text()


@pytest.mark.parametrize("option", ["--seed=-1", "--seconds=0", "--seconds=nan", "--out=FILE"])
def test_an_argument_that_makes_no_sense_is_refused(example, option, tmp_path, capsys):
    (tmp_path / "file").touch()
    with pytest.raises(SystemExit, match="2"):
        example.main([option.replace("FILE", str(tmp_path / "file"))])
    assert option.partition("=")[0] in capsys.readouterr().err


def test_the_distance_to_the_nearest_digit_leaves_out_the_digit_itself(example):
    points = np.array([[0.0, 0.0], [3.0, 4.0], [3.0, 5.0]])
    np.testing.assert_allclose(example.nearest(points, points), [5.0, 1.0, 1.0])


def test_the_discriminator_sees_how_much_its_batch_varies(example):
    discriminator = example.Discriminator(np.random.default_rng(0)).eval()
    x = np.random.default_rng(1).normal(size=(4, 64))
    alone, together = discriminator(x[:1]).value, discriminator(x).value
    assert alone[0] != pytest.approx(together[0])


@pytest.mark.long
def test_all_ten_digits_are_drawn_without_the_spread_as_the_docstring_says(example, monkeypatch):
    class Blind(example.Discriminator):
        def forward(self, x):
            features = self.features(x)
            column = np.zeros((features.shape[0], 1), np.float32)
            return self.score(example.dark.concatenate([features, column], axis=1))

    monkeypatch.setattr(example, "Discriminator", Blind)
    steps = count()
    monkeypatch.setattr(example, "perf_counter", lambda: next(steps) / STEPS_A_SECOND)
    with example.threadpool_limits(1):
        assert example.train(0, 8.0).min() >= example.LEAST
    said = " ".join(example.__doc__.split())
    assert "with zeros in the place of the spread, all ten digits are drawn as well" in said


def test_the_command_says_what_it_does():
    command = [sys.executable, str(ROOT / "examples" / "gan_digits.py"), "--help"]
    said = subprocess.run(command, env={"PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=True).stdout
    assert "--seconds" in said and "--folder" in said


@pytest.mark.long
def test_all_ten_digits_are_drawn_after_the_steps_of_twenty_seconds(example, monkeypatch):
    steps = count()  # counted, since a busy machine does fewer in the same time
    monkeypatch.setattr(example, "perf_counter", lambda: next(steps) / STEPS_A_SECOND)
    with example.threadpool_limits(1):
        assert example.train(3, 20.0).min() >= example.LEAST
