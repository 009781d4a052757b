"""Tests of the time of a submission: from a table, a name, or the file that the student cannot write."""

import os
import zipfile
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from dark.errors import CourseError
from dark.grading.policy import Course
from dark.grading.policy.roster import Roster, Student
from dark.grading.policy.times import SubmissionTimes
from dark.grading.uploads import Submission, find_submissions
from dark.grading.uploads.owners import parse_metadata

VIENNA = ZoneInfo("Europe/Vienna")
COURSE = Course(Path(), zone=VIENNA)
NOON = datetime(2026, 10, 4, 12, tzinfo=UTC)


def time_of(submission, course=COURSE, folder=Path("in"), student="ann", module="01"):
    return SubmissionTimes(course, folder, [submission]).of(submission, student, module)


def test_of_a_file(tmp_path):
    path = tmp_path / "ann.ipynb"
    path.write_text("{}")
    os.utime(path, (NOON.timestamp(),) * 2)
    assert time_of(Submission("ann", path)) == (NOON, "file")
    assert time_of(Submission("ann", tmp_path / "gone.ipynb")) == (None, "")


def test_of_a_name():
    for name in ("Work_ann_attempt_2026-10-04-14-00-00_a.ipynb", "Work_ann_attempt_2026-10-04-14-00-00.ipynb"):
        assert time_of(Submission("ann", Path(name))) == (NOON, "name")
    assert time_of(Submission("ann", Path("Work_ann_attempt_2026-13-04-14-00-00.ipynb"))) == (None, "")
    text = "submission_17:\n  :submitters:\n  - :name: Ann\n    :sid: '1'\n  :created_at: 2026-10-04 12:00:00.0 Z\n"
    owner = parse_metadata(text)["submission_17"]
    assert time_of(Submission("ann", Path("x.ipynb"), owner=owner)) == (NOON, "name")


def test_what_a_student_calls_a_file_does_not_date_it(tmp_path):
    early = "Work_ann_attempt_2020-01-01-00-00-00_x"
    for name in (f"beeann_LATE_4700_99000_{early}.ipynb", f"Ann_4700_assignsubmission_file_{early}.ipynb",
                 f"ann/{early}.ipynb", f"4700_88_assignsubmission_file_/{early}.ipynb"):  # fmt: skip
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("{}")
        os.utime(tmp_path / name, (NOON.timestamp(),) * 2)
    with zipfile.ZipFile(tmp_path / "bob.zip", "w") as archive:
        archive.writestr(f"{early}.ipynb", "{}")
    os.utime(tmp_path / "bob.zip", (NOON.timestamp(),) * 2)
    assert {time_of(each, folder=tmp_path) for each in find_submissions(tmp_path)} == {(NOON, "file")}
    written = f"Work_ann_attempt_2026-10-04-14-00-00_{early}.ipynb"
    assert time_of(Submission("ann", Path(written))) == (NOON, "name")


def test_of_the_earlier_of_two_hours_that_have_one_name():
    found, _ = time_of(Submission("ann", Path("Work_ann_attempt_2026-10-25-02-30-00.ipynb")))
    assert found.utcoffset().total_seconds() == 7200


def test_a_zip_that_the_student_has_made_says_nothing_by_what_is_inside(tmp_path):
    with zipfile.ZipFile(tmp_path / "ann.zip", "w") as archive:
        archive.writestr(zipfile.ZipInfo("work.ipynb", (2020, 1, 1, 0, 0, 0)), b"{}")
    os.utime(tmp_path / "ann.zip", (NOON.timestamp(),) * 2)
    (found,) = find_submissions(tmp_path)
    assert time_of(found, folder=tmp_path) == (NOON, "file")
    with zipfile.ZipFile(tmp_path / "class.zip", "w") as archive:
        archive.writestr(zipfile.ZipInfo("bob.ipynb", (2026, 10, 4, 14, 0, 0)), b"{}")
        archive.writestr(zipfile.ZipInfo("ann.zip", (2026, 10, 4, 14, 0, 0)), (tmp_path / "ann.zip").read_bytes())
    for each in find_submissions(tmp_path / "class.zip"):
        assert time_of(each, folder=tmp_path / "class.zip") == (NOON, "file")


def test_a_table_goes_first(tmp_path):
    path = tmp_path / "times.csv"
    path.write_text(
        "student,submitted,module,file\nann,2026-10-04 14:00,01,a.ipynb\nann,2026-10-04 13:00+00:00,01,\n"
        "ann,2026-10-05,02,\n"
    )
    course = replace(COURSE, times=path)
    assert time_of(Submission("x", Path("a.ipynb")), course) == (NOON, "times")
    assert time_of(Submission("x", Path("b.ipynb")), course)[0] == NOON.replace(hour=13)
    assert time_of(Submission("x", Path("b.ipynb")), course, module="02")[0].isoformat() == "2026-10-05T00:00:00+02:00"
    assert time_of(Submission("x", Path("b.ipynb")), course, module="03") == (None, "")
    assert time_of(Submission("x", Path("b.ipynb")), replace(course, time_from=("file",))) == (None, "")
    ann = replace(course, roster=Roster([Student("ann", "A"), Student("42", "B"), Student("43", "B")]))
    path.write_text("student,submitted\nANN,2026-10-04 14:00\n0042,2026-10-04 14:00\n")
    for student in ("ann", "42"):
        assert time_of(Submission("x", Path("b.ipynb")), ann, student=student) == (NOON, "times")
    for text, what in (("B", "'B' is ambiguous; two students have"), ("anm", "'anm' is not on the roster")):
        path.write_text(f"student,submitted\n{text},2026-10-04 14:00\n")
        with pytest.raises(CourseError, match=f"times.csv, line 2: {what}(.|\n)*Expected(.|\n)*Try"):
            time_of(Submission("x", Path("b.ipynb")), ann)
    path.write_text("student,submitted\nann,yesterday\n")
    with pytest.raises(CourseError, match=r"times.csv, line 2: 'yesterday' is not a time(.|\n)*Expected(.|\n)*Try"):
        time_of(Submission("x", Path("b.ipynb")), course)
    path.write_text("studnt,submitted\nann,2026-10-04\n")
    with pytest.raises(CourseError, match="unknown column 'studnt'; did you mean 'student'?"):
        time_of(Submission("x", Path("b.ipynb")), course)
