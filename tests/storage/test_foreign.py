"""Safetensors files of other programs: unsupported dtypes are named, and violations of the format are refused."""

import json
import struct

import numpy as np
import pytest

from dark.errors import StorageError
from dark.storage import load_file, open_file
from dark.storage.safetensors_format import TYPES, UNSUPPORTED
from tests.storage.test_damage import each_bit_flipped
from tests.storage.test_saving import same


def written(path, header, data):
    """Write a file from its header and the bytes after it."""
    text = json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)
    return path


def entry(begin, end, kind="F64", shape=(1,)):
    return {"dtype": kind, "shape": list(shape), "data_offsets": [begin, end]}


@pytest.fixture
def mixed(tmp_path):
    """A file with an array of each type that is not supported, and two that are."""
    header, end = {"plain": entry(0, 4, "F32"), "flags": entry(4, 6, "BOOL", (2,))}, 6
    for kind, bits in UNSUPPORTED.items():
        header[kind.lower()] = entry(end, end + bits, kind, (2, 4))  # eight items
        end += bits
    return written(tmp_path / "mixed", header, struct.pack("<f", 2.0) + b"\1\0" + bytes(end - 6))


RIGHT = {"plain": np.array([2.0], "f4"), "flags": np.array([True, False])}


@pytest.mark.parametrize("kind", UNSUPPORTED)
def test_a_type_that_is_not_supported_is_named_and_the_rest_is_loaded(tmp_path, kind):
    size = UNSUPPORTED[kind]
    header = {"rare": entry(0, size, kind, (8,)), "plain": entry(size, size + 4, "F32")}
    path = written(tmp_path / "file", header, bytes(size) + struct.pack("<f", 2.0))
    with pytest.raises(StorageError) as caught:
        load_file(path, foreign=True)
    assert str(caught.value).splitlines() == [
        f"{path}: the type of 'rare' ({kind}) is not supported.",
        "  Expected: arrays of bools, integers, and floats of 16, 32 or 64 bits.",
        "  Try: load(path, foreign=True, names=['plain']), or dict(file) of dark.storage.open_file, for the others.",
    ]
    assert same({"plain": RIGHT["plain"]}, load_file(path, foreign=True, names=["plain"]))


def test_all_arrays_of_supported_types_are_read_from_an_open_file(mixed):
    with open_file(mixed, foreign=True) as file:
        assert same(RIGHT, dict(file)) and file.unsupported == {kind.lower(): kind for kind in UNSUPPORTED}
        assert "bf16" not in file and len(file) == 2
        for read in (lambda: file["bf16"], lambda: file.rows("bf16"), lambda: file.dtype("bf16")):
            with pytest.raises(StorageError, match=r"the type of 'bf16' \(BF16\) is not supported"):
                read()
    with pytest.raises(StorageError, match=r"'bf16' \(BF16\), .*, … \(5 more\) is not supported"):
        load_file(mixed, foreign=True)
    with pytest.raises(StorageError, match=r"the type of 'c64' \(C64\) is not supported"):
        load_file(mixed, foreign=True, names=["plain", "c64"])


def test_a_file_without_supported_types_says_what_to_do(tmp_path):
    path = written(tmp_path / "file", {"rare": entry(0, 2, "BF16")}, bytes(2))
    with pytest.raises(StorageError, match="Try: convert the file to F32 with the program that wrote it"):
        load_file(path, foreign=True)


