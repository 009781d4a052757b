"""Tests of names as Canvas, Moodle and Gradescope write them, and of several attempts."""

import zipfile

import pytest

from dark.grading.uploads import counting_best, find_submissions
from dark.grading.uploads.attempts import EARLIER
from dark.grading.uploads.owners import Owner, owners_of, parse_metadata


def write(folder, *names):
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(name.encode())
    return folder


def listed(folder, **options):
    return [(each.name, each.owner and each.owner.id, each.fault) for each in find_submissions(folder, **options)]


def test_canvas(tmp_path):
    write(tmp_path, "beeann_0042_98765_work.ipynb", "coebob_LATE_17_98766_my_work-1.ipynb")
    assert listed(tmp_path) == [("beeann", "0042", ""), ("coebob", "17", "")]


def test_a_late_file_of_canvas_is_of_the_same_student_in_both_spellings(tmp_path):
    write(tmp_path, "beeann_42_101_work.ipynb", "beeann_late_42_102_work-1.ipynb", "beeann_LATE_42_103_work-2.ipynb")
    assert [(each.student, each.counts) for each in find_submissions(tmp_path)] == [
        ("canvas 42", True), ("canvas 42", False), ("canvas 42", False)
    ]  # fmt: skip
    assert [each.path.name for each in find_submissions(tmp_path) if each.counts] == ["beeann_LATE_42_103_work-2.ipynb"]


def test_a_blind_download_of_moodle_names_participants(tmp_path):
    write(tmp_path, "Participant_4711_assignsubmission_file_/w.ipynb", "Participant_4712_assignsubmission_file/w.ipynb")
    assert [each.owner.id for each in find_submissions(tmp_path)] == ["4711", "4712"]


@pytest.mark.parametrize("form", ["{}_assignsubmission_file_/w.ipynb", "{}_assignsubmission_file_w.ipynb"])
def test_moodle(tmp_path, form):
    write(tmp_path, form.format("Ann Bée_0042"), form.format("Bob_Coe_17"), form.format("Bob_Coe_18"))
    assert listed(tmp_path) == [("Ann Bée", "0042", ""), ("Bob_Coe (17)", "17", ""), ("Bob_Coe (18)", "18", "")]


METADATA = """---
submission_17:
  :submitters:
  - :name: 'Ann O''Bee'
    :sid: '0042'
    :email: ann@school.edu
  :created_at: 2026-01-01 10:00:00.0 Z
  :history:
  - :id: 16
submission_18:
  :submitters:
  - :name: "Bob \\u00e9"
    :sid:
    :email: bob@school.edu
  - :name: Cy
    :sid: '3'
submission_19:
  :submitters:
  - :name: 'Ann O''Bee'
    :sid: '0042'
"""


def test_gradescope(tmp_path):
    write(tmp_path / "out", "submission_17/w.ipynb", "submission_18/w.ipynb", "submission_19/w.ipynb")
    (tmp_path / "out" / "submission_metadata.yml").write_text(METADATA)
    expected = [("Ann O'Bee", "0042", ""), ("Ann O'Bee, attempt 1", "0042", EARLIER), ("Bob é", "bob@school.edu", "")]
    assert listed(tmp_path / "out") == expected
    with zipfile.ZipFile(tmp_path / "out.zip", "w") as made:
        for path in (tmp_path / "out").rglob("*.*"):
            made.write(path, f"assignment_1_export/{path.relative_to(tmp_path / 'out')}")
    assert listed(tmp_path / "out.zip") == expected


def test_names_of_no_system_have_no_owner():
    assert owners_of(["hw_1_2_ann.ipynb", "hw_1_2_bob.ipynb"]) == [None, None]
    assert owners_of(["hw_1_200_ann.ipynb", "hw_1_200_bob.ipynb"]) == [None, None]  # one id for two files
    assert owners_of([]) == []
    assert parse_metadata("submission_1: {}") == {
        "submission_1": Owner("gradescope", "submission_1", "submission_1", 1)
    }
    assert parse_metadata("\x00: [") == {}


ATTEMPTS = ("beeann_42_101_work.ipynb", "beeann_42_99999_work-1.ipynb", "coebob_17_300_work.ipynb")


def test_the_latest_attempt_counts_and_earlier_ones_are_listed(tmp_path):
    write(tmp_path, *ATTEMPTS)
    found = find_submissions(tmp_path)
    assert [(each.name, each.path.name, each.counts, each.fault) for each in found] == [
        ("beeann", ATTEMPTS[1], True, ""),
        ("beeann, attempt 1", ATTEMPTS[0], False, EARLIER),
        ("coebob", ATTEMPTS[2], True, ""),
    ]
    assert found[0].student == found[1].student == "canvas 42"


def test_an_attempt_that_cannot_be_graded_does_not_replace_an_earlier_one(tmp_path):
    write(tmp_path, ATTEMPTS[0])
    (tmp_path / ATTEMPTS[1]).symlink_to(ATTEMPTS[0])
    assert [each.counts for each in find_submissions(tmp_path)] == [False, True]


def test_the_best_attempt_counts_when_all_are_graded(tmp_path):
    write(tmp_path, *ATTEMPTS)
    assert [each.fault for each in find_submissions(tmp_path, attempt="best")] == ["", "", ""]

    def record(name, attempt, earned):
        owner = {"system": "canvas", "id": "42", "name": name, "attempt": attempt}
        return {"name": name, "owner": owner, "earned": earned, "counts": True}

    other = {"name": "di", "owner": None, "earned": 1, "counts": True}
    for points, best in (((5, 3, 4), "a"), ((5, 5, 4), "b"), ((0, 0, 0), "c")):
        rows = [record(name, attempt, earned) for name, attempt, earned in zip("abc", (1, 2, 3), points)]
        found = counting_best([*rows, other, {"name": "e", "status": "not yet graded"}])
        assert [row["name"] for row in found if row.get("counts")] == [best, "di"]
        assert all(row["counts"] for row in rows), "the records themselves are not changed"
