"""Tests of the seals: what somebody else has written is not taken over."""

import json
import stat

from hypothesis import given
from hypothesis import strategies as st

from dark.course.grading.seal import is_sealed, key_path, read_key, seal

RECORDS = st.dictionaries(st.text(max_size=5), st.integers() | st.text(max_size=5), max_size=4)


@given(RECORDS, RECORDS)
def test_a_seal_fits_its_record_and_key_only(record, other):
    sealed = json.loads(json.dumps(record | {"seal": seal(record, b"mine")}))
    assert is_sealed(sealed, b"mine") and not is_sealed(sealed, b"theirs")
    forged = other | {"seal": sealed["seal"]}
    same = {k: v for k, v in record.items() if k != "seal"} == {k: v for k, v in other.items() if k != "seal"}
    assert is_sealed(forged, b"mine") == same


def test_the_key_is_made_once_and_private(tmp_path):
    path = key_path({"XDG_STATE_HOME": str(tmp_path)})
    key = read_key(path)
    assert len(key) == 32 and read_key(path) == key
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_record_without_a_seal_is_not_taken_over():
    assert not is_sealed({"earned": 74}, b"mine")
