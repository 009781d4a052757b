"""Read a large notebook file without its outputs, in memory that does not depend on their size.

The text of JSON is followed bracket by bracket while it is read, as far as is needed to know where the outputs of a
cell, its attached pictures and the state of widgets begin and end; these are read and not kept. What is kept is
parsed later, like every notebook; this file refuses no invalid JSON.
"""

import codecs
import json
import re

MEBIBYTE = 1 << 20
SMALL_BYTES = MEBIBYTE  # a file up to this size is kept as it is
LARGEST_BYTES = 64 * MEBIBYTE  # kept of a file
MOST_BYTES = 1024 * MEBIBYTE  # read of a file
MOST_STEPS = 2_000_000  # lists, objects and entries; outputs of 200 MB have thousands
CHUNK_BYTES = MEBIBYTE
LONGEST_NAME = 1000  # bytes; a longer string is not the name of an entry that matters
DROPPED = {  # by the names from the top, None in a list: what stands for a value that is not kept
    ("cells", None, "outputs"): b"[]",
    ("cells", None, "attachments"): b"{}",
    ("metadata", "widgets"): b"{}",
}
DEPTH = max(map(len, DROPPED))
TEXT = rb'[^"\\]*+(?:\\.[^"\\]*+)*+'  # the rest of a string
IN_A_STRING = re.compile(TEXT, re.DOTALL)
STRING = re.compile(rb'"(%b)"' % TEXT, re.DOTALL)
BETWEEN = re.compile(rb'[^"{}\[\],:]*+')  # brackets, strings, commas and colons
BETWEEN_BRACKETS = re.compile(rb'(?:[^"{}\[\]]++|"%b")*+' % TEXT, re.DOTALL)


class TooLargeError(OSError):
    """A file exceeds a limit; the message is a sentence."""


def read_without_outputs(file):
    """Read a notebook file or pipe; above 1 MiB, without the outputs, as UTF-8 of at most `LARGEST_BYTES`."""
    head = file.read(SMALL_BYTES + 1)
    if len(head) <= SMALL_BYTES:
        return head
    return Scanner().scan(_as_utf8(head, file))


def _as_utf8(head, file):
    """Yield the text of a file in UTF-8, in chunks, up to the limit."""
    encoding, seen, chunk = json.detect_encoding(head), 0, head
    decoder = None if encoding.startswith("utf-8") else codecs.getincrementaldecoder(encoding)("replace")
    while chunk:
        seen += len(chunk)
        if seen > MOST_BYTES:
            raise TooLargeError(f"The file is larger than {MOST_BYTES // MEBIBYTE} MiB.")
        yield decoder.decode(chunk).encode("utf-8", "surrogatepass") if decoder else chunk
        chunk = file.read(CHUNK_BYTES)


class Scanner:
    """The position in the text of a notebook, and the part of the text that is kept."""

    def __init__(self):
        self._kept, self._steps = bytearray(), 0
        self._around = []  # the containers around: the name under which each stands, and whether it is an object
        self._name = None  # the last name in the innermost of them
        self._expects_name = False
        self._in_string = False
        self._deep = 0  # the number of containers around that are not followed one by one
        self._drops = False

    def scan(self, chunks):
        """Return the part of a file, given in chunks, that is kept."""
        left = b""
        for chunk in chunks:
            text = left + chunk
            left = text[self._follow(text) :]
        self._keep(left)
        return bytes(self._kept)

    def _follow(self, text):
        """Follow the structure as far as it is known without the next chunk; return where that ends."""
        place = 0
        while place < len(text):
            begun, quiet = place, IN_A_STRING if self._in_string else BETWEEN_BRACKETS if self._deep else BETWEEN
            found = quiet.match(text, begun)
            place = found.end() if found else begun
            self._keep(text[begun:place])
            sign = text[place : place + 1]
            if sign in (b"", b"\\"):  # the other half of an escape is in the next text
                break
            self._steps += 1
            if self._steps > MOST_STEPS:
                raise TooLargeError(f"The file has more than {MOST_STEPS:,} lists and entries.")
            if sign == b'"' and self._expects_name:
                found = STRING.match(text, place)
                if found is None and len(text) - place < LONGEST_NAME:
                    break
                self._name, self._expects_name = found and found[1].decode("utf-8", "replace"), False
            self._pass(sign)
            place += 1
        return place

    def _pass(self, sign):
        if sign == b'"':
            self._in_string = not self._in_string
        elif sign in b"[{":
            self._open(sign == b"{")
        elif sign in b"]}":
            self._keep(sign)
            self._close()
            return
        else:
            self._expects_name = sign == b"," and bool(self._around) and self._around[-1][1]
        self._keep(sign)

    def _open(self, is_object):
        path = (*(name for name, _ in self._around[1:]), self._name)
        if not self._deep and path in DROPPED:
            self._keep(DROPPED[path])
            self._deep, self._drops = 1, True
        elif self._deep or len(self._around) >= DEPTH:
            self._deep += 1
        else:
            self._around.append((self._name, is_object))
            self._name, self._expects_name = None, is_object

    def _close(self):
        if self._deep:
            self._deep -= 1
            self._drops = self._drops and self._deep > 0
        elif self._around:
            self._around.pop()
            self._name, self._expects_name = None, False

    def _keep(self, text):
        if not self._drops:
            self._kept += text
        if len(self._kept) > LARGEST_BYTES:
            limit = LARGEST_BYTES // MEBIBYTE
            raise TooLargeError(f"The file is larger than {limit} MiB, also without the outputs of its cells.")
