"""Exams: what makes a question, how its inputs are drawn, how a graph is traced."""

import json
import os
import re
import sys
from collections import Counter
from dataclasses import replace
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dark.course.exams.answers import Answers, join
from dark.course.exams.draws import ARITY, Array, Choice, Expression, Float, Integer, ListOf, build, write_expression
from dark.course.exams.exam import Exam
from dark.course.exams.generate import Choices, value_of
from dark.course.exams.inputs import inputs_of, key_of, smallest
from dark.course.exams.plain import encode
from dark.course.exams.questions import question_files
from dark.course.exams.reading import read_exam
from dark.course.exams.trace import NODES, trace
from dark.errors import CourseError
from tests.course.arithmetic import exam as arithmetic

NUMBERS = SimpleNamespace(
    add=lambda a, b: a + b, sub=lambda a, b: a - b, mul=lambda a, b: a * b, pow=lambda a, n: a**n, neg=lambda a: -a
)
EVERY_DRAW = [
    Float(-3, 3), Float(0.1, 0.9), Float(0.5, 0.5), Float(-1e6, 1e6), Integer(0, 5), Integer(-1000, 7),
    Choice("a", None, 2.5), ListOf(Integer(1, 3), 2, 4), ListOf(Expression()), Expression(("x", "y"), tuple(ARITY)),
]  # fmt: skip


def drawn(draw, seed, examples=20):
    """Return the values of a question with one draw."""
    return [inputs["x"] for inputs in inputs_of(a_question(examples, x=draw), seed)]


def a_question(examples=20, **draws):
    """Return a question with these draws."""
    return replace(arithmetic.questions["doubles"], draws=draws, examples=examples)


def is_within(value, draw):
    if isinstance(draw, Float):
        return type(value) is float and draw.low <= value <= draw.high
    if isinstance(draw, Integer):
        return type(value) is int and draw.low <= value <= draw.high
    if isinstance(draw, Choice):
        return value in draw.values
    if isinstance(draw, ListOf):
        return draw.least <= len(value) <= draw.most and all(is_within(item, draw.item) for item in value)
    return operations_of(value) <= set(draw.operations)


def operations_of(expression):
    if not isinstance(expression, list):
        return set()
    assert len(expression) == ARITY[expression[0]] + 1
    return {expression[0]}.union(*map(operations_of, expression[1:]))


@pytest.mark.parametrize("name", arithmetic.questions)
def test_the_inputs_of_a_question_are_distinct_the_shortest_first_and_depend_on_the_seed_alone(name):
    question = arithmetic.questions[name]
    found = inputs_of(question, 0)
    keys = [key_of(inputs) for inputs in found]
    assert len(set(keys)) == len(keys) <= question.examples
    assert keys == sorted(keys, key=len)
    assert inputs_of(replace(question, title="another question"), 0) == found
    assert not question.draws or inputs_of(question, 1) != found


def test_a_question_knows_its_name_title_and_options():
    question = arithmetic.questions["doubles"]
    assert (question.exercise, question.title, question.points) == ("twice", "Twice the value.", 2)
    assert question.draws == {"x": Float(-3, 3)} and question.examples == 12
    assert arithmetic.predictions["98.1a"].why == "Adding two to two gives four."


def test_an_exercise_without_questions_is_named_with_near_misses():
    with pytest.raises(CourseError, match=r"no question for the exercise 'twise'(.|\n)*Try: twice"):
        arithmetic.questions_of("twise")


def question(text):
    namespace = {"exam": Exam("97"), "Float": Float}
    exec("@exam.question('e')\n" + text, namespace)


def test_a_question_without_a_docstring_is_refused():
    with pytest.raises(CourseError, match="q has no docstring"):
        question("def q(dark): return 1")


@pytest.mark.parametrize("input_", ["x", "x: float", "x: 'Float(-3, 3).low'"])
def test_an_input_without_a_draw_is_refused(input_):
    with pytest.raises(CourseError, match="q: the input 'x' has no draw"):
        question(f"def q(dark, {input_}): 'It is so.'")


def test_a_name_can_be_used_once():
    exam, answers = Exam("97"), Answers("97")
    for _ in range(2):

        def q(dark):
            """It is so."""

        try:
            exam.question("e")(q)
            answers.prediction("97.1")(q)
        except CourseError as error:
            assert "exam 97: duplicate name 'q'." in str(error)
        else:
            assert len(exam.questions) == 1
    with pytest.raises(CourseError, match="duplicate name '97.1'"):
        answers.prediction("97.1")(q)
    answers.judge("q")(q)
    answers.reference(q)
    for add in (answers.judge("q"), answers.reference):
        with pytest.raises(CourseError, match="duplicate name 'q'"):
            add(q)


