"""Files of checkpoints: written atomically, found again, and killed in the middle."""

import errno
import json
import logging
import os
import stat
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from dark import atomic_write
from dark.engine import Engine, Events
from dark.errors import UsageError, ValueTypeError
from dark.handlers import Checkpoint, DiskSaver
from dark.storage import load_file
from tests.handlers.checkpoints.test_checkpoint import Thing, idle

ROOT = Path(__file__).parents[3]
KILLS = ["2", pytest.param(os.environ.get("DARK_KILLS", "10"), marks=pytest.mark.long)]


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_a_folder_is_made_and_must_be_empty_of_checkpoints(tmp_path):
    folder = tmp_path / "a" / "b"
    with pytest.raises(UsageError, match="Directory path '.*b' is not found"):
        DiskSaver(folder, create_dir=False)
    DiskSaver(folder)({"x": 1}, "x_1.pt")
    (folder / "notes.txt").write_text("mine")
    with pytest.raises(UsageError, match=r"Files \['x_1.pt'\] with extension '.pt' are already present"):
        DiskSaver(folder)
    DiskSaver(folder, require_empty=False)({"x": 2}, "x_2.pt")
    assert names(folder) == ["notes.txt", "x_1.pt", "x_2.pt"]


def test_a_tilde_is_the_home_directory(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    assert DiskSaver("~/runs").dirname == tmp_path / "runs"


@pytest.mark.parametrize("atomic", [False, True])
def test_a_saved_file_exists_and_can_be_removed(tmp_path, atomic):
    saver = DiskSaver(tmp_path, atomic)
    saver({"w": np.arange(3.0)}, "x.pt", {"priority": 1})
    assert load_file(tmp_path / "x.pt")["w"].tolist() == [0, 1, 2] and names(tmp_path) == ["x.pt"]
    saver.remove("x.pt")
    assert names(tmp_path) == []
    with pytest.raises(FileNotFoundError):
        saver.remove("x.pt")


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
def test_all_users_can_read_the_file(tmp_path):
    before = os.umask(0o077)
    try:
        DiskSaver(tmp_path)({"x": 1}, "x.pt")
    finally:
        os.umask(before)
    assert stat.filemode((tmp_path / "x.pt").stat().st_mode) == "-rw-r--r--"


@pytest.mark.parametrize("what", ["fsync", "chmod", "replace"])
def test_if_a_system_call_fails_the_old_file_stays_and_the_error_says_so(tmp_path, monkeypatch, what):
    saver = DiskSaver(tmp_path)
    saver({"x": 1}, "x.pt")

    def fails(*given):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(atomic_write.os, what, fails)
    with pytest.raises(OSError, match="No space left") as caught:
        saver({"x": 2}, "x.pt")
    monkeypatch.undo()
    assert load_file(tmp_path / "x.pt") == {"x": 1} and names(tmp_path) == ["x.pt"]
    assert "checkpoints written before are untouched" in "".join(caught.value.__notes__)


def test_a_state_that_cannot_be_saved_leaves_the_old_file(tmp_path):
    saver = DiskSaver(tmp_path)
    saver({"x": 1}, "x.pt")
    with pytest.raises(ValueError, match="which cannot be saved"):
        saver({"x": print}, "x.pt")
    assert load_file(tmp_path / "x.pt") == {"x": 1} and names(tmp_path) == ["x.pt"]


def save_json(states, path):
    Path(path).write_text(json.dumps(states))


def load_json(path):
    return json.loads(Path(path).read_text())


def test_files_can_have_another_format(tmp_path):
    handler, thing, again = Checkpoint({"thing": Thing(5)}, tmp_path, save=save_json, load=load_json), Thing(), Thing()
    handler(idle())
    assert handler.last_checkpoint.read_text() == '{"number": 5}'
    Checkpoint.load_objects({"thing": thing}, handler.last_checkpoint, load=load_json)
    handler.reload_objects({"thing": again}, global_step=0)
    assert thing.number == again.number == 5 and handler.save_handler.last_good() == handler.last_checkpoint
    with pytest.raises(UsageError, match="save and load cannot be given with the save handler DiskSaver"):
        Checkpoint({"thing": thing}, DiskSaver(tmp_path / "other"), save=save_json)


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
def test_another_format_is_written_atomically_and_readable_for_all(tmp_path):
    def save_half(states, path):
        Path(path).write_text("half")
        raise OSError(errno.ENOSPC, "No space left on device")

    before = os.umask(0o077)
    try:
        saver = DiskSaver(tmp_path, save=save_json, load=load_json)
        saver({"x": 1}, "x.pt")
    finally:
        os.umask(before)
    assert stat.filemode((tmp_path / "x.pt").stat().st_mode) == "-rw-r--r--"
    saver.save = save_half
    with pytest.raises(OSError, match="No space left") as caught:
        saver({"x": 2}, "x.pt")
    assert load_json(tmp_path / "x.pt") == {"x": 1} and names(tmp_path) == ["x.pt"]
    assert "checkpoints written before are untouched" in "".join(caught.value.__notes__)


def test_keyword_arguments_are_passed_to_the_save_function(tmp_path):
    with pytest.raises(TypeError, match="unexpected keyword argument 'compress'"):
        DiskSaver(tmp_path, compress=True)({"x": 1}, "x.pt")


def test_only_one_process_writes(tmp_path):
    saver = DiskSaver(tmp_path / "other", save_on_rank=1)
    saver({"x": 1}, "x.pt")
    saver.remove("x.pt")
    assert names(tmp_path) == []


def test_the_last_good_one_is_the_newest_that_can_be_read(tmp_path, caplog):
    saver = DiskSaver(tmp_path)
    assert saver.last_good() is None
    for number in (9, 10, 11):
        saver({"x": number}, f"x_{number}.pt")
        os.utime(tmp_path / f"x_{number}.pt", (1000, 1000))  # all at once: the numbers decide
    saver({"y": 1}, "y_99.pt")
    os.utime(tmp_path / "y_99.pt", (2000, 2000))
    assert saver.last_good().name == "y_99.pt" and saver.last_good("x_*").name == "x_11.pt"
    (tmp_path / "x_11.pt").write_bytes(b"half")
    with caplog.at_level(logging.WARNING):
        assert saver.last_good("x_*").name == "x_10.pt"
    assert "x_11.pt cannot be read and is skipped" in caplog.text


def test_an_unfinished_save_is_reported_with_the_last_good_checkpoint(tmp_path, caplog):
    DiskSaver(tmp_path)({"x": 1}, "x_1.pt")
    (tmp_path / ".0123456789abcdef.part").write_bytes(b"half")
    with caplog.at_level(logging.WARNING):
        DiskSaver(tmp_path, require_empty=False)
    assert ".0123456789abcdef.part is half a checkpoint" in caplog.text and "x_1.pt" in caplog.text


def cut_off(folder, what):
    """Save a second checkpoint in another process, which is killed at one of the steps."""
    code = f"""
import os, sys
from dark import atomic_write
from dark.handlers import Checkpoint, DiskSaver
from tests.handlers.checkpoints.test_checkpoint import Thing, idle
handler, engine = Checkpoint({{"a": Thing(1), "b": Thing(1)}}, sys.argv[1], include_self=True), idle()
engine.state.iteration = 1
handler(engine)
saver = handler.save_handler
def die(*given, **named):
    os.kill(os.getpid(), 9)
{what} = die
engine.state.iteration = 2
handler(engine)
"""
    return subprocess.run([sys.executable, "-c", code, str(folder)], cwd=ROOT, capture_output=True, text=True)


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize(
    ("what", "left"),
    [
        ("saver.save", {"checkpoint_1.pt"}),
        ("atomic_write.os.fsync", {"checkpoint_1.pt"}),
        ("atomic_write.os.replace", {"checkpoint_1.pt"}),
        ("atomic_write._flush_folder", {"checkpoint_1.pt", "checkpoint_2.pt"}),
        ("DiskSaver.remove", {"checkpoint_1.pt", "checkpoint_2.pt"}),
    ],
)
def test_a_process_that_is_killed_leaves_the_old_checkpoint_or_both(tmp_path, what, left):
    done = cut_off(tmp_path, what)
    assert done.returncode == -9, done.stderr
    assert {name for name in names(tmp_path) if not name.endswith(".part")} == left
    saver = DiskSaver(tmp_path, require_empty=False)
    assert saver.last_good().name == max(left)
    assert load_file(saver.last_good())["a"] == {"number": 1}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="each attempt is a forked process")
