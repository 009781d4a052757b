"""An answer consists of the definitions of the exercise's names and their dependencies."""

import pytest

from dark.course.judging.implementation import arrange, assemble
from dark.course.lessons.answers import collect
from dark.course.lessons.dependency_search import MOST_CHANGES
from dark.course.lessons.redefined import redefined_in
from tests.course.lessons.test_answers import DOUBLE, TWICE, code, executed, write

BY_TWO = "def twice(x):\n    return TWO * x"
BY_TABLE = "def twice(x):\n    return TABLE[-1] * x"


HELPERS = {  # cells above an answer, and the answer, which makes 10 of 5
    "a constant": (["TWO = 2"], BY_TWO),
    "a constant that grew": (["TWO = 1\nTWO += 1"], BY_TWO),
    "a constant that grew in another cell": (["TWO = 1", "TWO += 1"], BY_TWO),
    "a walrus": (["print(TWO := 2)"], BY_TWO),
    "a walrus in a condition": (["if (TWO := 2):\n    pass"], BY_TWO),
    "a walrus in a comprehension": (["[TWO := k for k in (1, 2)]"], BY_TWO),
    "a loop's last": (["for TWO in (1, 2):\n    pass"], BY_TWO),
    "a with": (["import contextlib\nwith contextlib.nullcontext(2) as TWO:\n    pass"], BY_TWO),
    "a match": (["match 2:\n    case int() as TWO:\n        pass"], BY_TWO),
    "a star": (["from math import *"], "def twice(x):\n    return round(2 * x + sin(0))"),
    "a table filled in a loop": (["TABLE = {}\nfor k in range(3):\n    TABLE[k - 3] = k"], BY_TABLE),
    "a list that grew": (["TABLE = []", "TABLE.append(2)"], BY_TABLE),
    "a list that a helper fills": (["TABLE = []\ndef fill(t): t.append(2)\nfill(TABLE)"], BY_TABLE),
    "a counter": (["CALLS = 0"], "def twice(x):\n    global CALLS\n    CALLS += 1\n    return 2 * x"),
    "a rebound name": (["def id_of(f): return f"], "def twice(x):\n    return 2 * x\n\ntwice = id_of(twice)"),
    "several on a line": (["ONE = 1; TWO = 2"], BY_TWO),
    "a value": (["from functools import partial"], "twice = partial(int.__mul__, 2)"),
}


@pytest.mark.parametrize("name", HELPERS)
def test_helpers_of_every_kind_come_along(notebook, module, name):
    above, answer = HELPERS[name]
    notebook["cells"][:0] = [code(source) for source in above]
    write(notebook, "twice", answer)
    assert executed(collect(notebook, module).sources["twice"], module, "twice")["twice"](5) == 10


TRIALS = [
    "a, b = fx.inputs", 'fx.name = "y"', "r: float = fx.value", "del fx", "match fx:\n    case _: pass",
    "r = twice(None)",
    "raise SystemExit", "input()", "while True:\n    pass", "expected = dark.mul(2, 3)", "x = dark.Parameter(3)",
    "def compare(x):\n    return dark.mul(2, x) - twice(x)", "from dark.draw import draw\ndraw(twice(3))",
    "twice = twice(3)", "print(twice(3))", "assert twice(2) == 5", "y = " + "+".join("1" * 300), "@fx\ndef g(): pass",
]  # fmt: skip


@pytest.mark.parametrize("trial", TRIALS)
def test_a_trial_beside_an_answer_is_not_a_part_of_it(notebook, module, trial):
    write(notebook, "twice", f"{TWICE}\n\n{trial}")
    assert collect(notebook, module).sources["twice"] == TWICE


def test_an_answer_keeps_its_lines_where_a_trial_above_it_goes(notebook, module):
    write(notebook, "twice", f"print(3)\n\n{TWICE}")
    assert collect(notebook, module).sources["twice"] == f"\n\n{TWICE}"


def test_a_trial_that_cannot_run_in_an_exam_does_not_change_a_helper(notebook, module):
    write(notebook, "twice", f"TABLE = [2]\nTABLE.append(fx)\nTABLE.append(dark.mul(2, 3))\n{BY_TABLE}")
    assert executed(collect(notebook, module).sources["twice"], module, "twice")["twice"](5) == 10


def test_the_reference_is_not_a_helper_that_was_forgotten(notebook, module):
    notebook["cells"].insert(0, code("from dark import *\nfrom dark.draw import draw"))
    write(notebook, "twice", TWICE + "\n\ndraw(twice(3))")
    write(notebook, "double", DOUBLE + "\n\nmul(2, 3)")
    assert collect(notebook, module).sources == {"twice": TWICE, "double": DOUBLE}


def test_what_gives_a_name_to_the_reference_is_not_an_answer_beside_one(notebook, module):
    write(notebook, "twice", TWICE)
    notebook["cells"] += [code("twice = dark.twice"), code("from dark import twice")]
    assert collect(notebook, module).sources["twice"] == TWICE


