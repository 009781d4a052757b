"""Which files Python and NumPy read on this machine, and the rules of Landlock that allow these and no others."""

import os
import site
import sys
import sysconfig
from functools import cache
from pathlib import Path

import numpy

from dark.grading.sandbox.confinement.landlock import rules

PACKAGE = Path(__file__).parents[3]
HIGH_DESCRIPTOR = 200  # above those that a forked process closes before it is confined
SYSTEM_FOLDERS = ("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib")
SYSTEM_FILES = ("/etc/ld.so.cache", "/etc/localtime", "/usr/share/zoneinfo", "/dev/urandom", "/dev/null")


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
