"""Common mistakes of any exercise, reported where the bug bank has no match."""

import ast
from dataclasses import replace

import pytest

from dark.course.judging.common_mistakes import find_mistake
from dark.course.judging.judge import judge_exercise
from dark.course.judging.observe import LocalObserver
from dark.course.judging.verdict import Fault, Finding, Verdict
from dark.course.lessons.code import code_of
from tests.course import arithmetic
from tests.course.arithmetic import MODULE, TOTAL

FOUR = "\ndef four(x): return twice(twice(x))\n"


class Quick(LocalObserver):
    """A local observer with a short time limit for infinite loops."""

    def __init__(self, exam):
        super().__init__(exam, seconds=0.2)


def mistake(source, exercise="twice", bank=()):
    """Judge an answer that no bank knows; return its diagnosis as one string."""
    sources = {exercise: source}
    verdict = judge_exercise(MODULE, exercise, sources, exam=arithmetic.exam, bank=bank, observer=Quick)
    return verdict.diagnosis and " ".join(verdict.diagnosis)


def twice(line):
    return mistake(f"def twice(x):\n    {line}")


LINES = {
    "Leaf(2 * x.value, (x,))": "`twice` returns nothing: a `return` is missing.",
    "return": "`twice` returns nothing",
    "print(2 * x.value)": "`twice` prints, but returns nothing",
    "return Leaf(x.value^2, (x,))": "`^` in line 2 is bitwise XOR in Python",
    "x.value == 3; return Leaf(x.value, (x,))": "`x.value == 3` in line 2 only compares",
    "y = Leaf(2 * x.value, (x,)); y.name = y.name,; return y.name": "The comma behind `y.name` in line 2 makes a tuple",
    "return (x.value, 1),": "The comma behind `(x.value, 1)` in line 2 makes a tuple of it. Remove that comma.",
    "x.value =- 2 * x.value; return x": "`=-` in line 2 assigns a negative number to `x.value`. `-=` subtracts.",
    "return ValueError('no')": "Line 2 returns a ValueError instead of raising it. Write `raise ValueError(...)`.",
    "return list(set([x]))": "`list(set([x]))` in line 2 has no certain order, because a set has none.",
    "import numpy as np\n    np.abs(x.value)\n    return x": "`np.abs(x.value)` in line 3 changes nothing by itself",
    "if x.value > 0: return Leaf(2 * x.value, (x,))": "`twice` can end without a `return`: it then returns None.",
    "for k in (1, 2):\n        y = Leaf(k * x.value, (x,))\n        return y": "the loop ends too early: `return y`",
    "return sqrt(x)\nsqrt = lambda x: twice(x)": "Is the function of `math` meant? It is `math.sqrt`.",
    "class Node: pass\n    x.grad = 1\n    return Node() - 0.1 * x.grad": (
        "Looks like `-` is applied to a node in line 4: a step changes the number in it, its `.value`."
    ),
    "return x.value.item()": "In line 2, `.item()` is called on a plain number, which has none",
    "import numpy as np\n    return np.ones(3).item()": "on an array of several numbers; it takes the only one",
    "class Node: pass\n    return Node().item()": "your nodes have no `.item`. Leave it out.",
    "class Node: pass\n    return Node().T": "your nodes have no `.T`. The operation `transpose`",
    "class Parameter: pass\n    return Parameter().shape": "`.shape` is accessed on a node; only its value, an array",
    "class Node: pass\n    n = Node(); n.data = n.data; return n": "In line 3, `.data` is accessed on a node;",
    "y = Leaf(2 * x.value); y.vallue = 1; del y.value; return y": "`.value` is asked for, but it is `.vallue` that",
    "return [x].append(x)": "`[x].append(x)` changes the list in place and returns None; line 2 uses that None.",
    "return [n for n in [x].reverse()]": "or use `reversed(...)`",
    "return twice(x)": "`return twice(x)` (line 2) calls its own function again",
    "return (lambda f: f(f))(lambda f: f(f))": "A function calls its own function again",
    "while x: pass": "Looks like a loop does not end: `while x` (line 2).",
    "while x: print('x' * 10**6)": "Looks like a loop does not end",
    "for n in (items := [x]):\n        items.append(n)\n    return x": "Look for a list that grows while",
    "y = y + x.value; return Leaf(y, (x,))": "In line 2, `y` is used before it is assigned.",
    "return Leaf(x.grad + 1, (x,))": "a gradient is None: no gradient has been added there yet",
    "return Leaf(x.name * 2, (x,))": "In line 2, something that is None is used as a number.",
    "return x.op.run(x)": "the object before `.run` is None. A leaf has no operation",
    "return x.name.run(x)": "the object before `.run` is None. Print it one line above",
    "import numpy as np\n    return np.add.at(np.zeros(2), 0, 1)": "`np.add.at` changes the array in place",
    "return x.value": "The test reads the `.value` of a value that your code returns or keeps: it is a plain number.",
    "return Leaf(x.value.ndim, (x,))": "`.ndim` is accessed on a plain number; only an array has that attribute.",
    "f = lambda *inputs: (lambda a, b: a)(inputs)\n    return f(x, x)": "a star is missing in line 2",
    "if 0: x.backward()\n    return Leaf(x.grad + 1, (x,))": "`backward` has not reached that node.",
    "class Sum: apply = lambda x, a: 1 + ''\n    axis = 0\n    return Sum.apply(x, axis)": "`axis` goes into `apply`",
    "return Leaf(x.value.value, (x,))": "`.value` is accessed on a plain number; only a node has that attribute.",
    "class Node: pass\n    return Leaf(2 * Node(), (x,))": (
        "Looks like `*` is applied to a node in line 3; nodes do not have this operator here."
    ),
}


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # a weak reference dies in a recursion
@pytest.mark.parametrize("line", LINES)
def test_a_mistake_is_named_with_its_line(line):
    assert LINES[line] in (twice(line) or "")


