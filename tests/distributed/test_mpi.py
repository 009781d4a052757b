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


APART = {
    "gather": "rank 0 at call 3, all_gather (distributed/mpi_program.py:",
    "barrier": "rank 1 at call 3, barrier (distributed/mpi_program.py:",
    "broadcast": "rank 1 at call 3, broadcast (distributed/mpi_program.py:",
    "reduce": "rank 1 at call 3, reduce of 10 float64 (distributed/mpi_program.py:",
    "length": "rank 1 at call 3, reduce of 11 float64",
    "longer": "rank 1 at call 3, reduce of 100010 float64",
    "dtype": "rank 1 at call 3, reduce of 10 float32",
    "loop": "rank 0 at call 6, reduce of 10 float64",
}


@pytest.mark.parametrize(
    "kind", [k if k in ("gather", "longer") else pytest.param(k, marks=pytest.mark.long) for k in APART]
)
def test_processes_that_run_apart_say_at_which_call_each_is(kind):
    done = mpiexec(2, "apart", kind)
    assert done.returncode != 0 and "MPI: the processes are at different calls: rank 0 at call" in done.stderr
    assert APART[kind] in done.stderr and "mixed" not in done.stdout
    assert "Expected: the same calls on all processes, in the same order and at the same places" in done.stderr
    assert "Try: a call outside of `if strategy.rank" in done.stderr


@pytest.mark.long
def test_a_process_that_has_ended_is_named_with_the_call_at_which_it_was_seen_last():
    done = mpiexec(3, "apart", "end", DARK_TIMEOUT="2")
    assert done.returncode != 0 and "rank 2, which does not answer" in done.stderr
    assert "rank 2 at call 2, reduce of 10 float64" in done.stderr


@pytest.mark.parametrize(
    ("fault", "kind", "size", "message"),
    [
        ("weight", "adversarial", 2, "have different weights: discriminator.0.weight; rank 1 differs from rank 0"),
        pytest.param("buffer", "classifier", 3, "running_mean; rank 2 differs from rank 0", marks=pytest.mark.long),
        pytest.param("terminate", "classifier", 2, "the processes are at different calls", marks=pytest.mark.long),
        pytest.param("evaluate", "encoder", 2, "the processes are at different calls", marks=pytest.mark.long),
    ],
)
def test_a_training_in_which_one_process_goes_its_own_way_ends_with_the_reason(fault, kind, size, message, tmp_path):
    done = mpiexec(size, "training", kind, tmp_path, fault)
    assert done.returncode != 0 and message in done.stderr and "trained" not in done.stdout
    assert "Expected: the same" in done.stderr


@pytest.mark.long
def test_more_processes_than_shards_are_refused():
    done = mpiexec(3, "reduce", DARK_SHARDS="2")
    assert (
        done.returncode != 0
        and "MPI: 3 replicas need at least as many shards, got 2.\n  Expected: at least one shard" in done.stderr
    )


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
