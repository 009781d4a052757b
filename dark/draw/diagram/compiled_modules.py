"""A folder of the user that keeps compiled code, which takes a second to compile and milliseconds to load.

Compiled code runs in this process, so it is loaded only from a folder that belongs to the user and that no other user
may open, and only if its digest is right. With any other folder, one that cannot be made or written, or a damaged file,
the code is compiled again, which only costs time.
"""

import hashlib
import os
import stat
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from dark.atomic_write import write_file
from dark.errors import StorageError

DIGEST_BYTES = hashlib.sha256().digest_size


def cache_folder(environ: Mapping[str, str] = os.environ, platform: str = sys.platform) -> Path | None:
    """Return the folder for compiled code of this user; None on a system without one, or without modes of files."""
    if not hasattr(os, "geteuid") or platform == "win32":
        return None
    home = environ.get("XDG_CACHE_HOME") or ""
    if os.path.isabs(home):
        return Path(home, "dark", "compiled")
    try:
        own = Path.home()
    except RuntimeError:  # a user without a home folder
        return None
    return own / ("Library/Caches" if platform == "darwin" else ".cache") / "dark" / "compiled"


def load(folder: Path, name: str) -> bytes | None:
    """Return the code that `keep` has stored under a name; None if there is none, or it cannot be trusted."""
    try:
        opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError:
        return None
    try:
        content = _content(opened, name) if _is_private(os.fstat(opened), stat.S_ISDIR) else b""
    except OSError:
        return None
    finally:
        os.close(opened)
    digest, code = content[:DIGEST_BYTES], content[DIGEST_BYTES:]
    return code if code and hashlib.sha256(code).digest() == digest else None


def _content(folder, name):
    """Return the content of a file of this user in an open folder; of anything else, nothing."""
    opened = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder)
    try:
        if not _is_own(os.fstat(opened), stat.S_ISREG):
            return b""
        with open(opened, "rb", closefd=False) as stored:
            return stored.read()
    finally:
        os.close(opened)


def keep(folder: Path, name: str, code: bytes) -> bool:
    """Store compiled code in a folder for this user alone, which is made, and return whether that was possible."""
    with suppress(OSError, StorageError):
        folder.parent.mkdir(parents=True, exist_ok=True)
        with suppress(FileExistsError):
            folder.mkdir(mode=0o700)
        if _is_private(folder.lstat(), stat.S_ISDIR):
            write_file(folder / name, hashlib.sha256(code).digest() + code)
            return True
    return False


def _is_own(found, is_kind):
    return is_kind(found.st_mode) and found.st_uid == os.geteuid()


def _is_private(found, is_kind):
    return _is_own(found, is_kind) and not stat.S_IMODE(found.st_mode) & 0o077
