"""Tests of the errors about a file that is named like a notebook but is not one."""

import gzip
import io
import json
import zipfile

import pytest

from dark.course.lessons.notebook_files import parse_notebook
from dark.errors import CourseError

CELL = {"cell_type": "markdown", "source": "José – “so”", "metadata": {}}
NOTEBOOK = {"nbformat": 4, "metadata": {}, "cells": [CELL]}
TEXT = json.dumps(NOTEBOOK, ensure_ascii=False)


def zipped(name):
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr(name, TEXT)
    return content.getvalue()


KINDS = {
    "Windows-1252": (TEXT.encode("cp1252"), "it is saved as Windows-1252, not UTF-8; open it in an editor, and save"),
    "Mac OS Roman": ('{"a": "\x81"}'.encode("latin-1"), "it is saved as Mac OS Roman, not UTF-8"),
    "no encoding": (b'{"cells": [\xe9 ?', "invalid JSON, whose text is not UTF-8 (from byte 12 on)"),
    "zip": (zipped("work.ipynb"), "it is a zip; unpack it, and hand in the notebook itself (.ipynb)"),
    "Word": (zipped("word/document.xml"), "it is a Word document; hand in the notebook itself (.ipynb)"),
    "gzip": (gzip.compress(TEXT.encode()), "it is a gzip archive; unpack it"),
    "RAR": (b"Rar!\x1a\x07\x00", "it is a RAR archive; unpack it"),
    "7z": (b"7z\xbc\xaf\x27\x1c", "it is a 7z archive; unpack it"),
    "tar": (b"work.ipynb".ljust(257, b"\x00") + b"ustar", "it is a tar archive; unpack it"),
    "PDF": (b"%PDF-1.7", "it is a PDF; hand in"),
    "image": (b"\x89PNG\r\n\x1a\n", "it is an image (PNG)"),
    "photo": (b"\x00\x00\x00\x18ftypheic", "it is an image or a film (HEIC, MP4)"),
    "HTML": (b"\n <!DOCTYPE html><html>", "it is a web page, such as a login page"),
    "UTF-16 HTML": ("<html>".encode("utf-16"), "it is a web page"),
    "Python": (b"#!/usr/bin/env python\n# coding: utf-8\n# In[1]:\nimport math\n", "it is a Python program (.py)"),
    "function": (b"def slope(f, x):\n    return 1\n", "it is a Python program (.py)"),
    "Markdown": (b"# My answer\n\nIt is 3.", "it is a Markdown document"),
    "zeros": (bytes(4000), "it holds nothing but zeros"),
    "cut": ('{"cells": "José'.encode()[:-1], "invalid JSON, which ends in the middle of a character"),
    "text": (b"no", "invalid JSON (Expecting value"),
}


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_not_a_notebook_is_named(kind):
    content, says = KINDS[kind]
    with pytest.raises(CourseError) as found:
        parse_notebook(content, "the file", any_format=True)
    assert str(found.value).startswith(f"the file: not a notebook: {says}")
    assert "\n  Expected: " in str(found.value) and "\n  Try: " in str(found.value)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-32"])
def test_every_encoding_that_json_may_have_is_read(encoding):
    assert parse_notebook(TEXT.encode(encoding)) == NOTEBOOK
