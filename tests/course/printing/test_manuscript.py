"""A manuscript is read once, and every broken rule is named with its file, line and cell."""

import ast
import sys
import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dark.course.lessons.blank import BEGIN, END, blank
from dark.course.printing.manuscript import check_unique_exercises, read_manuscript
from dark.course.printing.solved_notebook import solved_notebook
from dark.errors import CourseError, MissingExtraError
from tests.course.sample import DOUBLE, PARTS, TWICE, exercise, fence, manuscript

CHECK = fence('check("twice")', "check")
TITLE = PARTS[0]


def test_a_manuscript_is_read_with_its_exercises(tmp_path):
    read = read_manuscript(manuscript(tmp_path))
    assert (read.stem, read.module, read.name, read.title) == ("07-small", "07", "small", "Small numbers")
    assert [cell.kind for cell in read.cells] == [
        "prose", "code", "predict", "given", "exercise", "check", "prose", "exercise", "check", "code",
    ]  # fmt: skip
    assert read.exercises["double"]["defines"] == ["Box.double"]
    assert [cell.about for cell in read.cells if cell.about] == ["07.1a", "twice", "twice", "double", "double"]


RULES = {
    "three hints": (
        exercise("twice", "[twice]", TWICE).replace("- A sibling.\n", ""),
        r"07-small.md, line 17 \(exercise twice\): the exercise has 3 hints.\n  Expected: four: a nudge; the concept",
    ),
    "no hints": (exercise("twice", "[twice]\nhint: x", TWICE), "invalid key 'hint' of an exercise"),
    "hints that are not a list": (
        exercise("twice", "[twice]", TWICE).replace("hints:\n", "hints: |\n  text\nwhy2:\n"),
        "invalid key 'why2' of an exercise",
    ),
    "a hint with a colon": (
        exercise("twice", "[twice]", TWICE).replace("- A nudge.", "- Think: what for?"),
        "hint 1 is invalid",
    ),
    "a picture without a value": (
        exercise("twice", "[twice]", TWICE).replace("    3\n", "    x = 3\n"),
        "hint 2 is invalid",
    ),
    "a picture that is not Python": (
        exercise("twice", "[twice]", TWICE).replace("    3\n", "    3 +\n"),
        "hint 2 is invalid",
    ),
    "too many minutes": (
        exercise("twice", "[twice]", TWICE, minutes=90),
        "minutes is 90.\n  Expected: an integer from 1 to 60",
    ),
    "minutes missing": (exercise("twice", "[twice]", TWICE, minutes=None), "minutes is None"),
    "difficulty in words": (exercise("twice", "[twice]", TWICE, difficulty="hard"), "difficulty is 'hard'"),
    "difficulty as yes": (exercise("twice", "[twice]", TWICE, difficulty="true"), "difficulty is True"),
    "no why": (exercise("twice", "[twice]", TWICE, why=None), "`why` is missing"),
    "an id with a space": (exercise("twice as", "[twice]", TWICE), "invalid id 'twice as'"),
    "defines nothing": (exercise("twice", "[]", TWICE), r"defines is \[\]"),
    "defines no name": (exercise("twice", "['2x']", TWICE), "`defines` contains '2x'"),
    "defines an unknown class": (
        exercise("twice", "[Bax.twice]", TWICE),
        "`defines` contains Bax.twice, but Bax is not defined yet",
    ),
    "defines what the solution does not": (
        exercise("twice", "[twice, Box.twize]", TWICE),
        "the solution does not define Box.twize",
    ),
    "a stub that hides the name": (
        exercise("twice", "[twice]", f"{BEGIN}\ndef twice(x):\n    return 2\n{END}"),
        "the stub does not contain twice",
    ),
    "no docstring": (
        exercise("twice", "[twice]", TWICE.replace('    """Return 2x."""\n', "")),
        "twice has no docstring",
    ),
    "no docstring on an attached function": (
        exercise("twice", "[Box.double]", DOUBLE.replace('"""Double what is in the box — for good."""', "1")),
        "Box.double has no docstring",
    ),
    "a marker not closed": (
        exercise("twice", "[twice]", TWICE.replace("    ### END SOLUTION\n", "")),
        "line 3 of the cell: `### BEGIN SOLUTION`, but it is never closed",
    ),
    "a marker not opened": (
        exercise("twice", "[twice]", TWICE.replace("    ### BEGIN SOLUTION\n", "")),
        "line 4 of the cell: `### END SOLUTION`, but no region is open",
    ),
    "a marker in a marker": (
        exercise("twice", "[twice]", TWICE.replace("BEGIN SOLUTION", "BEGIN SOLUTION\n    ### BEGIN SOLUTION")),
        "line 4 of the cell: `### BEGIN SOLUTION`, but the region above is not closed",
    ),
    "an exercise without a solution": (
        exercise("twice", "[twice]", 'def twice(x):\n    """2x."""'),
        "an exercise without a solution, or a solution outside an exercise",
    ),
    "a solution outside an exercise": (fence(TWICE, "given"), "or a solution outside an exercise"),
    "no Python": (fence("def (:"), r"line 17: line 1 of the cell is not valid Python \(invalid syntax\)"),
    "an untagged prediction": (fence('predict("07.2", 1)'), "the cell calls predict, but lacks the tag"),
    "a prediction of another module": (
        fence('predict("08.1", 1)', "predict"),
        r"line 17 \(predict 08.1\): the cell contains no valid prediction",
    ),
    "an empty prediction": (fence("predict()", "predict"), "the cell contains no valid prediction"),
    "a prediction with a bad id": (fence('predict("07.ü", 1)', "predict"), "invalid id '07.ü'"),
    "a duplicate prediction": (
        fence('predict("07.2", 1)', "predict") + fence('predict("07.2", 2)', "predict"),
        "duplicate prediction",
    ),
    "a check of nothing": (
        fence('check("twize")', "check"),
        "the exercise 'twize' is not defined above",
    ),
    "two kinds": (
        "```{code-cell} ipython3\n:tags: [given, check]\n\nx = 1\n```\n",
        "one cell has the kinds given and check",
    ),
    "a duplicate exercise": (
        2 * exercise("twice", "[twice]", TWICE),
        r"\(exercise twice\): duplicate exercise",
    ),
    "a broken block": (
        "```{code-cell} ipython3\n---\nhints: [\n---\nx\n```\n",
        "07-small.md: cannot be read: Code cell .* at line",
    ),
}


