"""The package as installed from a wheel: without the repository, the solutions and the bug bank."""

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """Lay out the package as the wheel does, in a separate folder."""
    site = tmp_path_factory.mktemp("site")
    shutil.copytree(ROOT / "dark", site / "dark", ignore=shutil.ignore_patterns("__pycache__"))
    targets = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"]
    for source, target in targets["wheel"]["force-include"].items():
        assert "solutions" not in source and "bank" not in source
        shutil.copytree(ROOT / source, site / target, ignore=shutil.ignore_patterns(".*", "__pycache__"))
    return site


def dark(site, folder, *words):
    environment = {**os.environ, "PYTHONPATH": str(site), "PYTHONSAFEPATH": "1"}
    command = [sys.executable, "-m", "dark", *words]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)


@pytest.mark.long
def test_a_solved_notebook_is_right(installed, tmp_path):
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
