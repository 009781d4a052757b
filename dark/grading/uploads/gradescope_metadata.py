"""Gradescope's submission_metadata.yml: of each submission, who has submitted it, and when.

The file holds much more, also what a student's program has printed; only keys of the submission itself are read.
"""

import json
import re

METADATA = "submission_metadata.yml"
KEY = re.compile(r"(?P<indent> *)(?P<dash>- +)?:(?P<key>\w+):(?: +(?P<value>.*?))? *")
OF_A_SUBMITTER = ("name", "sid", "email")


def read_metadata(text):
    """Yield the submissions.

    Parameters
    ----------
    text : str
        The content of the file.

    Yields
    ------
    str, list of dict, str
        The name of the folder; name, sid and email of each submitter, as far as they are there; the time.

    Examples
    --------
    >>> list(read_metadata("submission_17:\\n  :submitters:\\n  - :name: Ann\\n    :sid: '0042'"))
    [('submission_17', [{'name': 'Ann', 'sid': '0042'}], '')]
    """
    for block in re.split(r"(?m)^(?=submission_[0-9]{1,20}:)", text):
        head, *lines = block.splitlines() or [""]
        if folder := re.match("submission_[0-9]{1,20}(?=:)", head):
            yield folder[0], *_submission(lines)


def _submission(lines):
    """Return the submitters and the time of a submission; its keys are the least indented ones."""
    found = [match for match in map(KEY.fullmatch, lines) if match]
    least = min((len(match["indent"]) for match in found), default=0)
    created, inside, column = "", "", 0
    submitters: list[dict[str, str]] = []
    for match in found:
        key, value = match["key"], _plain(match["value"] or "")
        if len(match["indent"]) == least and not match["dash"]:
            inside = key
            created = value if key == "created_at" and not created else created
        elif inside == "submitters":
            if match["dash"]:
                submitters.append({})
                column = match.start("key")
            if match.start("key") == column and key in OF_A_SUBMITTER:  # a long name goes on in a deeper line
                submitters[-1].setdefault(key, value)
    return submitters, created


def _plain(value):
    """Return a scalar of YAML without its quotes."""
    if value.startswith("'") and value.endswith("'") and len(value) > 1:
        return value[1:-1].replace("''", "'")
    try:
        found = json.loads(value) if value.startswith('"') else value
    except ValueError:
        found = value
    return "" if found in ("null", "~") else found
