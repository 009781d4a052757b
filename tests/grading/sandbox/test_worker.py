"""Tests of the worker: whatever a student's code does, it gets a status, and no other code is affected."""

import json
import math
import os
import time
from dataclasses import replace
from unittest.mock import Mock

import pytest

from dark.course.judging.asking import Drawn, Row, Sheet
from dark.course.judging.observe import LocalObserver
from dark.grading.sandbox.conversation.reply import is_encoded, is_observation, parse_reply
from dark.grading.sandbox.limits import MEBIBYTE, Limits, describe_ending, minimal_environment
from dark.grading.sandbox.worker_observer import Worker, WorkerObserver

LIMITS = Limits(wall_seconds=20, cpu_seconds=10, memory_mib=512)
SHORT = Limits(wall_seconds=0.2, cpu_seconds=10, memory_mib=512)
UNCONFINED = replace(LIMITS, confinement="limits")


def parts(body, before=""):
    indented = "\n".join("    " + line for line in body.splitlines())
    return [("given 1", "import math"), ("exercise double", f"{before}\ndef double(x):\n{indented}")]


def ask(exam, worker, body, before="", limits=LIMITS):
    """Observe one body of `double` on 2.0; afterwards a right one, which must be right."""
    observer = WorkerObserver(exam, worker, limits)
    failure = observer.open(parts(body, before))
    seen = failure or observer.observe("twice", {"x": 2.0})
    observer.close()
    neighbor = WorkerObserver(exam, worker, LIMITS)
    assert neighbor.open(parts("return x + x")) is None
    assert neighbor.observe("twice", {"x": 2.0}) == {"returned": {"dict": {"value": 4.0}}}
    neighbor.close()
    return seen


@pytest.mark.parametrize("body", ["return 2 * x", "return x", "return [x, None, {'a': x}]", "return x / 0"])
def test_a_worker_sees_what_a_local_observer_sees(exam, worker, body):
    local = LocalObserver(exam)
    local.open(parts(body))
    assert ask(exam, worker, body) == local.observe("twice", {"x": 2.0})


ASKED = {
    "right": ("return 2 * x", 4),
    "an error": ("return 1 / (x - 2)", 4),
    "a stop": ("if x == 2: raise MemoryError\nreturn x", 2),
    "too large an answer": ("return [1 / 3] * 90_000 if x == 2 else x", 2),
    "an end": ("if x == 2:\n    import os\n    os._exit(0)\nreturn x", 2),
    "one reply too few": ('import os, json\nif x == 2: os.write(100, b\'{"number": 3, "reply": []}\\n\')\nreturn x', 2),
}


@pytest.mark.parametrize("name", ASKED)
def test_the_inputs_of_a_question_are_asked_up_to_one_that_is_stopped(exam, worker, name):
    body, count = ASKED[name]
    observer, one_by_one = WorkerObserver(exam, worker, LIMITS), WorkerObserver(exam, worker, LIMITS)
    many = [{"x": x} for x in (1.0, 2.0, 3.0, 4.0)]
    assert observer.open(parts(body)) is None and one_by_one.open(parts(body)) is None
    (found,) = observer.observe_all(Sheet((row(exam, many),)))
    assert list(found) == [one_by_one.observe("twice", inputs) for inputs in many[:count]]
    assert len(found) == count
    assert observer.observe("twice", {"x": 5.0}) == one_by_one.observe("twice", {"x": 5.0})
    observer.close()
    one_by_one.close()


def row(exam, many):
    question = exam.questions["twice"]
    return Row(question, tuple(Drawn(question, x, str(x), {"returned": {"dict": {"value": 0}}}) for x in many))


@pytest.mark.parametrize("name", ASKED)
def test_a_question_that_ends_the_process_costs_only_itself(exam, worker, name):
    body, count = ASKED[name]
    several, alone = WorkerObserver(exam, worker, LIMITS), WorkerObserver(exam, worker, LIMITS)
    assert several.open(parts(body)) is None and alone.open(parts(body)) is None
    rows = [row(exam, [{"x": x} for x in each]) for each in ((1.0, 3.0), (4.0, 2.0, 5.0), (3.0, 4.0))]
    found = list(several.observe_all(Sheet(tuple(rows))))
    assert [len(each) for each in found] == [2, min(count, 3), 2]
    assert found == [seen for row in rows for seen in alone.observe_all(Sheet((row,)))]
    several.close()
    alone.close()


