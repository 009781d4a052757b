"""Files that are corrupt, truncated or of another format are refused."""

import hashlib
import json
import os

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dark.errors import StorageError, ValueTypeError
from dark.storage import header, load_file, save_file
from tests.examples import examples

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


def each_bit_flipped(path, bits=range(8)):
    """Yield once for each bit of a file, while it is flipped; in place, which is faster than writing a new file."""
    raw = path.read_bytes()
    with open(path, "r+b", buffering=0) as file:
        for k, byte in enumerate(raw):
            for bit in bits:
                file.seek(k)
                file.write(bytes([byte ^ 1 << bit]))
                yield
            file.seek(k)
            file.write(bytes([byte]))


def refused(path, raw=None):
    if raw is not None:
        path.write_bytes(raw)
    with pytest.raises(StorageError, match=r"is corrupt: |was not written by dark\.save"):
        load_file(path)


@pytest.mark.long
def test_a_truncated_file_is_refused(path):
    raw = path.read_bytes()
    for n in range(len(raw)):
        refused(path, raw[:n])


def test_a_file_with_one_bit_changed_anywhere_is_refused(path):
    for _ in each_bit_flipped(path):
        refused(path)


@pytest.mark.long
@given(data=st.data())
@examples(200)
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


def test_a_missing_file_or_a_folder_raises_pythons_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        load_file(tmp_path / "nothing")
    with pytest.raises(IsADirectoryError):
        load_file(tmp_path)


def test_a_file_that_shrinks_while_it_is_read_is_refused(path, monkeypatch):
    size = os.fstat

    def before_it_shrinks(handle):
        found = size(handle)
        if os.path.samestat(found, path.stat()):
            os.truncate(path, found.st_size - 8)
        return found

    monkeypatch.setattr(header.os, "fstat", before_it_shrinks)
    with pytest.raises(StorageError, match="is corrupt: it was truncated while it was read"):
        load_file(path)


def forge(path, entries, data=b"", notes=None, sign=True):
    """Write a file from its parts, in the format `dark 1`, with a valid checksum if it is signed."""
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
def test_an_invalid_header_is_refused_although_its_checksum_matches(path, wrong, foreign):
    forge(path, {"w": ENTRY}, b"\0" * 8)
    assert load_file(path, foreign=foreign) == {} or foreign
    forge(path, {"w": {**ENTRY, **wrong}}, b"\0" * 8)
    with pytest.raises(StorageError, match="is corrupt: its header is invalid"):
        load_file(path, foreign=foreign)


@pytest.mark.parametrize(
    "content",
    ["", "{", '{"a": {"$array": "w"}}', '{"a": {"$array": []}}', '{"a": {"$run": 1}}', '{"a": {"$float": "x"}}',
     '{"a": {"$dict": [[[], 1]]}}', '{"a": {"$tuple": 3}}', '{"a":' * 100_000 + "1" + "}" * 100_000],
    ids=lambda text: text[:30],
)  # fmt: skip
def test_invalid_content_is_refused_although_its_checksum_matches(path, content):
    forge(path, {}, notes={"content": content})
    with pytest.raises(StorageError, match="is corrupt: its content is invalid"):
        load_file(path)


def test_a_header_that_is_not_a_mapping_is_refused(path):
    for text in (b"[1]", b"3", b"{" * 100_000):
        path.write_bytes(len(text).to_bytes(8, "little") + text)
        with pytest.raises(StorageError, match="is corrupt: its header is invalid"):
            load_file(path, foreign=True)


def test_a_later_format_is_named(path):
    forge(path, {}, notes={"format": "dark 2"})
    with pytest.raises(StorageError, match=r"cannot be read: its format is 'dark 2'[^$]*Expected: the format 'dark 1'"):
        load_file(path)


