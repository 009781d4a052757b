"""The Makefile: its list of targets, the tools it installs with, and its message for an old Python."""

import os
import re
import shutil
import subprocess
import sys
from itertools import chain
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="no make on the path")

NOTES_ITS_WORDS = '#!/bin/sh\necho "{name} $*" >> "{log}"\nmkdir -p .venv\n'
IS_TOO_OLD = '#!/bin/sh\ntest "$1" = --version && echo "Python 3.10.1"\nexit 1\n'
CI_TESTS = re.search(r"^turn=.*", (ROOT / ".ci" / "run").read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)[0]
IS_BROKEN = "#!/bin/sh\nexit 127\n"


@pytest.fixture
def clone(tmp_path):
    """Create a folder with the files that `make` reads, and a folder of programs that is first on the PATH."""
    for name in ("Makefile", "pyproject.toml", "uv.lock"):
        shutil.copy(ROOT / name, tmp_path)
    (tmp_path / "programs").mkdir()
    program(tmp_path, "uv", IS_BROKEN)
    program(tmp_path, ".venv/bin/python", NOTES_ITS_WORDS)
    return tmp_path


def program(clone, name, text):
    path = clone / name if "/" in name else clone / "programs" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text.format(name=path.name, log=clone / "log"))
    path.chmod(0o755)


def make(clone, *words):
    path = os.pathsep.join([str(clone / "programs"), os.environ["PATH"]])
    given = ("PYTHON", "VENV", "SHARE", "MFLAGS")  # of the make that runs these tests
    environment = {key: value for key, value in os.environ.items() if not key.startswith("MAKE") and key not in given}
    return subprocess.run(
        ["make", *words], cwd=clone, env={**environment, "PATH": path}, capture_output=True, text=True
    )


def environment_of(clone):
    return {"PATH": f"{clone / 'programs'}:/usr/bin:/bin", "HOME": str(clone)}


def log_of(clone):
    return (clone / "log").read_text().splitlines()


def test_help_is_the_default_and_lists_every_target():
    printed = make(ROOT).stdout
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = re.search(r"^\.PHONY: (.*)$", text, re.MULTILINE).group(1).split()
    assert all(f"make {target} " in printed for target in targets)


def test_uv_is_used_when_it_is_there(clone):
    program(clone, "uv", NOTES_ITS_WORDS)
    program(clone, "python3", NOTES_ITS_WORDS)
    assert make(clone, "lab", "LAB=--no-browser").returncode == 0
    words = log_of(clone)
    assert "uv sync --locked --no-dev --inexact --quiet --python python3 --extra lab" in words
    assert words[-1] == "python -m dark lab --no-browser"
    assert not [line for line in words if "pip" in line]


def test_without_uv_venv_and_pip_do_the_same(clone):
    program(clone, "python3", NOTES_ITS_WORDS)
    assert make(clone, "lab").returncode == 0
    words = log_of(clone)
    assert "python3 -m venv .venv" in words
    assert "python -m pip install --quiet --disable-pip-version-check -e .[lab]" in words


def test_setting_up_is_done_once(clone):
    program(clone, "python3", NOTES_ITS_WORDS)
    make(clone, "lab")
    (clone / "log").unlink()
    make(clone, "lab")
    assert log_of(clone) == ["python -m dark lab"]


def test_a_setup_for_tests_serves_the_lab_too(clone):
    program(clone, "python3", NOTES_ITS_WORDS)
    make(clone, ".venv/.done-test")
    assert "python -m pip install --quiet --disable-pip-version-check -e .[test,book]" in log_of(clone)
    assert make(clone, "-q", ".venv/.done-lab").returncode == 0


def test_a_python_that_is_too_old_is_a_clear_message(clone):
    program(clone, "python3", IS_TOO_OLD)
    done = make(clone, "lab", f"PYTHON={clone / 'programs' / 'python3'}")
    assert done.returncode == 2
    assert "dark needs Python 3.11 or newer, and none was found" in done.stderr
    assert "Python 3.10.1" in done.stderr
    assert not (clone / ".venv" / ".done-lab").exists()


