"""Tests of rosters: ids byte for byte, the tables of other systems as they are, and mistakes with their lines."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dark.errors import CourseError, DarkError, UsageError
from dark.grading.policy.roster import Roster, Student, read_roster


def read(folder, text):
    (folder / "roster.csv").write_bytes(text.encode())
    return read_roster(folder / "roster.csv").students


def test_ids_are_kept_byte_for_byte(tmp_path):
    assert read(tmp_path, "\ufeffid;name;canvas;phone\r\n0042;Ann, Bee;00017;\r\n\r\n9;Bob;;1\r\n") == (
        Student("0042", "Ann, Bee", {"canvas": "00017"}), Student("9", "Bob"),
    )  # fmt: skip


def test_the_tables_of_other_systems_are_read_as_they_are(tmp_path):
    canvas = (
        "Student,ID,SIS User ID,SIS Login ID,Section,Module 01 (7)\n    Points Possible,,,,,102\n"
        '"Bee, Ann",4711,0042,ann@school.edu,A,\n"Student, Test",99,,x,A,\n'
    )
    known = {"canvas": "4711", "sis_user_id": "0042", "sis_login_id": "ann@school.edu", "section": "A"}
    assert read(tmp_path, canvas) == (Student("0042", "Bee, Ann", known),)
    moodle = "Identifier,Full name,Email address,Status,Grade\nParticipant 4711,Ann Bee,ann@school.edu,,\n"
    assert read(tmp_path, moodle) == (Student("4711", "Ann Bee", {"moodle": "4711", "email": "ann@school.edu"}),)
    gradescope = "First Name,Last Name,SID,Email,Section\nAnn,Bee,0042,ann@school.edu,\n"
    assert read(tmp_path, gradescope) == (
        Student("0042", "Ann Bee", {"gradescope": "0042", "email": "ann@school.edu"}),
    )


WRONG = {
    "a misspelled column": ("id,cavnas\n1,2", "unknown column 'cavnas'; did you mean 'canvas'?"),
    "no id": ("name,canvas\nAnn,1", "the column 'id' is missing"),
    "an id twice": ("id\n1\n2\n1", "roster.csv, line 4: the id '1' must be unique; line 2 has it, too"),
    "an id of Canvas twice": ("id,canvas\n1,7\n2,7", "line 3: the canvas '7' must be unique; line 2 has it, too"),
    "an empty id": ("id,name\n,Ann", "line 2: a student without an id"),
    "a column twice": ("id,name,name\n1,a,b", "the column 'name' occurs twice"),
    "no students": ("id,name\n", "contains no student"),
    "nothing": ("", "the roster is empty"),
}


@pytest.mark.parametrize("name", WRONG)
def test_mistakes_are_named_in_three_parts(tmp_path, name):
    text, message = WRONG[name]
    with pytest.raises(CourseError) as raised:
        read(tmp_path, text)
    assert message in str(raised.value) and re.search(r"(?s)\n  Expected: .+\n  Try: ", str(raised.value))


def test_a_file_that_is_no_text_or_missing(tmp_path):
    with pytest.raises(UsageError, match="the roster cannot be read"):
        read_roster(tmp_path / "none.csv")
    (tmp_path / "latin.csv").write_bytes("id,name\n1,J\xfcrgen".encode("latin-1"))
    with pytest.raises(CourseError, match="the roster is not UTF-8"):
        read_roster(tmp_path / "latin.csv")


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused(tmp_path_factory, text):
    path = tmp_path_factory.getbasetemp() / "any.csv"
    path.write_bytes(("id,name\n" + text).encode("utf-8", "replace"))
    try:
        assert read_roster(path).students
    except DarkError as error:
        assert re.search(r"(?s)\n  Expected: .+\n  Try: ", str(error))


def test_two_students_of_one_name_are_not_found_by_it():
    roster = Roster([Student("1", "Ann Bee"), Student("2", "ann  bee"), Student("3", "José")])
    assert roster.find([("name", "Ann Bee")]) is None
    assert roster.find([("name", "JOSE\u0301")]).id == "3"
