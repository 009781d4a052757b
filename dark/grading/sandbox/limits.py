"""Resource limits of the processes that run a student's code.

They protect the teacher's machine and the other submissions from accidents, `dark.grading.sandbox.confinement` from
malice.
"""

import os
import signal
import sys
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from dark.grading.sandbox.confinement import BEST

PACKAGE = Path(__file__).parents[2]

MEBIBYTE = 1 << 20
FILE_BYTES = 16 * MEBIBYTE
REPLY_BYTES = MEBIBYTE
GRADER_MIB = 1024  # address space of a grader; a notebook of the course needs 200 MiB
GRADER_SECONDS = 30  # CPU time of a grader for one submission; a notebook of the course takes 1 s
BROKEN = 81  # exit code: the serving code failed, because of what the student's code did
NO_MEMORY = 82  # exit code: not enough memory for a reply
FORBIDDEN = frozenset(
    ("os.fork", "os.forkpty", "os.exec", "os.posix_spawn", "os.system", "subprocess.Popen")
    + ("_thread.start_new_thread", "pty.spawn")
)


@dataclass(frozen=True)
class Limits:
    """The limits of an exercise and of a whole submission."""

    wall_seconds: float = 10  # wall-clock time for one exercise
    cpu_seconds: int = 10  # CPU time for one exercise
    memory_mib: int = 1024  # address space of the child process, in MiB
    submission_seconds: float = 120  # wall-clock time for the whole submission; the remaining exercises are not run
    confinement: str = BEST  # one of `dark.grading.sandbox.confinement.LEVELS`, or the highest of this machine


def bind(limits):
    """Apply the limits to the current process and the processes it starts."""
    import resource  # Unix only; the worker does not start on Windows

    memory_bytes = int(limits.memory_mib * MEBIBYTE)
    cpu = max(1, round(limits.cpu_seconds))
    wanted = {
        resource.RLIMIT_CPU: (cpu, cpu + 1),
        resource.RLIMIT_AS: (memory_bytes, memory_bytes),
        resource.RLIMIT_FSIZE: (FILE_BYTES, FILE_BYTES),
        resource.RLIMIT_CORE: (0, 0),
        resource.RLIMIT_NPROC: (0, 0),
    }
    for name, pair in wanted.items():
        _lower(resource, name, pair)


def refuse_processes():
    """Refuse new processes (and threads, from Python 3.12 on) by Python's own means, where the kernel does not."""
    sys.addaudithook(_refuse)


def bind_grader():
    """Limit the memory of a process that reads submissions; processes that it starts may raise this soft limit."""
    import resource  # Unix only

    memory_bytes, ceiling = GRADER_MIB * MEBIBYTE, resource.getrlimit(resource.RLIMIT_AS)[1]
    if ceiling == resource.RLIM_INFINITY or memory_bytes < ceiling:
        with suppress(ValueError, OSError):  # macOS refuses an address space below what is mapped
            resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, ceiling))


@contextmanager
def watch_grader():
    """Let the system end this process, without a handler, when one submission exceeds the CPU time."""
    # The default action also ends a parser written in C; `dark.course.judging.timing` uses different signals.
    signal.setitimer(signal.ITIMER_VIRTUAL, GRADER_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def _lower(resource, name, pair):
    ceiling = resource.getrlimit(name)[1]
    if ceiling != resource.RLIM_INFINITY:
        pair = tuple(min(value, ceiling) for value in pair)
    try:
        resource.setrlimit(name, pair)
    except (ValueError, OSError):
        if name != resource.RLIMIT_AS:  # macOS refuses an address space below what is mapped
            raise


def _refuse(event, arguments):
    if event in FORBIDDEN:
        raise PermissionError("an exercise may not start processes or threads.")


def kill_group(pid):
    """Kill a child and its process group."""
    for kill in (os.killpg, os.kill):
        with suppress(ProcessLookupError, PermissionError):
            kill(pid, signal.SIGKILL)


def minimal_environment(folder: str, environ=os.environ) -> dict[str, str]:
    """Return the environment variables of the worker: the ones that Python needs, and no secrets."""
    kept = {name: environ[name] for name in ("PATH", "LANG", "LD_LIBRARY_PATH") if name in environ}
    return kept | {
        "HOME": folder,
        "TMPDIR": folder,
        "PYTHONPATH": str(PACKAGE.parent),
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "OMP_NUM_THREADS": "1",
        "MPLBACKEND": "agg",
    }


def stopped(word, message):
    """Return the observation of a run that did not complete."""
    return {"stopped": word, "message": message}


def describe_ending(ending: dict | None, limits) -> dict:
    """Return why a child ended, as an observation, by the report of the worker, None if the worker itself died."""
    if ending is None:
        return stopped("exited", "It killed the process that runs it, and the parent process.")
    code = ending["code"]
    if code == -signal.SIGXCPU or ending["cpu_seconds"] >= limits.cpu_seconds:
        seconds = f"{limits.cpu_seconds:g} seconds of CPU time"
        return stopped("timed out", f"It used more than {seconds}.")
    near_the_limit = ending["peak_bytes"] > limits.memory_mib * MEBIBYTE / 2
    if code == NO_MEMORY or (code == -signal.SIGKILL and near_the_limit and not ending["killed"]):
        return stopped("out of memory", f"It used more than {limits.memory_mib} MiB of memory.")
    if code == -signal.SIGXFSZ:
        return stopped("too much output", "It wrote a file of more than 16 MiB.")
    return stopped("exited", _say_exit(code, ending["killed"]))


def _say_exit(code, killed):
    if code == BROKEN:
        return "It changed Python itself, or closed its files, so that it could not reply."
    if killed:
        return "It closed the connection to the judge."
    if code < 0:
        names = {int(number): number.name for number in signal.Signals}
        return f"The process was killed by the signal {names.get(-code, -code)}."
    return f"It ended the process with exit code {code}."
