"""Laws of owners: no file takes the place of another student's, whatever a student calls it."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dark.grading.policy import Course, Owners
from dark.grading.policy.groups import Group
from dark.grading.policy.roster import Roster, Student
from dark.grading.uploads import Submission
from dark.grading.uploads.owners import doubts, owners_of, stem

PEOPLE = ("Ann Bee", "Bob Coe", "Cy van Dee", "Zoë Eel")
ROSTER = Roster(
    [
        Student(f"004{k}", name, {
            "canvas": f"470{k}", "moodle": f"8800{k}", "login": name.split()[0].lower(),
            "email": f"{name.split()[0]}@school.edu",
        })
        for k, name in enumerate(PEOPLE)
    ]
)  # fmt: skip
COURSE = Course(Path(), roster=ROSTER)
TIME = "attempt_2026-10-24-18-00-00"
CANVAS = ("beeann_4700_99000_w.ipynb", "coebob_4701_99001_w.ipynb", "vandeecy_LATE_4702_99002_w.ipynb",
          "eelzoë_4703_99003_w.ipynb")  # fmt: skip
PREFIXES = {  # what each system writes before the name of Ann's file
    "canvas": "beeann_4700_99000_",
    "moodle": "Ann Bee_88000_assignsubmission_file_",
    "blackboard": f"Module 01_ann_{TIME}_",
}
PIECES = ("bob", "Bob Coe", "coebob", "4701", "88001", "0041", "41", "_", "_4701_", f"_{TIME}", "Module 01_bob", "é")
PIECES += ("_assignsubmission_file_", "_LATE_", "99001", "bob@school.edu", "submission_2", ".zip", " ", "x")
texts = st.lists(st.sampled_from(PIECES), max_size=9).map("".join) | st.text(max_size=20)
names = texts.map(lambda text: text.replace("/", "").replace("\0", "") + ".ipynb")


def owners(files, course=COURSE):
    found = owners_of(files)
    made = zip(files, found, doubts(found), strict=True)
    return Owners(course, [Submission(f, Path(f), owner=owner, first=stem(f), doubt=why) for f, owner, why in made])


def ids(files, course=COURSE):
    found = owners(files, course)
    return [[student.id for student, _ in found.of(each, "01")] for each in files]


def why(files, course=COURSE):
    return owners(files, course).describe_unknown(files[-1])


@given(names.filter(lambda name: name not in CANVAS))
def test_one_file_more_changes_the_owner_of_no_other(extra):
    alone = [["0040"], ["0041"], ["0042"], ["0043"]]
    assert ids(CANVAS) == alone == ids((*CANVAS, extra))[:-1]
    moodle = [f"{name}_8800{k}_assignsubmission_file_w.ipynb" for k, name in enumerate(PEOPLE)]
    assert ids([*moodle, extra])[:-1] == alone


@pytest.mark.parametrize("system", PREFIXES)
@given(name=names)
def test_what_a_student_calls_a_file_makes_it_that_of_nobody_else(system, name):
    file = PREFIXES[system] + name
    assert ids([*CANVAS, file])[-1] in (["0040"], [])
    assert ids([file])[0] in (["0040"], [])


@pytest.mark.parametrize("system", PREFIXES)
@given(name=names)
def test_without_a_roster_a_file_is_that_of_another_student_neither(system, name):
    other = {"canvas": "coebob_4701_99001_w.ipynb", "moodle": "Bob Coe_88001_assignsubmission_file_w.ipynb"}
    bob = other.get(system, f"Module 01_bob_{TIME}_w.ipynb")
    own, others = ids([PREFIXES[system] + name, bob], Course(Path()))
    assert others == ids([bob], Course(Path()))[0] and own != others


@pytest.mark.parametrize("system", PREFIXES)
def test_the_first_match_of_a_pattern_counts(system):
    for again in ("coebob_4701_99001_x", "Bob Coe_88003_assignsubmission_file_x", f"Module 01_bob_{TIME}_x"):
        assert ids([f"{PREFIXES[system]}{again}.ipynb"]) == [["0040"]]


@pytest.mark.parametrize("name", ["beeann", "Ann Bee", "ann", "ANN", "ann@School.edu", "0040", "40", "000040"])
def test_a_name_that_says_two_people_is_refused_and_names_both(name):
    said = why([*CANVAS, f"{name}_4701_99009_w.ipynb"])
    assert "0041 (Bob Coe)" in said and "0040 (Ann Bee)" in said
    assert "0041" in why([f"{name}_88001_assignsubmission_file_w.ipynb"])


def test_of_two_names_before_one_id_the_one_of_the_roster_stays():
    files = ("coebob_4701_99001_w.ipynb", "xyz_4701_99009_w.ipynb")
    assert ids(files) == [["0041"], []]
    assert why(files) == "The id 4701 of Canvas stands with two names, coebob and xyz."
    renamed = Course(Path(), roster=Roster([Student("1", "Q", {"canvas": "4701"})]))
    assert ids(files, renamed) == [[], []] and "coebob and xyz" in why(files, renamed)


def test_a_name_that_is_read_in_two_ways_is_refused_if_it_names_two():
    assert "0040" in why(["beeann_4700_88001_assignsubmission_file_x.ipynb"])
    assert ids(["Ann_4700_88000_assignsubmission_file_x.ipynb"]) == [["0040"]]


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("ANN", "0040"), ("Ann Bee", "0040"), ("bee, ann", "0040"), ("BeeAnn", "0040"), ("ann@School.EDU", "0040"),
        ("00041", "0041"), ("41", "0041"), ("ZOE\u0308 eel", "0043"), ("van Dee Cy", "0042"), ("04701", "0041"),
        ("ann.IPYNB", "0040"), ("ann.ZIP", "0040"),
    ],
)  # fmt: skip
def test_a_file_by_mail_is_found_by_login_address_name_and_number(name, number):
    file = name if "." in name and "@" not in name else f"{name}.ipynb"
    assert ids([*CANVAS, file]) == [["0040"], ["0041"], ["0042"], ["0043"], [number]]


def test_two_of_one_name_or_number_are_named():
    course = Course(Path(), roster=Roster([Student("1", "Wei Wang"), Student("2", "wei  wang"), Student("02", "X")]))
    assert why(["Wei Wang.ipynb"], course) == (
        "It is not known whose it is; two students have this name: 1 (Wei Wang) and 2 (wei  wang)."
    )
    assert ids(["2.ipynb", "02.ipynb", "01.ipynb"], course) == [["2"], ["02"], ["1"]]
    assert "two students are meant by it: 2 (wei  wang) and 02 (X)" in why(["002.ipynb"], course)
    for file in ("wangwei_7_1001_w.ipynb", "Wei Wang_7_assignsubmission_file_.ipynb"):
        assert "Its id 7 is not on the roster, and two students have this name: 1 (Wei" in why([file], course)


def test_a_name_stands_for_an_id_that_the_roster_does_not_have():
    late = replace(COURSE, roster=Roster([*ROSTER.students, Student("0050", "Lou Mink")]))
    assert ids(["minklou_4799_99009_w.ipynb", *CANVAS], late)[0] == ["0050"]
    assert why(["coebob_4799_99009_w.ipynb"]) == "It matches no student on the roster; did you mean 0041 (Bob Coe)?"
    two = ["minklou_4798_99008_w.ipynb", "minklou_4799_99009_w.ipynb"]
    assert why(two, late) == "Its name fits two: 0050 (Lou Mink) has the ids 4798 and 4799."
    own = [f"Lou Mink_{number}_assignsubmission_file_w.ipynb" for number in (1, 2)]  # of two assignments
    assert ids(own, late) == [["0050"], ["0050"]]


def test_a_login_of_blackboard_may_contain_the_sign_before_it():
    one, other = Student("1", "A", {"login": "lou_mink"}), Student("2", "B", {"login": "o"})
    course = Course(Path(), roster=Roster([one, other]))
    assert ids([f"Module 01_lou_mink_{TIME}_w.ipynb", f"Module_01_o_{TIME}.ipynb"], course) == [["1"], ["2"]]
    both = Course(Path(), roster=Roster([*course.roster.students, Student("3", "C", {"login": "mink"})]))
    assert why([f"M_lou_mink_{TIME}_w.ipynb"], both) == "Its name fits two: 1 (A), and 3 (C)."
    files = [f"M_lou_mink_{TIME}.ipynb", f"M_mink_{TIME}.ipynb"]
    assert ids(files, Course(Path())) == [[], []]
    assert why(files, Course(Path())) == "Its name fits two: without a roster, mink may be lou_mink."


def test_a_group_and_a_student_of_one_name_are_named():
    course = replace(COURSE, groups=(Group("Bob", ("0040", "0042")),))
    assert why(["bob.ipynb"], course) == "Its name fits two: the group Bob, and 0041 (Bob Coe)."
    assert why([f"M_bob_{TIME}.ipynb"], course) == "Its name fits two: the group Bob, and 0041 (Bob Coe)."
    assert ids(["ann.ipynb"], course) == [["0040", "0042"]]
    foxes = replace(COURSE, groups=(Group("foxes", ("0040", "0042")),))
    assert ids(["FOXES.ipynb", "foxes_4702_9999_w.ipynb"], foxes) == [["0040", "0042"]] * 2
    assert "0041 (Bob Coe) by the id 4701, and the group foxes" in why(["foxes_4701_9999_w.ipynb"], foxes)


def submitted(*people):
    """Return the content of Gradescope's file about one submission."""
    lines = ["submission_1:", "  :submitters:"]
    for name, sid, email in people:
        lines += [f"  - :name: {name}", f"    :sid: '{sid}'", f"    :email: {email}"]
    return "\n".join(lines)


