"""A folder of checkpoints: preparing it, putting a file there in one step, and finding the last good one."""

import logging
import os
import re
import secrets
import stat
from contextlib import suppress
from pathlib import Path

from dark.errors import StorageError, UsageError, ValueTypeError

ENDINGS = (".pt", ".safetensors")
LOGGER = logging.getLogger(__name__)


def folder_of(dirname):
    """Return the path of a folder that is given as a text or a path.

    Raises
    ------
    ValueTypeError
        If it is neither.
    """
    if not isinstance(dirname, (str, os.PathLike)):
        raise ValueTypeError(f"DiskSaver: dirname is {dirname!r}.", "the path of a folder.", 'DiskSaver("checkpoints")')
    return Path(dirname).expanduser()


def prepare(folder, create, require_empty):
    """Make a folder ready for checkpoints.

    Raises
    ------
    UsageError
        If it is not there or a file, or holds checkpoints though it should not.
    """
    if folder.exists() and not folder.is_dir():
        raise UsageError(
            f"Directory path '{folder}' is a file.", "a folder.", f"'{folder.with_suffix('')}_checkpoints'"
        )
    if create:
        folder.mkdir(parents=True, exist_ok=True)
    if not folder.is_dir():
        raise UsageError(f"Directory path '{folder}' is not found.", "a folder that is there.", "create_dir=True")
    there = sorted(path.name for path in folder.iterdir() if path.suffix in ENDINGS)
    if require_empty and there:
        raise UsageError(
            f"Files {there} with extension '{os.path.splitext(there[0])[1]}' are already present in the directory "
            f"{folder}.",
            "a folder without checkpoints.",
            "require_empty=False, to go on with the training that wrote them.",
        )


def unfinished(folder):
    """List what is left of writes that were cut off."""
    return sorted(folder.glob(".*.part"))


def put(write, path):
    """Let a function write a new file, and give it the name when it is on the disk.

    Parameters
    ----------
    write : callable
        Of a path.
    path : path
        The name it gets; what stands there is replaced in one step.
    """
    part = path.with_name(f".{secrets.token_hex(8)}.part")
    try:
        write(part)
        with open(part, "rb+") as file:
            os.fsync(file.fileno())
        os.chmod(part, stat.S_IMODE(os.stat(part).st_mode) | stat.S_IRGRP | stat.S_IROTH)
        os.replace(part, path)
    except BaseException as error:
        with suppress(OSError):
            part.unlink()
        error.add_note(f"while saving {path}; the checkpoints written before are untouched")
        raise
    _flush(path.parent)


def _flush(folder):
    """Bring a new name to the disk, where the system can do that for folders."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    with suppress(OSError):  # some file systems of networks cannot
        os.fsync(handle)
    os.close(handle)


def newest(load, folder, pattern):
    """Return the newest checkpoint that can be loaded, passing over damaged ones with a warning; None without any."""
    ages = {path: _age(path) for path in folder.glob(pattern) if path.suffix in ENDINGS}
    there = (path for path, age in ages.items() if age is not None)
    for path in sorted(there, key=ages.get, reverse=True):
        try:
            load(path)
        except Exception as error:
            LOGGER.warning("%s cannot be read and is passed over: %s", path, error)
        else:
            return path
    return None


def _age(path):
    """Return when a file was written, and the numbers in its name; None if it went while we looked."""
    with suppress(FileNotFoundError):
        return path.stat().st_mtime_ns, [int(digits) for digits in re.findall(r"\d+", path.stem)]
    return None


def read(load, path):
    """Load a file; an error about its content says where an older one may be."""
    try:
        return load(path)
    except StorageError as error:
        error.add_note("  Or: DiskSaver(folder, require_empty=False).last_good() finds the last one that is whole.")
        raise
