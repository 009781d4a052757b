"""Processes that write to runs: they are killed, begin at once, are copied, or find the disk full."""

import errno
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

from dark.monitor import Note

ROOT = Path(__file__).parents[3]
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="processes are forked")


def checked_by(*words):
    """Return what the program of other processes prints after its checks."""
    command = [sys.executable, "-m", "tests.monitor.notes.writers", *words]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.long
def test_kills_common_folders_copies_and_full_disks_lose_no_run():
    said = checked_by("kills=5", "together=2", "copies=1", "full=20000").splitlines()
    assert said[:3] == ["5 kills", "2 runs", "1 copies"]
    assert " steps, then" in said[3] and "cannot be written (File too large). The note has stopped here" in said[3]


@pytest.mark.long
def test_a_hundred_kills_and_many_processes_lose_no_run():
    said = checked_by("kills=100", "together=8", "copies=5", "followed=5").splitlines()
    assert said == ["100 kills", "8 runs", "5 copies", "5 seconds"]


@pytest.mark.long
@pytest.mark.parametrize("size", [10, 700, 3000, 100_000])
def test_files_that_may_not_grow_stop_the_note_with_one_warning(size):
    assert "The note has stopped here" in checked_by(f"full={size}")


class Full:
    """A file on a disk that has room for some more bytes."""

    def __init__(self, file, room):
        self.file, self.room = file, room

    def write(self, data):
        if not self.room:
            raise OSError(errno.ENOSPC, "No space left on device")
        written = self.file.write(data[: self.room])
        self.room -= written
        return written

    def tell(self):
        return self.file.tell()

    def close(self):
        self.file.close()


@pytest.mark.parametrize("kind", ["run", "scalars", "tensors", "segments"])
@pytest.mark.parametrize("room", [0, 1, 100])
def test_a_full_disk_stops_the_note_and_never_the_training(tmp_path, kind, room):
    note = Note(tmp_path)
    for step in (1, 2):
        note.take_down_scalars_and_tensors(step, {"x": step}, {"w": np.full(9, step)})
    note._writer._files[kind] = Full(note._writer._files[kind], room)
    with pytest.warns(UserWarning, match="No space left on device.*the training continues") as caught:
        for step in range(3, 10):
            note.take_down_scalars_and_tensors(step, {"x": step}, {"w": np.full(9, step)})
            note.write_line(f"step {step}" + 100 * ".")
        note.put_down_configs({"lr": 0.1})
        note.close()
    assert len(caught) == 1
    for run in (note, Note.load(tmp_path)):
        assert run.scalar_dict["x"].values.tolist()[:2] == [1, 2]
        assert [int(x[0]) for x in run.tensor_dict["w"]][:2] == [1, 2]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with Note(tmp_path) as again:
            again.take_down_scalars_and_tensors(99, {"x": 99.0})
    assert Note.load(tmp_path).scalar_dict["x"].at(99) == 99


def test_a_folder_that_disappears_stops_the_note(tmp_path):
    note = Note(tmp_path / "run")
    (tmp_path / "run").rename(tmp_path / "moved")
    with pytest.warns(UserWarning, match="No such file or directory"):
        note.take_down_scalars_and_tensors(1, {"x": 1.0})
    note.take_down_scalars_and_tensors(2, {"x": 1.0})
