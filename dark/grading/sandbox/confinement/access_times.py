"""Access times: reading a file leaves a trace on it, which another process could see.

With the mount options `relatime`, the default of Linux, a file has a new access time when it is read for the first
time after a change, or after a day. So all files that an answer can read are read before the first answer runs, and
none of its readings leaves a trace. With `noatime` there are no traces, with `strictatime` each reading leaves one.
"""

import os
import time
from contextlib import suppress
from itertools import chain
from stat import S_ISLNK, S_ISREG

FRESH_SECONDS = 12 * 3600  # a batch that takes half a day leaves no traces either
PIECE_BYTES = 1 << 20
NO_TIMES, RELATIVE_TIMES = 1024, 4096  # flags of statvfs(3): ST_NOATIME, ST_RELATIME


def read_once(paths) -> int:
    """Read all below some paths that would have a new access time if an answer read it; return how many were read."""
    oldest = time.time() - FRESH_SECONDS
    return sum(_read(path, oldest) for path in chain.from_iterable(map(_below, paths)))


def strict_access_times(paths):
    """Return the paths on file systems where each reading leaves a trace."""
    return [path for path in paths if _flags(path) & (NO_TIMES | RELATIVE_TIMES | os.ST_RDONLY) == 0]


def _flags(path):
    return os.statvfs(path).f_flag


def _below(path):
    """Yield a path and all below it; links are not followed."""
    yield path
    if os.path.isdir(path) and not os.path.islink(path):
        with suppress(OSError):
            entries = list(os.scandir(path))
            for entry in entries:
                yield from _below(entry.path) if entry.is_dir(follow_symlinks=False) else (entry.path,)


def _read(path, oldest):
    """Read one file, folder or link, unless that would change nothing; return whether it was read."""
    try:
        found = os.stat(path, follow_symlinks=False)
        if found.st_atime > max(found.st_mtime, found.st_ctime, oldest):
            return False
        if S_ISLNK(found.st_mode):
            os.readlink(path)
        elif S_ISREG(found.st_mode):
            with open(path, "rb", buffering=0) as file:
                while file.read(PIECE_BYTES):
                    pass
        else:
            with suppress(NotADirectoryError), os.scandir(path) as entries:
                list(entries)
        return True
    except OSError:
        return False
