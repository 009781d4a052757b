"""Tests of judging a student's answers together first: what that saves, and that it changes no marks."""

import json
from functools import partial

import pytest

from dark.course.exams.exam import read_exam
from dark.grading.grader.grade import Assignment
from dark.grading.grader.judge_answers import judge_answers
from dark.grading.sandbox import worker_observer
from dark.grading.sandbox.limits import Limits
from dark.grading.sandbox.worker_observer import WorkerObserver
from tests.course import tiny

ROOMY = Limits(wall_seconds=60, cpu_seconds=30, memory_mib=512)
HIDDEN = '''

@exam.question("square", points=2, hidden=True, category="signs", hint="Try a negative number.")
def of_the_opposite(dark, x: Float(-3, 3)):
    """The opposite has the same square."""
    return {"value": dark.square(-x)}
'''
ENDS = "import os\ndef square(x):\n    os._exit(0)"
SPOILS = "def double(x):\n    return 0\n\ndef square(x):\n    return x * x"
COUNTS = "calls = []\n\ndef double(x):\n    calls.append(x)\n    return x + x"
AFTER_ANOTHER = "def square(x):\n    assert not calls, 'asked after another question'\n    return x * x"


@pytest.fixture
def judged(tmp_path, worker, monkeypatch):
    """Return a function that judges answers: the statuses that count, those together, and each process's requests."""
    requests, converse = {}, worker_observer.converse

    def recorded(connection, request, *rest):
        requests.setdefault(connection, []).append(json.loads(request))
        return converse(connection, request, *rest)

    monkeypatch.setattr(worker_observer, "converse", recorded)

    def judge(answers, hidden=False):
        path = tmp_path / "exam_77_tiny.py"
        path.write_text(tiny.QUESTIONS + HIDDEN * hidden)
        assignment = Assignment(tiny.MODULE, tiny.join(read_exam(path), None, tiny.REFERENCE), ())
        observer = partial(WorkerObserver, worker=worker, limits=ROOMY)
        found = judge_answers(assignment, answers, list(tiny.SOLVED), observer=observer, seed=0)
        by_itself, together = found
        return {name: each.status for name, each in by_itself.items()}, together, list(requests.values())

    return judge


@pytest.mark.parametrize("attempted", [["double", "square", "both"], ["double", "both"], ["square"], []])
def test_answers_that_are_right_together_need_one_process(judged, attempted):
    found, together, processes = judged({name: tiny.RIGHT[name] for name in attempted})
    assert found == together == {name: "right" if name in attempted else "not attempted" for name in tiny.SOLVED}
    assert len(processes) == (1 if attempted else 0)


@pytest.mark.parametrize(
    ("answers", "alone", "together"),
    [
        (tiny.RIGHT | {"double": "def double(x):\n    return 3 * x"}, "wrong right right", "wrong right right"),
        (tiny.RIGHT | {"square": ENDS}, "right exited right", "right exited right"),
        (tiny.RIGHT | {"square": SPOILS}, "right right right", "wrong right right"),
        (
            tiny.RIGHT
            | {"double": "def double(x):\n    return 3 * x", "both": "def both(x):\n    return double(x * x)"},
            "wrong right right",
            "wrong right wrong",
        ),
    ],
    ids=["the first is wrong", "one ends the process", "one spoils another", "one depends on a wrong one"],
)
def test_after_the_first_that_is_not_right_each_is_judged_by_itself(judged, answers, alone, together):
    found, found_together, _ = judged(answers)
    assert " ".join(found.values()) == alone
    assert " ".join(found_together.values()) == together


def test_what_fails_in_the_common_process_is_asked_again_in_its_own(judged):
    found, together, processes = judged(tiny.RIGHT | {"double": COUNTS, "square": AFTER_ANOTHER})
    assert set(found.values()) == set(together.values()) == {"right"} and len(processes) == 2


def test_only_the_common_process_replies_to_all_questions_at_once(judged):
    _, _, processes = judged(tiny.RIGHT | {"double": COUNTS, "square": AFTER_ANOTHER})
    common, own = ({request["at_once"] for request in requests if "ask" in request} for requests in processes)
    assert common == {True} and own == {False}  # what is answered before a process ends counts


def test_no_solution_of_an_answer_is_in_the_common_process(judged):
    _, _, processes = judged({"double": tiny.RIGHT["double"], "both": "def both(x):\n    return double(square(x))"})
    (requests,) = processes
    parts = dict(next(each["open"] for each in requests if "open" in each))
    assert [label for label in parts if label.startswith("exercise ")] == ["exercise double", "exercise both"]
    assert [label for label in parts if label.startswith("reference ")] == ["reference square"]


def test_hidden_questions_are_asked_of_an_answer_by_itself(judged):
    found, together, processes = judged(tiny.RIGHT, hidden=True)
    assert set(found.values()) == set(together.values()) == {"right"}
    asked = [{name for request in requests for name, *_ in request.get("ask", ())} for requests in processes]
    assert asked == [{"twice", "times_itself", "one_after_the_other"}, {"times_itself", "of_the_opposite"}]
    own = dict(processes[1][0]["open"])
    assert [label for label in own if label.startswith("exercise ")] == ["exercise square"]
