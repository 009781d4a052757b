"""Tests of the messages between the gradebook's process and its graders: they are data, and nothing is lost."""

import pickle
import re
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dark.course.cards.verdict_card import Report, verdict_data
from dark.course.exams.differences import Difference
from dark.course.exams.exam import Hidden
from dark.course.judging.bank import load_bank
from dark.course.judging.judge import judge_exercise
from dark.course.judging.verdict import Fault, Finding, HiddenTests, Verdict
from dark.course.lessons.library import load_module
from dark.grading.grader import grader, grader_process
from dark.grading.grader.grade import Graded, Settings
from dark.grading.grader.messages import answer, read_answer, read_request, read_task, request, task
from dark.grading.grader.result import Result
from dark.grading.sandbox.limits import Limits
from dark.grading.uploads import Submission
from dark.grading.uploads.owners import Owner
from tests.course import tiny

TEXT = st.text(max_size=6)
PATHS = st.sampled_from([Path("a.ipynb"), Path("x\udce4/b.zip"), Path("/c d/é.ipynb")])
ONE = st.builds(Owner, TEXT, TEXT, TEXT, st.none() | st.integers())
OWNERS = st.none() | ONE | st.builds(Owner, TEXT, TEXT, TEXT, partners=st.lists(ONE, max_size=2).map(tuple))
KEYS = st.lists(TEXT, max_size=2).map(tuple)


@given(st.builds(Submission, TEXT, PATHS, TEXT, KEYS, OWNERS, st.booleans(), st.none() | PATHS, TEXT, TEXT))
def test_a_submission_arrives_as_it_was_sent(submission):
    assert read_request(request(submission)) == submission


@given(
    st.builds(
        Settings,
        st.builds(Limits, wall_seconds=st.floats(1, 9)),
        st.integers(0, 1 << 32),
        st.booleans(),
        st.none() | PATHS,
        points=st.none() | st.lists(st.tuples(TEXT, st.integers())).map(tuple),
        only=KEYS,
    )
)
def test_settings_and_what_loads_the_assignment_arrive_as_they_were_sent(settings):
    assign = partial(partial(tiny.assignment, module="78"), Path("folder"))
    found, called = read_task(task(settings, assign))
    assert found == settings and (called.func, called.args, called.keywords) == (
        tiny.assignment, (Path("folder"),), {"module": "78"},
    )  # fmt: skip
    assert read_task(task(settings, None)) == (settings, None)


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXT | st.complex_numbers(allow_nan=False),
    lambda inner: st.lists(inner, max_size=3) | st.lists(inner, max_size=3).map(tuple) | st.dictionaries(TEXT, inner),
    max_leaves=6,
)


@given(PLAIN, PLAIN, TEXT)
def test_a_result_arrives_as_it_was_sent(inputs, value, text):
    fault = Fault("E", text, ({"line": 1},))
    finding = Finding("q", "t", 2, 1, "wrong", {"x": inputs}, (Difference("", value, value),), error=fault)
    finding = replace(finding, hidden=Hidden(text, "hint"), printed="\ud800\0" + text)
    verdict = Verdict("77", "double", "wrong", (finding,), 1, 2, (text, "next"), dependencies=("a",))
    verdict = replace(verdict, hidden=(HiddenTests("c", 1, 2, 1, 2, ("h",)),))
    graded = Graded(Result("graded", "", "77", (verdict,), (verdict,)), "ab", 0.5, 3)
    assert read_answer(answer(graded)) == graded


@pytest.mark.parametrize(
    "value",
    [np.arange(6.0).reshape(2, 3).T, np.zeros((0, 2), "i1"), np.float32(2.5), np.array(1 + 2j), np.array([np.nan]),
     np.array(["ab", "é"]), np.array([True])],
)  # fmt: skip
def test_an_array_arrives_with_its_dtype_and_shape(value):
    finding = Finding("q", "t", 2, 1, "wrong", {}, yours_graph={"nodes": [{"value": value}]})
    graded = Graded(Result("graded", "", "77", (Verdict("77", "double", "wrong", (finding,), 1, 2),)))
    found = read_answer(answer(graded)).result.verdicts[0].findings[0].yours_graph["nodes"][0]["value"]
    assert type(found) is type(value) and (found.dtype, found.shape) == (value.dtype, value.shape)
    np.testing.assert_array_equal(found, value)


def test_an_object_of_another_class_is_refused_where_it_is_sent():
    with pytest.raises(TypeError, match="a Hostile is not a part of a result"):
        answer(Graded(Result("graded", Hostile())))


class Hostile:
    """Runs code where it is unpickled."""

    def __reduce__(self):
        return pytest.fail, ("a message was unpickled",)


@pytest.mark.parametrize(
    "message",
    [pickle.dumps(Hostile()), b"", b"[]", b"{}", b'{"data": 3}', b"[" * 100_000, b'{"Path": {}}', b'{"Graded": {}}'],
)
def test_what_is_no_result_is_a_failure_of_the_grader(message):
    result = grader_process.read_graded(message).result
    assert result.status == "not graded" and "answer cannot be read" in result.message


@pytest.mark.parametrize("module", [grader_process, grader])
def test_a_connection_sends_and_receives_bytes_only(module):
    source = Path(module.__file__).read_text()
    assert "_bytes(" in source and ".recv()" not in source and ".send(" not in source


def test_no_file_of_the_course_reads_or_writes_pickles():
    packages = [Path(grader.__file__).parents[2] / name for name in ("course", "grading")]
    sources = {path: path.read_text() for package in packages for path in package.rglob("*.py")}
    assert len(sources) > 150
    assert [
        path for path, text in sources.items() if re.search(r"import (pickle|shelve|dill)|allow_pickle=True", text)
    ] == []


@pytest.mark.long
def test_the_verdict_on_a_known_mistake_looks_the_same_where_it_arrives():
    module, graphs = load_module("01"), 0
    for exercise in module.exercises:
        source = load_bank(module, exercise).bug[0].source
        verdict = judge_exercise(module, exercise, {exercise: source}, seed=1)
        found = read_answer(answer(Graded(Result("graded", "", "01", (verdict,))))).result.verdicts[0]
        assert Report.of(found).html == Report.of(verdict).html
        assert repr(verdict_data(found)) == repr(verdict_data(verdict))  # nan is not equal to itself
        graphs += any(finding.yours_graph is not None for finding in verdict.findings)
    assert graphs
