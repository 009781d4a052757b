"""What a student's code may use of the machine, and how the child process is bound to it.

The limits are set inside the child, before any of the student's code runs. They protect the
teacher's machine and the neighbours from accidents; they are no defence against malice.
"""

import os
import signal
import sys
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from dark.course.lessons.notebook_files import PACKAGE

MEBIBYTE = 1 << 20
FILE_BYTES = 16 * MEBIBYTE
REPLY_BYTES = MEBIBYTE
GRADER_MIB = 1024  # address space of a grader, which needs 200 MiB for a notebook of the course
GRADER_SECONDS = 30  # its own processor time for one submission; a notebook of the course takes one second
FORBIDDEN = frozenset(
    ("os.fork", "os.forkpty", "os.exec", "os.posix_spawn", "os.system", "subprocess.Popen")
    + ("_thread.start_new_thread", "pty.spawn")
)


@dataclass(frozen=True)
class Limits:
    """The limits of one exercise, and of a whole submission.

    Parameters
    ----------
    wall_seconds : float
        Time on the clock for one exercise.
    cpu_seconds : int
        Processor time for one exercise.
    memory_mib : int
        Address space of the child process, in MiB.
    submission_seconds : float
        Time on the clock for the whole submission; exercises that come after it are not run.

    Examples
    --------
    >>> Limits(wall_seconds=5).memory_mib
    1024
    """

    wall_seconds: float = 10
    cpu_seconds: int = 10
    memory_mib: int = 1024
    submission_seconds: float = 120


def bind(limits):
    """Bind the process that calls this, and all it will start, to the limits.

    Parameters
    ----------
    limits : Limits
        What it may use.
    """
    import resource  # only where there is one: the worker does not start on Windows

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
    sys.addaudithook(_refuse_processes)


def bind_grader():
    """Bind a process that reads submissions: what they make of its memory ends with a `MemoryError`.

    Processes that it starts may raise the limit again, up to their own.
    """
    import resource  # as above

    memory_bytes, ceiling = GRADER_MIB * MEBIBYTE, resource.getrlimit(resource.RLIMIT_AS)[1]
    if ceiling == resource.RLIM_INFINITY or memory_bytes < ceiling:
        with suppress(ValueError, OSError):  # macOS refuses an address space below what is mapped
            resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, ceiling))


@contextmanager
def watch_grader():
    """Have the system end this process when one submission takes all its processor time.

    No handler: a signal's default action strikes even where a parser is in the middle of its work.
    The signals of `dark.course.judging.timing` are others.
    """
    signal.setitimer(signal.ITIMER_VIRTUAL, GRADER_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def _lower(resource, name, pair):
    """Set one limit, never above what the system already grants."""
    ceiling = resource.getrlimit(name)[1]
    if ceiling != resource.RLIM_INFINITY:
        pair = tuple(min(value, ceiling) for value in pair)
    try:
        resource.setrlimit(name, pair)
    except (ValueError, OSError):
        if name != resource.RLIMIT_AS:  # macOS refuses an address space below what is mapped
            raise


def _refuse_processes(event, arguments):
    """Refuse new processes (and threads, from Python 3.12 on); the kernel's own limit spares root."""
    if event in FORBIDDEN:
        raise PermissionError("an exercise may not start processes or threads.")


def kill_group(pid):
    """Kill a child and every process of its group."""
    for kill in (os.killpg, os.kill):
        with suppress(ProcessLookupError, PermissionError):
            kill(pid, signal.SIGKILL)


def minimal_environment(folder, environ=os.environ):
    """Make the environment of the worker: what Python needs, and nothing that could be a secret.

    Parameters
    ----------
    folder : str
        The temporary folder that stands for the home.
    environ : mapping, optional
        Where the allowed names are copied from.

    Returns
    -------
    dict of str to str

    Examples
    --------
    >>> found = minimal_environment("/tmp/x", {"PATH": "/bin", "TOKEN": "secret"})
    >>> found["PATH"], found["HOME"], "TOKEN" in found
    ('/bin', '/tmp/x', False)
    """
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
