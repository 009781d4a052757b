"""Atomic writes: after a crash a file holds its old content or its new content, never a part of either.

Everything that `dark` saves goes through `replace_file`: arrays, checkpoints, notebooks and pictures.
"""

import errno
import os
import secrets
import stat
from contextlib import contextmanager, suppress
from pathlib import Path

from dark.descriptions import describe
from dark.errors import StorageError, UsageError, ValueTypeError

_KINDS = {
    stat.S_IFDIR: "a folder", stat.S_IFIFO: "a FIFO", stat.S_IFSOCK: "a socket", stat.S_IFCHR: "a character device",
    stat.S_IFBLK: "a block device",
}  # fmt: skip


def path_string(path, who):
    """Return a path as a string. An integer is refused, too: `open` would take it for a file descriptor."""
    try:
        text = os.fsdecode(path)
        is_possible = b"\0" not in os.fsencode(text)
    except TypeError:
        raise ValueTypeError(
            f"{who}: {describe(path)} is not a path.", "the name of a file.", '"state.safetensors"'
        ) from None
    except UnicodeError:
        is_possible = False
    if not is_possible:
        raise UsageError(
            f"{who}: {path!r} contains a character that no file name can contain.",
            "the name of a file.",
            '"state.safetensors"',
        )
    return text


def kind_of_file(path):
    """Return the kind of a path that exists and is not a regular file, such as "a FIFO"; else None."""
    try:
        mode = os.stat(path).st_mode
    except (FileNotFoundError, NotADirectoryError):
        return None
    return None if stat.S_ISREG(mode) else _KINDS.get(stat.S_IFMT(mode), "not a regular file")


@contextmanager
def replace_file(path):
    """Let a block write a new file, which replaces the file at `path` when the block has succeeded.

    The block gets the path of a name in the same folder, so on the same disk. A symbolic link is followed: its target
    is replaced. A folder, FIFO, socket or device is never replaced.

    Notes
    -----
    The new file is flushed to the disk before it gets its name, or a crash could leave the name without
    content. If anything fails, the new file is deleted. A process that is killed leaves a hidden file that
    ends in ``.part``.
    """
    target = _target(path)
    folder = os.path.dirname(target)
    part = Path(folder, f".{secrets.token_hex(8)}.part")
    try:
        yield part
        with open(part, "rb+") as file:
            os.fsync(file.fileno())
        if os.path.exists(target):  # the readers of the old file may read the new one
            os.chmod(part, stat.S_IMODE(os.stat(target).st_mode))
        os.replace(part, target)
    except BaseException as error:
        with suppress(OSError):
            part.unlink()
        if isinstance(error, OSError):
            error.add_note(f"while saving {path}; the previous file, if any, is unchanged")
        raise
    _flush_folder(folder)


def _target(path):
    """Return the regular file, existing or not, that a path refers to."""
    text = path_string(path, "save")
    target = os.path.realpath(text)
    kind, folder = kind_of_file(text) or kind_of_file(target), os.path.dirname(target)
    if kind:
        raise StorageError(
            f"save: {path} must be a regular file, but is {kind}.",
            "a new name, or the name of a regular file, in an existing folder.",
            "the name of a file in this folder." if kind == "a folder" else "another name, and copy the file there.",
        )
    if not os.path.isdir(folder):
        raise StorageError(
            f"save: the folder {folder} does not exist.",
            "the name of a file, in an existing folder.",
            "os.makedirs(folder, exist_ok=True)",
        )
    return target


def write_file(path, content):
    """Write a string, as UTF-8, or bytes to a file atomically; a lone surrogate in a string becomes its escape."""
    data = content if isinstance(content, bytes) else content.encode("utf-8", "backslashreplace")
    with replace_file(path) as part:
        part.write_bytes(data)


def _flush_folder(folder):
    """Flush a folder, and with it the new name, to the disk, where the system supports that."""
    if os.name != "posix":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):  # some network file systems cannot
            raise
    finally:
        os.close(descriptor)
