"""Kills of a batch and of its parts: nothing that is graded is lost, and the same command does the rest."""

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from dark.grading.batch.locked_folders import PREFIX, temporary_folder
from tests.course import tiny

CLASS = 10
SLOW = tiny.RIGHT | {"both": "def both(x):\n    import time\n    time.sleep(0.002)\n    return 2 * x * x"}
GRADE = """
import resource, sys
from functools import partial
from dark.cli import main
from dark.cli.commands import grade
from dark.grading.report import gradebook
from tests.course import tiny
folder, most_bytes, jobs = sys.argv[1], int(sys.argv[2]), sys.argv[3]
if most_bytes:
    resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, resource.RLIM_INFINITY))
grade.load_assignment = partial(tiny.assignment, folder)
gradebook.course_fingerprint = lambda: "the same"
sys.exit(main(["grade", "in", "--out", "report", "--module", "77", "--jobs", jobs, "--seed", "1"]))
"""


@pytest.fixture
def folder(tmp_path):
    """Return a folder with a class, and a folder for its temporary files."""
    (tmp_path / "in").mkdir()
    (tmp_path / "tmp").mkdir()
    for k in range(CLASS):
        (tmp_path / "in" / f"s{k}.ipynb").write_bytes(tiny.submission(**SLOW))
    return tmp_path


def start(folder, most_bytes=0, jobs=2):
    """Start `dark grade` on the tiny module as a process of its own."""
    environ = os.environ | {"TMPDIR": str(folder / "tmp"), "XDG_STATE_HOME": str(folder / "state")}
    environ["PYTHONPATH"] = os.pathsep.join([str(Path(tiny.__file__).parents[2]), *filter(None, sys.path)])
    return subprocess.Popen(
        [sys.executable, "-c", GRADE, str(folder), str(most_bytes), str(jobs)],
        cwd=folder,
        env=environ,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def finish(folder):
    """Run to the end; return the number of submissions that were kept."""
    process = start(folder)
    printed, errors = process.communicate(timeout=120)
    assert (process.returncode, errors) == (0, ""), printed + errors
    found = json.loads((folder / "report" / "results.json").read_text())
    assert found["complete"] and [row["earned"] for row in found["submissions"]] == [4] * CLASS
    left = [path.name for path in (folder / "report").iterdir()]
    assert ".copies" not in left and not started(folder)
    assert [name for name in left if name.startswith("gradebook.db")] == ["gradebook.db"]
    assert [name for name in os.listdir(folder / "tmp") if name.startswith(PREFIX)] == []
    return printed.count("(unchanged)")


def rows(folder, query):
    """Read the gradebook, as a teacher may at any time."""
    path = folder / "report" / "gradebook.db"
    if not path.exists():
        return []
    with closing(sqlite3.connect(path)) as connection:
        try:
            return connection.execute(query).fetchall()
        except sqlite3.OperationalError as error:
            assert "no such table" in str(error)  # it is being made
            return []


def records(folder):
    """Return the records that are stored, by name of the submission."""
    return {name: rest for name, *rest in rows(folder, "SELECT * FROM records")}


def started(folder):
    """Return the submissions that are being graded, or were when the batch was killed."""
    return {slug for (slug,) in rows(folder, "SELECT slug FROM started")}


def wait_for(condition, seconds=60):
    """Wait until a condition holds."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.01)


def children(pid):
    """Return the ids of the child processes of a process."""
    return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def wait_for_records(folder, count, process):
    """Wait until `count` records are written."""
    wait_for(lambda: process.poll() is not None or len(records(folder)) >= count)
    assert process.poll() is None, process.communicate()


@pytest.mark.long
def test_a_batch_that_is_killed_again_and_again_loses_nothing(folder):
    rng, before = random.Random(5), {}
    for _ in range(4):
        process = start(folder)
        wait_for_records(folder, min(CLASS - 1, len(before) + 1), process)
        time.sleep(rng.random() / 4)
        process.kill()
        process.communicate()
        now = records(folder)
        assert before.items() <= now.items()
        before = now
    assert finish(folder) == len(before)


@pytest.mark.long
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_batch_that_is_told_to_end_says_how_to_continue(folder, number):
    process = start(folder)
    wait_for_records(folder, 2, process)
    process.send_signal(number)
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 130 and "run the same command to continue" in errors
    rows = json.loads((folder / "report" / "results.json").read_text())["submissions"]
    done = [row for row in rows if row["status"] == "graded"]
    saved = len(records(folder))
    assert len(rows) == CLASS and len(done) in (saved, saved - 1)  # it may end between a record and its row
    assert finish(folder) == saved >= 2


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_grader_that_is_stopped_is_continued(folder):
    process = start(folder)
    wait_for_records(folder, 2, process)
    for pid in children(process.pid):
        os.kill(pid, signal.SIGSTOP)
    begun = time.monotonic()
    process.communicate(timeout=60)
    assert process.returncode == 0 and time.monotonic() - begun < 30
    assert finish(folder) == CLASS


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_grader_that_is_killed_costs_its_own_submission_until_the_next_run(folder):
    process = start(folder)
    wait_for_records(folder, 2, process)
    os.kill(children(process.pid)[0], signal.SIGKILL)
    printed, _ = process.communicate(timeout=60)
    assert process.returncode == 1 and printed.count("was killed (SIGKILL)") == 2  # its line, and the table
    assert finish(folder) == CLASS - 1


@pytest.mark.long
def test_a_disk_that_is_full_keeps_what_is_graded(folder):
    process = start(folder, most_bytes=80_000)  # the journal of the gradebook gets larger than that
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 2 and "gradebook.db: the gradebook cannot be written or read (" in errors, errors
    assert "  Expected: " in errors and "  Try: " in errors
    done = len(records(folder))
    assert finish(folder) == done > 0


@pytest.mark.long
def test_the_submission_during_which_a_batch_was_killed_comes_last(folder):
    process = start(folder)
    wait_for_records(folder, 1, process)
    process.kill()
    process.communicate()
    suspects = started(folder)
    assert not {slug.partition("-")[0] for slug in suspects} & set(records(folder))
    assert 0 < len(suspects) <= 2  # those that were running: a record and its end are one transaction
    process = start(folder, jobs=1)  # two graders may end in another order than they began
    printed, _ = process.communicate(timeout=60)
    graded = [line.split()[1].rstrip(":") for line in printed.splitlines() if line.startswith("✓") and "(" not in line]
    assert {name.partition("-")[0] for name in suspects} == set(graded[-len(suspects) :])


def test_a_temporary_folder_is_removed_when_its_batch_is_dead_and_only_then(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    dead, other = tmp_path / f"{PREFIX}dead", tmp_path / "dark-other"
    for path in (dead / "a" / "b", other):
        path.mkdir(parents=True)
    (tmp_path / f"{PREFIX}link").symlink_to(other)
    with temporary_folder() as first:
        assert not dead.exists() and other.exists()
        with temporary_folder() as second:
            assert os.path.isdir(first) and os.path.isdir(second) and first != second
        assert os.path.isdir(first) and not os.path.exists(second)
    assert sorted(os.listdir(tmp_path)) == [f"{PREFIX}link", "dark-other"]


def test_no_room_for_a_temporary_folder_is_an_error_in_three_parts(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "none"))
    with pytest.raises(ValueError, match="no temporary folder can be made(.|\n)*Expected: (.|\n)*Try: "):
        temporary_folder().__enter__()
