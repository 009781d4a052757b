"""Whatever a process replies, the judge judges it and the report shows it: no reply is a fault of the grader."""

import json
from copy import deepcopy
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dark.course.cards.verdict_card import Report, verdict_data
from dark.course.exams.plain import Difference, show
from dark.course.exams.questions import load_exam
from dark.course.exams.shortening import limited, shortened
from dark.course.judging.asking import expected_observation
from dark.course.judging.judge import judge_exercise
from dark.course.judging.outcome import graph_of
from dark.course.judging.verdict import Fault, Finding, Verdict
from dark.course.lessons.library import load_module
from dark.grading.grader.grade import Graded
from dark.grading.grader.messages import answer, read_answer
from dark.grading.grader.result import Result
from dark.grading.report.record import record_of, reports_of
from dark.grading.report.results_file import as_json
from dark.grading.sandbox.conversation.reply import is_encoded, parse_reply
from dark.grading.uploads import Submission

TEXT = st.text(max_size=5) | st.sampled_from(["\ud800", "x" * 5000, "<b>", "ValueError", "1e999", "nan", "add"])
EDGES = [2**63, -(2**63) - 1, 2**64, 2**70, 2**1022, 2**1023, -(2**1023), 1e308, -0.0]
NUMBERS = st.integers(-3, 300) | st.floats() | st.sampled_from(EDGES)
DTYPES = st.sampled_from(
    ["int8", "uint8", "int64", "uint64", "float16", "float32", "float64", "longdouble", "bool", "complex128", "object"]
)
SIZES = st.integers(0, 3) | st.sampled_from([2**31, 2**70, -1])
TAGGED = st.sampled_from([{"number": "nan"}, {"number": "-inf"}, {"object": "N"}])
ODD = st.none() | st.booleans() | NUMBERS | TEXT | TAGGED


def array(kind, shape, items):
    return {"array": kind, "shape": shape, "list": items}


def arrays(items):
    """Generate arrays; most have a list of their shape."""
    rows = st.lists(items, max_size=3)
    flat = st.builds(lambda kind, items: array(kind, [len(items)], items), DTYPES, rows)
    empty = st.builds(lambda kind, more: array(kind, [0, *more], []), DTYPES, st.lists(SIZES, max_size=60))
    return flat | empty | st.builds(array, DTYPES, st.lists(SIZES, max_size=3), rows)


def further(inner):
    dicts = st.dictionaries(TEXT, inner, max_size=3).map(lambda items: {"dict": items})
    return st.lists(inner, max_size=3) | dicts | arrays(inner)


DATA = st.recursive(ODD | arrays(ODD), further, max_leaves=8)
FIELDS = st.sampled_from(["kind", "op", "value", "grad", "name", "root", "inputs"])


@st.composite
def graphs(draw):
    """Generate graphs with fields of any kind, most of them with inputs that come before."""
    nodes = []
    for k in range(draw(st.integers(0, 5))):
        inputs = draw(st.lists(st.integers(0, max(0, k - 1)), max_size=3)) if k else []
        nodes.append({"dict": draw(st.dictionaries(FIELDS, DATA, max_size=4)) | {"inputs": inputs}})
    return {"dict": {"nodes": nodes, "root": draw(DATA)}}


NAMES = st.sampled_from(["value", "grad", "values", "gradients", "order", "path", "names", "same"])
ANSWERS = DATA | st.builds(
    lambda fields, graph: {"dict": fields | {"graph": graph}}, st.dictionaries(NAMES, DATA, max_size=3), graphs()
)
WHERE = TEXT | st.sampled_from(["check", "exercise slope"])
LINES = st.lists(st.fixed_dictionaries({"where": WHERE, "line": NUMBERS, "source": TEXT}), max_size=3)
REPLIES = (
    ANSWERS.map(lambda data: {"returned": data})
    | st.fixed_dictionaries({"raised": TEXT, "message": TEXT, "lines": LINES},
                            optional={"kinds": TEXT, "within": TEXT | st.just("node"), "printed": TEXT})
    | st.builds(lambda word, text: {"stopped": word, "message": text}, TEXT | st.just("exited"), TEXT)
    | TEXT.map(lambda name: {"not attempted": name})
    | DATA
)  # fmt: skip


class Forger:
    """An observer whose process replies what was made up; what is refused has ended it, as in grading.

    A reply is made up as a whole, or is the reference's reply with some of its values replaced.
    """

    def __init__(self, exam, forged):
        self._exam, self._forged, self._asked = exam, forged, 0

    def open(self, parts):
        """Build nothing."""

    def close(self):
        """Release nothing."""

    def observe(self, question, inputs):
        """Return the next reply."""
        self._asked += 1
        kind, content = self._forged[self._asked % len(self._forged)]
        if kind == "whole":
            return _received(content)
        reply = json.loads(json.dumps(expected_observation(self._exam, self._exam.questions[question], inputs)))
        for number, value in content:
            places = list(_places(reply))
            holder, key = places[number % len(places)]
            holder[key] = deepcopy(value)
        return _received(reply)

    def observe_all(self, sheet):
        """Leave each to be asked by itself."""
        return [[] for _ in sheet.rows]