@pytest.mark.parametrize("kills", KILLS)
def test_a_training_killed_repeatedly_ends_equal_to_the_byte(tmp_path, kills):
    command = [sys.executable, "-m", "tests.handlers.killing", kills, "0", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "all equal" in done.stdout and int(done.stdout.split()[0]) >= int(kills)


def test_a_checkpoint_of_the_same_name_is_replaced_atomically(tmp_path):
    thing, engine = Thing(), idle()
    handler = Checkpoint({"thing": thing}, tmp_path, filename_pattern="{name}.{ext}")
    engine.add_event_handler(Events.ITERATION_COMPLETED, handler)
    engine.add_event_handler(Events.ITERATION_STARTED, lambda: setattr(thing, "number", thing.number + 1))
    engine.run([0] * 5)
    assert names(tmp_path) == ["thing.pt"] and load_file(tmp_path / "thing.pt") == {"number": 5}


def test_a_file_removed_during_the_search_for_the_last_good_one_is_skipped(tmp_path):
    saver = DiskSaver(tmp_path)
    saver({"x": 1}, "x_1.pt")
    (tmp_path / "x_2.pt").symlink_to(tmp_path / "nowhere.pt")  # listed, and not there
    assert saver.last_good().name == "x_1.pt"


def test_a_training_continues_if_an_old_checkpoint_is_gone_already(tmp_path, caplog):
    engine = idle()
    engine.add_event_handler(Events.ITERATION_COMPLETED, Checkpoint({"thing": Thing()}, tmp_path))
    engine.add_event_handler(Events.ITERATION_COMPLETED(once=1), lambda: (tmp_path / "thing_1.pt").unlink())
    engine.run([0] * 3)
    assert names(tmp_path) == ["thing_3.pt"] and "thing_1.pt should be removed" in caplog.text


def test_a_file_or_a_number_is_refused_as_a_folder(tmp_path):
    (tmp_path / "notes.txt").touch()
    with pytest.raises(UsageError, match="notes.txt' must be a folder, but is a file"):
        DiskSaver(tmp_path / "notes.txt")
    with pytest.raises(ValueTypeError, match="DiskSaver: dirname must be the path of a folder, got 5"):
        DiskSaver(5)


def test_of_several_processes_one_writes_and_all_name_the_same_files(tmp_path):
    kept = []
    for rank in (1, 0, 2):
        trainer = Engine(lambda engine, batch: None)
        checkpoint = Checkpoint({"trainer": trainer}, DiskSaver(tmp_path / "shared", rank=rank), n_saved=1)
        trainer.add_event_handler(Events.EPOCH_COMPLETED, checkpoint)
        trainer.run([0], max_epochs=3)
        kept.append(checkpoint.last_checkpoint)
        present = [path.name for path in (tmp_path / "shared").glob("*")]
        assert present == ([] if rank == 1 else ["trainer_3.pt"])
    assert set(kept) == {tmp_path / "shared" / "trainer_3.pt"}
    with pytest.raises(UsageError, match="DiskSaver: rank must be 0 or more, got -1"):
        DiskSaver(tmp_path, rank=-1)
