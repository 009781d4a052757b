"""Tests of `mine()`: a second module that builds on the little course's first."""

import dataclasses
import json
import shutil
import time
from pathlib import Path

import pytest

from dark.course.judging.implementation import arrange, assemble
from dark.course.judging.judge import judge_exercise
from dark.course.lessons.library import earlier_modules, load_module
from dark.course.student import judged
from dark.course.student.mine import mine_before
from dark.course.student.student_kernel import ExecutedCell, StudentKernel
from dark.errors import CourseError, UsageError
from tests.course import little

RIGHT = "def slope(f, x, nudge=1e-6):\n    return (f(x + nudge) - f(x - nudge)) / nudge / 2"
WRONG = "def slope(f, x, nudge=1e-6):\n    return 1.0"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The little course with a second module after it; the current folder is the folder of the notebooks."""
    root = little.install(tmp_path, monkeypatch)
    little.second(root / "work")
    monkeypatch.chdir(root / "work")
    monkeypatch.delenv("DARK_SOLUTIONS", raising=False)
    return root / "work"


def test_a_module_begins_with_the_code_of_the_one_before(folder):
    module = load_module("72")
    assert [part.kind for part in module.parts] == ["earlier", "earlier", "earlier", "given"]
    assert assemble(arrange(module.parts, {})).steeper(lambda x: 3 * x, 1.0) == pytest.approx(6)


def test_a_right_answer_is_yours_and_the_rest_the_references(folder):
    little.student(folder / "71-little.ipynb", slope=RIGHT)
    mine = mine_before(load_module("72"))
    assert mine.whose == {"slope": ("yours", "right"), "minimize": ("reference", "not attempted")}
    assert mine.slope.__code__.co_filename == "<exercise slope>"
    assert mine.minimize(lambda x: x * x, 1.0, steps=2) == pytest.approx([1.0, 0.8, 0.64])
    assert "1 of 2 earlier exercises are yours" in repr(mine)
    assert "With the reference: minimize, not attempted" in repr(mine)
    html = mine._repr_mimebundle_()["text/html"]
    assert "<summary>With the reference (1)</summary>" in html


def test_where_all_are_yours_no_reference_is_mentioned(folder):
    shutil.copy(folder.parent / "solutions" / "71-little.ipynb", folder)
    assert repr(mine_before(load_module("72"))).startswith("All 2 earlier exercises are yours.")


def test_a_wrong_answer_is_replaced_and_named(folder):
    little.student(folder / "71-little.ipynb", slope=WRONG)
    mine = mine_before(load_module("72"))
    assert mine.whose["slope"] == ("reference", "wrong")
    assert mine.slope(lambda x: 3 * x, 1.0) == pytest.approx(3)


def test_without_a_notebook_all_is_the_references(folder):
    (folder / "71-little.ipynb").unlink()
    assert {whose for whose, _ in mine_before(load_module("72")).whose.values()} == {"reference"}


def test_each_call_gives_classes_of_its_own(folder):
    module = load_module("72")
    assert mine_before(module).slope is not mine_before(module).slope


def test_a_kernel_without_a_file_name_knows_its_module_by_the_cells_that_have_run(folder):
    kernel = StudentKernel(folder, environment={})
    kernel.history.record(ExecutedCell(little.SECOND))
    assert kernel.module().id == "72" and kernel.mine().whose.keys() == {"slope", "minimize"}


def test_a_first_module_has_nothing_before_it(folder):
    with pytest.raises(UsageError, match="mine: module 71 does not build on an earlier module"):
        mine_before(load_module("71"))


def test_without_solutions_a_missing_answer_is_named(folder):
    (folder.parent / "solutions" / "71-little.ipynb").unlink()
    with pytest.raises(
        CourseError, match=r"mine: slope of module 71-little is not attempted.*\n.*\n.*dark check 71 slope"
    ):
        mine_before(load_module("72"))


@pytest.fixture
def asked(monkeypatch):
    """The exercises that were judged, in order."""
    names = []

    def judge(module, exercise, *arguments, **options):
        names.append(exercise)
        return judge_exercise(module, exercise, *arguments, **options)

    monkeypatch.setattr(judged, "judge_exercise", judge)
    return names


def test_an_answer_is_judged_again_only_if_it_or_the_course_has_changed(folder, asked):
    path, questions = folder / "71-little.ipynb", folder.parent / "tests" / "exams" / "questions" / "exam_71_little.py"
    little.student(path, RIGHT, little.MINIMIZE)
    first = mine_before(load_module("72")).whose
    assert asked == ["slope", "minimize"]
    assert mine_before(load_module("72")).whose == first and len(asked) == 2
    little.student(path, WRONG, little.MINIMIZE)
    assert mine_before(load_module("72")).whose["slope"] == ("reference", "wrong")
    assert mine_before(load_module("72")).whose["minimize"] == ("yours", "right") and asked[2:] == ["slope"]
    little.student(path, RIGHT, little.MINIMIZE)
    assert mine_before(load_module("72")).whose == first and len(asked) == 3  # it was judged before
    questions.write_text(questions.read_text() + "# another line\n")
    assert mine_before(load_module("72")).whose == first and asked[3:] == ["slope", "minimize"]
    solved = little.notebook(slope=little.SLOPE.replace("nudge)", "nudge) + 0"))
    (folder.parent / "solutions" / "71-little.ipynb").write_text(json.dumps(solved))
    assert mine_before(load_module("72")).whose == first and asked[5:] == ["slope", "minimize"]


def test_a_wrong_answer_that_needs_another_one_is_judged_again_with_it(folder, asked):
    path = folder / "71-little.ipynb"
    steps = "def minimize(f, x, learning_rate=0.1, steps=100):\n    return slope(f, x, steps)"
    little.student(path, RIGHT, steps)
    mine_before(load_module("72"))
    little.student(path, WRONG, steps)
    mine_before(load_module("72"))
    assert asked == ["slope", "minimize"] * 2


def lines(path):
    return set(path.read_bytes().split())


@pytest.mark.parametrize("damage", ["flipped", "cut", "of another answer", "words", "binary"])
def test_no_edited_file_makes_a_wrong_answer_right(folder, asked, damage):
    path, file = folder / "71-little.ipynb", folder / ".dark" / "judged"
    little.student(path, RIGHT, little.MINIMIZE)
    mine_before(load_module("72"))
    right = file.read_bytes()
    little.student(path, WRONG, little.MINIMIZE)
    mine_before(load_module("72"))
    wrong = (lines(file) - set(right.split())).pop()
    file.write_bytes({
        "flipped": right + b"\n" + bytes([wrong[0] ^ 1]) + wrong[1:],
        "cut": right + b"\n" + wrong[:30],
        "of another answer": right,
        "words": right + b"\nslope right\n" + wrong.upper(),
        "binary": b"\0\xff" * 99,
    }[damage])  # fmt: skip
    del asked[:]
    assert mine_before(load_module("72")).whose["slope"] == ("reference", "wrong")
    assert asked[0] == "slope" and wrong in lines(file)


def test_an_answer_with_two_remembered_verdicts_is_judged_again(folder, asked):
    path, file = folder / "71-little.ipynb", folder / ".dark" / "judged"
    little.student(path, WRONG)
    module = load_module("71")
    mine_before(load_module("72"))
    each = judged.Judged(folder, module, {"slope": WRONG, "minimize": little.blank(little.MINIMIZE)})
    alone, _ = each._keys("slope")
    file.write_bytes(file.read_bytes() + b"\n" + judged._line(alone, "right"))
    assert mine_before(load_module("72")).whose["slope"] == ("reference", "wrong") and asked == ["slope"] * 2


def test_without_a_place_to_remember_each_answer_is_judged(folder, asked):
    (folder / ".dark").write_text("in the way")
    little.student(folder / "71-little.ipynb", RIGHT)
    for _ in range(2):
        assert mine_before(load_module("72")).whose["slope"] == ("yours", "right")
    assert asked == ["slope"] * 2


def test_a_stub_is_not_judged_and_leaves_no_file(folder, asked):
    assert mine_before(load_module("72")).whose["slope"] == ("reference", "not attempted")
    assert not asked and not (folder / ".dark").exists()


def test_a_module_builds_on_several_each_once_and_in_order(folder):
    little.second(folder, after=("71",), number="73", name="third")
    little.second(folder, after=("73", "72"), number="74", name="fourth")
    module = load_module("74")
    assert module.after == ("73", "72") and [each.id for each in earlier_modules(module)] == ["71", "72", "73"]
    assert [part.kind for part in module.parts] == ["earlier"] * 5 + ["given"]
    assert mine_before(module).steeper(lambda x: 3 * x, 1.0) == pytest.approx(6)


def test_two_earlier_modules_with_an_exercise_of_one_id_are_refused(folder):
    little.second(folder, exercises=True)
    little.second(folder, after=("72",), number="73", name="third")
    with pytest.raises(CourseError, match="the exercise 'slope' of 72-more must not have the id of an earlier one"):
        mine_before(load_module("73"))


@pytest.mark.long
def test_remembered_answers_take_less_than_a_fifth_of_a_second(tmp_path, monkeypatch, asked):
    for path in sorted(Path(__file__).parents[3].glob("solutions/0[123]-*.ipynb")):
        shutil.copy(path, tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("DARK_SOLUTIONS", raising=False)
    module, seconds = load_module("04"), []
    for _ in range(6):
        started = time.process_time()  # whatever else the machine does
        whose = mine_before(module).whose
        seconds.append(time.process_time() - started)
    assert len(whose) == len(asked) == 22 and set(whose.values()) == {("yours", "right")}
    assert min(seconds[1:]) < 0.2


def test_a_module_after_08_gets_the_engine_that_08_derives_from_that_of_07(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DARK_SOLUTIONS", "")
    mine = mine_before(dataclasses.replace(load_module("08"), id="09", after=("08",)))
    assert mine.Engine.__mro__[1].__name__ == "Engine" and not hasattr(mine, "mine")
    assert {"Checkpoint", "create_supervised_trainer", "backward"} <= {*vars(mine), *mine.whose}
