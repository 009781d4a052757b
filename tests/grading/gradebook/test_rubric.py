"""Tests of rubrics: what is refused, what is applied, and the page that makes one."""

import json
import re
import shutil
import subprocess
import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dark.errors import UsageError
from dark.grading.gradebook.by_hand import ByHand, comments_of
from dark.grading.gradebook.rubric import Mark, as_data, check_names, from_data, read_rubric
from dark.grading.gradebook.rubric_page import SCRIPT, rubric_page

TOML = """
[[mark]]
student = "ann"
exercise = "slope"
points = 1.5
comment = "Nearly."

[[mark]]
student = "ann"
exercise = "report"
points = 4
of = 5

[[mark]]
student = "=bob"
comment = "See me."
"""
MARKS = (
    Mark("ann", "slope", 1.5, None, "Nearly."),
    Mark("ann", "report", 4, 5),
    Mark("=bob", comment="See me."),
)
CSV = "student,exercise,points,of,comment\nann,slope,1.5,,Nearly.\nann,report,4,5,\n\n'=bob,,,,See me.\n"


def record(name, owner=None):
    exercises = [
        {"exercise": "slope", "status": "wrong", "earned": 0, "points": 2, "questions": []},
        {"exercise": "add", "status": "right", "earned": 1, "points": 1, "questions": []},
    ]
    row = {"name": name, "owner": owner, "status": "graded", "module": "01", "failed": "slope wrong"}
    return row | {"exercises": exercises, "earned": 1, "points": 3, "complete": False}


def written(folder, text, name="rubric.toml"):
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_toml_and_csv_say_the_same(tmp_path):
    assert read_rubric(written(tmp_path, TOML)) == MARKS == from_data(json.loads(json.dumps(as_data(MARKS))))
    found = read_rubric(written(tmp_path, "\ufeff" + CSV, "rubric.csv"))
    assert found == (*MARKS[:2], Mark("'=bob", comment="See me."))  # as a spreadsheet got it from grades.csv
    rows = [record("ann"), record("=bob")]
    assert [ByHand(found).applied(row) for row in rows] == [ByHand(MARKS).applied(row) for row in rows]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[[mark", "not valid TOML"),
        (b"\xff", "cannot be read"),
        ("[[marks]]\n", r"'marks' is not known(.|\n)*Try: \[\[mark\]\]"),
        ("mark = 3", "not a list of tables"),
        ('[[mark]]\nstudnt = "ann"', r"mark 1: 'studnt' is not known(.|\n)*Try: student"),
        ("[[mark]]\nstudent = 3", "student is not a string"),
        ('[[mark]]\ncomment = "x"', "the student is missing"),
        ('[[mark]]\nstudent = "ann"', "neither points nor a comment"),
        ('[[mark]]\nstudent = "ann"\npoints = 1', "points require an exercise"),
        ('[[mark]]\nstudent = "ann"\nexercise = "a"\npoints = true', "points must be a number, got True"),
        ('[[mark]]\nstudent = "ann"\nexercise = "a"\npoints = nan', "points must be a number, got nan"),
        (
            '[[mark]]\nstudent = "ann"\nexercise = "a"\npoints = 0.001',
            r"points must be a number, got 0.001(.|\n)*at most two decimals",
        ),
        ('[[mark]]\nstudent = "ann"\nexercise = "a"\npoints = 6\nof = 5', "6 points are not from 0 to 5"),
        ('[[mark]]\nstudent = "ann"\nexercise = "a"\nof = 5', "`of` requires points"),
        (TOML + TOML, "mark 4: 'ann' has a mark for 'slope' in mark 1 already"),
        (TOML + '[[mark]]\nstudent = "b"\nexercise = "report"\npoints = 1\nof = 9', "is of 9, in an earlier mark of 5"),
    ],
)
def test_a_mistake_is_an_error_in_three_parts(tmp_path, text, said):
    with pytest.raises(UsageError, match=f"rubric.toml: .*{said}") as found:
        read_rubric(written(tmp_path, text))
    assert "\n  Expected: " in str(found.value) and "\n  Try: " in str(found.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("studnt,points\n", "line 1: 'studnt' is not known(.|\n)*Try: student"),
        ("exercise\n", "line 1 must name the columns"),
        ("", "line 1 must name the columns"),
        ("student,exercise,points\nann,slope\n", "line 2 has 2 columns, not 3"),
        ("student,exercise,points\nann,slope,many\n", "line 2: points must be a number, got 'many'"),
    ],
)
def test_a_mistake_in_a_table_names_the_line(tmp_path, text, said):
    with pytest.raises(UsageError, match=said):
        read_rubric(written(tmp_path, text, "rubric.csv"))


