"""The largest sizes of a record and a page: pictures go first, then details; a sentence lists the omissions."""

import re
from html import escape

from dark.grading.report.results_file import compact_json

MOST_PAGE = 2_000_000  # bytes of the page of a submission
MOST_REPORTS = 1_900_000  # bytes of the feedback in it
MOST_RECORD = 400_000  # bytes of a record, as JSON
PICTURE = re.compile(r"<img\b[^>]*>")
# Of a question, what is left out of a record that is too large.
DETAILS: dict[str, object] = {"inputs": {}, "differences": [], "remark": None, "error": None, "printed": None}


def megabytes(count):
    """Return a number of bytes in words.

    >>> megabytes(1_900_000)
    '1.9 MB'
    """
    return f"{count / 1e6:.2g} MB"


def within(reports: dict[str, str], most: int = MOST_REPORTS) -> dict[str, str]:
    """Return the feedback in at most a number of bytes: the largest loses its pictures first, then its text."""
    reports = dict(reports)
    for shorten in (_without_pictures, _without_text):
        for name in sorted(reports, key=lambda name: -len(reports[name])):
            if sum(map(size_of, reports.values())) <= most:
                return reports
            reports[name] = shorten(name, reports[name], most)
    return reports


def size_of(text):
    """Return the number of bytes of a text in a file."""
    return len(text.encode("utf-8", "backslashreplace"))


def _without_pictures(name, html, most):
    if not PICTURE.search(html):
        return html
    return PICTURE.sub("", html) + f"<p>! The pictures are left out: the page would be larger than {_bytes(most)}.</p>"


def _without_text(name, html, most):
    return f"<p>! {escape(name)}: the details are left out: the page would be larger than {_bytes(most)}.</p>"


def _bytes(count):
    return megabytes(count) if count >= 100_000 else f"{count:,} B"


def limited_record(record: dict, most: int = MOST_RECORD) -> dict:
    """Return a record in at most a number of bytes: the questions with most details lose them first, and say so."""
    exercises = [each | {"questions": list(each["questions"])} for each in record["exercises"]]
    record = record | {"exercises": exercises, "hidden": list(record["hidden"])}
    places = [(each["questions"], k) for each in exercises for k in range(len(each["questions"]))]
    places += [(record["hidden"], k) for k in range(len(record["hidden"]))]
    sizes = {(id(rows), k): len(compact_json(rows[k])) for rows, k in places}
    left = len(compact_json(record)) - most
    for rows, k in sorted(places, key=lambda place: -sizes[id(place[0]), place[1]]):
        if left <= 0:
            break
        says = f"the details: a record has at most {_bytes(most)}"
        rows[k] = rows[k] | DETAILS | {"left_out": says}
        left -= sizes[id(rows), k] - len(compact_json(rows[k]))
    return record
