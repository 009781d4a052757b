"""Reports of earlier versions, which had a file for each record: what they hold moves into the database, once.

::

    records/NAME.json    a record, with its seal
    started/NAME         while it was graded
"""

import json
import re
from contextlib import suppress
from html import unescape

from dark.grading.gradebook.seal import is_sealed

SECTION = re.compile(r'^<section id="([^"]*)">\n(.*?)\n</section>$', re.DOTALL | re.MULTILINE)


def take_over(folder, store, key):
    """Move the records of an earlier version into the store; a record without a valid seal is not taken over.

    Parameters
    ----------
    folder : pathlib.Path
        The folder of the report.
    store : Store
        Where the records are stored. One that is stored already is newer, and stays.
    key : bytes
        The key that seals the records.
    """
    files, marks = sorted(folder.glob("records/*")), sorted(folder.glob("started/*"))
    if not (folder / "records").is_dir():
        return
    with store.together():
        for path in files:
            record = _read(path, key)
            reports = record and _reports(folder / record["page"])
            if reports is not None and store.record(record["name"]) is None:
                store.keep(record, reports)
        for path in marks:
            store.begin(path.name)
    for path in (*files, *marks):
        with suppress(OSError):
            path.unlink()
    for name in ("records", "started"):
        with suppress(OSError):
            (folder / name).rmdir()


def _read(path, key):
    try:
        record = json.loads(path.read_bytes())
        if not is_sealed(record, key):
            return None
    except (OSError, ValueError, AttributeError, TypeError, RecursionError):
        return None
    del record["seal"]
    return record


def _reports(path):
    """Return the feedback on each exercise that a page shows; None if the page cannot be read."""
    try:
        page = path.read_text(encoding="utf-8")
    except (OSError, ValueError):
        return None
    return {unescape(name): html for name, html in SECTION.findall(page)}
