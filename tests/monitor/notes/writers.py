"""Processes that write notes, and are killed or stopped: ``python -m tests.monitor.notes.writers kills=9``.

They are forked by a process without threads, which checks what they have left and prints what it has checked.
"""

import os
import random
import signal
import struct
import sys
import tempfile
import time
import traceback
import warnings
from pathlib import Path

import numpy as np

from dark.monitor import Note

STEP = struct.Struct("<q")


def fork(work):
    """Run a function in a new process; return its id and the reading end of a pipe that it writes to."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        warnings.simplefilter("ignore")
        code = 1
        try:
            work(writing)
            code = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(code)
    os.close(writing)
    return child, reading


def array(step):
    """Return the array that is taken at a step."""
    return np.full((3, 50), step, "f4")


def take(note, step):
    """Take a step down."""
    note.take_down_scalars_and_tensors(step, {"loss": step / 2}, {"w": array(step), "b": array(step)[0]})


def check(run, least):
    """Check that a run has its first steps completely; return their number."""
    found = [run.scalar_dict.get("loss", []), run.tensor_dict.get("w", []), run.tensor_dict.get("b", [])]
    for series, factor in zip(found, (0.5, 1, 1)):
        assert len(series) >= least, (series, least)
        for k, value in enumerate(series):
            assert series.steps[k] == k + 1 and np.all(value == factor * (k + 1))
    return min(map(len, found))


def kills(count):
    """Kill processes at random moments; what they had taken is there, and writing continues."""
    rng = random.Random(0)
    for _ in range(count):
        with tempfile.TemporaryDirectory() as folder:

            def work(pipe, folder=folder):
                note, step = Note(folder), 0
                while True:
                    step += 1
                    take(note, step)
                    os.write(pipe, STEP.pack(step))

            child, pipe = fork(work)
            time.sleep(rng.choice([0, 0.004, 0.01, 0.03]) * rng.random())
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            acknowledged = os.read(pipe, 2**20)
            os.close(pipe)
            if not list(Path(folder).iterdir()):
                continue
            run = Note.load(folder)
            found = check(run, len(acknowledged) // STEP.size)
            assert run.status == "interrupted"
            with Note(folder) as note:
                take(note, found + 1)
            assert run.status == "ended" and check(Note.load(folder), found) == found + 1
    return f"{count} kills"


def together(count, steps=30):
    """Let processes begin a run in the same folder at once; each has a run of its own, and all are complete."""
    with tempfile.TemporaryDirectory() as folder:
        start, begin = os.pipe()

        def work(pipe):
            os.close(begin)
            os.read(start, 1)
            with Note(f"{folder}/run") as note:
                for step in range(1, steps + 1):
                    take(note, step)
                time.sleep(0.3)  # until all others have begun

        children = [fork(work) for _ in range(count)]
        os.close(begin)
        assert [os.waitpid(child, 0)[1] for child, _ in children] == [0] * count
        runs = Note.load_all(folder)
        assert sorted(run.folder.name for run in runs) == ["run", *[f"run-{k}" for k in range(2, count + 1)]]
        assert all(check(run, steps) == steps and run.damage == () for run in runs)
    return f"{count} runs"


def full(size):
    """Take notes until the files are as large as they may be: one warning, then nothing, and the loop ends."""
    import resource

    with tempfile.TemporaryDirectory() as folder:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            with Note(f"{folder}/run") as note:
                for step in range(1, 2000):
                    take(note, step)
        assert len(caught) == 1 and "has stopped here" in str(caught[0].message), [str(w.message) for w in caught]
        run = Note.load(f"{folder}/run") if any(note.folder.iterdir()) else note
        assert max(path.stat().st_size for path in note.folder.iterdir()) <= size
        return f"{check(run, 0)} steps, then {caught[0].message}"


def followed(seconds):
    """Read a run again and again while another process writes it; what is read is complete at every moment."""
    with tempfile.TemporaryDirectory() as folder:

        def work(pipe):
            end, step = time.monotonic() + seconds, 0
            with Note(folder) as note:
                while time.monotonic() < end:
                    step += 1
                    take(note, step)

        child, _ = fork(work)
        while not list(Path(folder).glob("run-*")):
            time.sleep(0.001)
        run, ended = Note.load(folder), False
        while not ended:
            ended = os.waitpid(child, os.WNOHANG)[0] != 0
            run.refresh()
            for series in (*run.scalar_dict.values(), *run.tensor_dict.values()):  # either may be empty at first
                factor = 0.5 if series.name == "loss" else 1
                assert series.steps.tolist() == [*range(1, len(series) + 1)]
                assert np.all(series[-1] == factor * len(series))
            damage = run.damage
            assert damage == (), damage
    return f"{seconds} seconds"


def copies(count):
    """Take notes in a process that was copied: each copy has a run of its own."""
    with tempfile.TemporaryDirectory() as folder:
        with Note(f"{folder}/run") as note:
            take(note, 1)
            children = [fork(lambda pipe: take(note, 1))[0] for _ in range(count)]
            assert [os.waitpid(child, 0)[1] for child in children] == [0] * count
            take(note, 2)
        runs = Note.load_all(folder)
        assert [check(run, 1) for run in runs][:2] == [2, 1] and len(runs) >= 2
        assert [run.status for run in runs] == ["ended"] + ["interrupted"] * (len(runs) - 1)
    return f"{count} copies"


if __name__ == "__main__":
    programs = {"kills": kills, "together": together, "followed": followed, "full": full, "copies": copies}
    for what, number in (word.split("=") for word in sys.argv[1:]):
        print(programs[what](int(number)))
