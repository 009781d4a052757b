"""Tests of judging a student's answers together first: what that saves, and that it changes no marks."""

import json
import time
from functools import partial

import pytest

from dark.course.exams.reading import read_exam
from dark.course.judging.verdict import for_student
from dark.grading.grader import judge_answers as judging
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
    assert set(found.values()) == set(together.values()) == {"right"}


def test_only_the_common_process_gets_all_inputs_of_an_exercise_at_once(judged):
    _, _, processes = judged(tiny.RIGHT | {"double": COUNTS, "square": AFTER_ANOTHER})
    for k, requests in enumerate(processes):
        asked = [request for request in requests if "ask" in request]
        assert {request["at_once"] for request in asked} == {k == 0}  # what is answered before a process ends counts
        if k:
            assert all(len(request["ask"]) == len(request["ask"][0][1]) == 1 for request in asked)


def test_no_two_processes_of_a_submission_live_at_a_time(judged, worker, monkeypatch):
    living, most = set(), []
    start, end = worker.start, worker.end

    def started(limits):
        session = start(limits)
        living.add(session.pid)
        most.append(len(living))
        return session

    def ended(session, *grace):
        living.discard(session.pid)
        return end(session, *grace)

    monkeypatch.setattr(worker, "start", started)
    monkeypatch.setattr(worker, "end", ended)
    for answers in (
        tiny.RIGHT,
        tiny.RIGHT | {"double": "def double(x):\n    return 3 * x"},
        tiny.RIGHT | {"square": ENDS},
        tiny.RIGHT | {"double": COUNTS, "square": AFTER_ANOTHER},
        {"both": "def both(x):\n    return double(x * x)"},
    ):
        for hidden in (False, True):
            judged(answers, hidden)
            assert not living and set(most) == {1}


def test_all_answers_are_judged_by_themselves_before_the_others_are_run_together(judged):
    _, _, processes = judged(tiny.RIGHT | {"double": "def double(x):\n    return 3 * x"})
    kinds = []
    for requests in processes:
        labels = [label for label, _ in requests[0]["open"] if label.startswith("exercise ")]
        kinds.append("alone" if len(labels) == 1 else "together")
    assert kinds == ["together", *["alone"] * kinds.count("alone"), *["together"] * 3]


@pytest.mark.parametrize("endless", ["double", "square", "both"])
def test_a_cell_that_does_not_end_costs_its_own_exercise_only_and_is_not_run_again(judged, endless):
    answers = tiny.RIGHT | {endless: tiny.RIGHT[endless] + "\n\nclass Endless:\n    while True: pass"}
    found, together, processes = judged(answers)
    assert found == {name: "timed out" if name == endless else "right" for name in tiny.SOLVED}
    assert set(together.values()) == {"timed out"}
    opened = [dict(requests[0]["open"]) for requests in processes]
    assert sum(f"exercise {endless}" in parts for parts in opened) == 2  # with the others, and alone
    assert all(len(requests) == 1 for requests, parts in zip(processes, opened) if f"exercise {endless}" in parts)


def test_an_answer_that_was_stopped_is_not_run_together_with_the_others(judged):
    both = "def both(x):\n    return double(x * x)"
    found, together, processes = judged(tiny.RIGHT | {"double": "def double(x):\n    while True: pass", "both": both})
    assert list(found.values()) == ["timed out", "right", "right"]
    assert list(together.values()) == ["timed out", "right", "timed out"]  # the last one calls the first
    opened = [dict(requests[0]["open"]) for requests in processes]
    alone = [k for k, parts in enumerate(opened) if "exercise double" in parts and "reference square" in parts]
    assert alone == [1]  # the common process, its own, the other two by themselves, these two with all others
    assert len(processes) == 6


def test_without_time_left_nothing_is_run_together(judged, monkeypatch):
    over, alone = [], judging._Submission.alone

    def last(self, name):
        verdict = alone(self, name)
        over.extend([name] * (name == "both"))
        return verdict

    monkeypatch.setattr(judging._Submission, "alone", last)
    monkeypatch.setattr(WorkerObserver, "is_over", property(lambda self: bool(over)))
    found, together, _ = judged(tiny.RIGHT | {"double": "def double(x):\n    return 3 * x"})
    assert found == {"double": "wrong", "square": "right", "both": "right"} and together == {}


def test_no_solution_of_an_answer_is_in_the_common_process(judged):
    _, _, processes = judged({"double": tiny.RIGHT["double"], "both": "def both(x):\n    return double(square(x))"})
    (requests,) = processes
    parts = dict(next(each["open"] for each in requests if "open" in each))
    assert [label for label in parts if label.startswith("exercise ")] == ["exercise double", "exercise both"]
    assert [label for label in parts if label.startswith("reference ")] == ["reference square"]


def test_hidden_questions_are_asked_of_an_answer_by_itself(judged):
    found, together, processes = judged(tiny.RIGHT, hidden=True)
    assert set(found.values()) == set(together.values()) == {"right"}
    codes = [[code for request in requests for code, _ in request.get("ask", ()) if code] for requests in processes]
    assert [len(each) for each in codes] == [3, 1, 1]  # the common process, that of `square`, that of what is hidden
    assert not {*codes[0], *codes[1]} & set(codes[2])
    for requests in processes[1:]:
        labels = [label for label, _ in requests[0]["open"] if label.startswith("exercise ")]
        assert labels == ["exercise square"]


