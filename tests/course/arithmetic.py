"""A fake course for tests of the judge: two exercises, their reference, their questions, their bugs."""

from dark.course.exams import Choice, Exam, Float, Integer, ListOf, trace
from dark.course.exams.answers import Answers, join
from dark.course.judging.bank import parse_bank
from dark.course.judging.implementation import assemble
from dark.course.lessons.lesson import Exercise, Hint, Module, Part

GIVEN = """
class Leaf:
    def __init__(self, value, inputs=(), op=None):
        self.value, self.inputs, self.op, self.grad, self.name = value, inputs, op, None, None
"""
TWICE = """
def twice(x):
    return Leaf(2 * x.value, (x,), "twice")
"""
STUB_OF_TWICE = """
def twice(x):
    # Your code here.
    raise NotImplementedError
"""
TOTAL = """
def total(numbers):
    result = 0.0
    for number in numbers:
        result = result + number
    return result


def four(x):
    return twice(twice(x))
"""
STUB_OF_TOTAL = """
def total(numbers):
    # Your code here.
    raise NotImplementedError


def four(x):
    # Your code here.
    raise NotImplementedError
"""
BANK_OF_TWICE = """
[bug.squares]
says = 'It multiplies the value with itself.'
next = 'Multiply with 2.'
change = { '2 * x.value' = 'x.value * x.value' }

[bug.number]
says = 'It gives a number where a leaf is wanted.'
next = 'Wrap it in Leaf.'
change = { 'Leaf(2 * x.value, (x,), "twice")' = '2 * x.value' }
"""
ENDLESS_BUG = """
[bug.endless]
says = 'Its loop never ends.'
next = 'Leave the loop out.'
change = { 'return Leaf(2 * x.value, (x,), "twice")' = '''
while True:
    pass''' }
"""


def exercise(name, stub, solution, minutes=5):
    hints = tuple(Hint(f"hint {k}") for k in range(4))
    return Exercise(name, "98", name, (name,), minutes, 1, hints, "It works.\nIt is used next.", stub, solution)


PARTS = (Part("given", None, GIVEN), Part("exercise", "twice", TWICE), Part("exercise", "total", TOTAL))
EXERCISES = {
    "twice": exercise("twice", STUB_OF_TWICE, TWICE),
    "total": exercise("total", STUB_OF_TOTAL, TOTAL),
}
MODULE = Module("98", "arithmetic", "Arithmetic", PARTS, EXERCISES, {})
REFERENCE = assemble([("given 1", GIVEN), ("reference twice", TWICE), ("reference total", TOTAL)])
BANK = parse_bank(BANK_OF_TWICE, TWICE).bug
BANK_WITH_ENDLESS = parse_bank(BANK_OF_TWICE + ENDLESS_BUG, TWICE).bug  # slow: each diagnosis waits for its time limit
SOLVED = {"twice": TWICE, "total": TOTAL}
exam, answers = Exam("98"), Answers("98")


@exam.question("twice", points=2)
def doubles(dark, x: Float(-3, 3)):
    """Twice the value."""
    y = dark.twice(dark.Leaf(x))
    return {"value": y.value, "graph": trace(y)}


@exam.question("twice")
def keeps_its_input(dark, x: Integer(0, 5), name: Choice("a", "b")):
    """The input is the one that went in."""
    leaf = dark.Leaf(x)
    return [dark.twice(leaf).inputs[0] is leaf, name]


@exam.question("total", points=3)
def adds_all(dark, numbers: ListOf(Float(-3, 3))):
    """The sum of all numbers, 0 for none."""
    return dark.total(numbers)


@exam.question("total")
def refuses_text(dark):
    """A string cannot be added."""
    return dark.total(["a"])


@answers.judge("one_of_two")
def any_root(answer, inputs):
    return None if isinstance(answer, float) and abs(answer) == 2 else f"{answer} squared is not 4."


@exam.question("total")
def one_of_two(dark):
    """Any number whose square is 4."""
    return dark.four(dark.Leaf(0.5)).value


@answers.prediction("98.1a")
def two_and_two(dark):
    """Adding two to two gives four."""
    return dark.total([2.0, 2.0])


exam = join(exam, answers, REFERENCE)


ALWAYS_EQUAL = """
class Anything:
    value = property(lambda self: self)
    inputs = (0,)

    def __eq__(self, other):
        return True

    def __hash__(self):
        return 0

    def __repr__(self):
        return "2.0"

    __str__ = __repr__


def twice(x):
    return Anything()
"""
