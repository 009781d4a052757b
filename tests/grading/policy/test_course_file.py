"""Tests of course.toml: each mistake is named with what was meant, and nothing in the file is executed."""

import re
import tomllib
from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dark.errors import CourseError, DarkError, UsageError
from dark.grading.policy import EXAMPLE, read_course
from dark.grading.policy.course_file import course_from
from dark.grading.policy.late import count_late_days
from dark.grading.policy.schema import TABLES, TITLES, check_tables

THREE_PARTS = r"\n  Expected: .+\n  Try: "
HEADS = {"modules": "[modules.01]", "extensions": "[[extensions]]", "groups": "[[groups]]"}


def read(folder, text):
    (folder / "course.toml").write_text(text)
    return read_course(folder / "course.toml")


def misspelled(key):
    """Return a key as hasty fingers write it: two letters swapped, one missing, one doubled."""
    middle = max(1, len(key) // 2)
    swapped = key[: middle - 1] + key[middle] + key[middle - 1] + key[middle + 1 :]
    return {swapped, key[:middle] + key[middle + 1 :], key[:middle] + key[middle - 1] + key[middle:]} - {key}


CASES = [
    (table, key, wrong)
    for table, keys in TABLES.items()
    for key in keys
    for wrong in sorted(misspelled(key) - set(keys))
]


@pytest.mark.parametrize(("table", "key", "wrong"), CASES)
def test_a_misspelled_key_is_named_with_the_one_that_was_meant(tmp_path, table, key, wrong):
    title = TITLES[table]
    with pytest.raises(CourseError) as raised:
        read(tmp_path, f"{title}\n{wrong} = {TABLES[table][key].example}\n")
    assert str(raised.value).startswith(f"course.toml: unknown key {wrong!r} in {title}; did you mean {key!r}?\n")
    assert re.search(THREE_PARTS, str(raised.value))


def test_the_cases_are_many():
    assert len(CASES) >= 50


@pytest.mark.parametrize("table", TABLES)
def test_a_misspelled_table_is_named(tmp_path, table):
    for wrong in misspelled(table):
        with pytest.raises(CourseError, match=f"unknown table '{wrong}'; did you mean '{table}'") as raised:
            read(tmp_path, TITLES[table].replace(table, wrong) + "\n")
        assert re.search(THREE_PARTS, str(raised.value))


@pytest.mark.parametrize(("table", "key"), [(table, key) for table, keys in TABLES.items() for key in keys])
@pytest.mark.parametrize("value", ["-1", "true", "[]", "23:59:00", "{}", '""'])
def test_a_value_of_a_wrong_kind_is_refused_with_an_example(tmp_path, table, key, value):
    with pytest.raises(CourseError) as raised:
        read(tmp_path, f"{TITLES[table]}\n{key} = {value}\n")
    assert key in str(raised.value) and re.search(THREE_PARTS, str(raised.value))


def test_the_example_has_every_key_and_is_valid(tmp_path):
    written = tomllib.loads(EXAMPLE)
    rows = written["extensions"] + written["groups"] + list(written["modules"].values())
    keys = set().union(written["course"], written["late"], *rows)
    said = set(re.findall(r"[a-z_]+(?= = )", EXAMPLE)) | {"free_days_per_module", "percent_per_day"}
    assert set().union(*TABLES.values()) <= keys | said
    (tmp_path / "roster.csv").write_text("id,name\n0042,Ann\n0043,Bob\n")
    course = read(tmp_path, EXAMPLE)
    assert course.attempt_for("01") == "latest" and course.attempt_for("02") == "best"
    assert course.late_for("01").max_days == 7 and course.late_for("02").max_days == 0
    assert course.deadline_for("0042", "01") - course.deadline_for("0043", "01") == timedelta(days=3)
    assert course.group_of("0043", "02").name == "owls" and course.group_of("0043", "01") is None


ZONE = '[course]\ntimezone = "Europe/Vienna"\n[modules.01]\n'
ANN = '[[extensions]]\nstudent = "ann"\nmodule = "01"\n'
GROUP = '[[groups]]\nname = "a"\nmembers = ["x"]\n'
DUE = ZONE + "deadline = 2026-10-04T23:59:00\n"
WRONG = {
    "a date without a zone": (
        "[modules.01]\ndeadline = 2026-10-04T23:59:00", "deadline = 2026-10-04T23:59:00 has no time zone"
    ),
    "a date without a time": (ZONE + "deadline = 2026-10-04", "deadline = 2026-10-04 has no time of day"),
    "a date in quotes": (ZONE + 'deadline = "2026-10-04 23:59"', "deadline = '2026-10-04 23:59' is a string, not"),
    "a time that occurs twice": (ZONE + "deadline = 2026-10-25T02:30:00", "02:30:00 occurs twice in Europe/Vienna"),
    "a time that does not exist": (ZONE + "deadline = 2026-03-29T02:30:00", "02:30:00 does not exist in Europe/Vienna"),
    "an offset, and no zone for files": ("[modules.01]\ndeadline = 2026-10-04T23:59:00Z", "needs a timezone"),
    "a year out of range": (ZONE + "deadline = 9999-12-31T23:59:00", "is not in the years 1900 to 9000"),
    "an unknown zone": ('[course]\ntimezone = "Europe/Wien"', "unknown time zone 'Europe/Wien'"),
    "a zone out of the data base": ('[course]\ntimezone = "../../etc/passwd"', "unknown time zone"),
    "no TOML": ("[course\n", "course.toml is not TOML: Expected ']'"),
    "a key twice": ("[late]\nmax_days = 1\nmax_days = 2", "course.toml is not TOML: Cannot overwrite a value"),
    "a key of another table": ("[course]\ndeadline = 2026-10-04T23:59:00", r"it belongs to \[modules.01\]"),
    "a module with one digit": ("[modules.1]\nmax_days = 1", "'1' is not a module"),
    "modules as a list": ("[[modules]]\nmax_days = 1", "modules is not a table"),
    "groups as a table": ('[groups]\nname = "a"', "groups is not a table"),
    "a module that is a number": ("[modules]\n01 = 3", r"\[modules.01\] is not a table"),
    "no roster": ('[course]\nroster = "missing.csv"', "the roster cannot be read"),
    "no module of an extension": (DUE + ANN.replace("module", "reason"), r"\[\[extensions\]\] has no module"),
    "days and a deadline": (DUE + ANN + "days = 3\ndeadline = 2026-10-05T00:00:00", "is required, got both"),
    "neither days nor a deadline": (DUE + ANN, "days and deadline is required, got neither"),
    "an extension for no student": (DUE + '[[extensions]]\nmodule = "01"\ndays = 3', "group is required, got neither"),
    "an extension of nothing": (ANN + "days = 3", "module '01' has no deadline"),
    "an extension of no group": (DUE + '[[extensions]]\ngroup = "owl"\nmodule = "01"\ndays = 3', "no such group"),
    "two extensions": (DUE + (ANN + "days = 3\n") * 2, "ann has two for module 01"),
    "a group without members": ('[[groups]]\nname = "a"', r"\[\[groups\]\] has no members"),
    "two groups with the same name": (GROUP + GROUP.replace("x", "y"), "it occurs twice"),
    "a student in two groups": (GROUP + GROUP.replace('"a"', '"b"'), "it shares x with a"),
    "a member twice": ('[[groups]]\nname = "a"\nmembers = ["x", "x"]', "x occurs twice"),
    "a group for no module": (GROUP + 'modules = ["one"]', "'one' is not a module"),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_said_in_three_parts(tmp_path, name):
    text, message = WRONG[name]
    with pytest.raises(DarkError, match=message) as raised:
        read(tmp_path, text)
    assert re.search(THREE_PARTS, str(raised.value))


def test_a_near_miss_of_a_zone_is_offered(tmp_path):
    with pytest.raises(CourseError, match="Try: America/New_York"):
        read(tmp_path, '[course]\ntimezone = "New York"')
    with pytest.raises(CourseError, match="Try: .*Europe/Vienna"):
        read(tmp_path, '[course]\ntimezone = "Europe/Viena"')


def test_a_student_who_is_not_on_the_roster_is_named_with_a_near_miss(tmp_path):
    (tmp_path / "roster.csv").write_text("id\nannabel\nbob\n")
    text = DUE.replace("[modules", 'roster = "roster.csv"\n[modules') + ANN.replace('"ann"', '"anabel"') + "days = 1\n"
    with pytest.raises(CourseError, match="'anabel' is not on the roster.(.|\n)*Try: annabel"):
        read(tmp_path, text)


def test_an_extension_in_days_ends_at_the_same_time_of_day(tmp_path):
    text = DUE.replace("10-04", "10-24") + ANN + "days = 3\n"  # clocks change that weekend
    assert read(tmp_path, text).deadline_for("ann", "01").isoformat() == "2026-10-27T23:59:00+01:00"
    assert read(tmp_path, text).deadline_for("bob", "01").isoformat() == "2026-10-24T23:59:00+02:00"


def test_days_of_an_extension_are_days_of_the_calendar_also_of_a_released_deadline(tmp_path):
    text = DUE.replace("10-04T23:59", "10-24T02:30") + ANN + "days = 1\n"
    assert read(tmp_path, text).deadline_for("ann", "01").isoformat() == "2026-10-25T02:30:00+01:00"  # the later of two
    text = ZONE.replace("[modules.01]\n", ANN + "days = 2\n")
    (tmp_path / "course.toml").write_text(text)
    released = {"01": datetime.fromisoformat("2026-10-24T20:00+02:00")}
    course = read_course(tmp_path / "course.toml", released=released)
    assert course.deadline_for("ann", "01").isoformat() == "2026-10-26T20:00:00+01:00"
    assert count_late_days(datetime.fromisoformat("2026-10-25T19:30+01:00"), course.deadline_for("bob", "01")) == 1


ROSTER = "id,name,login,canvas\n42,Ann Bee,ann,4711\n43,Wei Wang,wang,4712\n44,Wei Wang,wei,4713\n"
IDS = '[[groups]]\nname = "owls"\nmembers = [{}]\n[[extensions]]\nstudent = {}\nmodule = "01"\ndays = 1\n'


def test_students_are_found_without_regard_to_zeros_and_case(tmp_path):
    (tmp_path / "roster.csv").write_text(ROSTER)
    text = DUE.replace("[modules", 'roster = "roster.csv"\n[modules')
    course = read(tmp_path, text + IDS.format('"0042", "WANG"', '"00042"'))
    assert course.groups[0].members == ("42", "43") and list(course.extensions) == [("42", "01")]
    assert read(tmp_path, text + IDS.format('"4711", "Wei Wang (44)"', '"ann bee"')).groups[0].members == ("42", "44")
    with pytest.raises(CourseError, match="'0042' is ambiguous|shares|occurs twice"):
        read(tmp_path, text + IDS.format('"42", "0042"', '"42"'))
    for wrong in (IDS.format('"Wei Wang"', '"42"'), IDS.format('"42"', '"Wei Wang"')):
        with pytest.raises(CourseError, match="'Wei Wang' is ambiguous; two students have this name: 43") as raised:
            read(tmp_path, text + wrong)
        assert re.search(THREE_PARTS, str(raised.value))
    with pytest.raises(CourseError, match="'zzz' is not on the roster(.|\n)*Try: an id as in the roster, such as 42"):
        read(tmp_path, text + IDS.format('"zzz"', '"42"'))


def test_a_file_that_cannot_be_read_is_a_usage_error(tmp_path):
    for path in (tmp_path, tmp_path / "none.toml"):
        with pytest.raises(UsageError, match=f"--course {re.escape(str(path))}: .*cannot be read(.|\n)*Try: "):
            read_course(path)
    (tmp_path / "large.toml").write_text("#" * (1 << 21))
    with pytest.raises(CourseError, match="is not TOML: larger than 1 MiB"):
        read_course(tmp_path / "large.toml")
    (tmp_path / "latin.toml").write_bytes(b"# \xe4")
    with pytest.raises(CourseError, match="is not TOML: 'utf-8' codec"):
        read_course(tmp_path / "latin.toml")


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9) | st.datetimes() | st.dates(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner, max_size=3),
    max_leaves=6,
)
KEYS = st.sampled_from(sorted({*TABLES, "01", "other"}.union(*TABLES.values())))