def test_the_long_tests_follow_the_short_ones_and_each_runs_once(clone):
    program(clone, "python3", NOTES_ITS_WORDS)
    program(clone, ".venv/bin/ruff", NOTES_ITS_WORDS)
    make(clone, ".venv/.done-test")
    (clone / "log").unlink()
    assert make(clone, "test", "test-all", "test-exams").returncode == 0
    short, ruff, rest, plain, exams = log_of(clone)
    assert "-m not long" in short and "--hypothesis-profile=quick" in short
    assert ruff == "ruff check ."
    assert "-m long or hypothesis" in rest and "--hypothesis-profile=full" in rest
    folders = [word for word in plain.split() if word.startswith("tests/")]
    assert "tests/nodes" in folders and all((ROOT / folder).is_dir() for folder in folders)
    assert "-m long or hypothesis" in exams  # those that the call before leaves out
    assert all(" -p no:nbval " in line for line in (short, rest, plain, exams))  # it takes two seconds to load
    assert rest.endswith(" --ignore=tests/exams --ignore=tests/test_wasi.py tests") and exams.endswith(" tests/exams")


def test_the_ci_run_calls_all_of_them(clone):
    program(clone, "make", NOTES_ITS_WORDS)
    shares = set()
    for commits in range(1, 25):
        program(clone, "git", f"#!/bin/sh\necho {commits}\n")
        command = ["bash", "-c", f"set -euo pipefail\n{CI_TESTS}"]
        done = subprocess.run(command, cwd=clone, env=environment_of(clone), capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        quick, rest, exams, *_, wasi = log_of(clone)
        (clone / "log").unlink()
        assert quick == "make test" and rest.startswith("make test-long SHARE=") and rest.endswith("/3")
        assert exams.startswith("make test-exams SHARE=") and exams.endswith("/8")
        assert wasi.startswith("make test-wasi SHARE=") and wasi.endswith("/10")
        shares |= {rest, exams, wasi}
    assert len(shares) == 3 + 8 + 10  # commits that follow each other run all of them


@pytest.mark.parametrize("option", [[], ["-n", "2"]], ids=["one process", "two"])
def test_the_shares_are_together_all_tests_and_each_once(option):
    command = [sys.executable, "-m", "pytest", "-vv", "-p", "no:nbval", "-m", "not long", "tests/test_hooks.py"]
    passed = []
    for share in ["1/1", "1/3", "2/3", "3/3"]:
        said = subprocess.run([*command, *option, f"--share={share}"], cwd=ROOT, capture_output=True, text=True).stdout
        passed.append(sorted(re.findall(r"tests/test_hooks.py::\S+", said)))
    every, *shares = passed
    assert len(every) > 3 and sorted(chain(*shares)) == every and all(shares)


@pytest.mark.parametrize("share", ["0/3", "4/3", "half", "1/0"])
def test_a_share_that_is_none_is_refused(share):
    command = [sys.executable, "-m", "pytest", f"--share={share}", "tests/test_hooks.py"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 4 and f"A share is K/N, with K from 1 to N, but --share is '{share}'." in done.stderr


@pytest.mark.parametrize(
    ("here", "runs"),
    [("11 12 14", ["11", "14"]), ("11 12", ["11"]), ("12 13", ["13"]), ("12", []), ("", [])],
)
def test_the_ci_run_uses_the_oldest_and_the_newest_python_too(clone, here, runs):
    program(clone, "make", NOTES_ITS_WORDS)
    program(clone, "git", "#!/bin/sh\necho 8\n")
    program(clone, ".venv/bin/python", "#!/bin/sh\necho 12\n")
    for minor in range(11, 20):
        program(clone, f"python3.{minor}", f"#!/bin/sh\nexit {int(str(minor) not in here.split())}\n")
    command = ["bash", "-c", f"set -euo pipefail\n{CI_TESTS}"]
    done = subprocess.run(command, cwd=clone, env=environment_of(clone), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    others = [f"VENV=build/python3.{minor} PYTHON=python3.{minor}" for minor in runs]
    expected = [(f"make test {other} SHARE=1/4", f"make test-browser {other} SHARE=1/8") for other in others]
    assert log_of(clone)[3:] == [*chain(*expected), "make test-wasi SHARE=9/10"]
    assert ("ran with Python 3.12 only" in done.stdout) == (not runs)


def test_the_git_hooks_are_the_linters_of_the_makefile():
    hooks = (ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8")
    programs = re.findall(r"entry: (\S+(?: check| format --check)?)", hooks)
    lint = make(ROOT, "--always-make", "--dry-run", "lint").stdout
    assert programs == [".venv/bin/ruff check", ".venv/bin/ruff format --check", ".venv/bin/mypy"]
    assert all(program in lint for program in programs) and "://" not in hooks


def test_the_quick_run_does_not_generate_what_it_leaves_out():
    files = ["tests/monitor/notes/test_damage.py", "tests/optim", "tests/distributed/test_mpi.py"]
    command = [sys.executable, "-m", "pytest", "-q", "--collect-only", "-m", "not long", *files]
    said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True).stdout
    assert "tests collected" in said and "deselected" not in said and "test_trajectories" not in said
