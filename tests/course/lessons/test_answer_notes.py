"""Tests of the notes on a notebook: answers in text cells, and answers that are there twice."""

import json

import pytest

from dark.course.judging.unfinished import is_attempted
from dark.course.lessons.answer_notes import notes_on
from dark.course.lessons.answers import collect
from dark.course.lessons.library import load_module, modules, repository_root
from dark.course.lessons.notebook_files import read_notebook

MODULE = load_module("01")
SOLVED = read_notebook(repository_root() / "solutions" / "01-scalar-autodiff.ipynb")
TEXT = "stands in a text cell, which is not run: not attempted."


def place(notebook, exercise):
    """Return the index of the cell that answers an exercise."""
    marks = [each["metadata"].get("dark", {}) for each in notebook["cells"]]
    return next(k for k, mark in enumerate(marks) if mark.get("kind") == "exercise" and mark["exercise"] == exercise)


def solved():
    return json.loads(json.dumps(SOLVED))


def notes(notebook, module=MODULE):
    answers = collect(notebook, module)
    blank = [name for name, each in module.exercises.items() if not is_attempted(answers.sources.get(name), each.stub)]
    return notes_on(notebook, module, answers, blank)


@pytest.mark.parametrize("name", modules())
def test_the_courses_own_notebooks_need_no_notes(name):
    module = load_module(name)
    assert notes(module.blank, module) == ()
    assert notes(read_notebook(repository_root() / "solutions" / f"{module.stem}.ipynb"), module) == ()


@pytest.mark.parametrize("kind", ["markdown", "raw"])
@pytest.mark.parametrize("has_metadata", [True, False])
def test_an_answer_in_a_text_cell_is_noted(kind, has_metadata):
    notebook = solved()
    number = place(notebook, "backward")
    notebook["cells"][number]["cell_type"] = kind
    if not has_metadata:
        notebook["cells"][number]["metadata"] = {}
    assert notes(notebook) == (
        f"The answer to `backward` (cell {number + 1}) {TEXT} Change the type of the cell to Code, and run it.",
    )


@pytest.mark.parametrize("around", ["My answer:\n\n```python\n{}\n```", "    {}", ">>> {}"])
def test_prose_and_fences_around_an_answer_change_nothing(around):
    notebook = solved()
    notebook["cells"][place(notebook, "slope")] |= {
        "cell_type": "markdown", "source": around.format("def slope(f, x, nudge=1e-6):\n    return f(x)"),
    }  # fmt: skip
    [note] = notes(notebook)
    assert note.startswith("The answer to `slope` (cell ")


def test_a_blank_cell_as_text_and_prose_about_an_answer_are_not_noted():
    notebook = json.loads(json.dumps(MODULE.blank))
    notebook["cells"][place(notebook, "slope")]["cell_type"] = "markdown"
    notebook["cells"].append({"cell_type": "markdown", "metadata": {}, "source": "I did not define slope."})
    assert notes(notebook) == ()


def test_an_answer_that_is_also_in_a_code_cell_is_not_noted():
    notebook = solved()
    notebook["cells"].append(notebook["cells"][place(notebook, "slope")] | {"cell_type": "markdown"})
    assert notes(notebook) == ()


def test_of_two_answers_it_is_said_which_counts():
    notebook = solved()
    number = place(notebook, "slope")
    wrong = "def slope(f, x, nudge=1e-6):\n    return 0.0"
    notebook["cells"].append({"cell_type": "code", "metadata": {}, "source": wrong})
    last = len(notebook["cells"])
    assert notes(notebook) == (
        f"Answered more than once: `slope` in the cells {number + 1}, {last} (cell {last} counts). "
        "The last answer counts, as when the notebook is run from top.",
    )
    assert collect(notebook, MODULE).sources["slope"] == wrong


def test_a_blank_copy_is_not_an_answer():
    notebook = solved()
    notebook["cells"].append(MODULE.blank["cells"][place(MODULE.blank, "slope")])
    assert notes(notebook) == ()


def test_many_notes_are_short():
    notebook = solved()
    for cell in list(notebook["cells"]):
        if cell["metadata"].get("dark", {}).get("kind") == "exercise":
            notebook["cells"] += [cell] * 100
    [note] = notes(notebook)
    assert "and 5 more" in note and len(note) < 500
