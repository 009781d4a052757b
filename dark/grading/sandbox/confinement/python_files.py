"""Which files Python and NumPy read on this machine, the rules of Landlock that allow these, and what can be imported.

The framework is what the course builds, so a graded answer cannot import it. The worker forgets the few modules of it
that it is made of before it forks a process for an answer, and the kernel does not let that one read the others.
"""

import ctypes
import os
import site
import sys
import sysconfig
from functools import cache
from pathlib import Path
from types import ModuleType

import numpy

from dark.course.lessons.imports import ALLOWED, FRAMEWORK, not_allowed
from dark.grading.sandbox.confinement.landlock import rules
from dark.grading.sandbox.confinement.process import library, result_of

PACKAGE = Path(__file__).parents[3]
HIGH_DESCRIPTOR = 200  # above those that a forked process closes before it is confined
SYSTEM_FOLDERS = ("/usr/lib/locale", "/usr/share/zoneinfo")
SYSTEM_FILES = ("/etc/ld.so.cache", "/etc/localtime", "/dev/urandom", "/dev/null")
NOT_NEEDED = ("site-packages", "dist-packages", "test", "idlelib")  # of the folders of the standard library


@cache
def shared_rules(folder) -> int:
    """Return the rules on files that all processes with their own folders in this folder have in common.

    There are hundreds, since the installed packages are among what Python reads; a process adds a few of its own. A
    forked process inherits their descriptor.
    """
    import fcntl  # Unix only; every system imports this file

    listed, found = readable_paths()
    made = rules(listed, found, [folder, os.devnull])
    try:
        return fcntl.fcntl(made, fcntl.F_DUPFD_CLOEXEC, HIGH_DESCRIPTOR)
    finally:
        os.close(made)


@cache
def folders():
    """Return the folders of the standard library and NumPy, as Python spells them."""
    numpy_folder = Path(numpy.__file__).parent
    found = [*_standard_library(), numpy_folder, numpy_folder.with_name("numpy.libs"), *map(Path, SYSTEM_FOLDERS)]
    return [path for path in dict.fromkeys(found) if path.is_dir()]


@cache
def closed_folders():
    """Return the folders inside of `folders` that no answer needs: installed packages and Python's own tests."""
    installed = [path for key in ("purelib", "platlib") if (path := sysconfig.get_path(key))]
    inside = [folder / name for folder in _standard_library() for name in NOT_NEEDED]
    found = {Path(path).resolve() for path in (*installed, *inside, *site.getsitepackages(), PACKAGE)}
    return sorted(path for path in found if path.is_dir())


@cache
def files():
    """Return the single files that Python and NumPy read: of the system, and the shared libraries of their modules."""
    if sys.platform != "linux":
        return []
    libraries = [Path(name) for name in result_of(_libraries)[1] or ()]
    opened, closed = [folder.resolve() for folder in folders()], closed_folders()
    linked = [path for folder in opened for path in _links(folder, closed) if not _is_below(path.resolve(), opened)]
    libraries = [each for each in libraries if not _is_below(each.resolve(), [*opened, *closed])]
    return [*map(Path, SYSTEM_FILES), *libraries, *linked]


@cache
def readable_paths() -> tuple[list[str], ...]:
    """Return the folders whose names Python and NumPy may list, and the files and folders that they may read."""
    closed = closed_folders()
    opened = {path.resolve() for path in folders()}
    listed = {folder for folder in opened if any(folder in each.parents for each in closed)}
    found = {path for folder in opened for path in _without(folder, closed)} | {path.resolve() for path in files()}
    return sorted(map(str, listed)), sorted(map(str, found))


def _links(folder, closed):
    """Yield the symbolic links below a folder: some installers make a package of links to the files of a store."""
    for entry in os.scandir(folder):
        if entry.is_symlink():
            yield Path(entry.path)
        elif entry.is_dir() and Path(entry.path) not in closed:
            yield from _links(entry.path, closed)


def _is_below(path, folders):
    return any(folder in path.parents for folder in folders)


def _standard_library():
    return [Path(path) for key in ("stdlib", "platstdlib") if (path := sysconfig.get_path(key))]


def _without(folder, closed):
    """Yield the entries of a folder except some folders: the folder itself if none of them is inside."""
    if folder in closed:
        return
    if not any(folder in each.parents for each in closed):
        yield folder
    elif folder.is_dir():
        for path in folder.iterdir():
            yield from _without(path, closed) if not path.is_symlink() else ()


class _Library(ctypes.Structure):
    _fields_ = (("address", ctypes.c_void_p), ("name", ctypes.c_char_p))


_EACH = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(_Library), ctypes.c_size_t, ctypes.c_void_p)


def _libraries():
    """Load the modules written in C; return all shared libraries of this process, as dl_iterate_phdr(3) names them."""
    places = [folder / "lib-dynload" for folder in _standard_library()] + [Path(numpy.__file__).parent]
    for path in [path for place in places for path in place.rglob("*.so")]:
        try:
            ctypes.CDLL(str(path))
        except OSError:  # a module whose library is not installed here
            continue
    names = []

    @_EACH
    def collect(found, size, data):
        names.append(os.fsdecode(found.contents.name))
        return 0

    library().dl_iterate_phdr(collect, None)
    return [name for name in names if os.path.isabs(name)]


class _AllowedOnly:
    """A finder that comes before all others, and refuses modules that are not allowed with a clear error."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        """Return None, so that other finders look for an allowed module, or raise."""
        if name.partition(".")[0] in ALLOWED:
            return None
        raise not_allowed(name)


def forget_the_framework():
    """Remove the framework from the modules of this process, and refuse to import it again; it cannot be undone."""
    for name in [name for name in sys.modules if name.partition(".")[0] == FRAMEWORK]:
        del sys.modules[name]
    sys.modules["__main__"] = ModuleType("__main__")
    library = [sysconfig.get_path(key) for key in ("stdlib", "platstdlib")]
    sys.path[:] = [path for path in sys.path if path.endswith((".zip", "lib-dynload")) or path in library]
    sys.path_importer_cache.clear()
    sys.meta_path.insert(0, _AllowedOnly)