def _places(data):
    """Yield where the values of a reply stand."""
    for key in data if isinstance(data, dict) else range(len(data)):
        yield data, key
        if isinstance(data[key], (dict, list)):
            yield from _places(data[key])


def _received(reply):
    line = json.dumps({"number": 1, "reply": reply}).encode()
    try:
        return parse_reply(line, 1) or {"stopped": "exited", "message": "nothing"}
    except ValueError as error:
        return {"stopped": "exited", "message": str(error)}


FORGED = st.tuples(st.just("whole"), REPLIES) | st.tuples(
    st.just("parts"), st.lists(st.tuples(st.integers(0, 200), DATA), min_size=1, max_size=3)
)


@lru_cache
def _course(name):
    return load_module(name), load_exam(name)


@pytest.mark.parametrize("name", ["01", "04", "05", "06"])
@given(st.data())
def test_no_reply_makes_the_judge_or_the_report_fail(name, data):
    module, exam = _course(name)
    exercise = data.draw(st.sampled_from(sorted(module.exercises)))
    forger = Forger(exam, data.draw(st.lists(FORGED, min_size=1, max_size=3)))
    sources = {exercise: module.exercises[exercise].solution}
    verdict = judge_exercise(module, exercise, sources, exam=exam, bank=(), observer=lambda exam: forger)
    found = read_answer(answer(Graded(Result("graded", "", name, (limited(verdict),)), "ab", 0.5, 3)))
    assert Report.of(verdict).text and reports_of(found.result).keys() == {exercise}
    record = record_of(Submission("ann", Path("ann.ipynb")), found)
    assert len(as_json(record)) < 2_000_000 and record["exercises"][0]["status"] != "not judged"


UNDECODABLE = (
    {"array": "int8", "shape": [1], "list": [300]},
    {"array": "int64", "shape": [1], "list": [{"number": "nan"}]},
    {"array": "float64", "shape": [0, 2**70], "list": []},
    {"array": "float64", "shape": [0, *[3] * 80], "list": []},
)


@pytest.mark.parametrize(
    "array",
    [
        *UNDECODABLE,
        {"array": "uint8", "shape": [1], "list": [-1]},
        {"array": "bool", "shape": [1], "list": [2]},
        {"array": "int64", "shape": [1], "list": [1.5]},
        {"array": "float16", "shape": [1], "list": [1e300]},
    ],
    ids=range(8),
)
def test_an_array_that_cannot_be_is_refused_with_the_whole_reply(array):
    reply = with_graph([{"dict": {"kind": "parameter", "value": array, "inputs": []}}])
    assert _received(reply) == {"stopped": "exited", "message": "It wrote to the judge's connection."}
    if array in UNDECODABLE:  # where the judge runs in the same process, nothing is refused
        assert graph_of(reply) is None


def with_graph(nodes):
    return {"returned": {"dict": {"value": 1.0, "graph": {"dict": {"nodes": nodes}}}}}


@pytest.mark.parametrize("nodes", [3000, 1500])
def test_a_graph_that_no_trace_has_is_no_graph(nodes):
    many = [{"dict": {"kind": "result", "value": 1.0, "inputs": list(range(min(k, 100)))}} for k in range(nodes)]
    assert graph_of(with_graph(many)) is None and len(graph_of(with_graph(many[:900]))["nodes"]) == 900


@given(DATA)
def test_what_is_kept_of_a_value_is_shown_alike(data):
    if is_encoded(data):
        assert show(shortened(data), 17)[:400] == show(data, 17)[:400]


def test_a_verdict_holds_the_beginning_of_what_is_too_much():
    values = [float(k) for k in range(5000)]
    found = tuple(Difference("a." * 5000, values, {"object": "N" * 10**6}) for _ in range(500))
    fault = Fault("E" * 10**5, "m" * 10**5)
    finding = Finding("q", "T.", 1, 0, "wrong", {}, found, "r" * 10**5, fault, printed="p\n" * 10**5)
    verdict = limited(Verdict("98", "twice", "wrong", (finding,), 0, 1, ("d" * 10**5, "n")))
    data = json.dumps(verdict_data(verdict))
    assert len(answer(Graded(Result("graded", "", "98", (verdict,))))) < 3_000_000 and len(data) < 200_000
    assert verdict_data(verdict)["questions"][0]["left_out"] == "400 more differences"
    text = Report.of(replace(verdict, findings=(replace(finding, remark=None, error=None),))).text
    assert "and 494 more" in text and "more characters)" in text and len(text) < 20_000
    assert limited(verdict) == verdict