@given(st.dictionaries(KEYS, VALUES | st.dictionaries(KEYS, VALUES) | st.lists(st.dictionaries(KEYS, VALUES))))
def test_whatever_stands_in_it_is_read_or_refused_in_three_parts(data):
    try:
        check_tables(data, "course.toml")
    except CourseError as error:
        assert re.search(r"(?s)\n  Expected: .+\n  Try: ", str(error))


def test_an_empty_course_has_no_rules(tmp_path):
    course = course_from({}, tmp_path)
    assert course.deadline_for("ann", "01") is None and course.attempt_for("01") == "latest"
    assert isinstance(read(tmp_path, DUE).deadlines["01"], datetime)


def test_a_released_deadline_counts_for_a_module_for_which_the_file_names_none(tmp_path):
    released = {module: datetime.fromisoformat("2026-10-04T12:00+02:00") for module in ("01", "02")}
    text = '[course]\ntimezone = "Europe/Vienna"\n[modules.01]\ndeadline = 2026-10-06T08:00:00\n'
    text += '[[extensions]]\nstudent = "ann"\nmodule = "02"\ndays = 1\n'
    (tmp_path / "course.toml").write_text(text)
    course = read_course(tmp_path / "course.toml", released=released)
    assert course.deadline_for("bob", "01") == datetime.fromisoformat("2026-10-06T08:00+02:00")
    assert course.deadline_for("bob", "02") == released["02"]
    assert course.deadline_for("ann", "02") == released["02"] + timedelta(days=1)
    (tmp_path / "course.toml").write_text("")
    with pytest.raises(CourseError, match="needs a timezone for deadlines"):
        read_course(tmp_path / "course.toml", released=released)
