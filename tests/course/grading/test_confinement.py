"""Tests of the confinement: what a student's code tries is refused by the kernel, at the level that promises it."""

import os
import sys
from dataclasses import replace

import pytest

from dark.course.grading.confinement import LEVELS, Confinement, confinement
from dark.course.grading.limits import Limits
from dark.course.grading.worker_observer import WorkerObserver

HAS_FULL = sys.platform == "linux" and confinement().reaches("full")
needs_full = pytest.mark.skipif(not HAS_FULL, reason="this kernel cannot confine a process fully")
LIMITS = Limits(wall_seconds=20, cpu_seconds=10, memory_mib=512)


def run(exam, worker, code, level):
    """Return what `code`, the body of a function, returns or raises at a level."""
    indented = "\n".join("    " + line for line in code.splitlines())
    observer = WorkerObserver(exam, worker, replace(LIMITS, confinement=level))
    assert observer.open([("exercise double", f"def double(x):\n{indented}")]) is None
    seen = observer.observe("twice", {"x": 2.0})
    observer.close()
    return seen


FILES = {
    "the passwords": "return open('/etc/passwd').read()",
    "the questions": "return open({exam!r}).read()",
    "a neighbor": "return open({neighbor!r}).read()",
    "the home folder": "import os\nreturn os.listdir(os.path.expanduser('~root'))",
    "the root folder": "import os\nreturn os.listdir('/')",
    "other processes": "import os\nreturn open(f'/proc/{{os.getppid()}}/environ').read()",
    "its own memory": "return open('/proc/self/mem', 'rb').read(1)",
    "write beside": "open({neighbor!r}, 'w').write('mine')",
    "a new file": "import os\nopen(os.path.dirname({neighbor!r}) + '/new', 'w')",
    "delete": "import os\nos.unlink({neighbor!r})",
    "rename": "import os\nos.rename({neighbor!r}, 'mine')",
    "a link": "import os\nos.symlink({neighbor!r}, 'link')\nreturn open('link').read()",
    "the questions of Python": "import sys\nopen(sys.prefix + '/new', 'w')",
}
CALLS = {
    "fork": "import os\nos.fork()",
    "fork of the C library": "import ctypes\nreturn ctypes.CDLL(None, use_errno=True).fork()",
    "a program": "import os\nos.execv('/bin/sh', ['sh'])",
    "subprocess": "import subprocess\nsubprocess.run(['true'])",
    "a socket": "import socket\nsocket.socket()",
    "a pair of sockets": "import socket\nsocket.socketpair()",
    "end its parent": "import os\nos.kill(os.getppid(), 9)",
    "end all": "import os\nos.kill(-1, 9)",
    "a mode": "import os\nos.chmod('.', 0o777)",
    "a time": "import os\nos.utime('.')",
    "a memory file": "import os\nos.memfd_create('x')",
    "shared memory": "import ctypes\nreturn ctypes.CDLL(None).shmget(0, 4096, 0o1600)",
    "trace": "import ctypes, os\nreturn ctypes.CDLL(None).ptrace(16, os.getppid(), 0, 0)",
    "a descriptor of another": "import os, ctypes\nreturn ctypes.CDLL(None).syscall(434, os.getppid(), 0)",
    "a new namespace": "import ctypes\nreturn ctypes.CDLL(None).unshare(0x10000000)",
    "a priority": "import os\nos.setpriority(os.PRIO_PROCESS, 0, 5)",
}


@needs_full
@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("level", ["files", "full"])
def test_no_file_but_those_of_python_can_be_opened(exam, worker, tmp_path, name, level):
    neighbor = tmp_path / "neighbor.ipynb"
    neighbor.write_text("theirs")
    seen = run(exam, worker, FILES[name].format(exam=exam.path, neighbor=str(neighbor)), level)
    assert "PermissionError" in seen["kinds"] or "OSError" in seen["kinds"], seen
    assert neighbor.read_text() == "theirs"
    assert os.listdir(tmp_path) == ["neighbor.ipynb"]


@needs_full
@pytest.mark.parametrize("name", CALLS)
def test_no_call_but_those_of_computing_is_allowed(exam, worker, name):
    seen = run(exam, worker, CALLS[name], "full")
    refused = seen.get("returned") == {"dict": {"value": -1}}
    assert refused or {"PermissionError", "OSError"} & set(seen["kinds"].split()), seen


@needs_full
def test_limits_cannot_be_raised(exam, worker):
    raised = "import resource\nresource.setrlimit(resource.RLIMIT_FSIZE, (1 << 40, 1 << 40))"
    assert run(exam, worker, raised, "full")["kinds"].startswith(("ValueError", "PermissionError"))


@needs_full
def test_a_thread_is_refused(exam, worker):
    assert (
        "RuntimeError" in run(exam, worker, "import threading\nthreading.Thread(target=print).start()", "full")["kinds"]
    )


@needs_full
def test_what_an_answer_needs_is_allowed(exam, worker):
    code = """
import decimal, json, random, tempfile, time, warnings
import numpy as np
import numpy.polynomial
time.sleep(0.001)
with tempfile.TemporaryFile(dir=".") as file:
    file.write(b"4")
    file.seek(0)
    read = float(file.read())
with open("mine.txt", "w") as file:
    file.write("4")
warnings.warn("one")
eye = np.linalg.inv(np.eye(50)) @ np.random.default_rng(0).normal(size=(50, 50))
return read if np.isfinite(eye).all() and numpy.polynomial.Polynomial([1, 2])(0) == 1 else 0
"""
    assert run(exam, worker, code, "full") == {"returned": {"dict": {"value": 4.0}}}


@needs_full
def test_root_becomes_nobody(exam, worker):
    found = run(exam, worker, "import os\nreturn [os.getuid(), os.geteuid(), os.getgroups()]", "full")["returned"]
    mine = {0: [65534, 65534, []]}.get(os.getuid(), [os.getuid(), os.geteuid(), os.getgroups()])
    assert str(mine) in str(found).replace("'list': ", "").replace("{", "").replace("}", "")


def test_the_levels_are_ordered():
    found = Confinement("files", ("System calls are not restricted: libseccomp.so.2 is not installed.",))
    assert [found.reaches(level) for level in LEVELS] == [True, True, True, False]
    assert str(found).startswith("Confinement: files. System calls")
