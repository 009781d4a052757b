"""Tests of grading one submission, and of a batch: each gets its own status, and the others are not affected."""

import json
import os
import subprocess
import sys
import time
import zipfile
from functools import partial
from pathlib import Path

import pytest

from dark.course.lessons import which_module
from dark.errors import CourseError
from dark.grading.batch.batch import grade_all
from dark.grading.grader import grade, grader_process, judge_answers
from dark.grading.grader.grade import Graded, Settings, grade_file, grade_submission
from dark.grading.grader.result import Result, failures, is_complete
from dark.grading.sandbox.limits import Limits
from dark.grading.uploads import Submission, find_submissions, outputs
from dark.grading.uploads.find import LINK
from tests.course import tiny

QUICK = Settings(Limits(wall_seconds=1.0, cpu_seconds=5, memory_mib=512))
ROOMY = Settings(Limits(wall_seconds=60, cpu_seconds=30, memory_mib=512))


@pytest.fixture(scope="module")
def assignment(tmp_path_factory):
    return tiny.assignment(tmp_path_factory.mktemp("questions"))


def square(body, before=""):
    """Answer everything rightly but `square`."""
    lines = "\n".join("    " + line for line in body.splitlines())
    return tiny.RIGHT | {"square": f"{before}\ndef square(x):\n{lines}"}


def statuses(result):
    return {verdict.exercise: verdict.status for verdict in result.verdicts}


def test_a_right_submission_gets_all_points(assignment, worker):
    result = grade_submission(tiny.submission(**tiny.RIGHT), assignment, worker=worker, settings=ROOMY)
    assert (result.status, result.earned, result.points) == ("graded", 4, 4)
    assert is_complete(result) and failures(result) == ""
    assert set(result.together.values()) == {"right"}


def test_a_blank_submission_is_not_attempted_and_no_error(assignment, worker):
    result = grade_submission(tiny.submission(), assignment, worker=worker)
    assert set(statuses(result).values()) == {"not attempted"}
    assert (result.earned, result.points, result.together) == (0, 4, {})
    assert failures(result) == "nothing attempted" and not is_complete(result)


@pytest.mark.parametrize(
    ("content", "status", "message"),
    [
        (b"", "not a notebook", "The file is empty."),
        (b" \n", "not a notebook", "The file is empty."),
        (b"<!DOCTYPE html><html>", "not a notebook", "It is a web page"),
        (b'{"cells": [\n<<<<<<< HEAD\n{},\n=======\n>>>>>>> b\n]}', "not a notebook", "marks of a merge conflict"),
        (b'{"nbformat": 4, "cells": [{"cell', "not a notebook", "Invalid JSON, which ends in the middle; perhaps only"),
        (b'{"nbformat": 4, "cells": [{', "not a notebook", "Invalid JSON, which ends in the middle; perhaps only"),
        (b'{"nbformat": 4, "cells": [}', "not a notebook", "Invalid JSON (Expecting value: line 1 column 27"),
        (b"null", "not a notebook", "It has nothing where an object should be."),
        (b"3.5", "not a notebook", "It has a number where an object should be."),
        (b'{"nbformat": 3, "worksheets": []}', "not a notebook", "The notebook format 3 is too old."),
        (b"\x89PNG\r\n", "not a notebook", "nvalid JSON"),
        (b"[" * 100_000, "not a notebook", "nvalid JSON"),
        (b'{"nbformat": 4, "nbformat_minor": 5, "metadata": {}}', "not a notebook", "no list of cells"),
        (b'{"nbformat": 4, "cells": [3]}', "not a notebook", "an invalid cell"),
        (b'{"nbformat": 4, "metadata": [], "cells": []}', "not this course", "does not name a module"),
        (b'{"nbformat": 4, "metadata": {"dark": {"module": ["x"]}}, "cells": []}', "not this course", ""),
    ],
)
def test_what_cannot_be_graded_says_why(worker, content, status, message):
    result = grade_submission(content, worker=worker)
    assert (result.status, message in result.message) == (status, True), result
    assert failures(result) == result.message and not is_complete(result)


@pytest.mark.parametrize("version", [{"nbformat": 5}, {"nbformat": "four"}, {"nbformat": 3}, {}])
def test_a_notebook_with_another_number_of_its_format_is_graded(assignment, worker, version):
    notebook = json.loads(tiny.submission(**tiny.RIGHT))
    del notebook["nbformat"]
    result = grade_submission(json.dumps(notebook | version).encode(), assignment, worker=worker, settings=ROOMY)
    assert result.earned == 4, result


