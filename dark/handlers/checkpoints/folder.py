"""A folder of checkpoints: preparing it, and finding the newest checkpoint that can be read."""

import logging
import os
import re
import stat
from contextlib import suppress
from pathlib import Path

from dark.atomic_write import path_string
from dark.descriptions import brief
from dark.errors import StorageError, UsageError, ValueTypeError

ENDINGS = (".pt", ".safetensors")
LOGGER = logging.getLogger(__name__)


def folder_of(dirname):
    """Return the path of a folder, with ``~`` expanded."""
    if not isinstance(dirname, (str, os.PathLike)):
        raise ValueTypeError(
            f"DiskSaver: dirname must be the path of a folder, got {brief(dirname)}.",
            "the path of a folder.",
            'DiskSaver("checkpoints")',
        )
    return Path(path_string(dirname, "DiskSaver")).expanduser()


def prepare(folder, create, require_empty):
    """Prepare a folder for checkpoints."""
    if folder.exists() and not folder.is_dir():
        raise UsageError(
            f"Directory path '{folder}' must be a folder, but is a file.",
            "a folder.",
            f"'{folder.with_suffix('')}_checkpoints'",
        )
    if create:
        folder.mkdir(parents=True, exist_ok=True)
    if not folder.is_dir():
        raise UsageError(f"Directory path '{folder}' is not found.", "an existing folder.", "create_dir=True")
    present = sorted(path.name for path in folder.iterdir() if path.suffix in ENDINGS)
    if require_empty and present:
        raise UsageError(
            f"Files {present} with extension '{os.path.splitext(present[0])[1]}' are already present in the directory "
            f"{folder}.",
            "a folder without checkpoints.",
            "require_empty=False, to continue the training that wrote them.",
        )


def unfinished(folder):
    """Return the files that writes left behind when their process was killed."""
    return sorted(folder.glob(".*.part"))


def make_readable(path):
    """Let all users read a file."""
    os.chmod(path, stat.S_IMODE(os.stat(path).st_mode) | stat.S_IRGRP | stat.S_IROTH)


def newest(load, folder, pattern):
    """Return the newest checkpoint that can be loaded, or None; unreadable ones are skipped with a warning."""
    ages = {path: _age(path) for path in folder.glob(pattern) if path.suffix in ENDINGS}
    present = (path for path, age in ages.items() if age is not None)
    for path in sorted(present, key=ages.__getitem__, reverse=True):
        try:
            load(path)
        except Exception as error:
            LOGGER.warning("%s cannot be read and is skipped: %s", path, error)
        else:
            return path
    return None


def _age(path):
    """Return when a file was written, and the numbers in its name; None if it was removed in the meantime."""
    with suppress(FileNotFoundError):
        return path.stat().st_mtime_ns, [int(digits) for digits in re.findall(r"\d+", path.stem)]
    return None


def read(load, path):
    """Load a file; an error about its content also names the way to an older file."""
    try:
        return load(path)
    except StorageError as error:
        error.add_note("  Or: DiskSaver(folder, require_empty=False).last_good() finds the newest undamaged one.")
        raise


def remove(save_handler, filename):
    """Remove a checkpoint that a newer one replaces; warn if it is gone already."""
    try:
        save_handler.remove(filename)
    except FileNotFoundError:
        LOGGER.warning("%s should be removed for a newer checkpoint, and was gone already.", filename)