@pytest.mark.parametrize("line", ["return Leaf(x.value**3, (x,))", "raise SystemExit", "return Leaf(x.value, [])"])
def test_any_other_mistake_is_not_a_common_one(line):
    tree = code_of(f"def twice(x):\n    {line}").tree
    verdict = judge_exercise(MODULE, "twice", {"twice": ast.unparse(tree)}, exam=arithmetic.exam, bank=())
    assert find_mistake(ast.unparse(tree), None, verdict) is None


TOTALS = {
    "result = 0.0\n    for n in numbers:\n        result = n": "`result = n` in line 4 overwrites `result`.",
    "for n in numbers or [0.0]:\n        result = 0.0\n        result += n": "`result = 0.0` in line 3 overwrites",
}


@pytest.mark.parametrize("body", TOTALS)
def test_a_value_that_each_iteration_overwrites_is_named(body):
    says = mistake(f"def total(numbers):\n    {body}\n    return result" + FOUR, "total")
    assert says.startswith(f"Looks like only the last iteration counts: {TOTALS[body]}")
    assert says.endswith("Set `result` once, before the loop, and add to it inside: `result += ...`.")


SEARCHES = (
    "for n in [x]:\n        if n is None: continue\n        return n",
    "for n in [x]:\n        y = n\n        if y is x: break\n    return y",
    "try: return x\n    finally: x.name = 'a'",
)


@pytest.mark.parametrize("body", SEARCHES)
def test_a_search_is_no_loop_that_ends_too_early(body):
    says = twice(body)
    assert "too early" not in says and "last iteration" not in says and "can end" not in says


def test_what_the_source_shows_comes_before_a_bug_with_the_same_answers():
    lost = "def twice(x):\n    import numpy as np\n    np.multiply(x.value, 2)\n    return Leaf(x.value**2, (x,))"
    assert mistake(lost, bank=arithmetic.BANK).startswith("`np.multiply(x.value, 2)` in line 3 changes nothing")


def test_one_argument_where_two_are_needed_is_no_missing_star():
    assert "star" not in twice("return (lambda a, b: a)(x)")


def test_a_list_method_on_a_separate_line_is_not_a_mistake():
    says = mistake("def total(n):\n    out = []\n    out.append(n)\n    return None" + FOUR, "total")
    assert says.startswith("The answer is None; it must be a number.")


def test_a_method_without_its_return_is_named_with_its_class():
    solution = "class A:\n    def f(x):\n        return x\n" + TOTAL
    exercise = replace(MODULE.exercises["total"], solution=solution)
    module = replace(MODULE, exercises={**MODULE.exercises, "total": exercise})
    source = "class A:\n    def f(x):\n        x\ndef total(n): return 0.0" + FOUR
    verdict = judge_exercise(module, "total", {"total": source}, exam=arithmetic.exam, bank=())
    assert verdict.diagnosis[0] == "`A.f` returns nothing: a `return` is missing."


@pytest.mark.long
def test_the_bug_bank_comes_before_the_common_mistakes():
    bank = arithmetic.BANK_WITH_ENDLESS
    assert mistake(bank[2].source, bank=bank).startswith("Its loop never ends.")


def test_invalid_python_has_no_common_mistake():
    assert find_mistake("def twice(x) return", None, None) is None


def test_an_operator_that_calls_the_function_that_defines_it():
    source = (
        "class Odd(Leaf): pass\ndef minus(a, b):\n    return a - b\nOdd.__sub__ = minus\n"
        "def twice(x):\n    return Odd(1) - x"
    )
    assert "calls `__sub__`, which is this very function. Build the result" in mistake(source)


def test_an_answer_that_is_right_elsewhere_may_be_endless_or_too_slow():
    slow = "def total(n):\n    if 'a' in n: return sum(n)\n    while len(n) > 1: pass\n    return sum(n, 0.0)"
    says = mistake(slow + FOUR, "total")
    assert says.startswith("Looks like a loop does not end for this input, or takes too long: `while len(n) > 1`")
    assert "Every iteration must bring its end nearer. Visit each item once" in says


