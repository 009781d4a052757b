"""Recognize a file that is named like a notebook but is not one, by its first bytes or the beginning of its text."""

import json
import re

MOST_HEAD = 4096  # bytes
HAND_IN = "hand in the notebook itself (.ipynb)"
OFFICE = {
    b"word/document.xml": "a Word document",
    b"xl/workbook": "an Excel workbook",
    b"ppt/presentation.xml": "a PowerPoint presentation",
    b"application/vnd.oasis.opendocument": "a LibreOffice document",
    b"application/epub": "an e-book",
    b"Index/Document.iwa": "a document of Pages, Numbers or Keynote",
}
SIGNS = {  # the first bytes
    b"PK\x03\x04": "a zip",
    b"PK\x05\x06": "an empty zip",
    b"\x1f\x8b": "a gzip archive",
    b"Rar!\x1a\x07": "a RAR archive",
    b"7z\xbc\xaf\x27\x1c": "a 7z archive",
    b"BZh": "a bzip2 archive",
    b"\xfd7zXZ\x00": "an xz archive",
    b"\x28\xb5\x2f\xfd": "a Zstandard archive",
    b"%PDF": "a PDF",
    b"%!PS": "a PostScript file",
    b"{\\rtf": "a rich text document (RTF)",
    b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1": "a document of an older Microsoft Office",
    b"\x89PNG\r\n\x1a\n": "an image (PNG)",
    b"\xff\xd8\xff": "an image (JPEG)",
    b"GIF8": "an image (GIF)",
    b"RIFF": "an image or a recording (RIFF)",
    b"BM": "an image (BMP)",
    b"II*\x00": "an image (TIFF)",
    b"MM\x00*": "an image (TIFF)",
    b"SQLite format 3\x00": "a SQLite database",
    b"\x7fELF": "a compiled program",
    b"MZ": "a program for Windows",
    b"\x93NUMPY": "a NumPy array (.npy)",
    b"\x00\x05\x16\x07": "a file of macOS that belongs to another one, whose name it has after ._",
    b"bplist": "a file of macOS (plist)",
    b"L\x00\x00\x00\x01\x14\x02\x00": "a shortcut of Windows",
    b"version https://git-lfs": "a pointer of Git LFS to a file that was not downloaded",
}
ARCHIVES = ("zip", "archive")
PYTHON = re.compile(
    r"^(?:#!.*python|# coding|# In ?\[|# %%|from[ \t]+[\w.]+[ \t]+import\b|import[ \t]+\w|"
    r"(?:async[ \t]+)?def[ \t]+\w+[ \t]*\(|class[ \t]+\w+[ \t]*[(:])",
    re.MULTILINE,
)
MARKDOWN = re.compile(r"^(?:---\njupyt|```|#{1,6} \w)", re.MULTILINE)
CUT = ("unexpected end of data", "truncated data")  # as Python's decoders say it
NOT_UTF_8 = ("cp1252", "mac_roman")  # tried in this order; the second takes any byte


def kind_of(content: bytes) -> str:
    """Return the kind of a file that cannot be parsed, in words that continue "not a notebook:"; "" if unknown."""
    head = content[:MOST_HEAD]
    if not head.strip(b"\x00"):
        return "it holds nothing but zeros: it was not saved, uploaded or synchronized completely"
    if kind := _by_signs(content, head):
        return f"it is {kind}; {f'unpack it, and {HAND_IN}' if kind.endswith(ARCHIVES) else HAND_IN}"
    encoding = json.detect_encoding(content)
    text = head.decode(encoding, "replace").lstrip("\ufeff").lstrip()
    if kind := _by_text(text):
        return f"it is {kind}; {HAND_IN}"
    return _by_encoding(content, encoding)


def _by_signs(content, head):
    kind = next((kind for sign, kind in SIGNS.items() if head.startswith(sign)), "")
    if kind == "a zip":
        return next((office for sign, office in OFFICE.items() if sign in content), kind)
    if not kind and head[4:8] == b"ftyp":
        return "an image or a film (HEIC, MP4)"
    return "a tar archive" if not kind and head[257:262] == b"ustar" else kind


def _by_text(text):
    lower = text[:1000].lower()
    if lower.startswith(("<!doctype html", "<html", "<head", "<body")):
        return "a web page, such as a login page"
    if lower.startswith("<svg") or lower.startswith("<?xml") and "<svg" in lower:
        return "an image (SVG)"
    if lower.startswith(("<?xml", "<!doctype")):
        return "an XML file"
    if text.startswith(("{", "[", '"')):
        return ""
    if PYTHON.search(text):
        return "a Python program (.py)"
    return "a Markdown document" if MARKDOWN.search(text) else ""


def _by_encoding(content, encoding):
    """Return the fault of a file that is not in the encoding it declares; an empty string if it is."""
    try:
        content.decode(encoding)
        return ""
    except UnicodeDecodeError as error:
        place, is_cut = error.start, error.end == len(content) and error.reason in CUT
    if is_cut:
        return "invalid JSON, which ends in the middle of a character; perhaps only a part of it was saved or uploaded"
    save = "open it in an editor, and save it with the encoding UTF-8"
    if encoding.startswith("utf-8"):
        for other, name in zip(NOT_UTF_8, ("Windows-1252", "Mac OS Roman"), strict=True):
            if _is_json(content, other):
                return f"it is saved as {name}, not UTF-8; {save}"
    return f"invalid JSON, whose text is not UTF-8 (from byte {place + 1:,} on); {save}"


def _is_json(content, encoding):
    try:
        return isinstance(json.loads(content.decode(encoding)), dict)
    except (ValueError, RecursionError):
        return False
