"""Tests of the sentences about a wrong answer that no known mistake explains."""

import numpy as np
import pytest

from dark.course.exams import Choice, Exam, Float, trace
from dark.course.exams.answers import Answers, join
from dark.course.judging.answer_facts import UNKNOWN
from dark.course.judging.judge import judge_exercise
from dark.course.judging.python_errors import OF_PYTHON
from tests.course import arithmetic
from tests.course.arithmetic import MODULE

exam = Exam("98")


@exam.question("twice")
def doubles(dark, x: Float(-3, 3), name: Choice("a")):
    """Twice the value, as anything that an answer may be."""
    y = dark.twice(dark.Leaf(x))
    return y.value if isinstance(y, dark.Leaf) else y


def facts(line, asked=exam, exercise="twice", source="def twice(x):\n    {}"):
    """Return what is said of an answer with this line."""
    joined = join(asked, Answers("98"), arithmetic.REFERENCE)
    return judge_exercise(MODULE, exercise, {exercise: source.format(line)}, exam=joined, bank=()).diagnosis


VALUES = {
    "return -2 * x.value": "Looks like the answer is the negative of what it should be.",
    "return abs(2 * x.value)": "Looks like the answer is the negative of what it should be.",
    "import math; return math.floor(2 * x.value)": "Looks like the answer is rounded down.",
    "return 0.0": "Looks like the answer is always 0 where it is wrong.",
    "return 1e-17 * x.value": "Looks like the answer is 0, and should not be.",
    "return 0 * x.value": "Looks like the answer is 0, and should not be.",  # 0 and -0
    "return x.value": "Looks like the answer is the input `x` itself.",
    "return x.value**2": "Looks like the answer is the square of the input `x`.",
    "return 8 * x.value": "Looks like the answer is 4 times as large as it should be.",
    "return 1e-9 * x.value": "Looks like the answer is 5.0e-10 times as large as it should be.",
    "return 2.00002 * x.value": "Looks like every wrong number is right to a few digits only.",
    "return 2 * x.value + 3": "Looks like the answer is 3 too large.",
    "return 2 * x.value * x.value": (
        "Looks like the answer is multiplied by the input `x`, which does not belong there."
    ),
    "return 3 * x.value + 1": UNKNOWN[0],
    "return '2'": "The answer is '2'; it must be a number.",
    "return [x.value]": "The answer is a list or tuple; it must be a number.",
    "if x.value > 0: return 2 * x.value": "`twice` can end without a `return`: it then returns None.",
    "return x.value > 0": "The answer is True or False; it must be a number.",
    "return float('nan')": "Looks like the answer is always nan where it is wrong.",
    "return object()": "The answer is an object of class object; it must be a number.",
}


@pytest.mark.parametrize("line", VALUES)
def test_the_values_tell_how_they_differ(line):
    assert facts(line)[0] == VALUES[line]


kinds = Exam("98")


@kinds.question("twice")
def whole(dark, x: Choice(1.0, 2.0)):
    """Something with parts."""
    y = dark.twice(dark.Leaf(x))
    return {"list": [1, 2], "array": np.ones(2), "is": True, "raised": 1} if isinstance(y, dark.Leaf) else y


PARTS = {
    "return {'list': [1], 'array': np.ones(2), 'is': True, 'raised': 1}": "`list` has 1 item; it must have 2.",
    "return {'list': [1, 2], 'array': np.ones(3), 'is': True, 'raised': 1}": (
        "`array` has the shape (3,); it must have (2,)."
    ),
    "return {'list': [1, 2], 'array': np.ones(2, int), 'is': True, 'raised': 1}": (
        "`array` has the dtype int64; it must have float64."
    ),
    "return {'list': [1, 2], 'array': np.ones(2), 'is': False, 'raised': 1}": "`is` must be True, and is not.",
    "return {'list': [1, 2], 'array': np.ones(2), 'is': True}": "`raised` is missing.",
    "return None": "The answer is None; it must have list, array, is, raised.",
    "return '3, which is not a node'": "The answer is 3, which is not a node.",
    "return [1, 2, 3]": "The answer has 3 items; it must have 4: list, array, is, raised.",
}


