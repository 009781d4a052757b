"""Tests of names as Canvas, Moodle and Gradescope write them, and of several attempts."""

import zipfile
from dataclasses import asdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dark.grading.uploads import counting_best, find_submissions
from dark.grading.uploads.attempts import EARLIER
from dark.grading.uploads.owners import Owner, owners_of, parse_metadata, readings


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


def test_each_name_is_read_by_itself():
    names = ["beeann_42_98765_work.ipynb", "ann.ipynb", "Bob_17_assignsubmission_file_w.zip"]
    assert [owner and owner.id for owner in owners_of(names)] == ["42", None, "17"]
    assert owners_of(["beeann_42_98765_.ipynb"])[0].attempt == 98765
    assert owners_of([f"beeann_{'9' * 30}_98765_w.ipynb", f"beeann_1_{'9' * 5000}_w.ipynb"]) == [None, None]
    assert owners_of(["beeann_4700_88001_assignsubmission_file_x.ipynb"]) == [None]  # Canvas's, or Moodle's?


NAME = st.text(st.characters(codec="utf-8", exclude_characters="/\0_"), min_size=1, max_size=9)
CANVAS = st.tuples(NAME, st.integers(0, 9999), st.integers(100, 10**9), st.text(max_size=9))


@given(st.lists(CANVAS, unique_by=lambda each: each[2], min_size=2, max_size=8))
def test_the_owner_of_a_file_of_canvas_does_not_depend_on_the_others(files):
    names = [f"{name}_{number}_{file}_{text}.ipynb" for name, number, file, text in files]
    assert owners_of(names)[:-1] == owners_of(names[:-1])


@given(NAME, st.text(max_size=40))
def test_the_first_id_counts_whatever_the_student_calls_the_file(name, text):
    for written in (f"{name}_42_98765_", f"{name}_42_assignsubmission_file_", "W_42_attempt_2026-10-04-14-00-00_"):
        for more in ("coebob_17_98766_", "Bob_17_assignsubmission_file_", "W_17_attempt_2026-10-05-14-00-00_"):
            assert readings(f"{written}{more}{text}")[0].id == readings(f"{written}{text}")[0].id == "42"


PAIR = """---
submission_17:
  :submitters:
  - :name: Ann Bee
    :sid: '0042'
  - :name: Bob Coe
    :email: bob@school.edu
    :sid:
  :created_at: 2026-01-01 10:00:00.0 Z
  :results:
    :tests:
    - :output: |
        :submitters:
        - :name: Cy
          :sid: '3'
      :sid: '9'
submission_18:
  :submitters:
  - :name: Ann Bee who has a name that is so long that it
      :sid: '666'
    :sid: '0042'
  :history:
  - :submitters:
    - :name: Cy
      :sid: '3'
"""


def test_all_submitters_are_read_and_nothing_that_a_student_has_printed():
    found = parse_metadata(PAIR)
    pairs = [(each.id, each.name) for each in found["submission_17"].everyone]
    assert pairs == [("0042", "Ann Bee"), ("bob@school.edu", "Bob Coe")]
    assert [each.id for each in found["submission_18"].everyone] == ["0042"]


def test_the_latest_of_several_counts_for_each_of_those_who_have_submitted_it(tmp_path):
    write(tmp_path, "submission_17/w.ipynb", "submission_19/w.ipynb")
    pair = "".join(PAIR.partition("  :created_at")[:1])
    alone = "submission_19:\n  :submitters:\n  - :name: Ann Bee\n    :sid: '0042'\n"
    (tmp_path / "submission_metadata.yml").write_text(pair + alone)
    both, last = sorted(find_submissions(tmp_path, "best"), key=lambda each: each.path.parent.name)
    assert both.students == ("gradescope 0042", "gradescope bob@school.edu") and last.students == ("gradescope 0042",)
    first, last = sorted(find_submissions(tmp_path), key=lambda each: each.path.parent.name)
    assert first.counts and first.students == ("gradescope bob@school.edu",) and last.counts

    def rows(*earned):
        records = [
            {"name": each.name, "owner": asdict(each.owner), "earned": points, "counts": each.counts}
            for each, points in zip((both, last), earned, strict=True)
        ]
        found = counting_best(records, lambda record, student: record | {"marked": student})
        return [(row["name"], row["earned"], row["counts"], row["marked"]) for row in found]

    assert rows(5, 3) == [
        ("Ann Bee", 5, True, "0042"), ("Bob Coe", 5, True, "bob@school.edu"), (last.name, 3, False, None),
    ]  # fmt: skip
    assert [counts for _, _, counts, _ in rows(3, 5)] == [False, True, True]


def test_metadata_that_a_student_has_submitted_is_not_read(tmp_path):
    own = METADATA.replace("0042", "666")
    for files in (
        {"submission_17/submission_metadata.yml": own, "submission_metadata.yml": METADATA},
        {"out/submission_17/submission_metadata.yml": own, "out/submission_metadata.yml": METADATA},
    ):
        top = next(iter(files)).rpartition("submission_17")[0]
        with zipfile.ZipFile(tmp_path / "out.zip", "w") as made:
            for name, text in (files | {f"{top}submission_17/w.ipynb": "", f"{top}submission_19/w.ipynb": ""}).items():
                made.writestr(name, text)
        assert [each.owner.id for each in find_submissions(tmp_path / "out.zip")] == ["0042", "0042"]
        with zipfile.ZipFile(tmp_path / "out.zip", "w") as made:
            made.writestr(f"{top}submission_17/w.ipynb", "")
            made.writestr(f"{top}submission_17/submission_metadata.yml", own)
        assert [each.owner for each in find_submissions(tmp_path / "out.zip")] == [None]


def test_a_zip_by_mail_is_not_a_folder_of_gradescope(tmp_path):
    write(tmp_path, "submission_17/w.ipynb")
    (tmp_path / "submission_metadata.yml").write_text(METADATA)
    with zipfile.ZipFile(tmp_path / "submission_19.zip", "w") as made:
        made.writestr("w.ipynb", "")
    found = {each.path.name: each.owner and each.owner.id for each in find_submissions(tmp_path)}
    assert found == {"w.ipynb": "0042", "submission_19.zip": None}


def test_of_one_id_with_two_names_no_file_replaces_another(tmp_path):
    write(tmp_path, "beeann_42_101_w.ipynb", "coebob_42_102_w.ipynb", "deecy_43_103_w.ipynb")
    found = find_submissions(tmp_path)
    assert [(each.name, each.counts, each.fault) for each in found] == [
        ("beeann", True, ""), ("coebob", True, ""), ("deecy", True, "")
    ]  # fmt: skip
    doubt = "The id 42 of Canvas stands with two names, beeann and coebob."
    assert [each.doubt for each in found] == [doubt, doubt, ""]
    row = {"earned": 1, "counts": True, "failed": ""}
    records = [row | {"name": each.name, "owner": asdict(each.owner), "doubt": each.doubt} for each in found]
    rows = counting_best(records)
    assert all(row["counts"] for row in rows) and "beeann and coebob" in rows[0]["failed"] and not rows[2]["failed"]


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
