"""Crashes while a file is written: afterwards it has its old or its new content, never a part of either."""

import errno
import os
import stat
import subprocess
import sys
import textwrap

import numpy as np
import pytest

from dark import atomic_write
from dark.errors import StorageError
from dark.storage import files, load_file, save_file
from tests.storage.test_saving import same

OLD = {"w": np.arange(3.0), "step": 3}


@pytest.fixture
def path(tmp_path):
    save_file(OLD, tmp_path / "state")
    return tmp_path / "state"


def fails(*_, **__):
    raise OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.parametrize("what", ["fsync", "replace", "chmod"])
def test_a_system_error_leaves_only_the_old_file(path, monkeypatch, what):
    monkeypatch.setattr(atomic_write.os, what, fails)
    with pytest.raises(OSError, match="No space left") as caught:
        save_file({"new": np.ones(1000)}, path)
    monkeypatch.undo()
    assert same(OLD, load_file(path)) and os.listdir(path.parent) == ["state"]
    assert "the previous file, if any, is unchanged" in caught.value.__notes__[0]


@pytest.mark.parametrize("calls", range(5))
def test_a_failed_write_leaves_only_the_old_file(path, monkeypatch, calls):
    real = open

    class Full:
        def __init__(self, *arguments):
            self.file, self.left = real(*arguments), calls

        def write(self, piece):
            self.left -= 1
            return fails() if self.left < 0 else self.file.write(piece)

        def __getattr__(self, name):
            return getattr(self.file, name)

        def __enter__(self):
            return self

        def __exit__(self, *error):
            self.file.close()

    monkeypatch.setattr(files, "open", Full, raising=False)
    with pytest.raises(OSError, match="No space left"):
        save_file({name: np.ones(10) for name in "abc"}, path)
    monkeypatch.undo()
    assert same(OLD, load_file(path)) and os.listdir(path.parent) == ["state"]


def test_a_keyboard_interrupt_leaves_the_old_file(path, monkeypatch):
    def stop(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(atomic_write.os, "fsync", stop)
    with pytest.raises(KeyboardInterrupt):
        save_file({"new": 1}, path)
    monkeypatch.undo()
    assert same(OLD, load_file(path)) and os.listdir(path.parent) == ["state"]


def run(code, path):
    """Run lines in another process, which saves `new` at `path`."""
    head = "import os, sys\nimport numpy as np\nfrom dark import atomic_write\n"
    head += "from dark.storage import load_file, save_file\n"
    head += "path, new = sys.argv[1], {'w': np.ones(100_000)}\n"
    return subprocess.run(
        [sys.executable, "-c", head + textwrap.dedent(code), str(path)], capture_output=True, text=True
    )


@pytest.mark.parametrize("what", ["fsync", "replace"])
def test_a_process_that_dies_while_it_saves_leaves_the_old_file(path, what):
    done = run(f"atomic_write.os.{what} = lambda *_: os._exit(9)\nsave_file(new, path)", path)
    assert done.returncode == 9, done.stderr
    assert same(OLD, load_file(path))
    assert [name.endswith(".part") for name in sorted(os.listdir(path.parent))] == [True, False]


def test_a_process_that_dies_after_the_new_name_was_given_leaves_the_new_file(path):
    done = run("atomic_write._flush_folder = lambda *_: os._exit(9)\nsave_file(new, path)", path)
    assert done.returncode == 9, done.stderr
    assert load_file(path)["w"].sum() == 100_000 and os.listdir(path.parent) == ["state"]


def test_a_system_limit_leaves_the_old_file(path):
    pytest.importorskip("resource", reason="this system has no limits for files")
    done = run(
        """
        import resource, signal
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
        try:
            save_file(new, path)
        except OSError as error:
            print(error, *error.__notes__)
        """,
        path,
    )
    assert "File too large" in done.stdout and "is unchanged" in done.stdout, done.stderr
    assert same(OLD, load_file(path)) and os.listdir(path.parent) == ["state"]


def test_a_file_system_that_cannot_flush_folders_is_accepted(path, monkeypatch):
    real = os.fsync

    def only_files(handle):
        if stat.S_ISDIR(os.fstat(handle).st_mode):
            raise OSError(code, "folder")
        real(handle)

    monkeypatch.setattr(atomic_write.os, "fsync", only_files)
    code = errno.EINVAL
    save_file({"new": 1}, path)
    code = errno.EIO
    with pytest.raises(OSError, match="folder"):
        save_file({"new": 2}, path)
    assert load_file(path) == {"new": 2}


def test_a_missing_folder_is_refused(tmp_path):
    with pytest.raises(StorageError, match=rf"save: the folder {tmp_path}/sub does not exist"):
        save_file({}, tmp_path / "sub" / "state")
    with pytest.raises(StorageError, match=rf"save: {tmp_path} must be a regular file, but is a folder"):
        save_file({}, tmp_path)
