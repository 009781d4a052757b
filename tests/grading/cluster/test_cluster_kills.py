"""A dask cluster of two workers, started as users start it, that grades 200 submissions.

Workers that are killed, frozen, added or lost meanwhile change no result.
"""

import json
import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from dark import __version__
from dark.grading.batch.locked_folders import PREFIX
from dark.grading.cluster.remote import IDLE_SECONDS
from tests.course import tiny

Client = pytest.importorskip("distributed").Client
pytestmark = [pytest.mark.long, pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")]

CLASS = 200
WITHIN = 3  # seconds after which a worker is frozen, in these tests
GRADE = """
import sys
from functools import partial
from dark.cli import main
from dark.cli.commands import grade
from dark.grading.cluster import workers
from dark.grading.report import gradebook
from tests.course import tiny
folder, seconds, *words = sys.argv[1:]
workers.FROZEN_SECONDS = float(seconds)
grade.load_assignment = partial(tiny.assignment, folder)
gradebook.course_fingerprint = lambda: "the same"
sys.exit(main(["grade", "in", "--module", "77", "--seed", "1", *words]))
"""
SLOW = "def both(x):\n    import time\n    time.sleep(0.01)\n    return 2 * x * x"
KINDS = [
    tiny.submission(**tiny.RIGHT | {"both": SLOW}),
    tiny.submission(**tiny.RIGHT | {"double": "def double(x):\n    return x"}),
    tiny.submission(**tiny.RIGHT | {"square": "def square(x):\n    import os\n    os._exit(0)"}),
    tiny.submission(),
    b"no notebook",
]


def graded(folder, count):
    """Return a folder with a class that is graded on this machine."""
    for name in ("in", "tmp"):
        (folder / name).mkdir()
    for k in range(count):
        (folder / "in" / f"s{k}.ipynb").write_bytes(KINDS[k % len(KINDS)])
    process = start(folder, GRADE, WITHIN, "--out", "local", "--jobs", "2")
    assert (process.communicate(timeout=300)[1], process.returncode) == ("", 1)  # one of five kinds is not a notebook
    return folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return the folder of a class."""
    return graded(tmp_path_factory.mktemp("class"), CLASS)


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """Return the folder of a small class."""
    return graded(tmp_path_factory.mktemp("small"), CLASS // 2)


def start(folder, code, *words, path=None):
    """Start `dark grade` or a command of dask as a process of its own, with another `dark` if there is a path."""
    words = ["-c", code, str(folder), *map(str, words)] if code == GRADE else ["-m", "dask", code, *map(str, words)]
    environ = os.environ | {"TMPDIR": str(folder / "tmp"), "XDG_STATE_HOME": str(folder / "state")}
    environ["PYTHONPATH"] = os.pathsep.join([str(path or Path(tiny.__file__).parents[2]), *filter(None, sys.path)])
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    if code != GRADE:
        streams = dict.fromkeys(("stdout", "stderr"), subprocess.DEVNULL)
    return subprocess.Popen([sys.executable, *words], cwd=folder, env=environ, start_new_session=True, **streams)


class Cluster:
    """A scheduler and its workers."""

    def __init__(self, folder, nanny):
        self.folder, self.nanny, self.port = folder, nanny, 0
        self.parts = []

    def schedule(self, path=None):
        """Start the scheduler, the next one at the same address."""
        file = self.folder / "scheduler.json"
        file.unlink(missing_ok=True)
        options = ("--host", "127.0.0.1", "--port", self.port, "--no-dashboard", "--scheduler-file", file)
        self.scheduler = start(self.folder, "scheduler", *options, path=path)
        self.parts.append(self.scheduler)
        wait_for(lambda: file.exists() and file.read_text().endswith("}"))
        self.address = json.loads(file.read_text())["address"]
        self.port = int(self.address.rpartition(":")[2])

    def work(self, path=None):
        """Start a worker with one thread; return its process."""
        options = (self.address, "--nthreads", 1, "--no-dashboard", "--nanny" if self.nanny else "--no-nanny")
        command = start(self.folder, "worker", *options, path=path)
        self.parts.append(command)
        return command

    def pid(self, command):
        """Return the process that grades: with a nanny, its child."""
        if not self.nanny:
            return command.pid
        for pid in children(command.pid):
            if "spawn_main" in Path(f"/proc/{pid}/cmdline").read_text():
                return pid
        return None

    def graders(self, command):
        """Return how many graders a worker has."""
        pid = self.pid(command)
        return 0 if pid is None else len([each for each in children(pid) if "grader" in command_line(each)])

    def wait_for_no_grader(self, commands):
        """Wait until the workers have no grader; one that was too busy to be told ends its idle ones by itself.

        The folder of a grader is removed after it has ended.
        """
        wait_for(lambda: not any(map(self.graders, commands)), IDLE_SECONDS + 20)
        wait_for(lambda: not any(path.startswith(PREFIX) for path in os.listdir(self.folder / "tmp")))

    def count(self):
        """Return how many workers the scheduler knows."""
        with Client(self.address, set_as_default=False) as client:
            return len(client.scheduler_info()["workers"])

    def grade(self, name):
        """Start `dark grade` on this cluster."""
        return start(self.folder, GRADE, WITHIN, "--out", name, "--scheduler", self.address)

    def end(self):
        """End all processes."""
        for part in reversed(self.parts):
            part.send_signal(signal.SIGCONT)
            part.terminate()
        for part in self.parts:
            try:
                part.wait(30)
            except subprocess.TimeoutExpired:
                os.killpg(part.pid, signal.SIGKILL)
                part.wait()


@contextmanager
def cluster(folder, nanny=False):
    """Run a scheduler and two workers."""
    running = Cluster(folder, nanny)
    try:
        running.schedule()
        yield running, [running.work(), running.work()]
    finally:
        running.end()


def children(pid):
    """Return the ids of the child processes of a process."""
    try:
        tasks = list(Path(f"/proc/{pid}/task").iterdir())
        return [int(word) for task in tasks for word in (task / "children").read_text().split()]
    except OSError:
        return []


def command_line(pid):
    """Return the command line of a process."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_text()
    except OSError:
        return ""


def wait_for(condition, seconds=60):
    """Wait until a condition holds."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.02)


def records(folder, name):
    """Return the records of a report without the time that they took, byte for byte."""
    path = folder / name / "gradebook.db"
    if not path.exists():
        return {}
    with closing(sqlite3.connect(path)) as connection:
        try:
            rows = connection.execute("SELECT name, record, reports FROM records").fetchall()
        except sqlite3.OperationalError:
            return {}
    return {name: (re.sub(r'"elapsed_seconds": [0-9.e-]+', "", record), reports) for name, record, reports in rows}


def wait_for_records(folder, name, count, process):
    """Wait until this number of submissions is graded."""
    wait_for(lambda: process.poll() is not None or len(records(folder, name)) >= count)
    assert process.poll() is None, process.communicate()


def finish(folder, name, process):
    """Wait for the end of a batch, compare it with the one of this machine, and return what it has printed."""
    printed, errors = process.communicate(timeout=240)
    assert process.returncode == 1, printed + errors
    count = len(os.listdir(folder / "in"))
    assert records(folder, name) == records(folder, "local") and len(records(folder, name)) == count
    assert (folder / name / "grades.csv").read_bytes() == (folder / "local" / "grades.csv").read_bytes()
    for page in (folder / "local" / "pages").iterdir():
        assert (folder / name / "pages" / page.name).read_bytes() == page.read_bytes()
    here, there = (json.loads((folder / each / "results.json").read_text()) for each in ("local", name))
    assert here["confinement"] == there["confinement"] and here["limits"] == there["limits"]
    lines = [line for line in printed.splitlines() if re.match("[✓✗!] s[0-9]", line)]
    assert len({line.split()[1] for line in lines}) == len(lines) == count  # each is counted once
    return printed, errors


@pytest.mark.parametrize("nanny", [True, False], ids=["nanny", "no nanny"])
def test_a_worker_that_is_killed_and_one_that_is_added_change_no_result(nanny, request):
    name, folder = f"killed {nanny}", request.getfixturevalue("folder" if nanny else "small")
    with cluster(folder, nanny) as (running, (first, second)):
        process = running.grade(name)
        wait_for_records(folder, name, 5, process)
        os.kill(running.pid(first), signal.SIGKILL)
        wait_for_records(folder, name, 10, process)
        third = running.work()
        wait_for(lambda: running.graders(third))
        assert process.poll() is None
        if nanny:
            wait_for(lambda: running.graders(first))  # the nanny has started another worker, which grades
        wait_for_records(folder, name, 60 if nanny else 15, process)
        os.kill(running.pid(second), signal.SIGKILL)
        _, errors = finish(folder, name, process)
    assert errors.count("has gone; its submissions are graded elsewhere") == 2 and "has joined" in errors


@pytest.mark.parametrize("nanny", [True, False], ids=["nanny", "no nanny"])
def test_a_worker_that_is_frozen_is_noticed_in_time_and_changes_no_result_when_it_is_back(nanny, request):
    name, folder = f"frozen {nanny}", request.getfixturevalue("small" if nanny else "folder")
    with cluster(folder, nanny) as (running, (first, second)):
        process = running.grade(name)
        wait_for(lambda: running.graders(first) and running.graders(second))
        wait_for_records(folder, name, 20, process)
        os.kill(running.pid(first), signal.SIGSTOP)
        frozen = time.monotonic()
        lines = iter(process.stderr.readline, "")
        assert any("is frozen; its submissions are graded elsewhere" in line for line in lines)
        assert time.monotonic() - frozen < WITHIN + 27  # the machine may be busy
        os.kill(running.pid(first), signal.SIGCONT)
        finish(folder, name, process)


def test_a_lost_scheduler_is_a_restart_that_does_only_the_rest(small):
    with cluster(small) as (running, commands):
        process = running.grade("lost")
        wait_for_records(small, "lost", 20, process)
        running.scheduler.kill()
        printed, errors = process.communicate(timeout=60)
        assert process.returncode == 2 and f"The scheduler at {running.address} is lost." in errors
        assert "  Expected: " in errors and "  Try: " in errors and "Traceback" not in errors
        done = records(small, "lost")
        assert 20 <= len(done) < len(os.listdir(small / "in")) and done.items() <= records(small, "local").items()
        for command in commands:
            command.wait(60)  # a worker without a scheduler ends
        running.schedule()
        running.work()
        printed, _ = finish(small, "lost", running.grade("lost"))
        assert printed.count("(unchanged)") == len(done)


def test_ctrl_c_ends_the_graders_and_the_same_command_does_the_rest(small):
    with cluster(small) as (running, commands):
        process = running.grade("stopped")
        wait_for_records(small, "stopped", 20, process)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=30)
        assert process.returncode == 130 and "run the same command to continue" in errors
        running.wait_for_no_grader(commands)
        done = len(records(small, "stopped"))
        printed, _ = finish(small, "stopped", running.grade("stopped"))
        assert printed.count("(unchanged)") == done < len(os.listdir(small / "in"))
        running.wait_for_no_grader(commands)


def test_a_scheduler_that_is_frozen_is_lost(small):
    with cluster(small) as (running, _):
        process = running.grade("frozen scheduler")
        wait_for_records(small, "frozen scheduler", 5, process)
        running.scheduler.send_signal(signal.SIGSTOP)
        _, errors = process.communicate(timeout=60)
        assert process.returncode == 2 and f"The scheduler at {running.address} is lost." in errors


def test_other_versions_of_dark_are_refused_by_their_names(small, tmp_path):
    (tmp_path / "dark").mkdir()
    (tmp_path / "dark" / "__init__.py").write_text('__version__ = "0.0.7"\n')
    with cluster(small) as (running, _):
        running.work(tmp_path)
        wait_for(lambda: running.count() == 3)
        process = running.grade("other worker")
        printed, errors = process.communicate(timeout=60)
        assert process.returncode == 2 and printed == "", printed
        assert re.search(rf"worker tcp://127.0.0.1:\d+: dark 0.0.7 there, {__version__} here\n  Expected: ", errors)
        assert not (small / "other worker").exists()
    running = Cluster(small, nanny=False)
    try:
        running.schedule(tmp_path)
        process = running.grade("other scheduler")
        assert (
            f"scheduler {running.address}: dark 0.0.7 there, {__version__} here" in process.communicate(timeout=60)[1]
        )
        assert process.returncode == 2
    finally:
        running.end()


def test_a_port_where_nobody_listens_is_an_error_in_three_parts(small):
    with closing(socket.socket()) as unused:
        unused.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{unused.getsockname()[1]}"
        process = start(small, GRADE, WITHIN, "--out", "none", "--scheduler", address)
        _, errors = process.communicate(timeout=60)
    assert process.returncode == 2 and errors.startswith(f"--scheduler {address}: no scheduler answers (")
    assert "  Expected: " in errors and "  Try: " in errors and errors.count("\n") == 3