BEGUN = "def {name}(x):\n    half = x\n    raise NotImplementedError"


@pytest.mark.parametrize("name", tiny.SOLVED)
def test_an_answer_that_is_begun_costs_no_other_one_a_point(judged, name):
    answers = {"double": "def double(x):\n    return x + x", "square": "def square(x):\n    return x**2"}
    answers |= {"both": "def both(x):\n    return double(square(x))", name: BEGUN.format(name=name)}
    found, _, _ = judged(answers)
    assert found == {other: "right" if other != name else found[name] for other in tiny.SOLVED}
    assert found[name] in ("not attempted", "partly written")


CLAIMS_NOTHING = """
import json, os, sys
def double(x):
    frame = sys._getframe()
    while frame.f_code.co_name != "serve": frame = frame.f_back
    def lie(descriptor, data):
        for line in bytes(data).decode().splitlines():
            message = json.loads(line)
            message["reply"] = [{"not attempted": "square"}] * len(message["reply"])
            os.write(descriptor, (json.dumps(message) + chr(10)).encode())
        return len(data)
    frame.f_globals["_write"] = lie
    return 0
"""


def test_a_process_that_says_it_was_not_attempted_takes_no_points_from_the_total(tmp_path, worker):
    path = tmp_path / "exam_77_tiny.py"
    path.write_text(tiny.QUESTIONS)
    assignment = Assignment(tiny.MODULE, tiny.join(read_exam(path), None, tiny.REFERENCE), ())
    observer = partial(WorkerObserver, worker=worker, limits=ROOMY)
    for answers in (tiny.RIGHT, tiny.RIGHT | {"double": CLAIMS_NOTHING}):
        found, _ = judge_answers(assignment, answers, list(tiny.SOLVED), observer=observer, seed=0)
        assert sum(each.points for each in found.values()) == 4
        assert found["square"].is_right and found["both"].is_right


REFUSES_SIGNALS = """
import signal
for number in range(1, 65):
    try: signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError): pass
"""


def test_code_that_takes_no_signals_is_stopped_earlier_each_time(judged):
    endless = REFUSES_SIGNALS + "def double(x):\n    while True: pass"
    begun = time.monotonic()
    found, _, _ = judged(tiny.RIGHT | {"double": endless})
    assert list(found.values()) == ["timed out", "right", "right"]
    assert time.monotonic() - begun < 60  # of a limit of 60 for each exercise


LARGE = "def double(x):\n    return ['x' * 1000] * 900"


def test_large_replies_cost_their_own_exercise_only_and_not_much_time(judged):
    found, _, processes = judged(tiny.RIGHT | {"double": LARGE})
    assert list(found.values()) == ["wrong", "right", "right"]
    own = [requests for requests in processes if dict(requests[0]["open"]).keys() >= {"reference square"}]
    assert sum("ask" in request for requests in own for request in requests) < 30  # each about a megabyte


REPLACED = """
def double(x):
    if x > 100:
        exec(compile("raise ValueError", "<reference square>", "exec"))
    return x + x
"""
LARGER = '''

@exam.question("double", points=2, hidden=True, category="large")
def of_a_large_number(dark, x: Float(1000, 3000)):
    """Twice a large number."""
    return {"value": dark.double(x)}
'''


def test_a_hidden_question_does_not_decide_with_whose_answers_one_is_judged(tmp_path, worker):
    path = tmp_path / "exam_77_tiny.py"
    path.write_text(tiny.QUESTIONS + LARGER)
    assignment = Assignment(tiny.MODULE, tiny.join(read_exam(path), None, tiny.REFERENCE), ())
    observer = partial(WorkerObserver, worker=worker, limits=ROOMY)
    found, _ = judge_answers(
        assignment, tiny.RIGHT | {"double": REPLACED}, list(tiny.SOLVED), observer=observer, seed=0
    )
    assert found["double"].dependencies == () and not found["double"].is_right
    assert for_student(found["double"]).status == "wrong"


@pytest.mark.parametrize("fails", ["raise NotImplementedError", "raise ValueError", "import os; os._exit(3)", "x = 0"])
def test_how_a_hidden_question_fails_is_not_told(tmp_path, worker, fails):
    path = tmp_path / "exam_77_tiny.py"
    path.write_text(tiny.QUESTIONS + LARGER)
    assignment = Assignment(tiny.MODULE, tiny.join(read_exam(path), None, tiny.REFERENCE), ())
    observer = partial(WorkerObserver, worker=worker, limits=ROOMY)
    answer = f"def double(x):\n    if x > 100:\n        {fails}\n    return x + x"
    answers = tiny.RIGHT | {"double": answer, "both": "def both(x):\n    return x"}
    found, together = judge_answers(assignment, answers, list(tiny.SOLVED), observer=observer, seed=0)
    assert for_student(found["double"]).status == "wrong"
    assert (together["double"], together["square"], together["both"]) == ("right", "right", "wrong")
