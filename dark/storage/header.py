"""Reading the header of a file: it is verified first, then parsed."""

import os
from typing import NamedTuple

from dark.errors import StorageError
from dark.storage import checksums, safetensors_format
from dark.storage.faults import INVALID, corrupt, invalid_is_corrupt, wrong_format
from dark.storage.safetensors_format import Entry

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
            raise _other_format(path, metadata["format"], form)
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


def _other_format(path, found, form):
    return StorageError(f"{path} has the format {found!r}.", f"the format {form!r}.", "a newer version of dark.")
