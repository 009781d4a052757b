"""Tests of the confinement: what a student's code tries is refused by the kernel, at the level that promises it."""

import os
import socket
import subprocess
import sys
import time
from dataclasses import replace

import pytest

from dark.grading.sandbox.confinement import LEVELS, Confinement, confinement, levels, missing_namespaces, root_warning
from dark.grading.sandbox.limits import Limits
from dark.grading.sandbox.worker_observer import Worker, WorkerObserver

HAS_FULL = sys.platform == "linux" and confinement().reaches("full")
needs_full = pytest.mark.skipif(not HAS_FULL, reason="this kernel cannot confine a process fully")
needs_namespaces = pytest.mark.skipif(
    sys.platform != "linux" or missing_namespaces() != "", reason="this kernel gives no namespaces"
)
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


@needs_namespaces
@pytest.mark.parametrize("level", ["limits", pytest.param("full", marks=needs_full)])
def test_no_process_but_its_own_has_a_number(exam, worker, level):
    seen = run(exam, worker, "import os\nreturn [os.getppid(), os.getpid()]", level)
    parent, mine = seen["returned"]["dict"]["value"]
    assert (parent, mine) == (0, 0) if level == "full" else parent == 1 and mine < 1000


@pytest.mark.skipif(sys.platform != "linux", reason="a call of Linux")
def test_without_seccomp_the_worker_cannot_be_traced(exam, worker):
    code = "import ctypes, os\nreturn ctypes.CDLL(None).ptrace(16, os.getppid(), 0, 0)"
    assert run(exam, worker, code, "limits")["returned"]["dict"]["value"] == -1
    assert run(exam, worker, "return 4.0", "limits") == {"returned": {"dict": {"value": 4.0}}}


@needs_namespaces
def test_without_seccomp_there_is_no_network_all_the_same(exam, worker):
    with socket.create_server(("127.0.0.1", 0)) as server:
        code = f"import socket\nsocket.create_connection(('127.0.0.1', {server.getsockname()[1]}), 1)"
        assert "OSError" in run(exam, worker, code, "limits")["kinds"]


@needs_namespaces
def test_without_seccomp_shared_memory_ends_with_the_worker(exam):
    code = "import ctypes\nreturn ctypes.CDLL(None).shmget(0x64617262, 4096, 0o1600)"
    with Worker() as worker:
        assert run(exam, worker, code, "limits")["returned"]["dict"]["value"] >= 0
        with open("/proc/sysvipc/shm") as segments:
            assert str(0x64617262) not in segments.read()


@needs_namespaces
@pytest.mark.parametrize("level", ["limits", pytest.param("full", marks=needs_full)])
@pytest.mark.parametrize("place", ["/tmp", "/var/tmp", "/dev/shm"])
def test_the_folders_for_temporary_files_are_its_own(exam, worker, level, place):
    theirs = os.path.join(place, f"dark-of-another-{os.getpid()}")
    with open(theirs, "x") as file:
        file.write("theirs")
    try:
        assert "OSError" in run(exam, worker, f"return open({theirs!r}).read()", level)["kinds"]
        assert "OSError" in run(exam, worker, f"open({place!r} + '/mine', 'w')", level)["kinds"]
        code = (
            "import tempfile\nwith tempfile.TemporaryDirectory() as folder:\n    open(folder + '/f', 'x').write('4')\n"
        )
        seen = run(exam, worker, code + "    return float(open(folder + '/f').read())", level)
        assert seen == {"returned": {"dict": {"value": 4.0}}}
        assert not os.path.exists(os.path.join(place, "mine"))
    finally:
        os.unlink(theirs)


@needs_namespaces
def test_of_the_folder_for_temporary_files_only_what_is_kept_is_seen(tmp_path):
    kept, hidden, mine = tmp_path / "python", tmp_path / "hidden", tmp_path / "mine"
    for folder in (kept, mine):
        folder.mkdir()
    for path in (kept / "module.py", hidden, tmp_path / "one.py"):
        path.write_text("text")
    code = (
        "import os, sys\nfrom dark.grading.sandbox.confinement.namespaces import enter\n"
        "kept, one, mine, hidden = sys.argv[1:]\nenter(mine, [kept, one, '/tmp/missing'])\n"
        "open(mine + '/f', 'w').close()\n"
        "print(open(kept + '/module.py').read(), open(one).read(), os.path.exists(hidden), os.listdir('/tmp'))\n"
        "os.mkdir('/tmp/new')"
    )
    command = [sys.executable, "-c", code, *map(str, (kept, tmp_path / "one.py", mine, hidden))]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.stdout == f"text text False {[tmp_path.parts[2]]}\n"
    assert "Read-only file system" in done.stderr
    assert (kept / "module.py").read_text() == "text" and not list(mine.iterdir())


