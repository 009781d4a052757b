"""The example of an adversarial training: its program, its sheet of samples, and all ten digits in 20 seconds."""

import importlib
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

for package in ("sklearn", "threadpoolctl"):
    pytest.importorskip(package, reason="the extra 'lab' is not installed")

ROOT = Path(__file__).parents[1]


@pytest.fixture
def example(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "examples")
    return importlib.import_module("gan_digits")


def test_a_short_training_shows_its_progress_and_saves_a_sheet(example, tmp_path, capsys):
    counts = example.train(0, 0.4, tmp_path)
    assert counts.sum() == example.SAMPLES and len(counts) == 10
    said = capsys.readouterr().out
    lines = [line for line in said.splitlines() if "nearest real digit" in line]
    header, _, pixels = (tmp_path / "digits.pgm").read_bytes().partition(b" 255\n")
    width, height = map(int, header.split()[1:])
    assert len(pixels) == width * height and (width, height) == (20 * 40, len(lines) * 40)
    assert "of 0 to 9:" in said and "samples over time" in said


def test_the_distance_to_the_nearest_digit_leaves_out_the_digit_itself(example):
    points = np.array([[0.0, 0.0], [3.0, 4.0], [3.0, 5.0]])
    np.testing.assert_allclose(example.nearest(points, points), [5.0, 1.0, 1.0])


def test_the_discriminator_sees_how_much_its_batch_varies(example):
    discriminator = example.Discriminator(np.random.default_rng(0)).eval()
    x = np.random.default_rng(1).normal(size=(4, 64))
    alone, together = discriminator(x[:1]).value, discriminator(x).value
    assert alone[0] != pytest.approx(together[0])


def test_the_command_says_what_it_does():
    command = [sys.executable, str(ROOT / "examples" / "gan_digits.py"), "--help"]
    said = subprocess.run(command, env={"PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=True).stdout
    assert "--seconds" in said and "--folder" in said


@pytest.mark.long
def test_all_ten_digits_are_drawn_in_twenty_seconds(example):
    with example.threadpool_limits(1):
        assert example.train(3, 20.0).min() >= example.LEAST
