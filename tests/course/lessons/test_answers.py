"""The student's answers are found whatever happened to the cells around them."""

import copy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dark.course.lessons.answers import collect
from dark.course.lessons.code import code_of, free_names
from dark.course.lessons.notebook_files import parse_notebook, read_notebook, validated
from dark.errors import CourseError

TWICE = 'def twice(x):\n    """Return 2x."""\n    return x + x'
DOUBLE = "def double(self):\n    self.value *= 2\n\nBox.double = double"


def code(source, **metadata):
    return {
        "cell_type": "code",
        "id": f"own-{len(source)}",
        "metadata": metadata,
        "source": source,
        "outputs": [],
        "execution_count": None,
    }


def cell_of(notebook, name):
    return next(cell for cell in notebook["cells"] if cell["id"] == name)


def write(notebook, name, source):
    cell_of(notebook, f"exercise-{name}")["source"] = source


def executed(source, module, name):
    """Run the module's code with one answer swapped in, and return its namespace."""
    space = {}
    for part in module.parts:
        exec(source if part.exercise == name else part.source, space)
    return space


def test_a_fresh_notebook_answers_with_its_stubs(notebook, module):
    answers = collect(notebook, module)
    assert answers.sources == {name: each.stub for name, each in module.exercises.items()}


def test_the_solved_notebook_answers_with_its_solutions(printed, module):
    answers = collect(printed[2], module)
    assert answers.sources == {name: each.solution for name, each in module.exercises.items()}


def test_a_cell_answered_in_place_is_taken_to_the_letter(notebook, module):
    write(notebook, "twice", TWICE)
    answers = collect(notebook, module)
    assert answers.sources["twice"] == TWICE
    assert answers.cells["twice"] == (4,)


@given(order=st.permutations(range(10)), bare=st.booleans(), lines=st.booleans())
def test_order_tags_and_ids_do_not_matter(printed, order, bare, lines):
    module, notebook, _ = copy.deepcopy(printed)
    write(notebook, "twice", TWICE)
    write(notebook, "double", DOUBLE)
    cells = [notebook["cells"][place] for place in order]
    for cell in cells:
        if bare:
            cell["metadata"] = {}
            del cell["id"]
        if lines:
            cell["source"] = cell["source"].splitlines(True)
    found = collect(validated({**notebook, "cells": cells}), module).sources
    assert found == {"twice": TWICE, "double": DOUBLE}


def test_of_copies_the_last_written_one_counts(notebook, module):
    write(notebook, "twice", TWICE)
    notebook["cells"].append(code("def twice(x):\n    return 3 * x"))
    notebook["cells"].append(code(module.exercises["twice"].stub))
    assert "3 * x" in collect(notebook, module).sources["twice"]


def test_a_scratch_value_of_the_same_name_is_not_an_answer(notebook, module):
    write(notebook, "twice", TWICE)
    notebook["cells"].append(code("twice = twice(3)"))
    assert collect(notebook, module).sources["twice"] == TWICE


def test_a_copied_cell_that_answers_another_exercise_belongs_to_that(notebook, module):
    other = copy.deepcopy(cell_of(notebook, "exercise-twice"))
    notebook["cells"].append({**other, "id": "copy", "source": DOUBLE})
    answers = collect(notebook, module)
    assert answers.sources["double"] == DOUBLE
    assert answers.sources["twice"] == module.exercises["twice"].stub


def test_function_and_attachment_may_stand_in_two_cells(notebook, module):
    write(notebook, "double", "def double(self):\n    self.value *= 2")
    notebook["cells"].append(code("Box.double = double"))
    source = collect(notebook, module).sources["double"]
    box = executed(source, module, "double")["Box"](4)
    box.double()
    assert box.value == 8


def test_a_method_inside_the_class_is_taken_out_of_it(notebook, module):
    given = next(cell for cell in notebook["cells"] if cell["source"].startswith("class Box"))
    given["source"] += "\n\n    def double(self):\n        self.value *= 2\n\n    other = 1"
    source = collect(notebook, module).sources["double"]
    box = executed(source, module, "double")["Box"](4)
    box.double()
    assert box.value == 8
    assert not hasattr(box, "other")


def test_helpers_of_helpers_come_along_and_nothing_else(notebook, module):
    notebook["cells"].insert(0, code("import operator\nfactor = 2\nshow = print('no')\n"))
    notebook["cells"].insert(1, code("@staticmethod\ndef times(x):\n    return operator.mul(factor, x)"))
    write(notebook, "twice", "def twice(x):\n    return times(x)")
    source = collect(notebook, module).sources["twice"]
    assert executed(source, module, "twice")["twice"](5) == 10
    assert "show" not in source
    assert collect(notebook, module).cells["twice"] == (0, 1, 6)


def test_a_helper_in_another_exercises_cell_is_found(notebook, module):
    write(notebook, "twice", "def helper(x):\n    return 2 * x\n\n" + TWICE)
    write(notebook, "double", DOUBLE.replace("*= 2", "= helper(self.value)"))
    source = collect(notebook, module).sources["double"]
    assert "def helper" in source
    assert "def twice" not in source


