"""Tests of the list of system calls: every other call is refused, and what is allowed leaves nothing for others."""

import ctypes
import sys

import pytest

from dark.grading.sandbox.confinement import levels
from tests.grading.sandbox.test_confinement import needs_full, run

if sys.platform != "linux":
    pytest.skip("the calls of Linux", allow_module_level=True)

from dark.grading.sandbox.confinement.seccomp import library
from dark.grading.sandbox.confinement.system_calls import CONSTANT, UNKNOWN, allowed_calls

EVERY_NUMBER = 600  # more than the kernel has calls
OF_PROBES = {335, 336}  # of x86-64: uretprobe and uprobe, which end a process that no tracer has prepared
CALL_ALL = """
import ctypes, errno
library, found = ctypes.CDLL(None, use_errno=True), {{}}
for number in {numbers}:
    ctypes.set_errno(0)
    result = library.syscall(ctypes.c_long(number), *[ctypes.c_long(0)] * 6)
    found.setdefault(errno.errorcode.get(ctypes.get_errno(), str(result)), []).append(number)
return found
"""


def number_of(name):
    return library().seccomp_syscall_resolve_name(name.encode())


def numbers_of(names):
    return {number for name in names.split() if (number := number_of(name)) >= 0}


def call_all(exam, worker, numbers):
    """Return the calls with these numbers by the name of their error, or by their result."""
    found = run(exam, worker, CALL_ALL.format(numbers=sorted(numbers)), "full")["returned"]["dict"]["value"]["dict"]
    return {error: set(each) for error, each in found.items()}


def test_each_call_of_the_list_exists_is_named_once_and_says_what_outlives_the_process():
    rows = allowed_calls()
    names = [name for row in rows for name in row.names.split()]
    assert len(names) == len(set(names))
    assert not {*names} & {*CONSTANT.split(), *UNKNOWN.split()}
    for name in [*names, *CONSTANT.split(), *UNKNOWN.split()]:
        assert number_of(name) != -1, f"{name} is no system call of any architecture"
    for row in rows:
        assert row.state and (row.state != "nothing" or row.left_out or not row.conditions)


@needs_full
def test_every_call_that_is_not_on_the_list_is_refused(exam, worker):
    always = numbers_of(" ".join(row.names for row in allowed_calls() if not row.conditions))
    sometimes = numbers_of(" ".join(row.names for row in allowed_calls() if row.conditions))
    constant, unknown = numbers_of(CONSTANT), numbers_of(UNKNOWN)
    others = set(range(EVERY_NUMBER)) - OF_PROBES - always - sometimes - constant - unknown
    assert len(always | sometimes) < 110 < 350 < len(others)
    assert call_all(exam, worker, others) == {"EPERM": others}
    assert call_all(exam, worker, unknown) == {"ENOSYS": unknown}
    assert call_all(exam, worker, constant) == {"0": constant}


CONDITIONS = {
    "fcntl": (0, [*range(5, 20), 1024, 1025, 1026, 1031, 1032, 1033, 1034, 1035, 1036, 1 << 32]),
    "ioctl": (0, [0x8901, 0x8902, 0x5452, 0x541B, 0x5412, 0x5401 + (1 << 32)]),
    "madvise": (0, [None, 9, 12, 20, 21, 100]),
    "futex": (0, [0, 1, 3, 4, 5, 9, 256]),
    "clock_gettime": ([-1, -2, -6, -14, 12, 1 << 32], []),
    "clock_getres": ([-2, -6, 12], []),
    "clock_nanosleep": ([-6, 12], []),
    "prlimit64": ([1, 12345], []),
    "sched_getaffinity": ([1, 12345], []),
}
ATTEMPTS = [(name, first, 0) for name, (firsts, _) in CONDITIONS.items() if firsts for first in firsts] + [
    (name, 0, second) for name, (_, seconds) in CONDITIONS.items() for second in seconds if second is not None
]


@needs_full
def test_a_call_with_other_arguments_than_those_of_the_list_is_refused(exam, worker):
    calls = [(number_of(name), first, second) for name, first, second in ATTEMPTS]
    code = f"""
import ctypes
library, allowed = ctypes.CDLL(None, use_errno=True), []
for number, first, second in {calls}:
    third = second if number == {number_of("madvise")} else 0
    library.syscall(*map(ctypes.c_long, (number, first, second, third, 0, 0, 0)))
    if ctypes.get_errno() != 1:
        allowed.append([number, first, second])
return allowed
"""
    assert run(exam, worker, code, "full") == {"returned": {"dict": {"value": []}}}