@pytest.mark.parametrize("rule", RULES)
def test_a_broken_rule_is_named(rule, tmp_path):
    text, message = RULES[rule]
    parts = (TITLE, fence("class Box: ...", "given")[:-1], text, CHECK)
    path = manuscript(tmp_path, parts)
    with pytest.raises(CourseError, match=f"(?s){message}.*Try: "):
        read_manuscript(path)


def test_an_exercise_without_a_check_is_named(tmp_path):
    path = manuscript(tmp_path, (TITLE, exercise("twice", "[twice]", TWICE)))
    with pytest.raises(CourseError, match="no cell checks this exercise"):
        read_manuscript(path)


def test_a_check_before_its_exercise_suggests_to_move_it(tmp_path):
    path = manuscript(tmp_path, (TITLE, CHECK))
    with pytest.raises(CourseError, match="'twice' is not defined above.(?s:.*)Try: move the cell down"):
        read_manuscript(path)


def test_what_an_earlier_module_defines_is_known(tmp_path):
    manuscript(tmp_path)
    triple = exercise("triple", "[Box.triple]", DOUBLE.replace("double", "triple"))
    parts = ["# More\n", triple, fence('check("triple")', "check")]
    path = manuscript(tmp_path, parts, stem="08-more")
    with pytest.raises(CourseError, match="Box is not defined yet"):
        read_manuscript(path)
    path.write_text(path.read_text().replace("kernelspec:", 'dark: {after: "07"}\nkernelspec:'))
    assert read_manuscript(path).exercises["triple"]["defines"] == ["Box.triple"]


def test_a_module_may_build_on_several(tmp_path):
    manuscript(tmp_path)
    manuscript(tmp_path, ["# Between\n", fence("between = 1", "given")], stem="08-between")
    last = manuscript(tmp_path, ["# Last\n", fence("last = 1", "given")], stem="09-last")
    text = last.read_text()
    for after, printed in (('["08", "07"]', ["07", "08"]), ('["08"]', "08"), ("[]", None), ('"07"', "07")):
        last.write_text(text.replace("kernelspec:", f"dark: {{after: {after}}}\nkernelspec:"))
        assert solved_notebook(read_manuscript(last), {})["metadata"]["dark"].get("after") == printed
    for after in ('["07", "07"]', '["07", "09"]', "[[]]", "{}"):
        last.write_text(text.replace("kernelspec:", f"dark: {{after: {after}}}\nkernelspec:"))
        with pytest.raises(CourseError, match=r"09-last.md: invalid `after: .*\n.*or a list of different ones: 07, 08"):
            read_manuscript(last)


