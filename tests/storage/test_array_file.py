"""Single arrays and rows of them: equal to reading the whole file, and nothing else is read."""

import io
import json
import os
import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dark.errors import ShapeError, StorageError, UsageError, ValueTypeError
from dark.storage import checksums, files, load_file, open_file, save_file
from tests.storage.test_damage import each_bit_flipped
from tests.storage.test_saving import any_array, same

MIXED = {
    "net": {"weight": np.arange(12.0).reshape(4, 3), "flag": np.array([True, False])},
    "step": 3, "scalar": np.float64(0.5), "empty": np.zeros((0, 2)), "wide": np.zeros((3, 0)), "none": {"lr": 0.1},
}  # fmt: skip


@pytest.fixture
def path(tmp_path):
    save_file(MIXED, tmp_path / "state")
    return tmp_path / "state"


@pytest.fixture
def small_blocks(monkeypatch):
    monkeypatch.setattr(checksums, "BLOCK", 16)


@pytest.fixture
def count(monkeypatch):
    """Count the bytes that are read from files."""
    read = []

    class Counted(io.FileIO):
        def readinto(self, view):
            read.append(super().readinto(view))
            return read[-1]

        def readall(self):
            raise AssertionError("the whole file was read")

    def unbuffered(path, mode):
        return io.BufferedReader(Counted(path, mode), 512) if mode == "rb" else open(path, mode)

    monkeypatch.setattr(files, "open", unbuffered, raising=False)
    return read


@given(mapping=st.dictionaries(st.text(min_size=1), any_array, min_size=1, max_size=4), data=st.data())
def test_arrays_and_rows_are_those_of_the_whole_file(tmp_path_factory, mapping, data):
    path = tmp_path_factory.mktemp("rows") / "state"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(checksums, "BLOCK", 2 ** data.draw(st.integers(0, 6)))
        save_file(mapping, path)
        whole = load_file(path)
        with open_file(path) as file:
            assert set(file) == set(file.keys()) and len(file) == len(mapping)
            for name in mapping.keys() - {"__metadata__"}:
                assert same(whole[name], file[name]) and name in file
                assert file.shape(name) == whole[name].shape and file.dtype(name) == whole[name].dtype
                if whole[name].ndim:
                    start, stop = data.draw(st.integers(-5, 5)), data.draw(st.none() | st.integers(-5, 5))
                    rows = file.rows(name, start, stop)
                    assert same(whole[name][start:stop], rows) and rows.flags.writeable


def test_nested_arrays_have_dotted_names_and_other_data_is_in_the_metadata(path):
    with open_file(path) as file:
        assert sorted(file) == ["empty", "net.flag", "net.weight", "scalar", "wide"]
        assert json.loads(file.metadata["content"])["step"] == 3 and file.metadata["format"] == "dark 2"
        assert file.rows("net.weight", 1, 3).tolist() == [[3, 4, 5], [6, 7, 8]]
        assert file.rows("net.weight", np.int64(3)).tolist() == [[9, 10, 11]] and file["scalar"] == 0.5
        assert file.rows("wide", 1).shape == (2, 0) and file.rows("empty").shape == (0, 2)
        assert "step" not in file and repr(file) == f"<ArrayFile '{path}': 5 arrays>"


def test_keys_of_the_mapping_are_loaded_alone(path):
    assert load_file(path, names=["step"]) == {"step": 3}
    assert same({"none": MIXED["none"], "net": MIXED["net"]}, load_file(path, names=("none", "net")))
    assert load_file(path, names=[]) == {}
    save_file({3: np.ones(2), None: np.zeros(1), "$": 1}, path)
    assert same({3: np.ones(2)}, load_file(path, names=[3]))


def test_only_the_rows_are_read_and_their_blocks(tmp_path, count):
    big = np.arange(2**20, dtype=np.float64).reshape(1024, 1024)  # 8 MiB; a block has 32 rows
    save_file({"big": big, "other": np.ones(1000), "step": 7}, tmp_path / "state")
    del count[:]
    with open_file(tmp_path / "state") as file:
        header = sum(count)
        assert header < 16_000
        np.testing.assert_array_equal(file.rows("big", 100, 101), big[100:101])
        assert 2**18 <= sum(count) - header <= 2**18 + 512
        del count[:]
        np.testing.assert_array_equal(file.rows("big", 31, 65), big[31:65])
        assert 3 * 2**18 <= sum(count) <= 3 * 2**18 + 512
        del count[:]
        assert file["other"].sum() == 1000 and sum(count) <= 8000 + 512
    del count[:]
    assert load_file(tmp_path / "state", names=["step"]) == {"step": 7} and sum(count) <= header


