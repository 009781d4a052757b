"""The levels of confinement: the parts of each, which of them this machine has, and how a process enters one.

======== ==========================================================================================
limits   time, memory, size of files; no processes by Python's own means. No protection from malice.
files    also: the kernel opens only what Python needs, for reading, and one empty folder (Landlock).
full     also: the kernel refuses all calls but those of computing (seccomp, `system_calls`), so that
         no process reads what another has left or does.
======== ==========================================================================================

Where the kernel allows it, the worker is in namespaces of its own at every level (`namespaces`), and a
worker that root starts runs as the user nobody (`process`).
"""

import os
import sys
import tempfile
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from shutil import rmtree

from dark.grading.sandbox.confinement.access_times import strict_access_times
from dark.grading.sandbox.confinement.landlock import restrict_files, rules, version
from dark.grading.sandbox.confinement.namespaces import enter
from dark.grading.sandbox.confinement.process import give_up_root, result_of
from dark.grading.sandbox.confinement.python_files import readable_paths, shared_rules
from dark.grading.sandbox.confinement.seccomp import program, restrict_calls

LEVELS = ("none", "limits", "files", "full")
BEST = "best"  # the highest level of this machine


@dataclass(frozen=True)
class Confinement:
    """The confinement of a machine.

    >>> print(Confinement("files", ("System calls are not restricted: libseccomp.so.2 is not installed.",)))
    Confinement: files. System calls are not restricted: libseccomp.so.2 is not installed.
    """

    level: str  # the highest of `LEVELS`
    missing: tuple[str, ...] = ()  # for each part that this machine lacks, a sentence with the reason

    def __str__(self):
        return " ".join([f"Confinement: {self.level}.", *self.missing])

    def reaches(self, level: str) -> bool:
        """Return whether this is at least a level."""
        return LEVELS.index(self.level) >= LEVELS.index(level)


def confine(level: str, home):
    """Confine this process for good, or raise OSError; `home` is the one folder in which it may write."""
    prepare(level, Path(home).parent)  # the filter is written to a file while it may write one
    if not stays_root(level):
        give_up_root(home)
    if level in ("files", "full"):
        restrict_files(os.dup(shared_rules(Path(home).parent)))
        restrict_files(rules([], ["/"], [home, os.devnull]))  # of both rules, the stricter holds
    if level == "full":
        restrict_calls()


def look_around():
    """Find out, once and where all files are accessible, which level this machine has and which files Python reads."""
    readable_paths()
    if confinement().level == "full":
        program()


def prepare(level: str, folder):
    """Prepare a level once, in the process that forks the confined ones, whose folders are in the given one."""
    stays_root(level)
    if level == "full":
        program()
    if level in ("files", "full"):
        shared_rules(Path(folder))


@cache
def confinement() -> Confinement:
    """Find out the highest level of this machine, by trying each part in a process of its own."""
    if not hasattr(os, "fork"):
        return Confinement("none", ("This system has no limits for processes.",))
    readable_paths()  # found out once, for all trials
    files, calls = _trial(partial(confine, "files")), _trial(partial(confine, "full"))
    if files:
        return Confinement("limits", (f"No protection from malice, files can be read and written: {files}.",))
    if calls:
        return Confinement("files", (f"System calls are not restricted: {calls}.",))
    notes = ["Signals and sockets are refused by seccomp alone: Landlock is old."] if version() < 6 else []
    if reason := missing_namespaces():
        notes.append(
            f"Processes, network and memory are not separated by namespaces: {reason}. It can be asked whether"
            " any file exists; links can be followed and folders of packages listed, which leaves access times."
        )
    notes += _traces(bool(reason))
    return Confinement("full", tuple(notes))


@cache
def missing_namespaces():
    """Return why this machine does not give a worker namespaces of its own; an empty string if it does."""
    return _trial(enter) if hasattr(os, "fork") else "this system has none"


def stays_root(level):
    """Return whether a process of root cannot become nobody at a level; at those that need it, it must."""
    if level in ("files", "full"):
        return False
    return level == "none" or sys.platform != "linux" or bool(_missing_user())


@cache
def _missing_user():
    return _trial(give_up_root)


def root_warning(level: str) -> str:
    """Return a warning if this process is root's; an empty string if it is not."""
    if getattr(os, "geteuid", lambda: 1)() != 0:
        return ""
    user = "root" if stays_root(level) else "nobody"
    return f"root: submissions run as {user}; a separate user is safer"


def _traces(has_no_namespaces):
    """Return a sentence if reading Python's files leaves traces; root's worker mounts them without access times."""
    if os.geteuid() == 0 and not has_no_namespaces:
        return []
    strict = strict_access_times(path for path in readable_paths()[1] if os.path.exists(path))
    return [f"Each reading of {path} leaves an access time (mount option strictatime)." for path in strict[:1]]


def _trial(action):
    """Call a function with a new folder in a child process; return why it fails, or an empty string."""
    home = tempfile.mkdtemp(prefix="dark-")
    try:
        return result_of(action, home)[0]
    finally:
        rmtree(home, ignore_errors=True)
