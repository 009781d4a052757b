"""The levels of confinement: what each adds, which of them this machine has, and how a process enters one.

======== ==========================================================================================
limits   time, memory, size of files; no processes by Python's own means. No protection from malice.
files    also: the kernel opens only what Python needs, for reading, and one empty folder (Landlock).
full     also: the kernel refuses processes, programs, sockets, signals, shared memory (seccomp).
======== ==========================================================================================

Where the kernel allows it, the worker is in namespaces of its own at every level (`namespaces`).
"""

import json
import os
import site
import sys
import sysconfig
import tempfile
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from shutil import rmtree

import numpy

from dark.course.grading.confinement.landlock import restrict_files, rules, version
from dark.course.grading.confinement.namespaces import enter
from dark.course.grading.confinement.process import give_up_root
from dark.course.grading.confinement.seccomp import program, restrict_calls

LEVELS = ("none", "limits", "files", "full")
PACKAGE = Path(__file__).parents[3]
HIGH_DESCRIPTOR = 200  # above those that a forked process closes before it is confined
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
    prepare(level, Path(home).parent)  # the filter is written to a file while it may write one
    if level in ("files", "full"):
        give_up_root(home)
        restrict_files(os.dup(shared_rules(Path(home).parent)))
        restrict_files(rules([], broad_paths(), [home, os.devnull]))
    if level == "full":
        restrict_calls()


def prepare(level, folder):
    """Compute once what a level needs, in the process that forks those it confines.

    Parameters
    ----------
    level : str
        One of `LEVELS`.
    folder : path
        The folder in which those have theirs.

    Raises
    ------
    OSError
        If this machine does not have the level.
    """
    if level == "full":
        program()
    if level in ("files", "full"):
        shared_rules(Path(folder))
        broad_paths()


@cache
def shared_rules(folder):
    """Return the rules on files that all processes with their own folders in this folder have in common.

    There are hundreds, since the installed packages are among what Python reads; a process adds a few of its own.

    Parameters
    ----------
    folder : Path
        The folder.

    Returns
    -------
    int
        Their descriptor, which a forked process inherits.
    """
    import fcntl  # Unix only; every system imports this file

    made = rules(*readable_paths(), [folder, os.devnull])
    try:
        return fcntl.fcntl(made, fcntl.F_DUPFD_CLOEXEC, HIGH_DESCRIPTOR)
    finally:
        os.close(made)


@cache
def broad_paths():
    """Return folders, and files, that contain all `readable_paths`, and none where processes write."""
    listed, readable = readable_paths()
    return [path for path in {*listed, *readable} if not any(str(each) in listed for each in Path(path).parents)]


@cache
def readable_paths():
    """Return what Python's standard library and NumPy read, without the installed packages beside them.

    Returns
    -------
    listed, readable : tuple of list of str
        Folders whose names may be listed, and files and folders that may be read.
    """
    python = [Path(path) for key in ("stdlib", "platstdlib") if (path := sysconfig.get_path(key))]
    libraries = [Path(prefix, "lib") for prefix in (sys.base_prefix, sys.base_exec_prefix)]
    installed = [path for key in ("purelib", "platlib") if (path := sysconfig.get_path(key))]
    installed += [folder / name for folder in python for name in ("site-packages", "dist-packages")]
    closed = {Path(path).resolve() for path in (*installed, *site.getsitepackages(), PACKAGE)}
    folders = {path.resolve() for path in (*python, *libraries, *map(Path, SYSTEM_FOLDERS))}
    listed = {folder for folder in folders if folder.is_dir() and any(folder in each.parents for each in closed)}
    found = {path for folder in folders for path in _without(folder, closed)}
    numpy_folder = Path(numpy.__file__).resolve().parent
    found |= {numpy_folder, numpy_folder.with_name("numpy.libs"), *map(Path, SYSTEM_FILES)}
    return sorted(map(str, listed)), sorted(map(str, found))


def _without(folder, closed):
    """Yield what a folder contains except some folders: the folder itself if none of them is inside."""
    if folder in closed:
        return
    if not any(folder in each.parents for each in closed):
        yield folder
    elif folder.is_dir():
        for path in folder.iterdir():
            yield from _without(path, closed) if not path.is_symlink() else ()


@cache
def confinement():
    """Find out the highest level of this machine, by trying each part in a process of its own.

    Returns
    -------
    Confinement
    """
    if not hasattr(os, "fork"):
        return Confinement("none", ("This system has no limits for processes.",))
    files, calls = _trial(partial(confine, "files")), _trial(partial(confine, "full"))
    if files:
        return Confinement("limits", (f"Files can be read and written: {files}.",))
    if calls:
        return Confinement("files", (f"System calls are not restricted: {calls}.",))
    notes = ["Signals and sockets are refused by seccomp alone: Landlock is old."] if version() < 6 else []
    if reason := missing_namespaces():
        notes.append(f"Processes, network and memory are not separated by namespaces: {reason}.")
    return Confinement("full", tuple(notes))


@cache
def missing_namespaces():
    """Return why this machine does not give a worker namespaces of its own; an empty string if it does."""
    return _trial(enter) if hasattr(os, "fork") else "this system has none"


def _trial(action):
    """Call a function with a new folder in a child process; return why it fails, or an empty string."""
    home = tempfile.mkdtemp(prefix="dark-")
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        reason = ""
        try:
            action(home)
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
