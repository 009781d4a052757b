"""What can happen to a file, and while one is written: a damaged file is refused, and the old one survives."""

import errno
import hashlib
import json
import os
import stat
import subprocess
import sys
import textwrap

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dark.errors import StorageError
from dark.storage import load_file, replacing, save_file, tensors
from tests.storage.test_saving import same

SMALL = {
    "w": np.arange(3, dtype=np.float32),
    "flag": np.array([True]),
    "step": 3,
    "betas": (0.9, 0.999),
    "name": "0" * 64,
}


@pytest.fixture
def path(tmp_path):
    save_file(SMALL, tmp_path / "state")
    return tmp_path / "state"


def refused(path, raw):
    path.write_bytes(raw)
    with pytest.raises(StorageError, match=r"is damaged: |is no file that dark\.save has written"):
        load_file(path)


def test_a_file_cut_off_anywhere_is_refused(path):
    raw = path.read_bytes()
    for n in range(len(raw)):
        refused(path, raw[:n])


def test_a_file_with_one_bit_changed_anywhere_is_refused(path):
    raw = path.read_bytes()
    for k in range(len(raw)):
        for bit in range(8):
            refused(path, raw[:k] + bytes([raw[k] ^ 1 << bit]) + raw[k + 1 :])


@given(data=st.data())
@settings(max_examples=200)
def test_a_file_with_bytes_changed_added_or_moved_is_refused(tmp_path_factory, data):
    path = tmp_path_factory.mktemp("damage") / "state"
    save_file(SMALL, path)
    raw = path.read_bytes()
    begin, end = sorted(data.draw(st.tuples(*[st.integers(0, len(raw))] * 2)))
    changed = raw[:begin] + data.draw(st.binary(max_size=end - begin + 3)) + raw[end:]
    if changed != raw:
        refused(path, changed)


@pytest.mark.parametrize(
    "raw", [b"", b"text", b"\x80\x04\x95a pickle", b"PK\x03\x04" + b"0" * 100, b"\0" * 200, b"\xff" * 200]
)
def test_files_of_other_kinds_are_refused(path, raw):
    refused(path, raw)
    with pytest.raises(StorageError):
        load_file(path, foreign=True)


def test_a_file_that_is_not_there_or_a_folder_is_pythons_own_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        load_file(tmp_path / "nothing")
    with pytest.raises(IsADirectoryError):
        load_file(tmp_path)


def test_a_file_that_shrinks_while_it_is_read_is_refused(path, monkeypatch):
    size = os.fstat

    def larger(handle):
        return os.stat_result([*size(handle)[:6], size(handle).st_size + 8, *size(handle)[7:]])

    monkeypatch.setattr(tensors.os, "fstat", larger)
    with pytest.raises(StorageError, match="is damaged: it became shorter while it was read"):
        load_file(path)


def forge(path, entries, data=b"", notes=None, sign=True):
    """Write a file by hand, with a right checksum if it is to be signed."""
    notes = {"sha256": "0" * 64, "format": "dark 1", "content": "{}", **(notes or {})}
    text = json.dumps({"__metadata__": notes, **entries}, separators=(",", ":")).encode()
    raw = len(text).to_bytes(8, "little") + text + data
    digest = hashlib.sha256(raw).hexdigest().encode()
    path.write_bytes(raw.replace(b"0" * 64, digest, 1) if sign else raw)


ENTRY = {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}


@pytest.mark.parametrize(
    "wrong",
    [
        {"dtype": "BF16"}, {"dtype": 3}, {"shape": [3]}, {"shape": [-2]}, {"shape": [2.0]}, {"shape": 2},
        {"shape": [-1, -2]},
        {"data_offsets": [0, 12]}, {"data_offsets": [8, 0]}, {"data_offsets": [-8, 0]}, {"data_offsets": [0]},
        {"data_offsets": [0, 10**30]}, {"shape": [0, 10**30], "data_offsets": [0, 0]}, {"more": 1},
    ],
    ids=str,
)  # fmt: skip
@pytest.mark.parametrize("foreign", [False, True])
def test_a_header_that_makes_no_sense_is_refused_though_its_checksum_is_right(path, wrong, foreign):
    forge(path, {"w": ENTRY}, b"\0" * 8)
    assert load_file(path, foreign=foreign) == {} or foreign
    forge(path, {"w": {**ENTRY, **wrong}}, b"\0" * 8)
    with pytest.raises(StorageError, match="is damaged: its header makes no sense"):
        load_file(path, foreign=foreign)


@pytest.mark.parametrize(
    "content",
    ["", "{", '{"a": {"$array": "w"}}', '{"a": {"$array": []}}', '{"a": {"$run": 1}}', '{"a": {"$float": "x"}}',
     '{"a": {"$dict": [[[], 1]]}}', '{"a": {"$tuple": 3}}', '{"a":' * 100_000 + "1" + "}" * 100_000],
    ids=lambda text: text[:30],
)  # fmt: skip
def test_content_that_makes_no_sense_is_refused_though_its_checksum_is_right(path, content):
    forge(path, {}, notes={"content": content})
    with pytest.raises(StorageError, match="is damaged: its content makes no sense"):
        load_file(path)


