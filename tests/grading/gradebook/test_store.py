"""Tests of the store: transactions, what someone else has written, and damage."""

import random
import sqlite3
import time
from contextlib import closing

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dark.errors import CourseError, UsageError
from dark.grading.gradebook.store import Store

KEY = b"key"
NAMES = st.text(max_size=6).map(lambda text: text.encode("utf-8", "ignore").decode())


def record(name, earned=1):
    exercise = {"module": "77", "exercise": "double", "status": "right", "earned": earned, "points": 2}
    return {"name": name, "page": f"pages/{name}.html", "earned": earned, "points": 2, "exercises": [exercise]}


@pytest.fixture
def told():
    return []


@pytest.fixture
def store(tmp_path, told):
    with closing(Store(tmp_path, KEY, told.append)) as opened:
        yield opened


def sql(store, text, *values):
    """Run SQL as another program."""
    with closing(sqlite3.connect(store.path)) as connection, connection:
        return connection.execute(text, values).fetchall()


@settings(max_examples=15)
@given(st.dictionaries(NAMES, st.integers(0, 9), max_size=4), st.dictionaries(NAMES, st.text(max_size=4), max_size=2))
def test_what_is_stored_is_read_again(tmp_path_factory, marks, reports):
    folder = tmp_path_factory.mktemp("store")
    with closing(Store(folder, KEY)) as store:
        for name, earned in marks.items():
            store.keep(record(name), {})
            store.keep(record(name, earned), reports)
    with closing(Store(folder, KEY)) as store:
        for name, earned in marks.items():
            assert store.record(name) == record(name, earned) and store.reports(name) == reports
        assert store.record("nobody") is None and store.history() == []


def test_a_view_has_a_column_for_each_value(store):
    change = {"name": "ann", "exercise": "double", "reason": "r", "at": "t"}
    change |= {"before": {"status": "wrong", "earned": 0}, "after": {"status": "right", "earned": 2}}
    store.keep(record("ann", 2), {}, changes=[change])
    assert sql(store, "SELECT name, earned, points FROM submissions") == [("ann", 2, 2)]
    assert sql(store, "SELECT * FROM exercises") == [("ann", "77", "double", "right", 2, 2)]
    assert sql(store, "SELECT * FROM history") == [(1, "ann", "double", "wrong", 0, "right", 2, "r", "t")]
    assert store.history() == [change]


def test_a_record_and_what_it_changes_are_stored_together_or_not_at_all(store):
    store.keep(record("ann", 0), {})
    store.begin("ann-1")
    with pytest.raises(TypeError):
        store.keep(record("ann", 2), {}, slug="ann-1", changes=[{"reason": object()}])
    assert store.record("ann") == record("ann", 0) and store.was_interrupted("ann-1")
    store.keep(record("ann", 2), {}, slug="ann-1")
    assert not store.was_interrupted("ann-1")


FORGERIES = [
    "UPDATE records SET record = json_set(record, '$.earned', 9)",
    "UPDATE records SET reports = '{}'",
    "UPDATE records SET seal = ''",
    "UPDATE records SET name = 'bob'",
    "UPDATE records SET record = x'00ff'",
    "UPDATE records SET record = CAST(x'00ff' AS TEXT)",
    "INSERT OR REPLACE INTO records SELECT 'bob', record, reports, seal FROM records WHERE name = 'ann'",
]


@pytest.mark.parametrize("forgery", FORGERIES)
def test_a_forged_row_does_not_count_and_is_told(store, told, forgery):
    store.keep(record("ann"), {"double": "<p>"})
    sql(store, forgery)
    name = "bob" if "'bob'" in forgery else "ann"
    assert store.record(name) is None and store.reports(name) == {}
    assert f"someone else has written the row '{name}' of records; it does not count." in told[0]


def test_a_forged_change_does_not_count(store, told):
    store.keep(record("ann"), {}, changes=[{"name": "ann"}])
    sql(store, "INSERT INTO changes VALUES (7, '{}', '')")
    assert store.history() == [{"name": "ann"}] and "the row 7 of changes" in told[0]


def test_a_row_of_one_table_is_no_row_of_another(store, told):
    store.set_document("rubric", [])
    assert store.document("rubric") == [] and store.document("else") is None
    sql(store, "UPDATE documents SET content = '[1]'")
    with pytest.raises(CourseError, match="has changed the rubric(.|\n)*Expected: (.|\n)*Try: .*--rubric"):
        store.document("rubric")


def damaged(path):
    content = bytearray(path.read_bytes())
    rng = random.Random(1)
    for _ in range(40):
        content[rng.randrange(4096 * 6, len(content))] = rng.randrange(256)
    path.write_bytes(content)


def test_a_damaged_file_is_set_aside_and_its_own_rows_are_saved(tmp_path, told):
    with closing(Store(tmp_path, KEY)) as store:
        for number in range(60):
            store.keep(record(f"s{number}"), {"double": "x" * 500})
    damaged(store.path)
    with closing(Store(tmp_path, KEY, told.append)) as store:
        kept = [store.record(f"s{number}") for number in range(60)]
    assert all(found in (None, record(f"s{number}")) for number, found in enumerate(kept))
    assert "the file was damaged" in told[-1] and (tmp_path / "gradebook-damaged-1.db").exists()
    told.clear()
    Store(tmp_path, KEY, told.append).close()
    assert told == []


@pytest.mark.parametrize("damage", ["no database", "a table is missing", "a trigger"])
def test_a_file_that_is_not_as_it_should_be_is_set_aside(tmp_path, told, damage):
    with closing(Store(tmp_path, KEY)) as store:
        store.keep(record("ann"), {})
        if damage == "a table is missing":
            sql(store, "DROP TABLE changes")
        elif damage == "a trigger":
            sql(store, "CREATE TRIGGER t AFTER INSERT ON changes BEGIN DELETE FROM records; END")
    if damage == "no database":
        store.path.write_text("my thesis, which is long enough to be taken for the header of a database. " * 20)
    with closing(Store(tmp_path, KEY, told.append)) as store:
        assert store.record("ann") == (None if damage == "no database" else record("ann"))
        store.keep(record("bob"), {}, changes=[{"name": "bob"}])
        assert store.record("bob") and len(told) == 1


@pytest.mark.parametrize("kind", ["user_version = 2", "application_id = 1"])
def test_a_database_of_another_program_or_version_is_left_as_it_is(tmp_path, kind):
    with closing(Store(tmp_path, KEY)) as store:
        sql(store, f"PRAGMA {kind}")
    before = store.path.read_bytes()
    with pytest.raises(UsageError, match="gradebook of version 2|another program(.|\n)*Expected: (.|\n)*Try: "):
        Store(tmp_path, KEY)
    assert store.path.read_bytes() == before


def test_a_folder_that_cannot_be_written_is_an_error_in_three_parts(tmp_path):
    with pytest.raises(CourseError, match="cannot be written or read(.|\n)*Expected: (.|\n)*Try: "):
        Store(tmp_path / "none", KEY)


def test_a_thousand_records_are_stored_in_well_under_a_second(store):
    begun = time.process_time()
    for number in range(1000):
        store.begin(f"s{number}")
        store.keep(record(f"s{number}"), {"double": "<p>right</p>"}, slug=f"s{number}")
    assert time.process_time() - begun < 1
