"""Tests of `mine()`: a second module that builds on the little course's first."""

import json
import shutil

import pytest

from dark.course.judging.implementation import arrange, assemble
from dark.course.lessons.library import load_module
from dark.course.student.mine import mine_before
from dark.course.student.student_kernel import ExecutedCell, StudentKernel
from dark.errors import CourseError, UsageError
from tests.course import little

RIGHT = "def slope(f, x, nudge=1e-6):\n    return (f(x + nudge) - f(x - nudge)) / nudge / 2"
WRONG = "def slope(f, x, nudge=1e-6):\n    return 1.0"
SECOND = "steeper = lambda f, x: 2 * slope(f, x)"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The little course with a second module after it; the current folder is that of the notebooks."""
    root = little.install(tmp_path, monkeypatch)
    second = little.notebook()
    second["cells"] = [little.cell("given", SECOND, id="given-1")]
    second["metadata"]["dark"] = {"module": "72", "name": "more", "title": "More", "after": "71", "exercises": {}}
    for folder in ("modules", "solutions"):
        (root / folder / "72-more.ipynb").write_text(json.dumps(second))
    monkeypatch.chdir(root / "modules")
    monkeypatch.delenv("DARK_SOLUTIONS", raising=False)
    return root / "modules"


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
    assert "minimize  reference  not attempted" in repr(mine)


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
    kernel.record_cell(ExecutedCell(SECOND))
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