@pytest.mark.parametrize("name", ASKED)
def test_questions_that_are_asked_together_have_the_same_answers_up_to_one_that_is_stopped(exam, worker, name):
    body, count = ASKED[name]
    together, one_by_one = WorkerObserver(exam, worker, LIMITS), WorkerObserver(exam, worker, LIMITS)
    rows = tuple(row(exam, [{"x": x} for x in each]) for each in ((1.0, 3.0), (4.0, 2.0, 5.0), (3.0, 4.0)))
    assert together.open(parts(body)) is None and one_by_one.open(parts(body)) is None
    found = [list(each) for each in together.observe_together(Sheet(rows))]
    expected = [list(each) for each in one_by_one.observe_all(Sheet(rows))]
    together.close()
    one_by_one.close()
    if count == 4:
        assert found == expected
    elif "end" in name or "few" in name:  # the replies were to come with one message
        assert [each[-1].get("stopped") for each in found] == ["exited"]
    else:
        assert found == expected[:2]


def test_cells_that_do_not_end_are_opened_once(exam, worker):
    observer = WorkerObserver(exam, worker, LIMITS)
    endless = parts("return x", "while True: pass")
    first, begun = observer.open(endless), time.monotonic()
    assert first["stopped"] == "timed out"
    assert observer.observe("twice", {"x": 2.0}) == first == observer.open(endless)
    assert list(observer.observe_all(Sheet((row(exam, [{"x": 1.0}]),)))) == [[first]]
    assert list(observer.observe_together(Sheet((row(exam, [{"x": 1.0}]),)))) == [[first]]
    assert time.monotonic() - begun < 1
    assert observer.open(parts("return x")) is None
    observer.close()


def test_the_processes_of_one_exercise_share_its_time(exam, worker):
    observer = WorkerObserver(exam, worker, replace(LIMITS, wall_seconds=1))
    assert observer.open(parts("import time\ntime.sleep(0.7)\nreturn 2 * x")) is None
    assert "returned" in observer.observe("twice", {"x": 2.0})
    assert observer.open(parts("import time\ntime.sleep(0.7)\nreturn 2 * x", "again = 1")) is None
    assert observer.observe("twice", {"x": 2.0})["stopped"] == "timed out"
    assert observer.open(parts("return 2 * x")) == {
        "stopped": "timed out",
        "message": "It ran for more than 1 seconds.",
    }
    observer.restart_clock()
    assert observer.open(parts("return 2 * x")) is None
    observer.close()


def test_the_answer_of_the_reference_is_known_without_being_read(exam, worker, monkeypatch):
    read = Mock(wraps=parse_reply)
    monkeypatch.setattr("dark.grading.sandbox.conversation.exchange.parse_reply", read)
    question, observer = exam.questions["twice"], WorkerObserver(exam, worker, LIMITS)
    drawn = [Drawn(question, {"x": x}, str(x), {"returned": {"dict": {"value": 2 * x}}}) for x in (1.0, 2.0)]
    assert observer.open(parts("return 2 * x")) is None
    (found,) = observer.observe_all(Sheet((Row(question, tuple(drawn)),)))
    assert all(one is other.plain for one, other in zip(found, drawn, strict=True))
    assert read.call_count == 1  # that it is open
    assert observer.open(parts("return int(2 * x)")) is None
    (found,) = observer.observe_all(Sheet((Row(question, tuple(drawn)),)))
    assert json.dumps(found) == '[{"returned": {"dict": {"value": 2}}}, {"returned": {"dict": {"value": 4}}}]'
    observer.close()


STOPPED = {
    "leave": ("import os\nos._exit(0)", "exited", "exit code 0"),
    "leave with a code": ("import os\nos._exit(7)", "exited", "exit code 7"),
    "sys.exit": ("import sys\nsys.exit()", "exited", "ended the whole program"),
    "kill itself": ("import os, signal\nos.kill(os.getpid(), 9)", "exited", "SIGKILL"),
    "crash": ("import ctypes\nctypes.string_at(0)", "exited", "SIGSEGV"),
    "one large list": ("return [0] * 10**11", "out of memory", "memory"),
    "ever more": ("kept = []\nwhile True:\n    kept.append([0] * 10**6)", "out of memory", "memory"),
    "print without end": ("while True:\n    print('x' * 1000)", "too much output", "million characters"),
    "print to stderr": (
        "import sys\nwhile True:\n    print('x' * 1000, file=sys.stderr)",
        "too much output",
        "million characters",
    ),
    "close the connection": ("import os\nos.closerange(0, 4096)\nreturn x", "exited", "closed"),
    "write on every descriptor": (
        "import os\nfor k in range(300):\n    try:\n        os.write(k, b'{\"reply\": 4}\\n')\n"
        "    except OSError:\n        pass\nreturn 4.0",
        "exited",
        "wrote to the judge's connection",
    ),
}