def test_a_file_of_questions_is_read_once(tmp_path):
    path = tmp_path / "exam_97_short.py"
    path.write_text('"""One."""\nfrom dark.course.exams import Exam\nexam = Exam("97")\n')
    assert read_exam(path).path == str(path) and read_exam(str(path)) is read_exam(path)


def test_a_change_right_after_the_first_reading_that_keeps_the_length_is_seen(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    path = tmp_path / "exam_96_edited.py"
    for k, module in enumerate(("96", "95")):
        path.write_text(f'from dark.course.exams import Exam\n\nexam = Exam("{module}")\n')
        os.utime(path, ns=(1_700_000_000_000_000_000 + k,) * 2)  # within one second
        assert read_exam(path).module == module


def test_a_file_that_is_missing_or_makes_no_exam_is_named(tmp_path):
    with pytest.raises(CourseError, match=r"exam_97_gone\.py: the file does not exist"):
        read_exam(tmp_path / "exam_97_gone.py")
    (tmp_path / "exam_97_none.py").write_text("x = 1\n")
    with pytest.raises(CourseError, match=r"exam_97_none\.py: must create exactly one `Exam`, got 0"):
        read_exam(tmp_path / "exam_97_none.py")


@pytest.mark.parametrize(
    "line", ["import dark", "import dark.nn as nn", "from dark.course.exams.answers import Answers", "from . import x"]
)
def test_a_file_of_questions_that_imports_an_implementation_is_refused(tmp_path, line):
    path = tmp_path / "exam_97_borrows.py"
    path.write_text(f"import math\nfrom dark.course.exams import Exam\n{line}\nexam = Exam('97')\n")
    with pytest.raises(
        CourseError, match=r"exam_97_borrows\.py: line 3 must not import `[a-z.]+`(.|\n)*standard library"
    ):
        read_exam(path)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("exam = Exam('03')\n\nFloat()\n", "line 5: TypeError: .*Float.*low"),
        ("exam = Exam('03')\n\ndef f(:\n", "line 5: SyntaxError"),
        ("exam = Exam('03')\nexam.question('triple', x=3)\n", "line 4: TypeError: .*'x'"),
        ("exam = Exam('03')\nFloat(3, -3)\n", "Float: low must not exceed high, got 3 and -3"),
    ],
)
def test_an_error_in_a_file_of_questions_is_named_with_its_line(tmp_path, text, told):
    path = tmp_path / "exam_03.py"
    path.write_text("from dark.course.exams import Exam, Float\n\n" + text)
    with pytest.raises(CourseError, match=told) as caught:
        read_exam(path)
    assert "Expected:" in str(caught.value) and "Try:" in str(caught.value)


@pytest.mark.parametrize(
    ("draw", "told"),
    [
        (lambda: Float(1, 0), "Float: low must not exceed high, got 1 and 0"),
        (lambda: Integer(2, 1), "Integer: low must not exceed high, got 2 and 1"),
        (lambda: ListOf(Float(0, 1), 3, 2), "ListOf: least must not exceed most, got 3 and 2"),
        (lambda: Choice(), "Choice: expected at least one value"),
        (lambda: Array(), "Array: expected at least one value"),
    ],
)
def test_a_draw_of_nothing_is_refused(draw, told):
    with pytest.raises(CourseError, match=told) as caught:
        draw()
    assert "Expected:" in str(caught.value) and "Try:" in str(caught.value)


def test_the_questions_of_all_modules_know_no_answers():
    for path in question_files():
        exam = read_exam(path)
        everything = [*exam.questions.values(), exam]
        assert not {
            name for thing in everything for name in ("judge", "reference", "predictions") if hasattr(thing, name)
        }


def test_a_judge_of_a_question_that_does_not_exist_is_named():
    answers = Answers("98")
    answers.judge("one_of_too")(lambda answer, inputs: None)
    with pytest.raises(CourseError, match=r"no question 'one_of_too' to judge(.|\n)*Try: one_of_two"):
        join(arithmetic, answers)


def test_the_reference_is_dark_with_the_names_that_the_answers_replace():
    answers = Answers("98")

    @answers.reference
    def twice(x):
        return 2 * x

    joined = join(arithmetic, answers)
    assert joined.reference.twice(3) == 6 and joined.reference.mul(2, 3).value == 6
    assert join(arithmetic, answers) is joined and join(Exam("97")).reference is None


