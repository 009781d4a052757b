"""Checksums: the SHA-256 of each block of an array, listed in the header, and that of the header.

The first string of the header is its own SHA-256, computed with zeros in place of its 64 digits and over the length of
the header, too. The header holds the checksums of all arrays, one for each block of 256 KiB, so that it vouches for
every byte of the file, and a few rows of a large array can be verified alone.

In files of the format ``dark 1`` the first string is the SHA-256 of the whole file, their only checksum.
"""

import hashlib
import json

BLOCK = 2**18  # bytes
NO_DIGITS = "0" * 64
OF_THE_HEADER = b'{"__metadata__":{"header_sha256":"'
OF_THE_FILE = b'{"__metadata__":{"sha256":"'


def checksum(*parts):
    """Return the SHA-256 of some bytes as 64 hexadecimal digits.

    Examples
    --------
    >>> checksum(b"a", b"b") == checksum(b"ab")
    True
    """
    found = hashlib.sha256()
    for part in parts:
        found.update(part)
    return found.hexdigest()


def blocks(size):
    """Return the ranges of bytes of an array's blocks.

    Examples
    --------
    >>> blocks(2**18 + 5)
    [(0, 262144), (262144, 262149)]
    """
    return [(begin, min(begin + BLOCK, size)) for begin in range(0, size, BLOCK)]


def as_text(checksums):
    """Return checksums by array as a string for the header: for each array the digits of its blocks, with spaces.

    Examples
    --------
    >>> as_text({"weight": ["12ab", "34cd"]})
    '{"weight":"12ab 34cd"}'
    """
    return json.dumps({name: " ".join(digits) for name, digits in checksums.items()}, separators=(",", ":"))


def from_text(text, entries):
    """Return the checksums in a string of the header: the inverse of `as_text`.

    Parameters
    ----------
    text : str
    entries : dict of str to Entry
        The arrays of the file.

    Raises
    ------
    ValueError, AttributeError
        If an array has more or fewer blocks.
    """
    found = {name: digits.split() for name, digits in json.loads(text).items()}
    counts = {name: len(blocks(entry.size_bytes)) for name, entry in entries.items()}
    if {name: len(digits) for name, digits in found.items()} != counts:
        raise ValueError("the checksums do not match the arrays")
    return found


def signed(length, header):
    """Return a header with its own checksum in place of the zeros at its beginning."""
    begin, end = len(OF_THE_HEADER), len(OF_THE_HEADER) + len(NO_DIGITS)
    return header[:begin] + checksum(length, header).encode() + header[end:]


def is_signed(length, header):
    """Return whether the checksum at the beginning of a header is right."""
    begin, end = len(OF_THE_HEADER), len(OF_THE_HEADER) + len(NO_DIGITS)
    return header == signed(length, header[:begin] + NO_DIGITS.encode() + header[end:])


def is_intact(length, header, file):
    """Return whether the checksum of a whole file, format ``dark 1``, is right.

    Parameters
    ----------
    length, header : bytes
    file : binary file
        At the end of the header; it is read to its end.
    """
    begin, end = len(OF_THE_FILE), len(OF_THE_FILE) + len(NO_DIGITS)
    found = hashlib.sha256(length + header[:begin] + NO_DIGITS.encode() + header[end:])
    while block := file.read(BLOCK):
        found.update(block)
    return found.hexdigest().encode() == header[begin:end]
