"""Whose a file is, and which attempt, from the names that Canvas, Moodle and Gradescope give to downloads.

::

    Canvas      beeann_LATE_4711_98765_work.ipynb             name, id, id of the file, name of the file
    Moodle      Ann Bee_4711_assignsubmission_file_/work.ipynb     name, id; also without the folder
    Gradescope  submission_4711/work.ipynb                    and the file submission_metadata.yml
"""

import json
import re
from dataclasses import dataclass

CANVAS = re.compile(r"(?P<name>[^_]+)_(?i:late_)?(?P<id>\d+)_(?P<attempt>\d{3,})_.+", re.DOTALL)
MOODLE = re.compile(r"(?P<name>.+)_(?P<id>\d+)_assignsubmission_[a-z]+(?:_.*)?", re.DOTALL)
GRADESCOPE = re.compile(r"submission_(?P<attempt>\d+)")
METADATA = "submission_metadata.yml"


@dataclass(frozen=True)
class Owner:
    """The student of a submission."""

    system: str  # "canvas", "moodle" or "gradescope"
    id: str  # in that system, as it is written
    name: str
    attempt: int | None = None  # later attempts have larger numbers; None if the system gives none
    submitted: str = ""  # when, as Gradescope writes it; empty if the system does not say


def owners_of(names, metadata=""):
    """Find the owners of all submissions of a class, all of one system, or None for each.

    The names are the first parts of the paths: a folder, or the name of a file. `metadata` is the content of
    Gradescope's submission_metadata.yml.

    Examples
    --------
    >>> owners_of(["beeann_4711_98765_work.ipynb"])[0].id
    '4711'
    >>> owners_of(["ann.ipynb"])
    [None]
    """
    students = parse_metadata(metadata)
    if students:
        return [students.get(name) for name in names]
    for system, pattern in (("moodle", MOODLE), ("canvas", CANVAS)):
        matches = {name: pattern.fullmatch(name) for name in names}
        if matches and all(matches.values()):
            found = {name: _owner(system, **match.groupdict()) for name, match in matches.items()}
            files = [owner.attempt for owner in found.values() if owner.attempt is not None]
            if len(set(files)) == len(files):  # in Canvas no two files have one id
                return [found[name] for name in names]
    return [None] * len(names)


def _owner(system, name, id, attempt=None):
    return Owner(system, id, name, attempt and int(attempt))


def parse_metadata(text):
    """Read whose each submission of Gradescope is, by name of the folder, from its submission_metadata.yml.

    The owner is the first submitter; the id is the student id, or else the e-mail address.

    Examples
    --------
    >>> text = '''submission_17:
    ...   :submitters:
    ...   - :name: Ann Bee
    ...     :sid: '0042'
    ...     :email: ann@school.edu
    ...   :created_at: 2026-10-04 22:10:05.123456789 Z
    ...   :score: 3.0'''
    >>> parse_metadata(text)["submission_17"]
    Owner(system='gradescope', id='0042', name='Ann Bee', attempt=17, submitted='2026-10-04 22:10:05.123456789Z')
    """
    found = {}
    for block in re.split(r"(?m)^(?=submission_\d+:)", text):
        folder = GRADESCOPE.match(block)
        if folder:
            values = {}
            for key, value in re.findall(r"(?m)^  *(?:- )?:(name|sid|email|created_at): *(.*?) *$", block):
                values.setdefault(key, _plain(value))
            name = values.get("name") or folder.group()
            number = values.get("sid") or values.get("email") or name
            submitted = re.sub(r" (?=Z$|[+-]\d)", "", values.get("created_at", ""))
            found[folder.group()] = Owner("gradescope", number, name, int(folder["attempt"]), submitted)
    return found


def _plain(value):
    """Return a scalar of YAML without its quotes."""
    if value.startswith("'") and value.endswith("'") and len(value) > 1:
        return value[1:-1].replace("''", "'")
    try:
        found = json.loads(value) if value.startswith('"') else value
    except ValueError:
        found = value
    return "" if found in ("null", "~") else found
