"""Grading is imported on systems without the libraries of Linux, where `dark grade` says what is missing."""

import subprocess
import sys

import pytest

IMPORTS = """
import asyncio, ctypes, multiprocessing.connection, os, signal, socket, subprocess, sys  # these know the true system
import hypothesis, numpy, tqdm

def refuse(*arguments, **options):
    raise OSError("there is no such library")

ctypes.CDLL = refuse
for name in ("fcntl", "grp", "pwd", "resource", "termios"):
    sys.modules[name] = None
sys.platform = sys.argv[1]
if sys.platform == "win32":
    missing = {
        os: "fork geteuid killpg O_PATH sched_getaffinity wait4 WNOHANG",
        signal: "ITIMER_PROF ITIMER_REAL ITIMER_VIRTUAL setitimer SIGALRM SIGCONT SIGHUP SIGKILL SIGPROF SIGVTALRM",
        socket: "recv_fds send_fds",
    }
    for module, names in missing.items():
        for name in names.split():
            delattr(module, name)

import importlib, pkgutil
import dark.grading
from dark.cli import main

for found in pkgutil.walk_packages(dark.grading.__path__, "dark.grading."):
    if not found.name.startswith("dark.grading.cluster"):  # it needs the packages of its extra
        importlib.import_module(found.name)
import dark.course.student.ipython_extension
from dark.grading.sandbox.confinement import confinement
if sys.platform == "win32":
    print(confinement())
    sys.exit(main(["grade", "--self-test"]))
"""


def imported(platform):
    return subprocess.run([sys.executable, "-c", IMPORTS, platform], capture_output=True, text=True)


def test_windows_imports_everything_and_refuses_to_grade():
    done = imported("win32")
    assert (done.returncode, done.stdout) == (2, "Confinement: none. This system has no limits for processes.\n")
    assert done.stderr.startswith("This system cannot limit the processes that run submissions.\n  Expected: Linux or")


@pytest.mark.long
def test_macos_imports_everything():
    done = imported("darwin")
    assert (done.returncode, done.stderr) == (0, "")