def test_a_broken_scratch_cell_is_not_an_answer_beside_one(notebook, module):
    write(notebook, "twice", TWICE)
    notebook["cells"].append(code("def twice(x:\n"))
    assert collect(notebook, module).sources["twice"] == TWICE


def test_all_cells_in_one_are_distinguished(notebook, module):
    sources = [
        "import dark",
        "x = dark.Parameter(3)",
        "class Box:\n    pass",
        TWICE,
        DOUBLE,
        "b = Box(twice(3))\nb.double()",
    ]
    notebook["cells"] = [code("\n\n".join(sources))]
    found = collect(notebook, module).sources
    assert {name: source.strip() for name, source in found.items()} == {"twice": TWICE, "double": DOUBLE}


@pytest.mark.parametrize("head", ["class Box:", "class Box(Box):"])
def test_a_class_opened_again_gives_its_helper_methods_too(notebook, module, head):
    body = "    by = 2\n    def factor(self):\n        return self.by\n"
    body += "    def double(self):\n        self.value *= self.factor()"
    write(notebook, "double", f"{head}\n{body}\n    other = 1")
    box = executed(collect(notebook, module).sources["double"], module, "double")["Box"](4)
    box.double()
    assert box.value == 8 and not hasattr(box, "other")


def test_a_method_attached_by_a_decorator_or_a_loop_is_attached(notebook, module):
    attach = "def to(cls):\n    return lambda f: setattr(cls, f.__name__, f)\n\n@to(Box)\n"
    loop = '\nfor name, method in [("double", double)]:\n    setattr(Box, name, method)'
    plain = "def double(self):\n    self.value *= 2\n"
    for source in (attach + plain, plain + loop):
        write(notebook, "double", source)
        box = executed(collect(notebook, module).sources["double"], module, "double")["Box"](4)
        box.double()
        assert box.value == 8


def test_a_helper_method_attached_elsewhere_comes_along_and_a_field_of_a_node_does_not(notebook, module):
    notebook["cells"][:0] = [
        code("def grow(self):\n    self.value *= 2\nBox.grow = grow"),
        code("fx = 3\nfx.value = 7"),
    ]
    write(notebook, "double", "def double(self):\n    self.grow()\n\nBox.double = double")
    source = collect(notebook, module).sources["double"]
    box = executed(source, module, "double")["Box"](4)
    box.double()
    assert box.value == 8 and "fx" not in source


@pytest.mark.long
def test_thousands_of_helpers_and_changes_do_not_hold_up_the_search(notebook, module):
    chain = "\n".join(f"def h{k}(): return h{k + 1}()" for k in range(3000)) + "\nTABLE = []\n"
    changes = "\n".join("TABLE.append(h0())" for _ in range(3 * MOST_CHANGES))
    notebook["cells"].insert(0, code(chain + changes))
    write(notebook, "twice", "def twice(x):\n    return 2 * x if TABLE else h0()")
    assert "def h2999" in collect(notebook, module).sources["twice"]


OWN_DOUBLE = "def double(self):\n    self.value = twice(self.value)\n\nBox.double = double"
OWN = {  # what stands beside an answer that uses `twice`, and whether it is the answer's own
    "a function above": ("def twice(x): return 5 * x\n\n{}", True),
    "a function below": ("{}\n\ndef twice(x): return 5 * x", True),
    "a value above": ("from functools import partial\ntwice = partial(int.__mul__, 5)\n\n{}", True),
    "a trial below": ("{}\n\ntwice = twice(3)", False),
    "a stub": ("def twice(x): raise NotImplementedError\n\n{}", False),
    "a name for the reference": ("twice = dark.twice\n\n{}", False),
    "a loop's last": ("for twice in (1, 2):\n    pass\n{}", False),
}


@pytest.mark.parametrize("name", OWN)
def test_what_an_answers_cell_defines_again_is_for_that_answer_alone(notebook, module, name):
    beside, is_own = OWN[name]
    write(notebook, "twice", TWICE)
    write(notebook, "double", beside.format(OWN_DOUBLE))
    sources = collect(notebook, module).sources
    assert sources["twice"] == TWICE and redefined_in(sources["double"]) == ({"twice"} if is_own else set())
    made = assemble(arrange(module.parts, sources))
    box = made.Box(3)
    box.double()
    assert box.value == (15 if is_own else 6) and made.twice(3) == 6


def test_a_class_that_receives_an_answers_method_stays_that_of_the_course(notebook, module):
    write(notebook, "double", f"class Box:\n    pass\n\n{OWN_DOUBLE}")
    assert "class Box" not in collect(notebook, module).sources["double"]


def test_the_module_that_an_answer_imports_again_is_not_its_own(notebook, module):
    write(notebook, "twice", "import math\n\ndef twice(x):\n    return math.prod([2, x])")
    assert not redefined_in(collect(notebook, module).sources["twice"])