@pytest.mark.parametrize(
    ("mark", "said"),
    [
        (Mark("anm", comment="x"), r"'anm' has no submission(.|\n)*Try: ann"),
        (Mark("zzz", comment="x"), r"has no submission(.|\n)*Try: a name from grades.csv"),
        (Mark("ann", "slpe", 1), r"'slpe' is not an exercise(.|\n)*Try: slope"),
        (Mark("ann", "slope", 1, 2), "'slope' is an exercise and has an `of`"),
    ],
)
def test_a_name_that_does_not_exist_is_refused_with_near_misses(mark, said):
    with pytest.raises(UsageError, match=said):
        check_names("rubric.toml", [mark], {"ann", "=bob"}, ["slope", "add"])
    check_names("rubric.toml", MARKS, {"ann", "=bob"}, ["slope", "add"])


def test_marks_replace_points_and_add_parts_for_everybody():
    by_hand = ByHand(MARKS)
    ann, bob = by_hand.applied(record("ann")), by_hand.applied(record("=bob"))
    assert (ann["earned"], ann["points"], ann["complete"]) == (6.5, 8, False)
    assert ann["failed"] == "slope 1.5/2 by hand, report 4/5 by hand" and comments_of(ann) == "slope: Nearly."
    assert ann["exercises"][0]["by_hand"] == {"tests": 0, "comment": "Nearly."}
    assert (bob["earned"], bob["points"], bob["failed"]) == (1, 8, "slope wrong, report not yet marked")
    assert comments_of(bob) == "See me." and record("ann")["earned"] == 1
    assert by_hand.unused([record("ann")]) == ["=bob: comment"]


def test_a_mark_finds_its_student_by_name_or_id_and_the_name_counts():
    marks = [Mark("0042", "slope", 1), Mark("0042", "add", 0), Mark("ann", "slope", 2)]
    row = ByHand(marks).applied(record("ann", {"id": "0042"}))
    assert [each["earned"] for each in row["exercises"]] == [2, 0]


def test_a_part_of_0_is_a_bonus_or_a_deduction_and_no_total_is_below_0():
    def earned(points):
        return ByHand([Mark("ann", "late", points, 0)]).applied(record("ann"))["earned"]

    assert [earned(points) for points in (2, -0.5, -9)] == [3, 0.5, 0]


@given(st.lists(st.tuples(st.integers(0, 200), st.integers(0, 200)), min_size=1, max_size=5))
def test_totals_are_the_sums_of_what_is_shown(points):
    marks = [Mark("ann", f"p{k}", min(a, b) / 100, b / 100) for k, (a, b) in enumerate(points)]
    row = ByHand(marks).applied(record("ann"))
    for key in ("earned", "points"):
        assert abs(row[key] - sum(each[key] for each in row["exercises"])) < 1e-9


def test_without_marks_a_record_stays_as_it_is():
    assert ByHand([]).applied(record("ann")) == record("ann")
    assert ByHand(MARKS).applied({"name": "ann", "status": "not yet graded"})["status"] == "not yet graded"


def test_the_page_holds_names_as_data_and_loads_nothing():
    odd = "</script><script>alert(1)</script>"
    page = rubric_page([record(odd)], [Mark(odd, comment="<b>")])
    assert odd not in page and page.count("<script") == 2 and "default-src 'none'" in page.replace("&#x27;", "'")
    data = json.loads(re.search(r'id="data">(.*?)</script>', page)[1])
    assert data["rows"][0]["name"] == odd and data["marks"][0]["comment"] == "<b>"


def test_what_the_page_downloads_is_read_again(tmp_path):
    if not (node := shutil.which("node")):
        pytest.skip("node is not installed")
    odd = 'a"b\\c\n\x7f\x01\u2028é=</script>'
    fields = [
        {"student": odd, "exercise": "slope", "points": "1.5", "of": None, "comment": odd},
        {"student": "bob", "exercise": "report", "points": "0", "of": 5, "comment": ""},
        {"student": "bob", "exercise": "slope", "points": "", "of": None, "comment": " "},
    ]
    code = f"const p = require({json.dumps(str(SCRIPT))}); console.log(p.rubric(p.filled({json.dumps(fields)})))"
    text = subprocess.run([node, "-e", code], capture_output=True, text=True, check=True, timeout=30).stdout
    tomllib.loads(text)
    found = read_rubric(written(tmp_path, text))
    assert found == (Mark(odd, "slope", 1.5, None, odd), Mark("bob", "report", 0, 5))
