"""The levels of confinement: what each adds, which of them this machine has, and how a process enters one.

======== ==========================================================================================
limits   time, memory, size of files; no processes by Python's own means. No protection from malice.
files    also: the kernel opens only what Python needs, for reading, and one empty folder (Landlock).
full     also: the kernel refuses processes, programs, sockets, signals, shared memory (seccomp).
======== ==========================================================================================
"""

import json
import os
import sys
import sysconfig
import tempfile
from dataclasses import dataclass
from functools import cache
from shutil import rmtree

from dark.course.grading.confinement.landlock import restrict_files, version
from dark.course.grading.confinement.process import give_up_root
from dark.course.grading.confinement.seccomp import program, restrict_calls
from dark.course.lessons.notebook_files import PACKAGE

LEVELS = ("none", "limits", "files", "full")
BEST = "best"  # the highest level of this machine
SYSTEM_FOLDERS = ("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib")
SYSTEM_FILES = ("/etc/ld.so.cache", "/etc/localtime", "/usr/share/zoneinfo", "/dev/urandom", "/dev/null")


@dataclass(frozen=True)
class Confinement:
    """The confinement of a machine.

    Parameters
    ----------
    level : str
        The highest of `LEVELS`.
    missing : tuple of str
        For each part that this machine lacks, a sentence with the reason.

    Examples
    --------
    >>> print(Confinement("files", ("System calls are not restricted: libseccomp.so.2 is not installed.",)))
    Confinement: files. System calls are not restricted: libseccomp.so.2 is not installed.
    """

    level: str
    missing: tuple[str, ...] = ()

    def __str__(self):
        return " ".join([f"Confinement: {self.level}.", *self.missing])

    def reaches(self, level):
        """Return whether this is at least a level.

        Parameters
        ----------
        level : str
            One of `LEVELS`.

        Returns
        -------
        bool
        """
        return LEVELS.index(self.level) >= LEVELS.index(level)


def confine(level, home):
    """Confine this process for good.

    Parameters
    ----------
    level : str
        One of `LEVELS`; up to ``"limits"`` nothing happens here.
    home : path
        The one folder in which it may write.

    Raises
    ------
    OSError
        If this machine does not have the level.
    """
    if level == "full":
        program()  # written to a file while it may write one
    if level in ("files", "full"):
        give_up_root(home)
        restrict_files(readable_paths(), [home, "/dev/null"])
    if level == "full":
        restrict_calls()


def readable_paths():
    """Return the files and folders that Python, NumPy and `dark` read while they run."""
    python = {path for key in ("stdlib", "platstdlib", "purelib", "platlib") if (path := sysconfig.get_path(key))}
    libraries = {os.path.join(prefix, "lib") for prefix in (sys.base_prefix, sys.base_exec_prefix)}
    return sorted(python | libraries | {str(PACKAGE), *SYSTEM_FOLDERS, *SYSTEM_FILES})


@cache
def confinement():
    """Find out the highest level of this machine, by trying each part in a process of its own.

    Returns
    -------
    Confinement
    """
    if not hasattr(os, "fork"):
        return Confinement("none", ("This system has no limits for processes.",))
    files, calls = _trial("files"), _trial("full")
    if files:
        return Confinement("limits", (f"Files can be read and written: {files}.",))
    if calls:
        return Confinement("files", (f"System calls are not restricted: {calls}.",))
    old = version() < 6
    return Confinement("full", ("Signals and sockets are refused by seccomp alone: Landlock is old.",) if old else ())


def _trial(level):
    """Enter a level in a child process; return why it cannot be entered, or an empty string."""
    home = tempfile.mkdtemp(prefix="dark-")
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        reason = ""
        try:
            confine(level, home)
        except BaseException as error:
            reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
        finally:
            os.write(writing, json.dumps(reason).encode())
            os._exit(0)
    os.close(writing)
    with open(reading, "rb") as answer:
        found = answer.read()
    os.waitpid(pid, 0)
    rmtree(home, ignore_errors=True)
    return json.loads(found) if found else "the process that tried it died"
