"""`dark doctor` and `dark grade` on a system without Unix's processes, such as Windows: one clear error."""

import os
import subprocess
import sys

import pytest

WITHOUT = """
import os, signal, socket, sys
sys.modules["fcntl"] = sys.modules["resource"] = None
for owner, names in (
    (os, ["fork", "geteuid", "getuid", "sched_getaffinity", "setsid", "killpg", "O_NOFOLLOW", "O_NONBLOCK"]),
    (signal, ["SIGHUP", "SIGKILL", "SIGXCPU", "SIGVTALRM", "SIGALRM", "SIGPROF", "setitimer", "ITIMER_VIRTUAL"]),
    (socket, ["send_fds", "recv_fds"]),
):
    for name in names:
        delattr(owner, name)
from dark.cli import main
sys.exit(main(sys.argv[1:]))
"""


def run(folder, *words):
    """Run `dark` in a fresh process without what only Unix has."""
    environ = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    return subprocess.run(
        [sys.executable, "-c", WITHOUT, *words], capture_output=True, text=True, cwd=folder, env=environ, timeout=60
    )


def test_grading_is_refused_before_anything_is_written(tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "ann.ipynb").write_text("{}")
    done = run(tmp_path, "grade", "in", "--out", "report")
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr.splitlines()[0] == "This system cannot limit the processes that run submissions."
    assert "  Expected: Linux or macOS" in done.stderr and "  Try: " in done.stderr
    assert not (tmp_path / "report").exists()


@pytest.mark.parametrize("words", [["grade", "--help"], ["doctor", "--grading"]])
def test_what_needs_no_processes_works(tmp_path, words):
    done = run(tmp_path, *words)
    assert done.returncode == 0 and done.stderr == "", done.stderr
    assert "limits" in done.stdout


def test_the_doctor_says_that_there_are_no_limits(tmp_path):
    printed = run(tmp_path, "doctor", "--grading").stdout
    assert "· limits             This system has no limits for processes." in printed