WRONG_ENDS = {
    "wrong": (square("return 3 * x"), "wrong"),
    "an error": (square("return x / 0"), "error"),
    "no Python": (tiny.RIGHT | {"square": "def square(x:\n    return x"}, "error"),
    "an endless loop": (square("while True:\n    pass"), "timed out"),
    "an endless loop in the cell": (square("return A", "class A:\n    while True: pass"), "timed out"),
    "sys.exit": (square("import sys\nsys.exit(0)"), "exited"),
    "sys.exit in the cell": (square("return A", "import sys\nA = sys.exit(0)"), "exited"),
    "os._exit(0)": (square("import os\nos._exit(0)"), "exited"),
    "a memory hog": (square("return [0] * 10**11"), "out of memory"),
    "print without end": (square("while True:\n    print('x' * 1000)"), "too much output"),
    "equal to everything": (
        square("return Yes()", "class Yes(float):\n    def __eq__(self, other): return True"),
        "wrong",
    ),
    "fake answers": (
        square('print(\'{"token": "", "reply": {"returned": {"dict": {"value": 4}}}}\')\nreturn 3 * x'),
        "wrong",
    ),
    "fake answers on every descriptor": (
        square("import os\nfor k in range(3, 200):\n    try: os.write(k, b'{}\\n')\n    except OSError: pass"),
        "exited",
    ),
    "other builtins": (square("import builtins\nsetattr(builtins, 'float', str)\nreturn x + 1"), "error"),
    "the reference itself": (square("import dark\nreturn dark.mul(x, x).value"), "uses the reference"),
}


ENDLESS = [name for name, (_, status) in WRONG_ENDS.items() if status == "timed out"]


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.long) if name in ENDLESS else name for name in WRONG_ENDS]
)
def test_one_exercise_fails_with_its_own_status_and_the_others_stay_right(assignment, worker, name):
    answers, status = WRONG_ENDS[name]
    settings = QUICK if status == "timed out" else ROOMY
    content = tiny.submission(**answers)
    result = grade_submission(content, assignment, worker=worker, settings=settings)
    assert statuses(result) == {"double": "right", "square": status, "both": "right"}
    assert (result.earned, result.points) == (3, 4)


def test_all_yours_is_told_beside_the_points(assignment, worker):
    answers = square("return 3 * x") | {"both": "def both(x):\n    return double(square(x))"}
    result = grade_submission(tiny.submission(**answers), assignment, worker=worker, settings=ROOMY)
    assert statuses(result)["both"] == "right"
    assert result.together["both"] == "wrong"


def test_a_process_left_behind_changes_nothing(assignment, worker):
    body = "import ctypes, time\nif ctypes.CDLL(None).fork() == 0:\n    time.sleep(60)\nreturn x * x"
    begun = time.monotonic()
    result = grade_submission(tiny.submission(**square(body)), assignment, worker=worker, settings=ROOMY)
    assert result.earned >= 3 and time.monotonic() - begun < 30


@pytest.mark.long
def test_all_yours_has_a_time_limit_for_each_exercise(assignment, worker):
    endless = {"double": "def double(x):\n    while True: pass"}
    answers = tiny.RIGHT | endless | {"both": "def both(x):\n    return square(x) + square(x)"}
    result = grade_submission(tiny.submission(**answers), assignment, worker=worker, settings=QUICK)
    assert list(result.together.values()) == ["timed out", "right", "right"]


@pytest.mark.long
def test_the_outputs_of_a_notebook_do_not_count(tmp_path, worker, assignment):
    notebook = json.loads(tiny.submission(**tiny.RIGHT))
    picture = {"output_type": "display_data", "data": {"image/png": "iVBO" * (10 << 20)}, "metadata": {}}
    notebook["cells"][0]["outputs"] = [picture]
    (tmp_path / "ann.ipynb").write_text(json.dumps(notebook))
    graded = grade_file(Submission("ann", tmp_path / "ann.ipynb"), worker, ROOMY, lambda: assignment)
    assert graded.result.earned == 4


def test_a_submission_without_time_left_is_not_run(assignment, worker):
    settings = Settings(Limits(submission_seconds=0))
    content = tiny.submission(**tiny.RIGHT)
    result = grade_submission(content, assignment, worker=worker, settings=settings)
    assert set(statuses(result).values()) == {"timed out"}
    assert "whole submission" in result.verdicts[2].findings[0].error.message


def test_the_seed_decides_the_inputs(assignment, worker):
    body = square("return x * x if x < 2 else 0.0")

    def inputs(seed):
        settings = Settings(ROOMY.limits, seed)
        result = grade_submission(tiny.submission(**body), assignment, worker=worker, settings=settings)
        return result.verdicts[1]

    assert inputs(3) == inputs(3)