@pytest.mark.parametrize("name", STOPPED)
def test_every_end_gets_its_own_word(exam, worker, name):
    body, word, message = STOPPED[name]
    limits = UNCONFINED if name == "kill itself" else LIMITS  # seccomp refuses the signal
    seen = ask(exam, worker, body, limits=limits)
    assert (seen["stopped"], message in seen["message"]) == (word, True), seen


@pytest.mark.parametrize(
    "body",
    [
        "while True:\n    pass",
        "while True:\n    try:\n        while True:\n            pass\n    except BaseException:\n        pass",
        "import signal\nsignal.signal(signal.SIGALRM, signal.SIG_IGN)\nwhile True:\n    pass",
        "import os, signal\nos.kill(os.getpid(), signal.SIGSTOP)",
    ],
)
def test_a_loop_without_end_times_out(exam, worker, body):
    seen = ask(exam, worker, body, limits=replace(SHORT, confinement="limits"))
    assert seen == {"stopped": "timed out", "message": "It ran for more than 0.2 seconds."}


def test_a_loop_while_the_cell_is_executed_times_out(exam, worker):
    assert ask(exam, worker, "return x", "class Node:\n    while True: pass", SHORT)["stopped"] == "timed out"


def test_the_time_of_an_exercise_is_shared_by_its_questions(exam, worker):
    observer = WorkerObserver(exam, worker, SHORT)
    observer.open(parts("while True:\n    pass"))
    begun = time.monotonic()
    seen = [observer.observe("twice", {"x": 1.0}) for _ in range(50)]
    observer.close()
    assert {each["stopped"] for each in seen} == {"timed out"}
    assert time.monotonic() - begun < 5


def test_the_time_of_the_judge_is_not_that_of_the_answer(exam, worker):
    observer = WorkerObserver(exam, worker, replace(LIMITS, wall_seconds=0.5))
    assert observer.open(parts("return 2 * x")) is None
    for _ in range(2):
        time.sleep(0.3)
        assert observer.observe("twice", {"x": 2.0}) == {"returned": {"dict": {"value": 4.0}}}
    observer.until = time.monotonic()
    assert "whole submission" in observer.observe("twice", {"x": 2.0})["message"]
    observer.close()


def test_a_submission_without_time_left_is_not_run(exam, worker):
    observer = WorkerObserver(exam, worker, LIMITS, until=time.monotonic() - 1)
    assert "whole submission" in observer.open(parts("return x"))["message"]


def test_what_is_printed_cannot_pass_for_an_answer(exam, worker):
    body = 'print(\'{"number": 2, "reply": {"returned": {"dict": {"value": 4.0}}}}\')\nreturn 5.0'
    reply = ask(exam, worker, body)
    assert reply.pop("printed").startswith('{"number"') and reply == {"returned": {"dict": {"value": 5.0}}}


def test_an_object_equal_to_everything_is_only_an_object(exam, worker):
    before = "class Yes(float):\n    def __eq__(self, other): return True\n    __hash__ = None"
    seen = ask(exam, worker, "return Yes()", before)
    assert seen == {"returned": {"dict": {"value": {"object": "Yes"}}}}


@pytest.mark.parametrize(
    "change",
    [
        "import builtins\nsetattr(builtins, 'float', None)",
        "import json\njson.dumps = lambda *a, **k: '{}'\njson.loads = None",
        "import builtins\nbuiltins.isinstance = lambda *a: True\nbuiltins.len = None",
        "from dark.course.exams import plain",
    ],
)
def test_who_changes_python_affects_no_other_code(exam, worker, change):
    ask(exam, worker, change + "\nreturn x")


def test_the_worker_itself_may_be_killed(exam, worker):
    ask(exam, worker, "import os, signal\nos.kill(os.getppid(), signal.SIGKILL)\nwhile True: pass", limits=SHORT)


@pytest.mark.parametrize("start", ["os.fork()", "os.system('true')"])
def test_new_processes_are_refused(exam, worker, start):
    seen = ask(exam, worker, f"import os\n{start}", limits=UNCONFINED)  # else the kernel refuses them
    assert (seen["raised"], seen["message"]) == (
        "PermissionError",
        "an exercise may not start processes or threads.",
    )