def test_two_exercises_in_one_cell_are_distinguished(notebook, module):
    write(notebook, "twice", TWICE + "\n\n" + DOUBLE)
    write(notebook, "double", "# moved up")
    found = collect(notebook, module).sources
    assert "Box.double = double" in found["double"]
    assert "def twice" not in found["double"]
    assert "Box.double" not in found["twice"]


def test_a_future_statement_holds_for_the_cells_below(notebook, module):
    notebook["cells"].insert(0, code("from __future__ import annotations"))
    write(notebook, "twice", "def twice(x: Nowhere):\n    return x + x")
    source = collect(notebook, module).sources["twice"]
    assert source.startswith("from __future__ import annotations\n") and source.endswith("return x + x")


def test_checks_beside_an_answer_are_left_out(notebook, module):
    write(notebook, "twice", TWICE + '\n\ncheck("twice")')
    assert collect(notebook, module).sources["twice"].strip() == TWICE


def test_magics_and_shell_lines_are_skipped(notebook, module):
    write(notebook, "twice", "%%time\n!ls\n" + TWICE + "\ntwice?")
    assert executed(collect(notebook, module).sources["twice"], module, "twice")["twice"](2) == 4


def test_a_cell_with_a_syntax_error_is_still_found(notebook, module):
    write(notebook, "twice", "def twice(x:\n    return")
    assert collect(notebook, module).sources["twice"] == "def twice(x:\n    return"
    cell_of(notebook, "exercise-twice")["metadata"] = {}
    cell_of(notebook, "exercise-twice")["id"] = "gone"
    assert collect(notebook, module).sources["twice"] == "def twice(x:\n    return"


def test_a_deleted_cell_is_missing(notebook, module):
    notebook["cells"] = [cell for cell in notebook["cells"] if cell["id"] != "exercise-twice"]
    assert set(collect(notebook, module).sources) == {"double"}


def test_a_cell_that_has_just_run_is_recognized(module):
    assert module.exercise_of(code_of(TWICE)) == "twice"
    assert module.exercise_of(code_of("setattr(Box, 'double', lambda self: None)")) == "double"
    assert module.exercise_of(code_of("def double(self): ...")) == "double"
    assert module.exercise_of(code_of("def twice(x:")) == "twice"
    assert module.exercise_of(code_of("twice(3)")) is None
    assert module.exercise_of(code_of("twice = twice(3)")) is None
    assert module.exercise_of(code_of("b = Box(3)\nb.double()\nb.value")) is None


def test_names_are_found_in_blocks_and_patterns():
    source = "try:\n    import a.b\nexcept ImportError:\n    c = None\n(d, *e), f.g = h\ni: int\nj: int = 1"
    assert code_of(source).names == ("a", "c", "d", "e", "f.g", "j")


def test_a_cell_of_another_language_defines_nothing():
    assert code_of("%%bash\nx=1").names == ()


@given(source=st.text())
def test_no_text_breaks_the_search(printed, source):
    module = printed[0]
    code_of(source).names
    module.exercise_of(code_of(source))
    collect({"nbformat": 4, "cells": [code(source, dark={"kind": "exercise", "exercise": "twice"})]}, module)


def test_python_that_does_not_compile_refers_to_nothing(notebook, module):
    assert free_names("nonlocal x") is None
    write(notebook, "twice", TWICE + "\nnonlocal x")
    assert collect(notebook, module).sources["twice"] == TWICE + "\nnonlocal x"


BROKEN = {
    "{": "invalid JSON",
    "[1]": "a list where an object should be",
    '{"nbformat": 4}': "it has no list of cells",
    '{"nbformat": 4, "cells": 3}': "it has no list of cells",
    '{"nbformat": 4, "cells": [3]}': r"an invalid cell \(number 1\)",
    '{"nbformat": 4, "cells": [{"cell_type": "code", "source": [1]}]}': "an invalid cell",
    '{"nbformat": 5, "cells": []}': "the format 5",
    '{"cells": []}': "the format None",
    '{"nbformat": 3, "worksheets": []}': "the notebook format 3 is too old",
    "[" * 100_000: "invalid JSON",
}


@pytest.mark.parametrize("text", BROKEN, ids=range(len(BROKEN)))
def test_what_is_not_a_notebook_is_refused_in_three_parts(text):
    with pytest.raises(CourseError, match=f"(?s)file.ipynb: .*{BROKEN[text]}.*Expected: .*Try: "):
        parse_notebook(text, "file.ipynb")


def test_bytes_that_are_not_utf8_are_refused():
    with pytest.raises(CourseError, match="invalid JSON"):
        parse_notebook(b"\xff\xfe\x00")


def test_what_is_not_a_notebook_is_refused_at_the_door():
    with pytest.raises(CourseError, match="not a notebook: it has no list of cells"):
        validated({"nbformat": 4})
    assert validated({"nbformat": 4, "cells": []})


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(CourseError, match=r"gone.ipynb: cannot be read \(No such file"):
        read_notebook(tmp_path / "gone.ipynb")