pairs = Exam("98")


@pairs.question("twice")
def two(dark, x: Choice(2.0, 1.0, 3.0)):
    """Two numbers."""
    y = dark.twice(dark.Leaf(x))
    return {"first": 1.0, "second": x} if isinstance(y, dark.Leaf) else y


def test_a_difference_of_rounding_hides_none_that_is_easy_to_see():
    line = "return {'first': 1.0 + 1e-7 * x.value, 'second': 7.0}"
    assert facts(line, pairs)[0] == UNKNOWN[0]
    says = facts("return {'first': 1.0, 'second': 7.0}", pairs)[0]
    assert says == "Looks like `second` is always 7 where it is wrong."


described = Exam("98")


@described.question("twice")
def kind_and_content(dark, x: Choice(1.0, 2.0)):
    """A value that is written down with its kind."""
    y = dark.twice(dark.Leaf(x))
    answer = {"kind": "a tuple of 2", "content": [x, x]} if isinstance(y, dark.Leaf) else y
    return {"batch": answer} if x == 1 else answer


def test_a_kind_that_is_written_down_is_named_with_what_has_it():
    line = "return {'kind': 'a list of 2', 'content': [x.value] * 2}"
    assert facts(line, described)[0] == "`batch` is a list of 2; it must be a tuple of 2."
    line = "return {'kind': 'a tuple of 2' if x.value == 1 else 'a list of 2', 'content': [x.value] * 2}"
    assert facts(line, described)[0] == "The answer is a list of 2; it must be a tuple of 2."


refusals = Exam("98")


@refusals.question("twice")
def refused(dark):
    """A value that is refused."""
    y = dark.twice(dark.Leaf(1.0))
    return "a ValueError" if isinstance(y, dark.Leaf) else y


def test_what_must_be_refused_is_named():
    assert facts("return 3.0", refusals)[0] == "The answer is a number; it must be 'a ValueError'."


@pytest.mark.parametrize("line", PARTS)
def test_of_a_whole_the_first_part_that_differs_is_named(line):
    assert facts(f"import numpy as np\n    {line}", kinds)[0] == PARTS[line]


refusing = Exam("98")


@refusing.question("total")
def refuses_text(dark):
    """A string cannot be added."""
    return dark.total(["a"])


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("return 0.0", "No error is raised where a TypeError must be."),
        ("raise KeyError", "KeyError is raised where a TypeError must be."),
    ],
)
def test_an_error_that_must_be_raised_is_named(line, says):
    source = "def total(n):\n    {}\ndef four(x): return twice(twice(x))"
    assert facts(line, refusing, "total", source)[0] == says


drawn = Exam("98")


@drawn.question("twice")
def in_a_graph(dark, x: Float(1, 3)):
    """A graph."""
    leaf = dark.Leaf(x)
    leaf.name = "x"
    y = dark.twice(leaf)
    return {"graph": trace(y), "value": y.value, "grads": [leaf.grad, y.grad]}


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("return Leaf(x.value**3, (x,), 'twice')", "The first wrong node is node 1: everything that it is computed"),
        ("return Leaf(3 * x.value, (x,), 'twice')", "Looks like `value` is 1.5 times as large as it should be."),
        ("x.value -= 1; return Leaf(2 * x.value, (x,), 'twice')", "The value of the leaf `x` has changed, and nothing"),
        ("x.grad = 1.0; return Leaf(2 * x.value, (x,), 'twice')", "The first wrong gradient is that of `x`: all"),
        ("y = Leaf(2 * x.value, (x,), 'twice'); y.grad = 1.0; return y", "The gradient of the root, node 1, is wrong"),
    ],
)
def test_of_a_graph_the_first_wrong_node_is_named(line, says):
    assert facts(line, drawn)[0].startswith(says)


