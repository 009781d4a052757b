"""Checksums: the SHA-256 of each block of an array, listed in the header, and of the header itself.

The first string of the header is its own SHA-256, computed with zeros in place of its 64 digits, over the length of the
header, too. Another string lists the checksums of all arrays, one for each block of 256 KiB. So the header vouches for
every byte of the file, and a few rows of a large array can be verified alone.

In files of the format ``dark 1`` the first string is the SHA-256 of the whole file, their only checksum.
"""

import hashlib

BLOCK = 2**18  # bytes
NO_DIGITS = "0" * 64
OF_THE_HEADER = b'{"__metadata__":{"header_sha256":"'
OF_THE_FILE = b'{"__metadata__":{"sha256":"'


def checksum(*parts):
    """Return the SHA-256 of some bytes as 64 hexadecimal digits."""
    found = hashlib.sha256()
    for part in parts:
        found.update(part)
    return found.hexdigest()


def of_blocks(data):
    """Return the checksums of an array's blocks."""
    return [checksum(data[begin : begin + BLOCK]) for begin in range(0, len(data), BLOCK)]


def by_array(text, entries):
    """Return the checksums of each array, from the string in the header, which lists all blocks in the file's order.

    Raises a `ValueError` if there are more or fewer checksums than blocks.
    """
    digits, found, end = text.split(), {}, 0
    for name, entry in sorted(entries.items(), key=lambda item: item[1].begin):
        begin, end = end, end + -(-entry.size_bytes // BLOCK)
        found[name] = digits[begin:end]
    if end != len(digits):
        raise ValueError(f"{len(digits)} checksums for {end} blocks")
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
    """Return whether the checksum of a file, format ``dark 1``, is right; it is read from the end of its header on."""
    begin, end = len(OF_THE_FILE), len(OF_THE_FILE) + len(NO_DIGITS)
    found = hashlib.sha256(length + header[:begin] + NO_DIGITS.encode() + header[end:])
    while block := file.read(BLOCK):
        found.update(block)
    return found.hexdigest().encode() == header[begin:end]
