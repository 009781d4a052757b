"""The example on several processes: the same bits for any number, also if it is killed, frozen and resumed."""

import importlib
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

for package in ("sklearn", "tqdm"):
    pytest.importorskip(package, reason="the extra 'lab' is not installed")

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "digits_mpi.py"
ROW = re.compile(r"^(\d+) +(\d+) +(0\.\d{4}) +\d+\.\d\d +([0-9a-f]{16})$", re.MULTILINE)
LIMIT_SECONDS = 10


def started(*arguments, size=None):
    """Start the example in one process, or on some processes."""
    launcher = Path(sys.executable).with_name("mpiexec")
    mpi = [launcher if launcher.exists() else "mpiexec", "-n", size] if size else []
    command = [*mpi, sys.executable, *(["-m", "mpi4py"] if size else []), EXAMPLE, *arguments]
    settings = {"PYTHONPATH": str(ROOT), "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen([*map(str, command)], env={**os.environ, **settings}, **pipes)


def row(process):
    """Wait for the end; return steps, accuracy and digest."""
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    return ROW.search(out).groups()[1:]


def test_the_help_names_every_option():
    out, err = started("--help").communicate()
    options = ("--epochs N", "--seed SEED", "--shards N", "--replicas K", "--timeout", "--every N", "--out FOLDER")
    assert not err and all(option in out for option in options) and "mpiexec -n 4 python -m mpi4py" in out


@pytest.mark.parametrize("option", ["--epochs=0", "--seed=-1", "--every=0"])
def test_a_number_out_of_range_is_refused(option, monkeypatch, capsys):
    monkeypatch.syspath_prepend(ROOT / "examples")
    with pytest.raises(SystemExit, match="2"):
        importlib.import_module("digits_mpi").main([option])
    assert f"{option.partition('=')[0]} is" in capsys.readouterr().err


@pytest.mark.long
def test_replicas_learn_the_digits_and_resume_with_another_number(tmp_path):
    steps, accuracy, digest = row(started("--replicas=1", "--out", tmp_path / "whole"))
    assert steps == "110" and float(accuracy) > 0.95
    row(started("--replicas=3", "--epochs=2", "--out", tmp_path / "parts"))
    process = started("--replicas=8", "--out", tmp_path / "parts")
    out, err = process.communicate()
    assert "resumes after step 40" in err and ROW.search(out)[4] == digest


@pytest.mark.long
@pytest.mark.parametrize(("kind", "first", "second"), [(signal.SIGKILL, 4, 2), (signal.SIGSTOP, 2, 3)])
def test_a_killed_or_frozen_process_ends_all_and_the_next_start_ends_with_the_same_bits(kind, first, second, tmp_path):
    pytest.importorskip("mpi4py", reason="the extra 'mpi' is not installed")
    expected = row(started("--replicas=1", "--epochs=4", "--out", tmp_path / "whole"))
    process = started("--epochs=4", "--out", tmp_path / "killed", size=first)
    processes = re.search(r"processes ([\d ]+)", process.stderr.readline())[1].split()
    while not [*tmp_path.glob("killed/checkpoint_*.pt")]:
        time.sleep(0.02)
    os.kill(int(processes[-1]), kind)
    killed = time.monotonic()
    _, err = process.communicate(timeout=60)
    assert process.returncode != 0 and time.monotonic() - killed < LIMIT_SECONDS
    assert kind == signal.SIGKILL or f"for rank {first - 1}, which does not answer; all processes are ended" in err
    again = started("--epochs=4", "--out", tmp_path / "killed", size=second)
    out, err = again.communicate(timeout=120)
    assert "resumes after step" in err and ROW.search(out).groups()[1:] == expected
