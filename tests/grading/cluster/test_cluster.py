"""Grading on a cluster: what needs no cluster. Its processes are in `test_cluster_kills`."""

import json
import sys
from argparse import ArgumentParser
from functools import partial
from pathlib import Path
from unittest.mock import Mock

import pytest

from dark.cli import main
from dark.cli.commands import grade as command
from dark.cli.grade_checks import too_little
from dark.course.lessons.library import repository_root
from dark.errors import CourseError, MissingExtraError
from dark.grading.cluster import cluster, connection, machine, remote, sent_exam, workers
from dark.grading.grader.grade import Settings, load_assignment
from dark.grading.grader.messages import read_answer, request, task
from dark.grading.sandbox.confinement import Confinement, root_warning
from dark.grading.uploads import Submission
from tests.course import tiny

HERE = {"dark": "0.2.0", "python": "3.12.1", "numpy": "2.3.0", "course": "a1"}
PRIVATE = """
from dark.course.exams import Exam, Float

exam = Exam("01")


@exam.question("add_mul", points=2)
def sums_of_large_numbers(dark, x: Float(1e6, 1e7)):
    'A large sum.'
    return dark.Add._f(x, 1.0)
"""


class Said:
    """The answer of a worker."""

    status = "finished"

    def __init__(self, found):
        self.found = found

    def done(self):
        return True

    def result(self, timeout):
        if isinstance(self.found, Exception):
            raise self.found
        return self.found


class Client:
    """A client of a scheduler whose workers answer what a test has written down."""

    status = "running"

    def __init__(self, there):
        self.scheduler = self
        self.address, self.there, self.version = "tcp://10.0.0.5:8786", there, "0.1.0"

    def identity(self, n_workers):
        if isinstance(self.there, Exception):
            raise self.there
        row = {"nthreads": 2, "last_seen": 1.0}
        return {"workers": {address: row | {"id": address} for address in self.there}}

    def sync(self, function, callback_timeout, **options):
        return function(**options)

    def submit(self, function, argument=None, *, workers, **options):
        found = self.there[workers[0]]
        if argument == machine.VERSION:
            return Said(self.version)
        assert function is remote.describe_machine or argument == f"{remote.__name__}:__name__"
        return Said(found)


def said(level="full", missing=(), warning="", **changes):
    """Return what a machine reports."""
    return json.dumps({"versions": HERE | changes, "level": level, "missing": missing, "warning": warning})


def looked(**there):
    """Return the workers that say this, and the sentences that were told about them."""
    told = []
    found = workers.Workers(Client(there), HERE)
    found.tell = told.append
    look(found)
    return found, told


def look(found):
    """Ask at once what a worker is asked one thing after the other."""
    for _ in range(2):
        found._looked = float("-inf")
        found.look()


@pytest.mark.parametrize(
    "address",
    [
        *("", "host", "8786", "host:", ":8786", "host:0", "host:65536", "host:87867", "host:port", "tcp:/host:8786"),
        *("http://host:8787", "http://host:8787/status", "ftp://host:1", "host:1/", "a b:1", "[::1:8786", "u@host:1"),
    ],
)
def test_a_wrong_address_is_an_error_in_three_parts(address, capsys):
    assert main(["grade", "--scheduler", address]) == 2
    errors = capsys.readouterr().err.splitlines()
    assert errors[0] == f"--scheduler {address}: this is not the address of a scheduler."
    assert errors[1].startswith("  Expected: ") and errors[2].startswith("  Try: ")


@pytest.mark.parametrize("address", ["host:8786", "tcp://10.0.0.5:1", "tls://a.b-c.edu:65535", "[::1]:8786"])
def test_an_address_is_what_a_scheduler_prints(address):
    connection.check_address(address)