def of_gradescope(course, *people):
    (owner,) = owners_of(["submission_1"], submitted(*people))
    found = Owners(course, [Submission("x", Path("x"), owner=owner, first="submission_1")])
    return found, [(student.id, group) for student, group in found.of("x", "01")]


def test_all_submitters_of_gradescope_have_a_row():
    pair = ("Ned", "0040", "n@x.edu"), ("Ola", "41", "o@x.edu")
    assert of_gradescope(COURSE, *pair)[1] == [("0040", "Ann Bee, Bob Coe"), ("0041", "Ann Bee, Bob Coe")]
    assert of_gradescope(Course(Path()), *pair)[1] == [("0040", "Ned, Ola"), ("41", "Ned, Ola")]
    found, rows = of_gradescope(COURSE, pair[0], ("Nobody", "77", "no@x.edu"))
    assert rows == [("0040", None)] and found.lines() == ["! x: Nobody (77): It matches no student on the roster."]


def test_submitters_are_found_by_the_address_and_one_who_says_two_is_refused():
    assert of_gradescope(COURSE, ("A", "", "ANN@school.edu"))[1] == [("0040", None)]
    found, rows = of_gradescope(COURSE, ("A", "0040", "bob@school.edu"))
    assert not rows and "0040 (Ann Bee) by the id 0040, and 0041 (Bob Coe) by the address bob" in found.lines()[0]
    assert not of_gradescope(COURSE, ("Bob Coe", "0040", ""))[1]


def test_students_of_one_name_have_their_id_behind_it():
    wang = Student("1", "Wei Wang"), Student("2", "Wei Wang"), Student("3", "Ann")
    found = Owners(Course(Path(), roster=Roster(wang)), [])
    assert [found.label(each) for each in wang] == ["Wei Wang (1)", "Wei Wang (2)", "Ann"]
