"""The example of sick trainings: what the doctor finds in each, its picture, and its program."""

import importlib
import re
import subprocess
import sys
from pathlib import Path

import pytest

from dark.monitor import Note, diagnose

for package in ("sklearn", "tqdm", "matplotlib"):
    pytest.importorskip(package, reason="the extra 'lab' is not installed")

ROOT = Path(__file__).parents[1]
FINDINGS = {"healthy": None, "saturated": "saturation", "dead": "dead units", "exploding": "exploding gradients",
            "leaking": "leak"}  # fmt: skip


@pytest.fixture(scope="module")
def example():
    sys.path.insert(0, str(ROOT / "examples"))
    yield importlib.import_module("sick_runs")
    sys.path.remove(str(ROOT / "examples"))


@pytest.fixture(scope="module")
def folder(example, tmp_path_factory):
    """Run the program for two seeds."""
    folder = tmp_path_factory.mktemp("sick")
    assert example.main(["--out", str(folder), "--seeds", "2"]) == 0
    return folder


@pytest.mark.long
@pytest.mark.parametrize("name", FINDINGS)
@pytest.mark.parametrize("seed", [0, 1])
def test_the_doctor_finds_the_fault_and_nothing_in_the_healthy_run(folder, name, seed):
    kinds = diagnose(folder / f"seed-{seed}" / name).kinds
    assert kinds == () if FINDINGS[name] is None else FINDINGS[name] in kinds
    assert kinds[:1] != ("leak",) or name == "leaking"


@pytest.mark.long
def test_the_picture_says_what_it_shows_and_stands_in_the_book(folder):
    picture = (folder / "seed-0" / "sick-runs.svg").read_text(encoding="utf-8")
    said = re.search(r"<desc>(.*?)</desc>", picture, re.S)[1]
    assert said.startswith("Five runs on handwritten digits")
    chapter = (ROOT / "book" / "monitor.md").read_text(encoding="utf-8")
    in_book = re.search(r"!\[(.*?)\]\(_static/sick-runs.svg\)", chapter)[1]
    for name in FINDINGS:
        found = [
            re.search(rf"{name}, fault (.*?):.*?; the doctor finds (.*?)\.", text).groups() for text in (said, in_book)
        ]
        assert found[0] == found[1], "make the picture again: python examples/sick_runs.py"
    assert (folder / "seed-0" / "sick-runs.png").stat().st_size > 10_000


@pytest.mark.long
def test_a_training_is_reproducible(example, folder, tmp_path):
    before = Note.load(folder / "seed-0" / "healthy").scalar_dict["loss"].values
    with example.threadpool_limits(1):
        list(example.train(example.runs(0)["healthy"], tmp_path / "again", 1, 0))
    run = Note.load(tmp_path / "again")
    again = run.scalar_dict["loss"].values
    assert list(again) == list(before[: len(again)]) and run.configs["fault"] == "none"


def test_the_leak_writes_the_labels_into_the_first_pixels(example):
    import numpy as np

    x, labels = example.leaky(np.ones((3, 64), np.float32), np.array([4, 0, 9]))
    np.testing.assert_array_equal(x[:, :10].argmax(axis=1), labels)
    assert (x[:, 10:] == 1).all()


def test_the_help_names_every_option():
    command = [sys.executable, str(ROOT / "examples" / "sick_runs.py"), "--help"]
    done = subprocess.run(command, env={"PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=True)
    assert all(option in done.stdout for option in ("--seed ", "--seeds N", "--epochs N", "--out FOLDER"))


@pytest.mark.parametrize("option", ["--seed=-1", "--seeds=0", "--epochs=0"])
def test_a_number_that_makes_no_sense_is_refused(example, option, capsys):
    with pytest.raises(SystemExit, match="2"):
        example.main([option])
    assert f"{option.partition('=')[0]} is" in capsys.readouterr().err
