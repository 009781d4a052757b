"""Each row of the catalog of hostile answers, as a test; and the table that `dark grade --self-test` prints."""

import ctypes
import os
import signal
import subprocess
import sys
from dataclasses import replace
from types import SimpleNamespace

import pytest

from dark.cli import main
from dark.grading.grader.grade import Settings, grade_submission
from dark.grading.sandbox.confinement import Confinement, confinement
from dark.grading.sandbox.limits import Limits
from dark.grading.self_test import catalog, traces
from dark.grading.self_test.catalog import cases, self_test, try_case
from dark.grading.self_test.course import assignment, notebook

QUICK = {
    "sys.exit", "a printed verdict", "a float that is equal to everything", "another comparison", "half a character",
    "to import it by a name in two parts", "to find the solution in memory", "the files of the framework",
    "the network", "a cell of magics", "a file in shared memory", "a loop in a class",
    "access times of the files of Python, to the next answer", "a count of inodes, to the next answer",
    "a lock on a file of Python, to the next answer", "to wait at a file that two processes map",
    "an input still to come", "the name of a question", "an input of a hidden question",
}  # fmt: skip


def marks(case):
    return [] if case.name in QUICK else [pytest.mark.long]


@pytest.mark.parametrize("case", [pytest.param(case, id=case.name, marks=marks(case)) for case in cases()])
def test_an_answer_of_the_catalog_is_held_off(case, worker):
    if not confinement().reaches(case.level):
        pytest.skip(f"this machine does not reach the level {case.level}")
    row = try_case(case, worker)
    assert row.fault == "", row


def test_the_catalog_has_all_kinds_and_no_name_twice():
    names = [case.name for case in cases()]
    assert len(names) == len(set(names)) >= 110
    assert {case.kind for case in cases()} == {"runs_away", "floods", "forges", "peeks", "tells", "damages"}


@pytest.mark.skipif(not confinement().reaches("full"), reason="this machine does not confine fully")
def test_what_tells_another_process_something_would_do_so_without_the_filter(worker):
    for case in cases():
        if case.kind == "tells" and case.level == "full" and not case.namespaces:
            hostile = notebook(**catalog.HONEST | {"double": case.cell})
            result = grade_submission(
                hostile, assignment(), worker=worker, settings=Settings(Limits(confinement="files"))
            )
            assert result.verdicts[0].is_right, case.name


@pytest.mark.long
@pytest.mark.skipif(not confinement().reaches("full"), reason="this machine does not confine fully")
def test_the_command_tries_its_cases_and_exits_with_0(capsys, tmp_path, monkeypatch):
    known = [case for case in cases() if case.name in QUICK]  # each of the others is a test of its own
    monkeypatch.setattr(catalog, "cases", lambda: known)
    monkeypatch.chdir(tmp_path)
    assert main(["grade", "--self-test"]) == 0
    printed = capsys.readouterr().out
    assert all(case.name in printed for case in known)
    assert f"{len(known)} of {len(known)} answers are graded as they should be" in printed
    assert list(tmp_path.iterdir()) == []


def test_the_table_says_what_does_not_hold_and_what_was_not_tried(monkeypatch):
    known = {case.name: case for case in cases()}
    wrong = replace(known["a generator"], name="expected to be right", status=("right",))
    monkeypatch.setattr(catalog, "cases", lambda: [known["a generator"], wrong, known["a mode"]])
    lines = []
    assert not self_test(Confinement("limits", ("It is old.",)), lines.append)
    assert lines[0] == "Confinement: limits. It is old."
    assert lines[1].startswith("\nlimits: a runaway") and lines[4] == "limits: 1 of 2"
    assert lines[5].startswith("\nfull: no processes") and lines[7] == "full: 0 of 0, 1 not tried"
    assert [lines[k][0] for k in (2, 3, 6)] == ["✓", "✗", "·"]
    assert "expected: right" in lines[3] and "needs the level" in lines[6]
    assert lines[8] == "\n1 of 2 answers are graded as they should be, 1 not tried."


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_what_an_answer_leaves_behind_is_found(tmp_path, monkeypatch):
    monkeypatch.setattr(traces, "PLACES", {tmp_path})
    command = ["bash", "-c", "sleep 60 & sleep 60 & echo started; wait"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, start_new_session=True) as process:
        process.stdout.readline()
        worker, before = SimpleNamespace(pid=process.pid, folder=tmp_path / "folder"), traces.segments()
        try:
            monkeypatch.setattr(traces, "missing_namespaces", lambda: "none here")
            assert traces.left_behind(worker, before) == "2 processes"
            monkeypatch.setattr(traces, "missing_namespaces", lambda: "")
            assert traces.left_behind(worker, before) == "1 process"  # the other one is the first of the namespaces
        finally:
            os.killpg(process.pid, signal.SIGKILL)
    worker.pid = None
    assert traces.left_behind(worker, before) == ""
    (tmp_path / "folder").mkdir()
    paths = [tmp_path / traces.MARK, tmp_path / "folder" / "other"]
    for path in paths:
        path.touch()
    assert traces.left_behind(worker, before) == f"{paths[0]}, {paths[1]}"
    assert traces.left_behind(worker, before) == ""


SEGMENT = """
import ctypes
library = ctypes.CDLL(None)
print(library.shmget(0, 4096, 0o1600), flush=True)
input()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_shared_memory_is_left_behind_when_its_maker_has_ended():
    worker, before = SimpleNamespace(pid=None, folder=None), traces.segments()
    with subprocess.Popen(
        [sys.executable, "-c", SEGMENT], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as maker:
        segment = int(maker.stdout.readline())
        try:
            assert traces.left_behind(worker, before) == ""  # another program's
            maker.communicate("end\n")
            assert traces.left_behind(worker, before) == "shared memory"
        finally:
            ctypes.CDLL(None).shmctl(segment, 0, None)
    assert traces.left_behind(worker, before) == ""