def test_a_module_is_found_by_metadata_then_fallback_then_names(assignment, monkeypatch):
    tests_notebook = json.loads(tiny.submission(**tiny.RIGHT))
    unmarked = json.loads(tiny.submission(marked=False, **tiny.RIGHT))
    assert grade.find_assignment(unmarked, assignment) is assignment
    for file in (grade, which_module):
        monkeypatch.setattr(file, "load_module", lambda name: {"77": tiny.MODULE, "77-tiny": tiny.MODULE}[name])
    monkeypatch.setattr(grade, "load_exam", lambda module, private, hidden: assignment.exam)
    monkeypatch.setattr(which_module, "modules", lambda: ("77-tiny",))
    assert grade.find_assignment(tests_notebook).module is tiny.MODULE
    assert grade.find_assignment(unmarked).module is tiny.MODULE
    unmarked["cells"] = unmarked["cells"][:2]
    assert grade.find_assignment(unmarked) is None


def test_a_judge_that_fails_is_our_failure_and_stops_nothing(assignment, worker, monkeypatch):
    def failing(judge, module, name, *arguments, **options):
        if name == "square":
            raise RecursionError("too deep")
        return judge(module, name, *arguments, **options)

    for name in ("judge_together", "judge_exercise"):
        monkeypatch.setattr(judge_answers, name, partial(failing, getattr(judge_answers, name)))
    result = grade_submission(tiny.submission(**tiny.RIGHT), assignment, worker=worker, settings=ROOMY)
    assert statuses(result) == {"double": "right", "square": "not judged", "both": "right"}
    assert "RecursionError: too deep" in result.verdicts[1].findings[0].error.message


def test_a_grader_that_fails_gives_a_result_all_the_same(assignment, worker, monkeypatch):
    monkeypatch.setattr(grade, "collect", lambda notebook, module: 1 / 0)
    result = grade_submission(tiny.submission(), assignment, worker=worker)
    assert (result.status, "ZeroDivisionError" in result.message) == ("not graded", True)


@pytest.fixture
def folder(tmp_path):
    submissions = {
        "ann.ipynb": tiny.submission(**tiny.RIGHT),
        "bob/work.ipynb": tiny.submission(**square("import os\nos._exit(0)")),
        "cy/one.ipynb": b"no",
        "cy/two.ipynb": tiny.submission(),
        ".ipynb_checkpoints/ann-checkpoint.ipynb": b"",
        "bob/.ipynb_checkpoints/work-checkpoint.ipynb": b"",
        "deep/er/lost.ipynb": b"",
        "notes.txt": b"",
    }
    for name, content in submissions.items():
        path = tmp_path / "in" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return tmp_path / "in"


def test_a_link_is_never_followed(folder, tmp_path, worker):
    solution = tmp_path / "solution.ipynb"
    solution.write_bytes(tiny.submission(**tiny.RIGHT))
    (tmp_path / "theirs").mkdir()
    (tmp_path / "theirs" / "work.ipynb").write_bytes(tiny.submission(**tiny.RIGHT))
    (folder / "eve.ipynb").symlink_to(solution)
    (folder / "fay").symlink_to(tmp_path / "theirs")
    faults = {each.name: each.fault for each in find_submissions(folder)}
    assert faults["eve"] == faults["fay"] == LINK
    assert grade_file(Submission("eve", folder / "eve.ipynb"), worker).result.status == "not a notebook"


def test_a_pipe_that_took_the_place_of_a_file_is_not_waited_for(tmp_path, worker):
    os.mkfifo(tmp_path / "pipe.ipynb")
    assert "not a regular file" in grade_file(Submission("pipe", tmp_path / "pipe.ipynb"), worker).result.message


def test_what_is_skipped_is_not_opened(worker):
    graded = grade_file(Submission("x", Path("/dev/zero"), "It is not a regular file."), worker)
    assert graded == Graded(Result("skipped", "It is not a regular file."))


def test_a_batch_gives_every_submission_its_own_result(folder, tmp_path):
    assign = partial(tiny.assignment, tmp_path)
    submissions = find_submissions(folder)
    seen = {s.name: g.result.status for s, g in grade_all(submissions, settings=ROOMY, assign=assign)}
    assert seen == {
        "ann": "graded", "bob": "graded", "cy/one": "not a notebook", "cy/two": "graded", "deep/er/lost": "skipped",
        "notes.txt": "skipped",
    }  # fmt: skip


@pytest.mark.long
def test_parallel_jobs_give_the_same_results_as_one(folder, tmp_path):
    assign = partial(tiny.assignment, tmp_path)
    submissions = find_submissions(folder)

    def results(jobs):
        found = grade_all(submissions, jobs=jobs, settings=ROOMY, assign=assign)
        return {s.name: (g.result, g.digest) for s, g in found}

    assert results(1) == results(2)