@pytest.mark.parametrize("draw", EVERY_DRAW, ids=repr)
def test_draws_keep_their_promise_for_any_seed(draw):
    for seed in range(5):
        values = drawn(draw, seed)
        assert values and all(is_within(value, draw) for value in values)
        assert json.loads(json.dumps(values)) == values


@pytest.mark.parametrize("draw", EVERY_DRAW, ids=repr)
def test_the_same_seed_draws_the_same(draw):
    assert drawn(draw, 3) == drawn(draw, 3)


def test_the_simplest_inputs_are_drawn_with_every_seed():
    simplest = {"x": 0.0, "word": "a", "numbers": [1, 1]}
    question = a_question(1, x=Float(-3, 3), word=Choice("a", None), numbers=ListOf(Integer(1, 3), 2, 4))
    assert inputs_of(question, 0) == inputs_of(question, 1) == (simplest,)


def test_all_inputs_are_drawn_where_there_are_few():
    for seed in range(5):
        values = drawn(ListOf(Choice("a", "b", "c"), 0, 2), seed, 50)
        assert len(values) == 1 + 3 + 9


@given(st.integers(0, 10**6), st.integers(2, 8))
def test_every_entry_is_drawn_once_before_one_comes_again(seed, count):
    letters = "abcdefgh"[:count]
    found = inputs_of(a_question(1 + 3 * count, letter=Choice(*letters), x=Float(-900, 900)), seed)
    times = Counter(each["letter"] for each in found)
    assert sum(times.values()) == 1 + 3 * count and all(times[each] >= 3 for each in letters)


def test_every_length_of_a_list_is_drawn():
    for seed in range(5):
        assert {len(value) for value in drawn(ListOf(Float(-3, 3), 2, 6), seed, 50)} == {2, 3, 4, 5, 6}


def test_equal_values_are_drawn_too():
    for seed in range(5):
        found = inputs_of(a_question(50, a=Float(-3, 3), b=Float(-3, 3)), seed)
        assert any(each["a"] == each["b"] != 0 for each in found)


SMALLEST = [
    ({"x": Float(-9, 9)}, lambda x: abs(x) > 3, {"x": 4.0}),
    ({"x": Float(-9, 9)}, lambda x: x < 0 and x % 1, {"x": -0.5}),
    ({"x": Float(-300, 300)}, lambda x: x > 7, {"x": 8.0}),
    ({"x": Float(-3, 3, often=(0.0,)), "n": Integer(-5, 50)}, lambda x, n: n > 7, {"x": 0.0, "n": 8}),
    ({"kind": Choice("a", "b", "c"), "x": Float(0, 1)}, lambda kind, x: kind != "a", {"kind": "b", "x": 0.0}),
    ({"numbers": ListOf(Integer(0, 9), 0, 6)}, lambda numbers: max(numbers, default=0) > 4, {"numbers": [5]}),
    ({"numbers": ListOf(Integer(0, 9), 1, 6), "x": Float(-3, 3)}, lambda numbers, x: 7 in numbers and x > 1,
     {"numbers": [7], "x": 2.0}),
    ({"a": Array([1, 2], [[3, 4]])}, lambda a: isinstance(a[0], list), {"a": [[3, 4]]}),
    ({"y": Expression(("x", "z"), ("add", "mul", "neg"), 6)}, lambda y: "neg" in json.dumps(y), {"y": ["neg", "x"]}),
]  # fmt: skip


@pytest.mark.parametrize(("draws", "fails", "expected"), SMALLEST)
@pytest.mark.parametrize("seed", range(5))
def test_the_smallest_inputs_that_fail_are_found_in_150_attempts(draws, fails, expected, seed):
    question, tried = a_question(60, **draws), []

    def fails_again(inputs):
        tried.append(key_of(inputs))
        return len(set(tried)) <= 150 and fails(**inputs)

    for first in [each for each in inputs_of(question, seed) if fails(**each)]:
        tried.clear()
        assert smallest(question, seed, first, fails_again) == expected


@given(st.sampled_from(EVERY_DRAW), st.integers(0, 9), st.integers(0, 5))
def test_what_is_found_fails_and_is_no_longer_than_what_was_drawn(draw, seed, remainder):
    question = a_question(10, x=draw)
    for first in inputs_of(question, seed):
        fails = lambda inputs: len(key_of(inputs)) % 6 == remainder
        found = smallest(question, seed, first, fails)
        assert found == first or fails(found) and is_within(found["x"], draw)