def forge_blocks(path, **notes):
    """Write a file with one array in the present format; its header is signed."""
    notes = {
        "header_sha256": "0" * 64, "format": "dark 2", "content": '{"w":{"$array":"w"}}',
        "checksums": hashlib.sha256(bytes(8)).hexdigest(), **notes,
    }  # fmt: skip
    text = json.dumps({"__metadata__": notes, "w": ENTRY}, separators=(",", ":")).encode()
    raw = len(text).to_bytes(8, "little") + text
    path.write_bytes(raw.replace(b"0" * 64, hashlib.sha256(raw).hexdigest().encode(), 1) + bytes(8))


@pytest.mark.parametrize("text", ["", " ", "a b"])
def test_checksums_that_do_not_fit_the_arrays_are_refused_although_the_header_is_signed(path, text):
    forge_blocks(path)
    assert load_file(path)["w"].tolist() == [0, 0]
    forge_blocks(path, checksums=text)
    with pytest.raises(StorageError, match="is corrupt: its header is invalid"):
        load_file(path)
    forge_blocks(path, checksums="a")
    with pytest.raises(StorageError, match="is corrupt: checksum mismatch in 'w'"):
        load_file(path)


def test_a_later_format_is_named_if_its_header_is_signed(path):
    forge_blocks(path, format="dark 3")
    with pytest.raises(StorageError, match=r"cannot be read: its format is 'dark 3'[^$]*Expected: the format 'dark 2'"):
        load_file(path)


@pytest.mark.parametrize("content", ["", "{", '{"a": {"$array": "v"}}', '{"a": {"$integer": "x"}}', "3", "[]"])
@pytest.mark.parametrize("names", [None, ["a"]])
def test_invalid_content_of_the_present_format_is_refused(path, content, names):
    forge_blocks(path, content=content)
    with pytest.raises(StorageError, match="is corrupt: its content is invalid"):
        load_file(path, names=names)


def test_a_bool_is_loaded_from_any_nonzero_byte(path):
    forge(path, {"w": {"dtype": "BOOL", "shape": [3], "data_offsets": [0, 3]}}, b"\0\1\7", sign=False)
    assert load_file(path, foreign=True)["w"].view(np.uint8).tolist() == [0, 1, 1]


@pytest.mark.parametrize("foreign", [False, True])
def test_a_duplicate_name_is_refused(path, foreign):
    forge(path, {"v": ENTRY, "w": ENTRY}, b"\0" * 8, sign=False)
    raw = path.read_bytes().replace(b'"v"', b'"w"')
    path.write_bytes(raw.replace(b"0" * 64, hashlib.sha256(raw).hexdigest().encode(), 1))
    with pytest.raises(StorageError, match="duplicate name"):
        load_file(path, foreign=foreign)


@pytest.mark.parametrize("path", [None, 0, 3.5])
def test_a_value_that_is_not_a_path_is_refused(path):
    with pytest.raises(ValueTypeError, match=r"load: .* is not a path"):
        load_file(path)
    with pytest.raises(ValueTypeError, match=r"save: .* is not a path"):
        save_file({}, path)


def test_a_path_may_be_bytes(tmp_path):
    path = bytes(tmp_path / "state")
    save_file({"step": 3}, path)
    assert load_file(path) == {"step": 3}


def test_a_file_of_our_own_is_never_taken_for_one_of_another_program(path):
    save_file({"w": np.ones(3), "epoch": 2}, path)
    raw = path.read_bytes()
    n = int.from_bytes(raw[:8], "little")
    for old, new in (
        (b'"header_sha256"', b'"header_sha255"'), (b'"header_sha256"', b'"xxxxxxxxxxxxx"'),
        (b"__metadata__", b"__metadatx__"), (b'"format":"dark 2"', b'"format":"pytorch"'),
    ):  # fmt: skip
        changed = raw[8 : 8 + n].replace(old, new, 1)
        refused(path, raw[:8] + changed[:n].ljust(n) + raw[8 + n :])
