"""Shorten a verdict: an answer may hold as much as its process can send, and a page is for a reader."""

from dataclasses import replace
from itertools import takewhile

from dark.course.exams.differences import Difference

MOST_TEXT = 2_000  # characters of a message
MOST_PATH = 200  # characters
MOST_DIFFERENCES = 100  # of a question
MOST_SHOWN = 400  # items or characters of a value: as many as a record shows of its text
SAYS = 40  # characters of the note about what is left out


def cut(text, most=MOST_TEXT):
    """Return the beginning of a string, at most this number of characters, with a note on how many are left out."""
    return text if len(text) <= most else f"{text[: most - SAYS]}… ({len(text) - most + SAYS:,} more characters)"


def limited(verdict):
    """Return a verdict in which whatever is too long to be shown is cut, with a note on what is left out."""
    says = verdict.diagnosis and tuple(map(cut, verdict.diagnosis))
    return replace(verdict, findings=tuple(map(_limited, verdict.findings)), diagnosis=says)


def _limited(finding):
    kept = finding.differences[:MOST_DIFFERENCES]
    fault = finding.error and replace(finding.error, type=cut(finding.error.type, MOST_PATH))
    sides = [(cut(each.path, MOST_PATH), shortened(each.yours), shortened(each.expected)) for each in kept]
    return replace(
        finding,
        differences=tuple([Difference(*each) for each in sides]),
        more_differences=finding.more_differences + len(finding.differences) - len(kept),
        remark=finding.remark and cut(finding.remark),
        error=fault and replace(fault, message=cut(fault.message)),
        printed=finding.printed and cut(finding.printed),
    )


def shortened(data, most=MOST_SHOWN, left=None):
    """Return the beginning of encoded data: `show` returns the same first `most` characters for both."""
    left = left or [most]  # a list, which the parts of the data share
    left[0] -= 1
    if isinstance(data, str):
        text = data[: max(0, left[0]) + 1]
        left[0] -= len(text)
        return text
    if isinstance(data, list):
        return [shortened(each, most, left) for each in takewhile(lambda each: left[0] > 0, data)]
    if isinstance(data, dict):
        return {key: _shortened_entry(key, value, left) for key, value in data.items()}
    return data


def _shortened_entry(tag, value, left):
    """Return the content of tagged data; the items of a dict are as many as of a list."""
    if tag != "dict" or not isinstance(value, dict):
        return value if tag in ("shape", "missing", "number", "array") else shortened(value, left=left)
    found = {}
    for key, each in takewhile(lambda each: left[0] > 0, value.items()):
        left[0] -= len(key)
        found[key[:MOST_SHOWN]] = shortened(each, left=left)
    return found