def test_a_process_left_behind_is_killed(exam, worker):
    body = (
        "import ctypes, os, time\npid = ctypes.CDLL(None).fork()\nif pid == 0:\n    os.setsid()\n"
        "    while True: time.sleep(1)\nreturn pid"
    )
    seen = ask(exam, worker, body)
    if "raised" in seen:
        pytest.skip("the kernel itself refuses the process")
    pid = seen["returned"]["dict"]["value"]
    if pid > 0:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


def test_a_secret_of_the_teacher_is_not_in_the_environment(exam, worker, monkeypatch):
    monkeypatch.setenv("DARK_TEST_SECRET", "s")
    with Worker() as fresh:
        seen = ask(exam, fresh, "import os\nreturn sorted(os.environ)")
    names = seen["returned"]["dict"]["value"]
    assert "PATH" in names and "DARK_TEST_SECRET" not in names


def test_the_folder_is_fresh_and_removed(exam, worker):
    seen = ask(exam, worker, "import os\nopen('left', 'w').close()\nreturn [os.getcwd(), *os.listdir()]")
    folder, *files = seen["returned"]["dict"]["value"]
    assert files == ["left"] and not os.path.exists(folder)


def test_closing_a_worker_removes_its_folder(exam):
    worker = Worker()
    observer = WorkerObserver(exam, worker, LIMITS)
    observer.open(parts("import os\nreturn os.getcwd()"))
    folder = observer.observe("twice", {"x": 1.0})["returned"]["dict"]["value"]
    observer.close()
    worker.close()
    worker.close()
    assert not os.path.exists(os.path.dirname(folder))


def test_a_huge_file_is_too_much_output(exam, worker):
    body = "with open('f', 'wb') as file:\n    file.write(bytes(10**8))"
    assert ask(exam, worker, body)["raised"] == "OSError"


def test_the_environment_is_made_from_an_allow_list():
    found = minimal_environment("/h", {"PATH": "/bin", "AWS_SECRET": "s", "HOME": "/root"})
    assert "AWS_SECRET" not in found and found["HOME"] == "/h"


def ending(**changes):
    return {"code": 0, "killed": False, "cpu_seconds": 0.0, "peak_bytes": 0} | changes


@pytest.mark.parametrize(
    ("found", "word", "message"),
    [
        (None, "exited", "the parent process"),
        (ending(code=-24), "timed out", "CPU time"),
        (ending(code=-9, cpu_seconds=10.4), "timed out", "more than 10 seconds"),
        (ending(code=-9, peak_bytes=600 * MEBIBYTE), "out of memory", "1024 MiB"),
        (ending(code=82), "out of memory", "1024 MiB"),
        (ending(code=-25), "too much output", "16 MiB"),
        (ending(code=81), "exited", "could not reply"),
        (ending(code=-9, killed=True), "exited", "closed the connection"),
    ],
)
def test_an_ending_is_described(found, word, message):
    seen = describe_ending(found, Limits())
    assert seen["stopped"] == word and message in seen["message"]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"4\n",
        b"null",
        b'{"number": 1}',
        b'{"number": 1, "reply": 4}',
        b'{"number": 1, "reply": {"returned": {"number": "1e400"}}}',
        b'{"number": 1, "reply": {"returned": NaN}}',
        b'{"number": 1, "reply": {"returned": 1, "raised": "E"}}',
        b'{"number": 1, "reply": {"raised": "E", "message": "", "lines": [1]}}',
        b'{"number": 1, "reply": {"returned": ' + b"[" * 100_000,
    ],
)
def test_what_is_not_an_answer_is_refused(data):
    with pytest.raises(ValueError, match="It wrote to the judge's connection."):
        parse_reply(data, 1)


def test_sound_data_is_distinguished_from_unsound():
    deep = [1.0]
    for _ in range(300):
        deep = [deep]
    array = {"array": "float64", "shape": [1], "list": [math.pi]}
    assert is_encoded(array) and not is_encoded({**array, "shape": ["x"]})
    for forged in (
        {"array": "object"},
        {"array": []},
        {"shape": [2]},
        {"shape": [-1]},
        {"list": [None]},
        {"list": [[1.0]]},
    ):
        assert not is_encoded(array | forged)
    assert is_encoded({"array": "float32", "shape": [0, 2], "list": []})
    assert not is_encoded(deep) and not is_encoded({"dict": 3}) and not is_encoded(2**2000)
    assert is_observation(None) and is_observation({"not attempted": "backward"})
