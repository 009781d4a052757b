"""Devices, FIFOs, sockets and folders are neither replaced nor read, only regular files; links are followed."""

import os
import socket
import stat

import numpy as np
import pytest

from dark.atomic_write import write_file
from dark.errors import DrawingError, StorageError, UsageError
from dark.storage import load_file, open_file, save_file

posix = pytest.mark.skipif(os.name != "posix", reason="only POSIX systems have FIFOs")


def fifo(path):
    os.mkfifo(path)


def unix_socket(path):
    made = socket.socket(socket.AF_UNIX)
    made.bind(str(path))
    made.close()


def link_to_the_null_device(path):
    path.symlink_to(os.devnull)


def link_to_a_fifo(path):
    os.mkfifo(path.with_name("the fifo"))
    path.symlink_to("the fifo")


@posix
@pytest.mark.parametrize(
    ("make", "is_one", "words"),
    [
        (fifo, stat.S_ISFIFO, "a FIFO"), (unix_socket, stat.S_ISSOCK, "a socket"),
        (link_to_the_null_device, stat.S_ISCHR, "a character device"), (link_to_a_fifo, stat.S_ISFIFO, "a FIFO"),
        (os.mkdir, stat.S_ISDIR, "a folder"),
    ],
)  # fmt: skip
def test_what_is_not_a_regular_file_stays_and_is_not_waited_for(tmp_path, make, is_one, words):
    path = tmp_path / "it"
    make(path)
    before = sorted(os.listdir(tmp_path))
    for save in (lambda: save_file({"a": 1}, path), lambda: write_file(path, "text")):
        with pytest.raises(
            StorageError, match=rf"save: {path} must be a regular file, but is {words}\.\n  Expected: .*\n  Try: "
        ):
            save()
    assert is_one(path.stat().st_mode) and sorted(os.listdir(tmp_path)) == before
    if words == "a folder":
        return
    for load in (load_file, open_file, lambda path: load_file(path, foreign=True)):
        with pytest.raises(
            StorageError, match=rf"load: {path} must be a regular file, but is {words}\.\n  Expected: a regular file"
        ):
            load(path)


def test_an_empty_name_is_the_folder_itself_and_writes_nothing(tmp_path, monkeypatch):
    (tmp_path / "inside").mkdir()
    monkeypatch.chdir(tmp_path / "inside")
    for name in ("", ".", ".."):
        with pytest.raises(StorageError, match=r"save: .* is a folder\.\n  Expected: a new name"):
            save_file({}, name)
    assert os.listdir() == [] and os.listdir("..") == ["inside"]


@posix
def test_a_link_to_a_regular_file_stays_a_link_and_its_target_is_replaced(tmp_path):
    target, link, other = tmp_path / "target", tmp_path / "link", tmp_path / "dangling"
    save_file({"a": 1}, target)
    link.symlink_to(target)
    save_file({"a": np.ones(2)}, link)
    assert link.is_symlink() and not target.is_symlink() and load_file(target)["a"].sum() == 2
    other.symlink_to("later")
    save_file({"a": 3}, other)
    assert other.is_symlink() and load_file(tmp_path / "later") == {"a": 3} == load_file(other)


@posix
def test_a_link_to_itself_is_the_systems_error_and_stays(tmp_path):
    path = tmp_path / "loop"
    path.symlink_to("loop")
    for call in (lambda: save_file({}, path), lambda: load_file(path)):
        with pytest.raises(OSError, match="symbolic links"):
            call()
    assert path.is_symlink() and os.listdir(tmp_path) == ["loop"]


@posix
def test_a_picture_replaces_no_fifo(tmp_path):
    draw = pytest.importorskip("dark.draw.saving")
    os.mkfifo(tmp_path / "a.txt")
    with pytest.raises(DrawingError, match="cannot be written: it is a FIFO"):
        draw.save(tmp_path / "a.txt", {".txt": lambda: "hello"})


@pytest.mark.parametrize("name", ["a\0b", b"a\0b", "\ud800"])
def test_a_name_that_no_file_can_have_is_refused(name):
    for who, call in (("save", lambda: save_file({}, name)), ("load", lambda: load_file(name)),
                      ("load", lambda: open_file(name)), ("save", lambda: write_file(name, ""))):  # fmt: skip
        text = rf"{who}: b?'.*' contains a character that no file name can contain\.\n  Expected: .*\n  Try: "
        with pytest.raises(UsageError, match=text):
            call()
