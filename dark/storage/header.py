"""The header of a file, which is verified first, then parsed; and the errors of files that cannot be read."""

import os
from contextlib import contextmanager
from typing import NamedTuple

from dark.errors import StorageError
from dark.storage import checksums, safetensors_format
from dark.storage.safetensors_format import Entry

SHOWN = 5  # names in a message
INVALID = (KeyError, TypeError, ValueError, AttributeError, RecursionError)  # from reading what violates a format


@contextmanager
def invalid_is_corrupt(path, part):
    """Turn errors of code that reads an invalid part of a file, "header" or "content", into errors of corruption."""
    try:
        yield
    except StorageError:
        raise
    except INVALID as error:
        raise corrupt(path, f"its {part} is invalid ({type(error).__name__}: {error})") from None


def wrong_format(path):
    """Return the error for a file of another format."""
    return StorageError(
        f"{path} was not written by dark.save, or its header is corrupt.",
        "an intact file written by dark.save, or a safetensors file of another program.",
        "another copy of the file; load(path, foreign=True) reports the fault of a file of another program.",
    )


def corrupt(path, why):
    """Return the error for a corrupt file."""
    return StorageError(
        f"{path} is corrupt: {why}.",
        "an intact file, as dark.save or another program wrote it.",
        "another copy of the file.",
    )


def unsupported(path, types, others):
    """Return the error for arrays whose types NumPy does not have."""
    found = _listed([f"{name!r} ({kind})" for name, kind in types.items()])
    names = _listed([repr(name) for name in others])
    by_name = f"load(path, foreign=True, names=[{names}])" if others else ""
    return StorageError(
        f"{path}: the type of {found} is not supported.",
        "arrays of bools, integers, and floats of 16, 32 or 64 bits.",
        f"{by_name}, or dict(file) of dark.storage.open_file, for the others."
        if others
        else "convert the file to F32 with the program that wrote it.",
    )


def _listed(words):
    shown = ", ".join(words[:SHOWN])
    return shown if len(words) <= SHOWN else f"{shown}, … ({len(words) - SHOWN} more)"


FORMAT, OLD_FORMAT = "dark 2", "dark 1"


class Header(NamedTuple):
    """The contents of a file's header."""

    entries: dict[str, Entry]
    metadata: dict[str, str]
    checksums: dict[str, list[str]]  # of each array, for each of its blocks; empty where the file has none
    begin: int  # of the bytes of the arrays
    is_verified: bool  # whether `save_file` wrote the file, and its header is intact


OWN = {"header_sha256", "checksums", "content"}  # strings in the header of a file that `save_file` wrote


def read_header(file, path, foreign):
    """Return the header of an open file, at its beginning.

    A file of the format ``dark 1``, which has one checksum for all, is read to its end to verify it.

    `foreign` says whether another program has written the file, without checksums; None if that is to be found out.
    """
    size = os.fstat(file.fileno()).st_size
    length = file.read(8)
    n = int.from_bytes(length, "little")
    if len(length) < 8 or n > size - 8:
        raise wrong_format(path)
    text = file.read(n)
    if foreign is None:
        foreign = _is_foreign(text, size - 8 - n)
    form = None if foreign else _verified_format(path, length, text, file)
    with invalid_is_corrupt(path, "header"):
        entries, metadata = safetensors_format.parse(text, size - 8 - n)
        if form is not None and metadata["format"] != form:
            found = f"{path} cannot be read: its format is {metadata['format']!r}."
            raise StorageError(found, f"the format {form!r}.", "a newer version of dark.")
        digits = checksums.by_array(metadata["checksums"], entries) if form == FORMAT else {}
    return Header(entries, metadata, digits, 8 + n, form is not None)


def _is_foreign(text, size):
    """Return whether a header belongs to a sound file of another program.

    A file of `save_file` with a damaged header is not one, even if the checksum at its beginning cannot be recognized.
    """
    if text.startswith((checksums.OF_THE_HEADER, checksums.OF_THE_FILE)):
        return False
    try:
        _, metadata = safetensors_format.parse(text, size)
    except INVALID:
        return False
    return OWN.isdisjoint(metadata) and not metadata.get("format", "").startswith("dark ")


def _verified_format(path, length, text, file):
    """Return the format that the beginning of a header belongs to; raise unless the checksum there is right."""
    if text.startswith(checksums.OF_THE_HEADER):
        form, is_right = FORMAT, checksums.is_signed(length, text)
    elif text.startswith(checksums.OF_THE_FILE):
        form, is_right = OLD_FORMAT, checksums.is_intact(length, text, file)
    else:
        raise wrong_format(path)
    if not is_right:
        raise corrupt(path, "checksum mismatch")
    return form
