"""Tests of the seals: what someone else has written is not taken over."""

import json
import stat

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dark.errors import CourseError
from dark.grading.gradebook.seal import is_sealed, read_key, seal, state_folder

RECORDS = st.dictionaries(st.text(max_size=5), st.integers() | st.text(max_size=5), max_size=4)


@given(RECORDS, RECORDS)
def test_a_seal_fits_its_record_and_key_only(record, other):
    sealed = json.loads(json.dumps(record | {"seal": seal(record, b"mine")}))
    assert is_sealed(sealed, b"mine") and not is_sealed(sealed, b"theirs")
    forged = other | {"seal": sealed["seal"]}
    same = {k: v for k, v in record.items() if k != "seal"} == {k: v for k, v in other.items() if k != "seal"}
    assert is_sealed(forged, b"mine") == same


def test_the_key_is_made_once_and_private(tmp_path):
    path = state_folder({"XDG_STATE_HOME": str(tmp_path)}) / "grading.key"
    key = read_key(path)
    assert len(key) == 32 and read_key(path) == key
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_record_without_a_seal_is_not_taken_over():
    assert not is_sealed({"earned": 74}, b"mine")


def test_a_damaged_key_is_replaced_by_a_private_one(tmp_path):
    path = tmp_path / "grading.key"
    path.write_bytes(b"")
    assert len(read_key(path)) == 32 and read_key(path) == read_key(path)


@pytest.mark.parametrize("kind", ["the folder is a file", "it is a folder"])
def test_a_key_that_cannot_be_kept_is_an_error_in_three_parts(tmp_path, kind):
    (tmp_path / "state").write_bytes(b"")
    (tmp_path / "grading.key").mkdir()
    path = tmp_path / ("state/grading.key" if kind == "the folder is a file" else "grading.key")
    with pytest.raises(CourseError, match="key that seals the records cannot be(.|\n)*Expected: (.|\n)*Try: "):
        read_key(path)