def costs_only_its_own(folder, tmp_path, assign, **options):
    """Grade the folder where `assign` does something at bob's; return the result of bob's."""
    submissions = find_submissions(folder)
    chosen = partial(assign, tmp_path, tmp_path / "once")
    found = {s.name: g.result for s, g in grade_all(submissions, settings=ROOMY, assign=chosen, **options)}
    hit = [each for each in found.values() if each.status not in ("graded", "not a notebook", "skipped")]
    assert len(found) == len(submissions) and len(hit) == 1
    return hit[0]


@pytest.mark.long
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_grader_that_is_killed_costs_only_its_own_submission(folder, tmp_path, jobs):
    hit = costs_only_its_own(folder, tmp_path, tiny.die_once, jobs=jobs)
    assert hit.status == "not graded" and "was killed (SIGKILL)" in hit.message


@pytest.mark.long
def test_a_submission_that_takes_the_graders_memory_is_too_large(folder, tmp_path):
    hit = costs_only_its_own(folder, tmp_path, tiny.eat_once)
    assert hit == Result("too large", "Reading and judging it takes more than 1024 MiB of memory.")


@pytest.mark.long
def test_a_submission_that_takes_the_graders_time_is_too_large(folder, tmp_path):
    hit = costs_only_its_own(folder, tmp_path, tiny.loop_once)
    assert hit == Result("too large", "Reading and judging it takes more than 30 seconds of CPU time.")


@pytest.mark.long
def test_a_submission_at_which_a_grader_sleeps_is_too_large(folder, tmp_path, monkeypatch):
    monkeypatch.setattr(grader_process, "SPARE_SECONDS", 3 - ROOMY.limits.submission_seconds)
    hit = costs_only_its_own(folder, tmp_path, tiny.sleep_once)
    assert hit == Result("too large", "Reading and judging it takes more than 3 seconds.")


def test_graders_that_do_not_start_are_an_error(folder, monkeypatch):
    monkeypatch.setattr(grader_process.sys, "executable", "/bin/false")
    with pytest.raises(CourseError, match="do not start(.|\n)*Expected: (.|\n)*Try: "):
        list(grade_all(find_submissions(folder)))


def test_a_system_without_process_limits_is_refused(folder, monkeypatch):
    monkeypatch.delattr("socket.send_fds")
    with pytest.raises(CourseError, match="cannot limit(.|\n)*Expected: (.|\n)*Try: "):
        list(grade_all(find_submissions(folder)))


def test_a_file_larger_than_a_notebook_is_not_parsed(tmp_path, worker, monkeypatch):
    monkeypatch.setattr(outputs, "LARGEST_BYTES", 2 << 20)
    path = tmp_path / "huge.ipynb"
    path.write_bytes(tiny.submission(double="# long\n" * (1 << 19)))
    graded = grade_file(Submission("huge", path), worker)
    reason = "The file is larger than 2 MiB, also without the outputs of its cells."
    assert graded.result == Result("too large", reason)


@pytest.mark.long
def test_a_notebook_with_200_mb_of_outputs_is_graded_in_little_memory(assignment, tmp_path, worker):
    notebook = json.loads(tiny.submission(**tiny.RIGHT))
    (tmp_path / "small.ipynb").write_bytes(tiny.submission(**tiny.RIGHT))
    notebook["cells"][1]["outputs"] = [{"output_type": "stream", "name": "stdout", "text": ["epoch 1\n"] * 2_000_000}]
    notebook["cells"][2]["outputs"] = [{"output_type": "display_data", "data": {"image/png": "iVBORw0K" * 22_500_000}}]
    path = tmp_path / "large.ipynb"
    path.write_text(json.dumps(notebook))
    assert path.stat().st_size > 200_000_000
    with zipfile.ZipFile(tmp_path / "zipped.zip", "w", zipfile.ZIP_STORED) as archive:
        archive.write(path, "work.ipynb")
    code = (
        "import resource, sys\nfrom pathlib import Path\nfrom dark.grading.uploads import Submission\n"
        "[used] = [line.split()[1] for line in open('/proc/self/status') if line.startswith('VmData')]\n"
        "resource.setrlimit(resource.RLIMIT_DATA, ((int(used) << 10) + (16 << 20),) * 2)\n"
        "print(len(Submission('ann', Path(sys.argv[1])).read()))"
    )
    read = subprocess.run([sys.executable, "-c", code, path], capture_output=True, text=True, check=True).stdout
    assert int(read) < 10_000
    for submission in find_submissions(tmp_path):
        result = grade_file(submission, worker, ROOMY, lambda: assignment).result
        assert (result.status, result.earned) == ("graded", 4), submission


def test_a_file_that_cannot_be_read_is_not_a_notebook(tmp_path):
    missing = Submission("gone", tmp_path / "gone.ipynb")
    ((_, graded),) = grade_all([missing])
    assert graded.result.status == "not a notebook"
    assert "cannot be read (No such file or directory)" in graded.result.message