ERRORS = {
    "return nowhere": "the name `nowhere` is not defined.",
    "return twice * 2": "a function itself is used as a number: it is not called.",
    "return [1] - 1": "a list is used as a number.",
    "return [1] * [2]": "a list is multiplied; a list has no arithmetic.",
    "return [1] + 1": "something that is not a list is added to a list.",
    "return 3(x)": "something of type `int` is called like a function.",
    "return 3[0]": "something of type `int` gets square brackets, and has no items.",
    "a, b = 3; return a": "something of type `int` is looped over or unpacked, and holds no items.",
    "for n in 3: return x": "something of type `int` is looped over or unpacked, and holds no items.",
    "for n in x.__init__: return x": "a function itself stands where its result is needed",
    "a, b = [1]; return a": "there are not enough values for the names on the left.",
    "return Leaf(1, 2, 3, 4)": "`__init__` is called with other arguments than it is defined with.",
    "return Leaf(1, name='y')": "In line 3, something is called that has no argument `name`.",
    "return (lambda: 1)(2)": "`<lambda>` is called with other arguments than it is defined with.",
    "return 1 in 2": "something of type `int` is looped over or unpacked",
    "return list(type('A', (), {'__iter__': lambda self: [1]})())": "returns something of type `list`, which is not",
    "return 1 if np.ones(2) else 2": "an array of several numbers is used as True or False.",
    "import math; return math.sqrt(np.ones(2))": "an array of several numbers goes where one number is needed.",
    "return float(x)": "something of type `Leaf` goes where a number is needed.",
    "import math; return math.exp(x)": "a function of `math` gets something of type `Leaf`.",
    "return np.exp(x)": "a function of NumPy gets something of type `Leaf`.",
    "import math; return math.expp(1)": "the module `math` does not have what is taken from it.",
    "return x < x": "something of type `Leaf` is compared, and has no order.",
    "return twice.value": "a function itself is asked for `.value`",
    "return Leaf.value": "the class `Leaf` itself is asked",
    "return np.ones(2).nothing": "an object has no attribute `nothing`.",
    "return x.nothing": "an object has no attribute `nothing`.",
    "return exec('raise PermissionError(1, \"Operation not permitted\")')": "the system is asked for something",
    "return 1 / 0": "something is divided by 0.",
    "import math; return math.log(-1)": "a function of `math` gets a number for which it is not defined.",
    "import math; return math.exp(1000)": "a number becomes too large for a float.",
    "return [][0]": "an index is out of range.",
    "return {}['a']": "the dict has no key 'a'.",
    "raise KeyError('a')": "Line 3 raises a KeyError for an input that must be accepted.",
    "return next(iter([]))": "`next` finds nothing more.",
    "return np.ones(2) + np.ones(3)": "shapes do not fit.",
    "return np.ones(2) @ np.ones(3)": "shapes do not fit.",
    "return np.ones(4).reshape(3)": "shapes do not fit.",
    "return np.sum(np.ones(2), axis=1)": "the array has no axis 1.",
    "return np.sum(np.ones(2), axis=[0])": "something of type `list` is given where an integer",
    "return np.zeros(2, x)": "NumPy takes an argument for a dtype.",
    "return np.zeros(2)[np.ones(2)]": "something that is not an integer is used as an index.",
    "return range(3)[np.ones(2)]": "an array is given where an integer",
    "return {[]}": "a list is used as a key or in a set",
    "raise LookupError": "Line 3 raises a LookupError for an input that must be accepted.",
}


@pytest.mark.parametrize("line", ERRORS)
def test_an_error_of_python_is_explained(line):
    assert ERRORS[line] in facts(f"import numpy as np\n    {line}")[0]


def test_a_definition_with_other_parameters_is_named():
    says, _ = facts("return x", source="def twice(x, y):\n    {}")
    assert says == "`twice` is called with other arguments than it is defined with."


def test_every_sign_has_a_sentence_and_a_step():
    for sign in OF_PYTHON:
        assert sign.says.endswith(".") and sign.next.endswith((".", "?"))