@pytest.mark.parametrize(
    ("header", "data", "fault"),
    [
        ({"a": entry(0, 8), "b": entry(0, 8)}, bytes(8), "overlaps"),
        ({"a": entry(0, 8), "b": entry(4, 12)}, bytes(12), "overlaps"),
        ({"a": entry(0, 16, shape=(2,)), "b": entry(4, 12)}, bytes(16), "overlaps"),
        ({"a": entry(0, 8), "b": entry(4, 4, shape=(0,))}, bytes(8), "overlaps"),
        ({"a": entry(8, 16)}, bytes(16), "leaves a gap"),
        ({"a": entry(0, 8), "b": entry(9, 17)}, bytes(17), "leaves a gap"),
        ({"a": entry(0, 8)}, bytes(16), "16 bytes follow it, but its arrays take up 8"),
        ({"a": entry(0, 8), "b": entry(8, 16)}, bytes(12), "12 bytes follow it, but its arrays take up 16"),
        ({}, bytes(1), "1 bytes follow it"),
        ({"a": entry(0, 8, "F128")}, bytes(8), "KeyError: 'F128'"),
        ({"a": entry(0, 8, "BF16")}, bytes(8), r"BF16 of shape \[1\]"),
        ({"a": entry(0, 8, shape=(True,))}, bytes(8), r"F64 of shape \[True\]"),
        ({"a": entry(0, 8), "__metadata__": {"n": 3}}, bytes(8), "other values than strings"),
        ({"a": entry(0, 8), "__metadata__": [1]}, bytes(8), "AttributeError"),
        ({"a": entry(0, 8, shape=(1,) * 65)}, bytes(8), "65"),
    ],
)
def test_overlaps_gaps_trailing_bytes_and_other_violations_are_refused(tmp_path, header, data, fault):
    path = written(tmp_path / "file", header, data)
    for load in (load_file, open_file, lambda path, foreign: load_file(path, foreign=foreign, names=["a"])):
        with pytest.raises(StorageError, match=f"is corrupt: its header is invalid .*{fault}"):
            load(path, foreign=True)


def test_arrays_may_be_listed_in_any_order_and_empty_ones_lie_anywhere(tmp_path):
    header = {"b": entry(8, 16), "e": entry(8, 8, shape=(0, 3)), "a": entry(0, 8), "__metadata__": None}
    path = written(tmp_path / "file", header, np.array([1.0, 2.0]).tobytes())
    loaded = load_file(path, foreign=True)
    assert same({"b": np.array([2.0]), "e": np.zeros((0, 3)), "a": np.array([1.0])}, loaded)


@pytest.mark.oracle
def test_the_library_knows_the_same_types(tmp_path):
    library = pytest.importorskip("safetensors", reason="the oracle extra (safetensors) is not installed")
    for kind in [*TYPES, *UNSUPPORTED, "F128", "I4"]:
        size = {**UNSUPPORTED, **{name: 8 * np.dtype(code).itemsize for name, code in TYPES.items()}}.get(kind, 8)
        path = written(tmp_path / "file", {"a": entry(0, size, kind, (8,))}, bytes(size))
        try:
            library.safe_open(path, "numpy")
            is_known = True
        except library.SafetensorError:
            is_known = False
        assert is_known == (kind in TYPES or kind in UNSUPPORTED), kind


@pytest.mark.oracle
def test_with_any_bit_changed_the_library_gives_the_same_verdict_and_the_same_arrays(tmp_path):
    library = pytest.importorskip("safetensors.numpy", reason="the oracle extra (safetensors) is not installed")
    header = {
        "w": entry(0, 8, "F32", (2,)), "é": entry(8, 16, "I64"), "e": entry(8, 8, "F32", (0, 3)),
        "b": entry(16, 17, "BOOL"), "__metadata__": {"format": "pt"},
    }  # fmt: skip
    path = written(tmp_path / "file", header, np.array([1, 2], "f4").tobytes() + bytes(8) + b"\1")
    accepted = 0
    for _ in each_bit_flipped(path):
        try:
            right = library.load_file(path)
        except Exception:
            with pytest.raises(StorageError):
                load_file(path, foreign=True)
        else:
            found = load_file(path, foreign=True)
            assert right.keys() == found.keys()
            for name, array in right.items():  # the library keeps a bool whose byte is neither 0 nor 1
                assert same(array.view(np.uint8) != 0 if array.dtype == bool else array, found[name])
            accepted += 1
    assert accepted > 8 * 17  # each bit of the data, and some of the header