@needs_namespaces
def test_a_closed_folder_may_be_inside_of_another_as_an_installed_package_is(tmp_path):
    mine, python = tmp_path / "mine", tmp_path / "python"
    packages = python / "packages"
    for folder in (mine, packages / "dark", packages / "numpy"):
        folder.mkdir(parents=True)
        (folder / "module.py").write_text("text")
    code = (
        "import os, sys\nfrom dark.grading.sandbox.confinement.namespaces import enter\n"
        "mine, python, packages = sys.argv[1:]\n"
        "enter(mine, [python, packages + '/numpy'], [packages, packages + '/dark'])\n"
        "print(os.listdir(python), os.listdir(packages), os.listdir(packages + '/numpy'))"
    )
    done = subprocess.run([sys.executable, "-c", code, mine, python, packages], capture_output=True, text=True)
    assert done.stdout == "['packages'] ['numpy'] ['module.py']\n", done.stderr


@pytest.mark.skipif(getattr(os, "geteuid", lambda: 1)() != 0, reason="only root can become nobody")
def test_with_limits_alone_root_becomes_nobody_all_the_same(exam, worker, tmp_path, monkeypatch):
    assert "nobody" in root_warning("limits")
    path = tmp_path / "mine"
    code = f"import os\nopen('f', 'w').write('x')\ntry: open({str(path)!r}, 'w')\nexcept OSError: return os.getuid()"
    assert run(exam, worker, code, "limits") == {"returned": {"dict": {"value": 65534}}}
    monkeypatch.setattr(levels, "_missing_user", lambda: "Operation not permitted")
    assert levels.stays_root("limits") and not levels.stays_root("full") and "as root" in root_warning("limits")


@needs_namespaces
def test_what_an_answer_writes_is_in_memory_and_of_limited_size(exam, worker):
    code = """
import os
written = 0
try:
    for k in range(20):
        with open(str(k), "wb") as file:
            written += file.write(bytes(10 * 2**20))
except OSError as error:
    return [os.getcwd(), written, error.errno]
"""
    folder, written, number = run(exam, worker, code, "limits")["returned"]["dict"]["value"]
    assert not os.path.exists(folder) and written < 64 * 2**20 and number == 28
    assert run(exam, worker, "open('f', 'wb').write(bytes(2**20))\nreturn 4.0", "limits")["returned"]


def descendants(pid):
    """Return the ids of the processes below a process."""
    with open(f"/proc/{pid}/task/{pid}/children") as file:
        children = [int(word) for word in file.read().split()]
    return children + [each for child in children for each in descendants(child)]


def is_running(pid):
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@needs_namespaces
def test_whoever_kills_the_worker_kills_all_it_started(exam):
    with Worker() as worker:
        observer = WorkerObserver(exam, worker, replace(LIMITS, confinement="limits"))
        assert observer.open([("exercise double", "def double(x):\n    return x")]) is None
        started = descendants(worker._process.pid)
        worker._process.kill()
        worker._process.wait()
        for _ in range(100):
            if not any(map(is_running, started)):
                break
            time.sleep(0.05)
        assert len(started) == 2 and not any(map(is_running, started))
        assert observer.observe("twice", {"x": 2.0})["stopped"] == "exited"


def test_every_file_can_be_imported_where_there_is_no_c_library():
    code = (
        "import ctypes, sys, tempfile  # the last one knows the true system\n"
        "def missing(*arguments, **options): raise TypeError('no C library here')\n"
        "ctypes.CDLL = missing\nsys.platform = 'win32'\n"
        "from dark.grading.sandbox.confinement import confinement, landlock, namespaces, process, seccomp\n"
        "print(landlock.version(), process.hide_memory())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "0 None\n"
