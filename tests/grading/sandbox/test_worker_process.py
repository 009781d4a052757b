"""Tests of the worker process: stopped, killed or sent forged data, it is restarted without delay or output."""

import time

import pytest

from dark.course.lessons.notebook_files import PACKAGE
from dark.errors import CourseError
from dark.grading.sandbox import worker_process
from dark.grading.sandbox.limits import Limits
from dark.grading.sandbox.worker_observer import Worker, WorkerObserver

LIMITS = Limits(wall_seconds=20, cpu_seconds=10, memory_mib=512)
FORGE = """
import json, os, sys
frame = sys._getframe()
while "connection" not in frame.f_locals:
    frame = frame.f_back
variables = frame.f_locals
os.write(variables["connection"], (json.dumps({"number": NUMBER, "reply": REPLY}) + "\\n").encode())
while True: pass
"""


@pytest.fixture
def worker():
    with Worker() as started:
        yield started


def ask(exam, worker, body, before="import math"):
    """Observe one body of `double` on 2.0."""
    indented = "\n".join("    " + line for line in body.splitlines())
    observer = WorkerObserver(exam, worker, LIMITS)
    failure = observer.open([("exercise double", f"{before}\ndef double(x):\n{indented}")])
    seen = failure or observer.observe("twice", {"x": 2.0})
    observer.close()
    return seen


def test_no_inner_module_of_the_course_can_be_imported_by_its_short_name(exam, worker):
    inner = sorted({path.stem for path in PACKAGE.rglob("[a-z]*") if path.parent.name != "__pycache__"} - {"dark"})
    body = (
        f"import importlib.util as util\nspecs = []\nfor name in {inner!r}:\n"
        "    try: specs.append(util.find_spec(name))\n    except ImportError: pass\n"
        "return [s.origin or str(s.submodule_search_locations) for s in specs if s is not None]"
    )
    origins = ask(exam, worker, body)["returned"]["dict"]["value"]
    assert [origin for origin in origins if str(PACKAGE) in origin] == []


@pytest.mark.parametrize("reply", ["None", "{'returned': {'dict': {'value': 4.0}}}"])
def test_a_forged_answer_of_the_wrong_form_is_not_an_answer(exam, worker, reply):
    forge = FORGE.replace("REPLY", reply).replace("NUMBER", "2" if reply == "None" else "1")
    seen = ask(exam, worker, forge) if reply == "None" else ask(exam, worker, "return x", forge)
    assert seen == {"stopped": "exited", "message": "It wrote to the judge's connection."}


def test_a_worker_that_is_stopped_continues(exam, worker):
    begun = time.monotonic()
    ask(exam, worker, "import os, signal\nos.kill(os.getppid(), signal.SIGSTOP)\nreturn x")
    assert ask(exam, worker, "return x + x") == {"returned": {"dict": {"value": 4.0}}}
    assert time.monotonic() - begun < worker_process.ANSWER_SECONDS


def test_a_worker_whose_folder_is_removed_is_replaced_without_a_word(exam, worker, capfd):
    ask(exam, worker, "import os, shutil\nshutil.rmtree(os.path.dirname(os.getcwd()), ignore_errors=True)\nreturn x")
    assert ask(exam, worker, "return x + x") == {"returned": {"dict": {"value": 4.0}}}
    assert capfd.readouterr().err == ""


def test_a_child_of_a_worker_that_was_closed_ends_without_a_word(worker):
    session = worker.start(LIMITS)
    worker.close()
    assert worker.pid is None and worker.end(session) is None


def test_a_worker_that_does_not_start_is_an_error_in_three_parts(exam, worker, monkeypatch):
    monkeypatch.setattr(worker_process.sys, "executable", "/bin/false")
    with pytest.raises(CourseError, match="does not start(.|\n)*Expected: (.|\n)*Try: "):
        worker.start(LIMITS)