def test_a_right_answer_that_is_too_slow_names_the_size_of_the_test():
    fine = Finding("short", "A short chain is listed.", 1, 1, "right", {})
    slow = Finding("long", "A chain of 3,000 nodes is listed.", 1, 0, "timed out", {}, error=Fault("timed out", ""))
    says, _ = find_mistake("def order(root): pass", None, Verdict("98", "order", "timed out", (fine, slow), 1, 2))
    assert says.startswith("Looks like it is right but too slow for 3,000 nodes: ")


def test_a_right_answer_that_prints_too_much_names_its_print():
    fine = Finding("short", "A short chain is listed.", 1, 1, "right", {})
    long = Finding("long", "A long chain is listed.", 1, 0, "too much output", {}, error=Fault("too much output", ""))
    source = "def order(root):\n    while root:\n        print(root, 'waits')\n        root = root.next"
    says, next_step = find_mistake(source, None, Verdict("98", "order", "too much output", (fine, long), 1, 2))
    assert says == (
        "Looks like too much is printed here, or for too long: `print(root, 'waits')` (line 3). Other tests pass."
    )
    assert next_step == "Remove it first."


def test_an_attribute_that_a_later_cell_sets_is_asked_for_too_early():
    error = Fault("AttributeError", "type object 'Add' has no attribute 'apply'")
    early = Finding("sum", "The sum is a node.", 1, 0, "error", {}, error=error)
    verdict = Verdict("98", "add", "error", (early,), 0, 1)
    says, next_step = find_mistake("class Add: pass\n\nadd = Add.apply", None, verdict)
    assert says == "`Add.apply` is asked for while the cell runs, and nothing has set it yet."
    assert next_step == "Ask for it in a function, as in `return Add.apply(...)`: that runs when it is called."


def test_a_walk_along_each_path_is_named():
    error = Fault("RuntimeError", "Of 9 nodes the inputs were read 100,000 times: once for each path?")
    walk = Finding("doublings", "Doublings are listed.", 1, 0, "error", {}, error=error)
    says, _ = find_mistake("def order(root): pass", None, Verdict("98", "order", "error", (walk,), 0, 1))
    assert says == "Looks like a node is visited once for each path to it, and each level may double the paths."


def test_state_that_is_kept_between_calls_is_named():
    kept = "def twice(x, seen=[]):\n    seen.append(x)\n    return Leaf(2 * x.value * len(seen), (x,))"
    assert mistake(kept).startswith("Looks like something is kept from one call to the next")


SHARED = """class Pile:
    seen = []
    def __init__(self):
        {}
        self.seen.append(1)
def twice(x): return Leaf((2 if len(Pile().seen) == 1 else 3) * x.value, (x,))"""


def test_a_list_that_all_objects_share_is_named():
    says = mistake(SHARED.format("pass"))
    assert says.startswith("Looks like all objects share one list: `seen = []` in line 2 belongs to the class `Pile`.")
    assert says.endswith("Give each object its own list: `self.seen = []` in `__init__`.")


KEPT = {
    "def twice(x, met=[]):\n    met.append(x)\n    return Leaf(met[0].value, (x,))": "the default `met=[]`",
    "def twice(x, *, met=set()):\n    met.add(x)\n    return Leaf(len(met), (x,))": "the default `met=set()` in line 1",
    "MET = {}\ndef twice(x):\n    MET[x] = 1\n    return Leaf(len(MET), (x,))": "`MET = {}` in line 1 stands outside",
}


@pytest.mark.parametrize("source", KEPT)
def test_a_collection_that_outlives_a_call_is_named(source):
    says = mistake(source)
    assert says.startswith("Looks like something is kept from one call to the next: " + KEPT[source])


@pytest.mark.parametrize(
    "source",
    [
        "def twice(x, met=()):\n    met = [*met, x]\n    return Leaf(1.5, (x,))",
        "def twice(x, met=[]):\n    met = []\n    met.append(x)\n    return Leaf(1.5, (x,))",
        "NAMES = ['a']\ndef twice(x):\n    return Leaf(len(NAMES[0]), (x,))",
    ],
)
def test_a_collection_that_no_call_changes_is_not_named(source):
    assert "is kept" not in (mistake(source) or "")


def test_a_list_of_a_class_that_each_object_replaces_is_not_shared():
    assert "share" not in mistake(SHARED.format("self.seen = [2]"))


ON_THE_CLASS = """class Pile:
    def __init__(self):
        {}
def twice(x):
    Pile()
    return Leaf(getattr(Pile, "size", 2) * x.value, (x,))"""


@pytest.mark.parametrize("line", ["Pile.size = 3", "type(self).size = 3", "self.__class__.size, self.n = 3, 4"])
def test_what_is_assigned_to_a_class_is_named(line):
    says = mistake(ON_THE_CLASS.format(line))
    assert "in line 3 assigns to the class. Assign to the object: `self.size`." in says


def test_a_mark_on_a_node_is_named():
    says = mistake("def twice(x):\n    x.met = True\n    return Leaf(1.5, (x,))")
    assert "the mark `x.met = True` in line 2 stays there" in says
    assert "the mark" not in (mistake("def twice(x):\n    x.met = 3\n    return Leaf(1.5, (x,))") or "")
