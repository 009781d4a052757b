"""Tests of `show_class`: the printed class does what the class built cell by cell does."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dark.course.student.class_source import assembled_class, class_names
from dark.errors import CourseError

CELLS = [
    "import math",
    "class Node:\n    def __init__(self, value):\n        self.value = value\n\n    def twice(self):\n        return 0",
    "# the rule\ndef twice(self):\n    return 2 * self.value\n\nNode.twice = twice",
    "def make(cls):\n    return cls(1)\nNode.one = classmethod(make)",
    "Node.kind = 'node'",
    "def broken(:",
]


def run(cells):
    """Run the cells in order and return the names they define."""
    names = {}
    for cell in cells:
        try:
            exec(cell, names)
        except SyntaxError:
            continue
    return names


@given(st.permutations(range(2, 6)))
def test_the_printed_class_behaves_like_the_one_built_cell_by_cell(order):
    cells = CELLS[:2] + [CELLS[i] for i in order]
    built = run(cells)["Node"]
    printed = run([assembled_class("Node", cells)])["Node"]
    members = {name for name in vars(built) if not name.startswith("__")}
    assert {name for name in vars(printed) if not name.startswith("__")} == members
    for node in (built, printed):
        assert (node(3).twice(), node.one().value, node.kind) == (6, 1, "node")


def test_a_replaced_method_is_printed_once():
    assert assembled_class("Node", CELLS).count("def twice") == 1


def test_a_class_that_is_written_again_starts_afresh():
    printed = assembled_class("Node", [*CELLS, "class Node:\n    pass"])
    assert printed == "class Node:\n    pass\n"


def test_a_class_on_one_line_can_be_added_to():
    cells = ["class A: pass", "def f(self):\n    return 1\nA.f = f"]
    assert run([assembled_class("A", cells)])["A"]().f() == 1


def test_a_decorated_method_is_replaced_with_its_decorator():
    cells = [
        "class A:\n    @property\n    def x(self):\n        return 1\n\n    y = 2",
        "def x(self):\n    return 3\nA.x = x",
    ]
    printed = run([assembled_class("A", cells)])["A"]()
    assert (printed.x(), printed.y) == (3, 2)


def test_a_lambda_and_a_wrapped_function_are_kept_as_assignments():
    cells = ["class A:\n    pass", "def f(self):\n    return 1", "A.g = lambda self: 4\nA.h = trace(f)"]
    assert "g = lambda self: 4" in assembled_class("A", cells)
    assert "h = trace(f)" in assembled_class("A", cells)


def test_the_markers_of_a_solution_are_left_out():
    cell = "class A:\n    ### BEGIN SOLUTION\n    x = 1\n    ### END SOLUTION"
    assert assembled_class("A", [cell]) == "class A:\n    x = 1\n"


def test_a_magic_in_a_cell_does_not_hide_its_class():
    assert assembled_class("A", ["%matplotlib inline\nclass A:\n    x = 1"]) == "class A:\n    x = 1\n"


def test_names_of_all_classes_are_found():
    assert class_names(CELLS) == ("Node",)


def test_an_unknown_class_is_answered_with_near_misses():
    with pytest.raises(CourseError, match=r"(?s)Nod: no cell .* Try: Node$"):
        assembled_class("Nod", CELLS)


def test_a_session_without_classes_says_what_to_run():
    with pytest.raises(CourseError, match="run the cell that defines the class"):
        assembled_class("Node", [])
