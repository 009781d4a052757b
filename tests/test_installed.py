"""The package as installed from a wheel: without the repository and the bug bank."""

import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOLVED = sorted((ROOT / "solutions").glob("*.ipynb"))


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """Build the wheel, and unpack it into a separate folder."""
    made, site = tmp_path_factory.mktemp("wheel"), tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(made)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    (wheel,) = made.iterdir()
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(site)
    return site


def dark(site, folder, *words):
    environment = {**os.environ, "PYTHONPATH": str(site), "PYTHONSAFEPATH": "1"}
    command = [sys.executable, "-m", "dark", *words]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)


def test_the_wheel_has_the_solutions_without_outputs_and_no_known_wrong_answers(installed):
    package = installed / "dark"
    solved = sorted((package / "_solutions").iterdir())
    assert [path.name for path in solved] == [path.name for path in SOLVED]
    for path in solved:
        assert not any(cell.get("outputs") for cell in json.loads(path.read_text(encoding="utf-8"))["cells"])
    banked = {path.name for path in (ROOT / "tests" / "exams" / "bank").rglob("*.toml")}
    assert banked and banked.isdisjoint(path.name for path in package.rglob("*.toml"))


@pytest.mark.long
@pytest.mark.parametrize("path", [path for path in SOLVED if path.stem[:2] != "17"], ids=lambda path: path.stem)
def test_right_answers_to_one_module_alone_are_right(installed, path, tmp_path):
    shutil.copy(path, tmp_path)
    done = dark(installed, tmp_path, "check", path.stem[:2])
    assert done.returncode == 0 and "0 not yet right, 0 not attempted" in done.stdout, done.stdout + done.stderr


@pytest.mark.long
def test_a_blank_notebook_is_not_attempted(installed, tmp_path):
    shutil.copy(ROOT / "modules" / "05-networks.ipynb", tmp_path)
    done = dark(installed, tmp_path, "check", "05")
    assert done.returncode == 1 and "0 of 9 right, 0 not yet right, 9 not attempted" in done.stdout, done.stdout


@pytest.mark.long
def test_all_of_your_answers_are_right_together(installed, tmp_path):
    shutil.copy(ROOT / "solutions" / "01-scalar-autodiff.ipynb", tmp_path)
    done = dark(installed, tmp_path, "check", "01", "--all-yours")
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.long
def test_a_class_can_be_graded(installed, tmp_path):
    (tmp_path / "class").mkdir()
    shutil.copy(ROOT / "solutions" / "01-scalar-autodiff.ipynb", tmp_path / "class" / "ann.ipynb")
    done = dark(installed, tmp_path, "grade", "class", "--out", "report")
    assert done.returncode == 0, done.stdout + done.stderr


def test_without_a_notebook_the_way_to_one_is_told(installed, tmp_path):
    done = dark(installed, tmp_path, "check", "01")
    assert done.returncode == 2 and "dark lab" in done.stderr and "Traceback" not in done.stderr


@pytest.mark.long
def test_a_hint_and_the_doctor_need_no_repository(installed, tmp_path):
    assert dark(installed, tmp_path, "hint", "01", "slope").returncode == 0
    assert "01-scalar-autodiff" in dark(installed, tmp_path, "doctor").stdout