def test_without_the_extra_an_error_names_it(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(MissingExtraError, match="dask is not installed"):
        cluster.Cluster("host:8786")
    assert main(["grade", "--scheduler", "host:8786"]) == 2
    assert 'Try: pip install "dark-course[cluster]"' in capsys.readouterr().err


def test_help_names_scheduler_extra_and_default():
    parser = ArgumentParser(add_help=False)
    command.add_arguments(parser)
    (text,) = (action.help for action in parser._actions if action.dest == "scheduler")
    assert "`dask scheduler`" in text and "'cluster'" in text and "(default: on this machine)" in text


def test_the_self_test_is_of_this_machine(capsys):
    assert main(["grade", "--self-test", "--scheduler", "host:8786"]) == 2
    assert "the catalog is graded on this machine only" in capsys.readouterr().err


def test_a_worker_grades_if_it_has_the_same_of_everything():
    found, told = looked(a=said(), b=said(), c=said(dark="0.1.0"), d=said(course="b2"), e=said(numpy="2.2.6"))
    assert [each.address for each in found.good] == ["a", "b"]
    assert [each.refused for each in found.all[2:]] == [
        "dark 0.1.0 there, 0.2.0 here",
        "the course b2 there, a1 here",
        "NumPy 2.2.6 there, 2.3.0 here",
    ]
    assert told[0] == "worker a has joined" and told[2] == "! worker c may not grade: dark 0.1.0 there, 0.2.0 here"


def test_a_worker_that_grades_as_root_is_warned_of():
    _, told = looked(a=said(warning="root: submissions run as nobody"))
    assert told == ["worker a has joined", "! worker a: root: submissions run as nobody"]


def test_a_worker_with_an_earlier_dark_is_refused_by_its_version():
    found, _ = looked(a=ModuleNotFoundError("No module named 'dark.grading.cluster'"))
    assert found.all[0].refused == "dark 0.1.0 there, 0.2.0 here"


def test_a_worker_that_fails_is_refused_with_the_reason():
    found, _ = looked(a=ValueError("a worker that is strange"))
    found._client.version = "0.2.0"
    assert found.good == [] and "there, 0.2.0 here" in found.all[0].refused
    assert found._why(found.all[0], OSError("no space left")) == "OSError: no space left"


def test_a_worker_that_joins_with_less_confinement_is_refused():
    found, _ = looked(a=said())
    found.level = "full"
    found._client.there["b"] = said("limits", ["No Landlock."])
    look(found)
    assert [each.address for each in found.good] == ["a"]
    assert (
        found.all[1].refused
        == "this batch is graded with the confinement full; there: Confinement: limits. No Landlock."
    )


def test_a_worker_is_frozen_when_its_heartbeat_is_overdue_and_good_when_it_is_back(monkeypatch):
    now = [100.0]
    monkeypatch.setattr(workers.time, "monotonic", lambda: now[0])
    found, told = looked(a=said())
    now[0] += workers.FROZEN_SECONDS + 0.5
    found.look()
    assert found.good == [] and told[-1] == "! worker a is frozen; its submissions are graded elsewhere"
    found.all[0].heartbeat, now[0] = 0.0, now[0] + 2
    found.look()
    assert [each.address for each in found.good] == ["a"]
    found._client.there, now[0] = {}, now[0] + 2
    found.look()
    assert found.all == [] and told[-1] == "! worker a has gone; its submissions are graded elsewhere"


@pytest.mark.parametrize("reason", [OSError("closed"), TimeoutError("frozen")])
def test_a_lost_scheduler_is_an_error_in_three_parts(reason):
    found, _ = looked(a=said())
    found._client.there, found._looked = reason, 0.0
    with pytest.raises(CourseError, match="scheduler at tcp://10.0.0.5:8786 is lost(.|\n)*Expected: (.|\n)*Try: "):
        found.look()
    found._client.status = "closed"
    with pytest.raises(CourseError, match="is lost"):
        found.look()


def test_the_confinement_is_the_weakest_of_all_machines():
    full, files = (
        Confinement("full", ("Landlock is old.",)),
        Confinement("files", ("No libseccomp.", "Landlock is old.")),
    )
    assert machine.weakest([full, full]) == full
    assert machine.weakest([full, files]) == Confinement("files", ("Landlock is old.", "No libseccomp."))


def test_too_little_confinement_names_the_worker():
    error = too_little(Confinement("limits"), "full", "the worker tcp://10.0.0.7:4000")
    assert str(error).startswith("--require-confinement full: the worker tcp://10.0.0.7:4000 has less. Confinement: ")


FILES = {"questions/exam_01_mine.py": b"exam = 1", "answers/answers_01_mine.py": b"1", "bank/01/a.toml": b"\xc3\xa9"}


@pytest.fixture
def private(tmp_path):
    """Return the folder of a private exam, with files that are not a part of it."""
    for name, content in (FILES | {"notes.txt": b"n", "questions/__pycache__/exam.pyc": b"c"}).items():
        path = tmp_path / "private" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return tmp_path / "private"


def test_a_private_exam_arrives_as_it_was_sent(private, tmp_path):
    message, folder = sent_exam.unpack_exam(sent_exam.pack_exam(b"{}", private), tmp_path / "there")
    assert (message, folder) == (b"{}", tmp_path / "there")
    arrived = [path for path in folder.rglob("*") if path.is_file()]
    assert {path.relative_to(folder).as_posix(): path.read_bytes() for path in arrived} == FILES
    assert sent_exam.unpack_exam(sent_exam.pack_exam(b"{}"), tmp_path / "none") == (b"{}", None)
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("questions/../../out.py", "a file outside of its folders"),
        ("/etc/out.py", "a file outside of its folders"),
        ("out.py", "a file outside of its folders"),
        ("bank/01/a.toml", "its hash differs"),
    ],
)
def test_another_private_exam_is_refused_where_it_arrives(private, tmp_path, name, reason):
    message = json.loads(sent_exam.pack_exam(b"{}", private))
    message["exam"][name] = "bWluZQ=="
    with pytest.raises(OSError, match=reason):
        sent_exam.unpack_exam(json.dumps(message), tmp_path / "there")
    assert not (tmp_path / "out.py").exists() and not Path("/etc/out.py").exists()


