"""A training that is killed at random moments and resumed ends with the same bytes."""

import os
import subprocess
import sys

import pytest

from benchmarks import kill
from dark import nn
from tests.trainers.shared import MAKERS

MANY_KILLS = os.environ.get("DARK_KILLS", "10")


def test_a_training_that_is_killed_and_resumed_is_the_same_training(tmp_path):
    runs, differing = kill.compare(3, 1, tmp_path)
    assert runs >= 1 and differing == 0


@pytest.mark.long
def test_an_adversarial_training_that_is_killed_and_resumed_is_the_same_training(tmp_path):
    runs, differing = kill.compare(3, 1, tmp_path, training="gan")
    assert runs >= 1 and differing == 0


@pytest.mark.skipif(not hasattr(os, "fork"), reason="each attempt is a forked process")
@pytest.mark.parametrize(
    ("kind", "kills"),
    [
        ("classifier", "2"),
        ("classifier ckpt", "2"),
        *(pytest.param(kind + ckpt, MANY_KILLS, marks=pytest.mark.long) for kind in MAKERS for ckpt in ("", " ckpt")),
    ],
)
def test_a_trainer_that_is_killed_at_any_line_ends_equal_to_the_byte(kind, kills, tmp_path):
    command = [sys.executable, "-m", "tests.trainers.killing", kind, kills, "0", str(tmp_path)]
    done = subprocess.run(command, cwd=kill.ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "all equal" in done.stdout and int(done.stdout.split()[0]) >= int(kills)


@pytest.mark.long
def test_trainings_that_are_killed_many_times_are_the_same_training(tmp_path):
    runs, differing = kill.compare(15, 2, tmp_path)
    assert runs >= 2 and differing == 0


def test_no_object_of_the_training_saves_the_generators():
    _, _, objects = kill.make()
    assert any(type(layer) is nn.Dropout for layer in objects["model"])
    assert list(objects) == ["trainer", "model", "optimizer", "schedule", "loss", "curve"]


def test_a_process_is_killed_at_the_given_iteration(tmp_path):
    assert kill.attempt(tmp_path, "ITERATION_COMPLETED", 1)
    assert not (tmp_path / "final").exists()


def test_a_difference_would_be_seen(tmp_path, monkeypatch):
    calls = []

    def attempt(folder, *moment):
        calls.append(moment)
        (folder / "final").write_text("whole" if len(calls) == 1 else "other")
        return bool(moment)

    monkeypatch.setattr(kill, "attempt", attempt)
    assert kill.compare(2, 0, tmp_path) == (1, 1)
    assert [len(moment) for moment in calls] == [0, 2, 2, 0]


def test_the_command_says_what_it_does():
    command = [sys.executable, "-m", "benchmarks.kill", "--help"]
    said = subprocess.run(command, cwd=kill.ROOT, capture_output=True, text=True, check=True)
    assert "--times" in said.stdout and "--folder" not in said.stdout
