"""Zips, read without trust: nothing is extracted, every size is limited, and odd members are named and left out."""

import re
import stat
import struct
import zipfile
import zlib
from collections import Counter
from dataclasses import dataclass
from io import BytesIO

MEBIBYTE = 1 << 20
MOST_FILES = 10_000
DIRECTORY_BYTES = 4 * MEBIBYTE  # of the list of files, which is read whole
MOST_BYTES = 2048 * MEBIBYTE  # of all files, unpacked
LARGEST_ZIP = 64 * MEBIBYTE  # inside of another zip: it is unpacked in memory
MOST_RATIO = 200  # of the sizes unpacked and packed; notebooks have up to 20
SMALL_BYTES = MEBIBYTE  # files that may have any ratio
END, END_BYTES, COMMENT_BYTES = b"PK\x05\x06", 22, 1 << 16
UTF_8, ENCRYPTED = 0x800, 0x1  # flags of a file
METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
UNREADABLE = (zipfile.BadZipFile, zlib.error, struct.error, NotImplementedError, RuntimeError, KeyError, EOFError)
UNREADABLE += (ValueError, OverflowError)
LINK = "It is a link; only files themselves are graded."


@dataclass(frozen=True)
class Member:
    """A file in a zip."""

    parts: tuple[str, ...]  # the folders and the name, decoded
    key: str  # the name by which `read_member` finds it
    fault: str = ""  # why it cannot be graded; empty if it can


def list_members(file):
    """List the files in a zip, without folders; raise a ValueError if the zip is damaged, or too large to be listed."""
    _check_end(file)
    try:
        with zipfile.ZipFile(file) as archive:
            infos = [info for info in archive.infolist() if not info.is_dir()]
    except UNREADABLE as error:
        raise ValueError("The zip is damaged.") from error
    if len(infos) > MOST_FILES:
        raise ValueError(f"The zip contains more than {MOST_FILES:,} files.")
    if sum(info.file_size for info in infos) > MOST_BYTES:
        raise ValueError(f"The zip unpacks to more than {MOST_BYTES // MEBIBYTE} MiB.")
    count = Counter(info.filename for info in infos)
    return [_member(info, count[info.filename]) for info in infos]


def _check_end(file):
    size = file.seek(0, 2)
    file.seek(max(0, size - END_BYTES - COMMENT_BYTES))
    tail = file.read(END_BYTES + COMMENT_BYTES)
    start = tail.rfind(END)
    if start < 0 or len(tail) < start + END_BYTES:
        raise ValueError("It is not a zip, or only a part of one.")
    count, length = struct.unpack_from("<HI", tail, start + 10)
    if count > MOST_FILES or length > DIRECTORY_BYTES:
        raise ValueError(f"The zip contains more than {MOST_FILES:,} files.")
    file.seek(0)


def _member(info, count):
    name = _decoded(info).replace("\\", "/")
    parts = tuple(name.split("/"))
    return Member(tuple(part for part in parts if part) or ("?",), info.filename, _fault(info, name, parts, count))


def _decoded(info):
    """Return the name; programs that do not say its encoding mostly use UTF-8."""
    if not info.flag_bits & UTF_8:
        try:
            return info.filename.encode("cp437").decode()
        except UnicodeError:
            pass
    return info.filename


def _fault(info, name, parts, count):
    if stat.S_ISLNK(info.external_attr >> 16):
        return LINK
    if name.startswith("/") or ".." in parts or re.match("[A-Za-z]:", name):
        return "Its name in the zip leads out of the zip."
    if count > 1:
        return "Its name is in the zip more than once."
    if info.flag_bits & ENCRYPTED:
        return "It is encrypted."
    if info.compress_type not in METHODS:
        return "It is compressed in an unusual way; only stored and deflated files are read."
    if info.file_size > max(SMALL_BYTES, MOST_RATIO * info.compress_size):
        return f"It unpacks to more than {MOST_RATIO} times its size."
    return ""


def read_member(file, keys, read):
    """Return `read(file)` of a file in a zip, or in a zip in it, by its keys, the outer first; damage is an OSError."""
    try:
        with zipfile.ZipFile(file) as archive, archive.open(keys[0]) as member:
            content = read(member) if len(keys) == 1 else member.read(LARGEST_ZIP)
    except UNREADABLE as error:
        raise OSError(f"it is damaged in the zip: {type(error).__name__}") from error
    return read_member(BytesIO(content), keys[1:], read) if keys[1:] else content