def test_choices_that_are_missing_or_too_large_are_the_first_and_the_last():
    choose = Choices([5, 1])
    assert [choose("abc"), choose("abc"), choose("abc")] == ["c", "b", "a"] and choose.taken == [2, 1, 0]


def test_a_question_without_inputs_is_asked_once():
    question = a_question()
    assert inputs_of(question, 0) == ({},)
    assert smallest(question, 0, {}, lambda inputs: True) == {}


def test_a_shared_sub_expression_is_met_in_twenty_examples():
    for seed in range(3):
        assert any(is_shared(write_expression(e)) for e in drawn(Expression(size=6), seed))


def is_shared(text):
    """Return whether some line's result is used more than once below it."""
    names = [line[0] for line in text.split("; ")[:-1]]
    return any(len(re.findall(rf"\b{name}\b", text)) > 2 for name in names)


def test_what_is_drawn_stands_in_the_place_of_the_dots():
    whole = ["add", "...", ["mul", "x", "z"]]
    expressions = drawn(Expression(("x", "z"), size=2, template=whole), 0)
    assert all(e[0] == "add" and e[2] == ["mul", "x", "z"] and e[1] != "..." for e in expressions)


def test_nodes_are_called_as_the_expression_is_written():
    add = lambda a, b: SimpleNamespace(value=a.value + b.value)
    leaves = {name: SimpleNamespace(value=1.0) for name in ("a", "x")}
    expression = ["add", ["add", "a", "x"], ["add", ["add", "a", "x"], "x"]]
    assert write_expression(expression, "y") == "b = add(a, x); c = add(b, x); y = add(b, c)"
    root = build(SimpleNamespace(add=add), expression, leaves)
    assert (root.name, root.value, leaves["a"].name) == ("y", 5.0, "a")
    assert write_expression("x", "y") == "y = x"


@given(st.data(), st.floats(-3, 3))
def test_an_expression_is_built_as_it_is_written_and_stays_finite(data, x):
    draw = Expression(("x",), ("add", "sub", "mul", "pow", "neg"), 8)
    expression = value_of(draw, lambda table: data.draw(st.sampled_from(table)))
    value = build(NUMBERS, expression, {"x": x})
    *lines, last = write_expression(expression).split("; ")
    namespace = {**vars(NUMBERS), "x": x}
    exec("\n".join(lines), namespace)
    assert value == eval(last, namespace) and abs(value) < 1e40


def test_shared_parts_are_one_node():
    made = []
    add = SimpleNamespace(add=lambda a, b: made.append((a, b)) or len(made))
    build(add, ["add", ["add", "x", "x"], ["add", "x", "x"]], {"x": "X"})
    assert made == [("X", "X"), (1, 1)]


def chain(length):
    node = SimpleNamespace(value=0.0)
    for _ in range(length):
        node = SimpleNamespace(value=1.0, inputs=[node, node], op="add")
    return node


def test_a_trace_stops_at_two_thousand_nodes_and_needs_no_recursion():
    graph = trace(chain(10_000))
    assert len(graph["nodes"]) == NODES and graph["root"] == NODES - 1


@given(st.integers(0, 30))
def test_a_trace_has_inputs_before_what_uses_them(length):
    graph = trace(chain(length))
    assert all(place < k for k, node in enumerate(graph["nodes"]) for place in node["inputs"])
    assert len(graph["nodes"]) == length + 1


def test_a_circle_is_cut_where_it_closes():
    one, two = SimpleNamespace(value=1.0), SimpleNamespace(value=2.0)
    one.inputs, two.inputs = (two,), (one,)
    assert [node["inputs"] for node in trace(one)["nodes"]] == [[], [0]]


class Broken:
    op = int
    inputs = "none"
    value = property(lambda self: 1 / 0)


@pytest.mark.parametrize("root", [None, 3.0, [1], Broken(), object()])
def test_any_root_can_be_traced_to_plain_data(root):
    graph = trace(root)
    assert graph["root"] == 0 and len(graph["nodes"]) == 1
    assert "object" not in json.dumps(encode(graph))


def test_operations_are_named_by_class_instance_or_text():
    ops = [None, "add", int, 3.0]
    assert [trace(SimpleNamespace(op=op))["nodes"][0]["op"] for op in ops] == [None, "add", "int", "float"]


def test_kinds_come_from_the_names_of_classes():
    class MyParameter:
        pass

    class Constant:
        pass

    kinds = [trace(root)["nodes"][-1]["kind"] for root in (MyParameter(), Constant(), chain(1))]
    assert kinds == ["parameter", "constant", "result"]