OPENED = {
    "O_PATH": "import os\nos.open('.', os.O_PATH)",
    "O_DIRECT": "import os\nos.open('f', os.O_CREAT | os.O_RDWR | os.O_DIRECT)",
    "O_NOATIME": "import os\nos.open('f', os.O_CREAT | os.O_RDWR | os.O_NOATIME)",
    "O_ASYNC": "import fcntl, os\nos.open('f', os.O_CREAT | os.O_RDWR | fcntl.FASYNC)",
    "O_ASYNC of fcntl": "import fcntl\nwith open('f', 'w') as file: fcntl.fcntl(file, fcntl.F_SETFL, fcntl.FASYNC)",
    "locked memory": "import mmap\nmmap.mmap(-1, 4096, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x2000)",
    "huge pages": "import mmap\nmmap.mmap(-1, 1 << 21, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x40000)",
    "a limit of another process": "import resource, os\nresource.prlimit(1, resource.RLIMIT_AS)",
}


@needs_full
@pytest.mark.parametrize("name", OPENED)
def test_flags_that_pass_by_what_is_allowed_are_refused(exam, worker, name):
    assert "PermissionError" in run(exam, worker, OPENED[name], "full")["kinds"]


@needs_full
def test_what_is_common_in_answers_is_allowed(exam, worker):
    code = """
import fcntl, mmap, os, resource, select, signal, sqlite3, ssl, threading, time, zlib
with open("f", "w+b") as file:
    file.write(b"four")
    file.flush()
    os.fsync(file.fileno())
    copy = os.dup(file.fileno())
    os.set_inheritable(copy, True)
    os.set_blocking(copy, False)
    os.close(copy)
    with mmap.mmap(file.fileno(), 4) as mapped:
        read = mapped[:]
    file.truncate(2)
os.mkdir("folder")
os.rename("f", "g")
names = sorted(os.listdir())
os.remove("g")
os.rmdir("folder")
select.select([], [], [], 0.001)
lock = threading.Lock()
with lock:
    time.sleep(0.001)
assert resource.getrlimit(resource.RLIMIT_AS)[0] > 0 and os.cpu_count() and len(os.sched_getaffinity(0)) > 0
database = sqlite3.connect(":memory:")
assert database.execute("select 2").fetchone() == (2,)
database.close()
assert time.process_time() > 0 and time.localtime().tm_year > 2020 and time.thread_time() >= 0
return 4.0 if (read, names) == (b"four", ["folder", "g"]) else 0.0
"""
    assert run(exam, worker, code, "full") == {"returned": {"dict": {"value": 4.0}}}


def test_a_level_with_less_is_named_for_what_it_does(monkeypatch):
    monkeypatch.setattr(levels, "_trial", lambda action: "")
    monkeypatch.setattr(levels, "version", lambda: 5)  # without the scopes of Landlock: signals are seccomp's alone
    monkeypatch.setattr(levels, "missing_namespaces", lambda: "Operation not permitted")
    monkeypatch.setattr(levels, "strict_access_times", lambda paths: ["/usr"])
    found = levels.confinement.__wrapped__()
    assert found.level == "full" and len(found.missing) == 3
    assert found.missing[0] == "Signals and sockets are refused by seccomp alone: Landlock is old."
    assert "not separated by namespaces: Operation not permitted. It can be asked whether" in found.missing[1]
    assert found.missing[2] == "Each reading of /usr leaves an access time (mount option strictatime)."


def test_a_call_that_the_library_refuses_is_an_error(monkeypatch):
    from dark.grading.sandbox.confinement import seccomp

    if seccomp.library() is None:
        pytest.skip("libseccomp is not installed")
    rules = seccomp.library().seccomp_init(seccomp.REFUSE)
    with pytest.raises(OSError, match="refuses the rule for read"):
        seccomp._add(seccomp.library(), rules, seccomp.REFUSE, "read")  # an action that is the default is no rule
    seccomp.library().seccomp_release(ctypes.c_void_p(rules))