def test_a_row_of_a_sparse_gigabyte_is_read_alone(tmp_path, count):
    path, rows = tmp_path / "big.safetensors", 2**18
    entry = {"dtype": "F32", "shape": [rows, 1024], "data_offsets": [0, 2**30]}
    text = json.dumps({"big": entry}).encode()
    with open(path, "wb") as file:
        file.write(len(text).to_bytes(8, "little") + text)
        file.seek(8 + len(text) + 2**29)
        file.write(np.float32(1.5).tobytes())
        file.truncate(8 + len(text) + 2**30)
    with open_file(path, foreign=True) as file:
        row = file.rows("big", rows // 2, rows // 2 + 1)
    assert row.shape == (1, 1024) and row[0, 0] == 1.5 and row.sum() == 1.5
    assert sum(count) <= 4096 + 3 * 512


def test_each_array_has_its_own_checksum(tmp_path, small_blocks):
    save_file({"a": np.zeros(5), "b": np.zeros(5)}, tmp_path / "state")
    with open_file(tmp_path / "state") as file:
        digits = file.metadata["checksums"].split()
    assert digits == 2 * [checksums.checksum(bytes(n)) for n in (16, 16, 8)]


def test_what_lies_in_damaged_blocks_is_refused_and_the_rest_is_read(tmp_path, small_blocks):
    path = tmp_path / "state"
    a, b = np.arange(8.0).reshape(4, 2), np.ones(3)
    save_file({"a": a, "b": b}, path)
    with open(path, "r+b") as file:
        file.seek(-len(b.tobytes()) - 24, os.SEEK_END)  # the third row of a
        file.write(b"\1")
    with open_file(path) as file:
        np.testing.assert_array_equal(file["b"], b)
        np.testing.assert_array_equal(file.rows("a", 0, 2), a[:2])
        np.testing.assert_array_equal(file.rows("a", 3), a[3:])
        for read in (lambda: file.rows("a", 2, 3), lambda: file["a"], lambda: file.rows("a", -2)):
            with pytest.raises(StorageError, match="is corrupt: checksum mismatch in 'a'"):
                read()
    with pytest.raises(StorageError, match="is corrupt: checksum mismatch in 'a'"):
        load_file(path)
    assert same({"b": b}, load_file(path, names=["b"]))


def test_with_any_bit_changed_an_array_is_refused_or_equal(tmp_path, small_blocks):
    path = tmp_path / "state"
    a, b = np.arange(6, dtype=np.float32).reshape(3, 2), np.array([True])
    save_file({"a": a, "b": b}, path)
    size, refused = path.stat().st_size, 0
    for _ in each_bit_flipped(path):
        try:
            with open_file(path) as file:
                for read, right in ((lambda: file["a"], a), (lambda: file.rows("a", 2), a[2:]), (lambda: file["b"], b)):
                    try:
                        assert same(right, read())
                    except StorageError:
                        refused += 1
        except StorageError:
            refused += 3
    in_the_data = 24 + 8 + 1  # bytes that reading `a`, its last row, and `b` covers
    assert refused == 8 * (3 * (size - 25) + in_the_data)


def test_several_threads_read_one_file(tmp_path, small_blocks):
    arrays = {str(k): np.full(500, k) for k in range(8)}
    save_file(arrays, tmp_path / "state")
    wrong = []

    def read(name):
        for _ in range(20):
            if not np.array_equal(file[name], arrays[name]):
                wrong.append(name)

    with open_file(tmp_path / "state") as file:
        threads = [threading.Thread(target=read, args=(name,)) for name in arrays]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert not wrong


def test_what_does_not_exist_is_refused(path):
    with open_file(path) as file:
        with pytest.raises(UsageError, match=r"has no array 'net\.wieght'[^$]*Try: net\.weight"):
            file["net.wieght"]
        with pytest.raises(ShapeError, match="rows: 'scalar' is 0-d and has no rows"):
            file.rows("scalar")
        for wrong in (2.0, True, "1"):
            with pytest.raises(ValueTypeError, match="rows: st(art|op) must be an integer"):
                file.rows("net.weight", wrong)
            with pytest.raises(ValueTypeError, match="rows: stop must be an integer"):
                file.rows("net.weight", 0, wrong)
    with pytest.raises(StorageError, match=r"has been closed\.[^$]*Try: read it inside the with"):
        file["net.weight"]
    for wrong in ("stp", ["step"], 3):
        with pytest.raises(UsageError, match=r"load: .* does not contain .*[^$]*Expected: names in the file"):
            load_file(path, names=[wrong])
    for wrong in ("step", 3):
        with pytest.raises(ValueTypeError, match=r"load: names must be a list, got .*[^$]*Expected: a list of names"):
            load_file(path, names=wrong)


def test_a_file_that_is_refused_is_closed(tmp_path):
    (tmp_path / "text").write_text("something else")
    with pytest.raises(StorageError, match=r"was not written by dark\.save"):
        open_file(tmp_path / "text")
    with pytest.raises(FileNotFoundError):
        open_file(tmp_path / "nothing")