def test_the_front_matter_tells_minutes_milestone_and_what_is_yours(tmp_path):
    path = manuscript(tmp_path)
    assert read_manuscript(path).course == {}
    text = path.read_text()
    facts = "dark: {minutes: 90, milestone: a line, yours: a slope}\nkernelspec:"
    path.write_text(text.replace("kernelspec:", facts))
    assert read_manuscript(path).course == {"minutes": 90, "milestone": "a line", "yours": "a slope"}
    for wrong in ("minutes: ninety", "minutes: 0", "milestone: 3", "yours: [slope]"):
        path.write_text(text.replace("kernelspec:", f"dark: {{{wrong}}}\nkernelspec:"))
        with pytest.raises(CourseError, match=r"07-.*: invalid `.*` in the front matter(?s:.*)minutes: a positive"):
            read_manuscript(path)


def test_an_exercise_of_another_module_is_refused(tmp_path):
    first = manuscript(tmp_path)
    second = manuscript(tmp_path, [part for part in PARTS if "predict(" not in part], stem="08-more")
    for path, other in ((first, "08-more.md"), (second, "07-small.md")):
        with pytest.raises(CourseError, match=f"duplicate exercise: {other} has one with the same id") as caught:
            check_unique_exercises(read_manuscript(path))
        assert "Expected: an id that is unique in the course" in str(caught.value)
    second.unlink()
    check_unique_exercises(read_manuscript(first))


def test_a_manuscript_needs_a_title_a_name_and_a_file(tmp_path):
    with pytest.raises(CourseError, match="the title is missing"):
        read_manuscript(manuscript(tmp_path, ("no heading",)))
    with pytest.raises(CourseError, match="7-small.md: invalid name of a manuscript"):
        read_manuscript(tmp_path / "7-small.md")
    with pytest.raises(CourseError, match="07-gone.md: cannot be read: .*No such file"):
        read_manuscript(tmp_path / "07-gone.md")


LINES = st.sampled_from(["x = 1", "if x:", "# ü → text", "", '"""a', "return y"])
TEXTS = st.lists(LINES, max_size=4)


@given(before=TEXTS, inside=TEXTS, after=TEXTS, indent=st.sampled_from(["", "    ", "\t"]))
def test_a_region_becomes_a_stub_and_nothing_else_changes(before, inside, after, indent):
    region = [indent + line for line in (BEGIN, *inside, END)]
    stub = [indent + line for line in ("# Your code here.", "raise NotImplementedError")]
    assert blank("\n".join([*before, *region, *after])) == "\n".join([*before, *stub, *after])


@given(st.text())
def test_a_cell_without_markers_and_predictions_stays(text):
    if BEGIN not in text and END not in text and "predict(" not in text:
        assert blank(text) == text


@given(answer=st.recursive(st.integers() | st.text(max_size=5) | st.booleans(), st.lists, max_leaves=4))
def test_a_predicted_answer_becomes_dots(answer):
    source = f'# größer\nx = "→"; predict("07.1a", {answer!r})  # why?'
    assert blank(source) == '# größer\nx = "→"; predict("07.1a", ...)  # why?'


def test_a_predicted_answer_may_take_several_lines():
    source = textwrap.dedent('predict("07.1a", [\n    1,\n    2,\n])\npredict("07.1b", 3)')
    assert blank(source) == 'predict("07.1a", ...)\npredict("07.1b", ...)'


def test_stubs_are_python_with_signature_types_and_docstring():
    stub = blank(TWICE.replace("x)", "x: float) -> float"))
    function = ast.parse(stub).body[0]
    assert ast.unparse(function.args) == "x: float"
    assert ast.get_docstring(function) == "Return 2x."
    assert "2 * x" not in stub


def test_a_prediction_beside_a_magic_becomes_dots():
    assert blank('!ls\npredict("07.1a", 3)') == '!ls\npredict("07.1a", ...)'


def test_a_cell_that_is_not_python_stays():
    assert blank('predict("07.1a", 3') == 'predict("07.1a", 3'


def test_without_jupytext_the_extra_is_named(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "jupytext.myst", None)
    with pytest.raises(MissingExtraError, match="jupytext is not installed(?s:.*)the extra 'lab'"):
        read_manuscript(manuscript(tmp_path))
