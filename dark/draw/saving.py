"""Saving pictures: the file format follows from the suffix, and a file is written completely or not at all."""

import os
from collections.abc import Callable, Iterable
from pathlib import Path

from dark.atomic_write import kind_of_file, write_file
from dark.errors import DrawingError, StorageError


def save(path: str | os.PathLike[str], writers: dict[str, Callable[[], str | bytes]]) -> Path:
    """Save a picture in the format given by the suffix of `path`; `writers` return the content for each suffix."""
    path = checked_path(path, writers)
    content = writers[path.suffix.lower()]()
    try:
        write_file(path, content)
    except (OSError, StorageError) as error:
        reason = error.strerror if isinstance(error, OSError) else f"it is {kind_of_file(path)}"
        raise DrawingError(
            f"save: '{path}' cannot be written: {reason}.",
            "a file in a folder with write permission.",
            "choose another name or folder",
        ) from None
    return path


def checked_path(path: str | os.PathLike[str], suffixes: Iterable[str]) -> Path:
    """Return a path with one of these suffixes at which a picture can be saved, with a leading `~` expanded."""
    suffixes = list(suffixes)
    if not isinstance(path, (str, os.PathLike)) or "\0" in str(path):
        raise DrawingError(
            f"save: {path!r} is not a path.", "a file name, as str or Path.", f'.save("graph{suffixes[0]}")'
        )
    path = Path(os.path.expanduser(path))
    if path.suffix.lower() not in suffixes:
        suffix = f"has the unknown suffix '{path.suffix}'" if path.suffix else "has no suffix"
        raise DrawingError(
            f"save: '{path.name}' {suffix}.",
            "one of the suffixes " + ", ".join(suffixes) + ".",
            f"{'graph' if path.name in ('', '..', *suffixes) else path.stem}{suffixes[0]}",
        )
    if path.parent.exists() and not path.parent.is_dir():
        raise DrawingError(
            f"save: '{path.parent}' is a file, not a folder.", "an existing folder.", f"'{path.name}', to save here"
        )
    if not path.parent.is_dir():
        raise DrawingError(
            f"save: the folder '{path.parent}' does not exist.",
            "an existing folder.",
            f"create it first: mkdir -p {path.parent}",
        )
    return path
