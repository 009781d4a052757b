"""Whose a file is, and which attempt, from the names that systems give to downloads; each name is read by itself.

::

    Canvas      beeann_LATE_4711_98765_work.ipynb             name, id, id of the file, name of the file
    Moodle      Ann Bee_4711_assignsubmission_file_/work.ipynb     name, id; also without the folder
    Blackboard  Work 1_ann_attempt_2026-10-04-14-00-00_work.ipynb  title, login, time
    Gradescope  submission_4711/work.ipynb                    and the file submission_metadata.yml

A system writes the beginning of a name, the student the rest: the first match counts.
"""

import json
import re
import unicodedata
from collections import Counter, defaultdict
from dataclasses import dataclass, field, replace

NUMBER = "[0-9]{1,20}"
CANVAS = re.compile(rf"(?P<name>[^_]+)_(?i:late_)?(?P<id>{NUMBER})_(?P<attempt>[0-9]{{3,20}})(?P<end>)_.*", re.DOTALL)
MOODLE = re.compile(rf"(?P<name>.+?)_(?P<id>{NUMBER})_assignsubmission_[a-z]+(?P<end>)(?:[^a-z].*)?", re.DOTALL)
BLACKBOARD = re.compile(
    r"(?P<name>(?:.*?_)??(?P<id>[^_]+))_attempt_"
    r"(?P<day>[0-9]{4}-[0-9]{2}-[0-9]{2})-(?P<time>[0-9]{2}-[0-9]{2}-[0-9]{2})(?P<end>)(?:[^0-9].*)?",
    re.DOTALL,
)
PATTERNS = {"moodle": MOODLE, "canvas": CANVAS, "blackboard": BLACKBOARD}
METADATA = "submission_metadata.yml"
KEY = re.compile(r"(?P<indent> *)(?P<dash>- +)?:(?P<key>\w+):(?: +(?P<value>.*?))? *")
OF_A_SUBMITTER = ("name", "sid", "email")
SUFFIX = re.compile(r"\.(?:ipynb|zip)\Z", re.IGNORECASE)


@dataclass(frozen=True)
class Owner:
    """The student of a submission, or the first of several who have submitted it together."""

    system: str  # "canvas", "moodle", "blackboard" or "gradescope"
    id: str  # in that system, as it is written
    name: str
    attempt: int | None = None  # later attempts have larger numbers; None if the system gives none
    submitted: str = ""  # when, as the system writes it; empty if it does not say
    email: str = ""  # empty if the system does not say
    partners: tuple["Owner", ...] = field(default=())  # the others who have submitted it

    @property
    def everyone(self):
        """All who have submitted it, each alone."""
        return replace(self, partners=()), *self.partners


def owner_from(data):
    """Return the owner that `dataclasses.asdict` has made plain data of; None stays None.

    >>> from dataclasses import asdict
    >>> both = Owner("gradescope", "42", "Ann", partners=(Owner("gradescope", "43", "Bob"),))
    >>> owner_from(asdict(both)) == both
    True
    """
    return data and Owner(**data | {"partners": tuple(map(owner_from, data.get("partners", ())))})


def stem(name):
    """Return a name without its suffix.

    >>> stem("ann.IPYNB"), stem("bob@school.edu")
    ('ann', 'bob@school.edu')
    """
    return SUFFIX.sub("", name)


def folded(text):
    """Return a string without differences of case, blanks and Unicode's ways to write a letter.

    >>> folded(" JOSE\u0301  Bee") == folded("Jos\u00e9 bee")
    True
    """
    once = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(unicodedata.normalize("NFKC", once).split())


def readings(text: str) -> list[Owner]:
    """Read the name of a file or folder, without its suffix, as each system writes it.

    The one whose id comes first counts; others only if they overlap with what its system has written. What comes after
    that, the student has written. For Blackboard, the name is all that stands before the time.
    """
    matches = {system: match for system, pattern in PATTERNS.items() if (match := pattern.fullmatch(text))}
    found = sorted((match.start("id"), system) for system, match in matches.items())
    ends = [matches[system].end("end") for _, system in found[:1]]
    return [_reading(system, **matches[system].groupdict()) for start, system in found if start < ends[0]]


def _reading(system, name, id, attempt=None, day="", time="", end=""):
    submitted = f"{day} {time.replace('-', ':')}" if day else ""
    return Owner(system, id, name, attempt and int(attempt), submitted)


def owners_of(names, metadata: str = "") -> list[Owner | None]:
    """Find the owner of each submission by the first part of its path; None if it can be read in two ways."""
    students, found = parse_metadata(metadata), {}
    for name in names:
        read = readings(stem(name))
        is_one = len(read) == 1 and read[0].system != "blackboard"
        found[name] = students.get(name) or (read[0] if is_one else None)
    files = Counter(owner.attempt for owner in found.values() if owner and owner.system == "canvas")
    return [owner if not owner or owner.system != "canvas" or files[owner.attempt] == 1 else None
            for owner in map(found.get, names)]  # fmt: skip


def doubts(owners):
    """Return why the owner of each file is in doubt: its id has several names; empty if there is no doubt."""
    names: defaultdict[tuple[str, str], dict[str, str]] = defaultdict(dict)
    for owner in owners:
        for each in owner.everyone if owner else ():
            names[each.system, each.id].setdefault(folded(each.name), each.name)
    said = {key: _two_names(*key, list(known.values())) for key, known in names.items() if len(known) > 1}
    found = [[(each.system, each.id) for each in owner.everyone] if owner else [] for owner in owners]
    return [next((said[key] for key in keys if key in said), "") for keys in found]


def _two_names(system, number, names):
    count = "two" if len(names) == 2 else str(len(names))
    return f"The id {number} of {system.title()} stands with {count} names, {', '.join(names[:-1])} and {names[-1]}."


def parse_metadata(text):
    """Read whose each folder of Gradescope is, by student id, or else by e-mail address, or by name of the folder."""
    found = {}
    for folder, submitters, created in read_metadata(text):
        attempt, submitted = int(folder.rpartition("_")[2]), re.sub(r" (?=Z$|[+-]\d)", "", created)
        people: dict[str, Owner] = {}
        for each in submitters or [{}]:
            name, email = each.get("name") or folder, each.get("email", "")
            number = each.get("sid") or email or folder
            people.setdefault(number, Owner("gradescope", number, name, attempt, submitted, email))
        first, *others = people.values()
        found[folder] = replace(first, partners=tuple(others))
    return found


def read_metadata(text: str):
    """Yield of each submission the folder, the name, sid and email of each submitter, as far as there, and the time.

    The file holds much more, also what a student's program has printed; only keys of the submission itself are read.

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