def test_a_header_that_is_no_mapping_is_refused(path):
    for text in (b"[1]", b"3", b"{" * 100_000):
        path.write_bytes(len(text).to_bytes(8, "little") + text)
        with pytest.raises(StorageError, match="is damaged: its header makes no sense"):
            load_file(path, foreign=True)


def test_a_later_format_is_named(path):
    forge(path, {}, notes={"format": "dark 2"})
    with pytest.raises(StorageError, match=r"has the format 'dark 2'[^$]*Expected: the format 'dark 1'"):
        load_file(path)


def test_a_truth_value_is_0_or_1_whatever_byte_stands_for_it(path):
    forge(path, {"w": {"dtype": "BOOL", "shape": [3], "data_offsets": [0, 3]}}, b"\0\1\7", sign=False)
    assert load_file(path, foreign=True)["w"].view(np.uint8).tolist() == [0, 1, 1]


def fails(*_, **__):
    raise OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.parametrize("what", ["fsync", "replace", "chmod"])
def test_when_the_system_fails_the_old_file_stays_and_nothing_else(path, monkeypatch, what):
    monkeypatch.setattr(replacing.os, what, fails)
    with pytest.raises(OSError, match="No space left") as caught:
        save_file({"new": np.ones(1000)}, path)
    monkeypatch.undo()
    assert same(SMALL, load_file(path)) and os.listdir(path.parent) == ["state"]
    assert "what was there before is untouched" in caught.value.__notes__[0]


@pytest.mark.parametrize("calls", range(6))
def test_when_a_write_fails_the_old_file_stays_and_nothing_else(path, monkeypatch, calls):
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

    monkeypatch.setattr(replacing, "open", Full, raising=False)
    with pytest.raises(OSError, match="No space left"):
        save_file({name: np.ones(10) for name in "abc"}, path)
    monkeypatch.undo()
    assert same(SMALL, load_file(path)) and os.listdir(path.parent) == ["state"]


def test_a_stop_by_the_user_leaves_the_old_file(path, monkeypatch):
    def stop(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(replacing.os, "fsync", stop)
    with pytest.raises(KeyboardInterrupt):
        save_file({"new": 1}, path)
    monkeypatch.undo()
    assert same(SMALL, load_file(path)) and os.listdir(path.parent) == ["state"]


def run(code, path):
    """Run lines in another process, in which `new` is to be saved at `path`."""
    head = "import os, sys\nimport numpy as np\nfrom dark.storage import load_file, replacing, save_file\n"
    head += "path, new = sys.argv[1], {'w': np.ones(100_000)}\n"
    return subprocess.run(
        [sys.executable, "-c", head + textwrap.dedent(code), str(path)], capture_output=True, text=True
    )


@pytest.mark.parametrize("what", ["fsync", "replace"])
def test_a_process_that_dies_while_it_saves_leaves_the_old_file(path, what):
    done = run(f"replacing.os.{what} = lambda *_: os._exit(9)\nsave_file(new, path)", path)
    assert done.returncode == 9, done.stderr
    assert same(SMALL, load_file(path))
    assert [name.endswith(".part") for name in sorted(os.listdir(path.parent))] == [True, False]


def test_a_process_that_dies_after_the_new_name_was_given_leaves_the_new_file(path):
    done = run("replacing._flush = lambda *_: os._exit(9)\nsave_file(new, path)", path)
    assert done.returncode == 9, done.stderr
    assert load_file(path)["w"].sum() == 100_000 and os.listdir(path.parent) == ["state"]


def test_a_limit_of_the_system_leaves_the_old_file(path):
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
    assert "File too large" in done.stdout and "untouched" in done.stdout, done.stderr
    assert same(SMALL, load_file(path)) and os.listdir(path.parent) == ["state"]


def test_a_file_system_that_cannot_flush_folders_is_taken_as_it_is(path, monkeypatch):
    real = os.fsync

    def only_files(handle):
        if stat.S_ISDIR(os.fstat(handle).st_mode):
            raise OSError(code, "folder")
        real(handle)

    monkeypatch.setattr(replacing.os, "fsync", only_files)
    code = errno.EINVAL
    save_file({"new": 1}, path)
    code = errno.EIO
    with pytest.raises(OSError, match="folder"):
        save_file({"new": 2}, path)
    assert load_file(path) == {"new": 2}


def test_a_folder_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(StorageError, match=rf"save: there is no folder {tmp_path}/sub"):
        save_file({}, tmp_path / "sub" / "state")
    with pytest.raises(StorageError, match=rf"save: {tmp_path} is a folder"):
        save_file({}, tmp_path)
