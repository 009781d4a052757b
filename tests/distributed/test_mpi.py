"""Several processes: the same bits as one, and an end within ten seconds when one of them fails."""

import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

import dark
from dark.distributed import MPI, Replicas
from dark.errors import MissingExtraError, UsageError
from tests.distributed.networks import same_bits, trained
from tests.trainers.shared import MAKERS, results, run

PROGRAM = Path(__file__).with_name("mpi_program.py")
LIMIT_SECONDS = 10


@pytest.fixture(scope="module", autouse=True)
def installed():
    """Skip where the extra is not installed."""
    pytest.importorskip("mpi4py", reason="the extra 'mpi' is not installed")
    if not (Path(sys.executable).with_name("mpiexec").exists() or shutil.which("mpiexec")):
        pytest.skip("mpiexec is not installed")


def mpiexec(size, *arguments, **settings):
    """Run the program on some processes; return what it printed, and its exit code."""
    launcher = Path(sys.executable).with_name("mpiexec")
    command = [launcher if launcher.exists() else "mpiexec", "-n", size, sys.executable, "-m", "mpi4py", PROGRAM]
    return subprocess.run(
        [*map(str, command), *map(str, arguments)], capture_output=True, text=True, timeout=120,
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"} | settings,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("size", "steps"), [(2, 20), *(pytest.param(n, 200, marks=pytest.mark.long) for n in (1, 2, 4))]
)
def test_steps_end_with_the_bits_of_one_process(size, steps, tmp_path):
    expected, _ = trained(Replicas(1), steps)
    done = mpiexec(size, "train", tmp_path / "weights", steps, 20)
    assert done.returncode == 0, done.stderr
    assert same_bits(dark.load(tmp_path / "weights"), expected)


def trainers(folder, size, max_epochs, batch_size=28):
    """Train by all trainers on some processes, and return what they end with."""
    done = mpiexec(size, "trainers", folder / "found", max_epochs, batch_size)
    assert done.returncode == 0, done.stderr
    return (folder / "found").read_text()


def expected(max_epochs, batch_size=28):
    """Return what replicas in this process end with."""
    draws = batch_size == 28
    return repr({kind: results(run(kind, Replicas(1), max_epochs, draws, batch_size)) for kind in MAKERS})


@pytest.mark.parametrize(
    ("first", "second"),
    [(2, 2), pytest.param(4, 3, marks=pytest.mark.long), pytest.param(2, 4, marks=pytest.mark.long)],
)
def test_trainers_end_with_the_bits_of_one_process_also_resumed_on_others(first, second, tmp_path):
    trainers(tmp_path, first, max_epochs=1)
    assert trainers(tmp_path, second, max_epochs=2) == expected(max_epochs=2)


@pytest.mark.long
def test_trainers_accept_batches_with_fewer_rows_than_processes(tmp_path):
    assert trainers(tmp_path, 4, 1, batch_size=3) == expected(1, batch_size=3)


@pytest.mark.long
def test_a_process_without_rows_takes_part(tmp_path):
    done = mpiexec(3, "train", tmp_path / "weights", 10, 2, "plain", DARK_SHARDS="3")
    assert done.returncode == 0, done.stderr
    expected, _ = trained(Replicas(1, shards=3), 10, rows=2, plain=True)
    assert same_bits(dark.load(tmp_path / "weights"), expected)


@pytest.mark.parametrize(("size", "shards"), [(3, 8), pytest.param(4, 5, marks=pytest.mark.long)])
def test_arrays_of_any_length_are_added_and_values_exchanged(size, shards):
    done = mpiexec(size, "reduce", DARK_SHARDS=str(shards))
    assert done.returncode == 0, done.stderr
    assert f"added MPI(rank 0 of {size}, {shards} shards)" in done.stdout


MESSAGES = {
    "raise": "KeyError: 'a wrong step'",
    "kill": "Killed (signal 9)",
    "freeze": "rank 0 of 3 has waited 2 s for rank 2, which does not answer; all processes are ended.",
    "sleep": "Expected: an answer of each process within the timeout of 2 s.\n  Try: start again: the training resumes",
}


@pytest.mark.parametrize(
    "kind", ["raise", *(pytest.param(k, marks=pytest.mark.long) for k in MESSAGES if k != "raise")]
)
def test_a_process_that_fails_ends_all_within_ten_seconds(kind):
    done = mpiexec(3, "fault", kind, DARK_TIMEOUT="2")
    elapsed_seconds = time.time() - float(re.search(rf"{kind} at ([\d.]+)", done.stdout)[1])
    assert done.returncode != 0 and elapsed_seconds < LIMIT_SECONDS
    assert MESSAGES[kind] in done.stdout + done.stderr


@pytest.mark.long
def test_more_processes_than_shards_are_refused():
    done = mpiexec(3, "reduce", DARK_SHARDS="2")
    assert done.returncode != 0 and "MPI: 2 shards for 3 replicas.\n  Expected: at least one shard" in done.stderr


def test_a_start_without_mpi4py_is_refused_with_the_reason():
    message = (
        r"MPI: the program was not started by python -m mpi4py, so an exception in one process would end that process "
        r"only(.|\n)*Expected: a start by python -m mpi4py(.|\n)*Try: mpiexec -n 4 python -m mpi4py program.py"
    )
    with pytest.raises(UsageError, match=message):
        MPI()
    assert "mpi4py.MPI" not in sys.modules  # MPI has not been initialized


def test_without_mpi4py_the_error_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "mpi4py", None)
    with pytest.raises(MissingExtraError, match=r"mpi4py is not installed(.|\n)*dark-course\[mpi\]"):
        MPI()