def test_a_private_exam_that_is_too_large_is_an_error_in_three_parts(private, monkeypatch):
    monkeypatch.setattr(sent_exam, "LARGEST_BYTES", 8)
    with pytest.raises(CourseError, match="--exam: the private exam has more than (.|\n)*Expected: (.|\n)*Try: "):
        sent_exam.pack_exam(b"{}", private)


@pytest.mark.long
def test_a_worker_asks_the_questions_that_it_was_sent(tmp_path):
    questions = tmp_path / "private" / "questions" / "exam_01_mine.py"
    questions.parent.mkdir(parents=True)
    questions.write_text(PRIVATE)
    settings = Settings(seed=1, exam=Path("/of the teacher's machine"), points=(("add_mul", 4),))
    first = task(settings, partial(load_assignment, "01", private=settings.exam))
    first = sent_exam.pack_exam(first, questions.parents[1])
    asked = request(Submission("ann", Path("ann.ipynb")))
    content = (repository_root() / "solutions" / "01-scalar-autodiff.ipynb").read_bytes()
    try:
        graded = read_answer(remote.grade("with an exam", first, asked, content))
    finally:
        remote.leave("with an exam")
    (verdict,) = graded.result.verdicts
    assert [each.question for each in verdict.findings if each.hidden] == ["sums_of_large_numbers"]
    assert graded.result.earned == graded.result.points


@pytest.mark.long
def test_a_machine_is_described_by_a_new_process():
    there, found, warning = machine.read_machine(remote.describe_machine())
    assert (
        there == machine.versions()
        and warning == root_warning(found.level)
        and found.level in ("limits", "files", "full")
    )


@pytest.mark.long
def test_a_worker_grades_with_graders_that_it_keeps_until_its_batch_ends(tmp_path):
    first = task(Settings(seed=1), partial(tiny.assignment, tmp_path))
    first = sent_exam.pack_exam(first)
    for number in range(2):
        asked = request(Submission(f"s{number}", Path("s.ipynb"), copy=Path("of the teacher's machine")))
        graded = read_answer(remote.grade("a batch", first, asked, tiny.submission(**tiny.RIGHT)))
        assert (graded.result.earned, graded.result.points) == (4, 4)
        (placed,) = remote.GRADERS._idle
        assert list(Path(placed.folder).iterdir()) != [] and not Path(placed.folder, "submission").exists()
    remote.leave("a batch")
    assert remote.GRADERS._idle == [] and not Path(placed.folder).exists()
    with pytest.raises(OSError, match="the batch has ended"):  # a submission that was on its way
        remote.grade("a batch", first, asked, tiny.submission(**tiny.RIGHT))


class Placed:
    """A grader that notes what is done with it."""

    batch, is_spent = "a batch", False

    def __init__(self):
        self.grader, self.done = self, []

    def stop(self):
        self.done.append("stop")

    def close(self):
        self.done.append("close")


def test_a_grader_that_nothing_is_asked_of_for_a_minute_is_closed(monkeypatch):
    now, timers = [100.0], []
    monkeypatch.setattr(remote, "Timer", lambda seconds, act: timers.append((seconds, act)) or Mock())
    monkeypatch.setattr(remote, "time", Mock(monotonic=lambda: now[0]))
    monkeypatch.setattr(remote, "_started", lambda batch, first: Placed())
    graders = remote.Graders()
    with graders.borrowed("a batch", b"") as second:
        with graders.borrowed("a batch", b"") as first:
            pass
        now[0] = 150.0
    (seconds, act), now[0] = timers.pop(), 160.0
    assert seconds == 60 and not timers
    act()
    assert (first.done, second.done) == (["close"], [])
    (seconds, act), now[0] = timers.pop(), 210.0
    assert seconds == 50
    act()
    assert second.done == ["close"] and graders._idle == timers == []


def test_a_grader_that_starts_while_its_batch_ends_is_stopped_and_closed(monkeypatch):
    graders = remote.Graders()
    monkeypatch.setattr(remote, "_started", lambda batch, first: graders.leave(batch) or Placed())
    with graders.borrowed("a batch", b"") as placed:
        assert placed.done == ["stop"]
    assert placed.done == ["stop", "close"] and graders._idle == graders._busy == []
