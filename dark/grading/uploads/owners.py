"""Whose a file is, and which attempt, from the names that systems give to downloads; each name is read by itself.

::

    Canvas      beeann_LATE_4711_98765_work.ipynb             name, id, id of the file, name of the file
    Moodle      Ann Bee_4711_assignsubmission_file_/work.ipynb     name, id; also without the folder
    Blackboard  Work 1_ann_attempt_2026-10-04-14-00-00_work.ipynb  title, login, time
    Gradescope  submission_4711/work.ipynb                    and the file submission_metadata.yml

A system writes the beginning of a name, the student the rest: the first match counts.
"""

import re
import unicodedata
from collections import Counter, defaultdict
from dataclasses import dataclass, field, replace

from dark.grading.uploads.gradescope_metadata import METADATA, read_metadata

NUMBER = "[0-9]{1,20}"
CANVAS = re.compile(rf"(?P<name>[^_]+)_(?i:late_)?(?P<id>{NUMBER})_(?P<attempt>[0-9]{{3,20}})(?P<end>)_.*", re.DOTALL)
MOODLE = re.compile(rf"(?P<name>.+?)_(?P<id>{NUMBER})_assignsubmission_[a-z]+(?P<end>)(?:[^a-z].*)?", re.DOTALL)
BLACKBOARD = re.compile(
    r"(?P<name>(?:.*?_)??(?P<id>[^_]+))_attempt_"
    r"(?P<day>[0-9]{4}-[0-9]{2}-[0-9]{2})-(?P<time>[0-9]{2}-[0-9]{2}-[0-9]{2})(?P<end>)(?:[^0-9].*)?",
    re.DOTALL,
)
PATTERNS = {"moodle": MOODLE, "canvas": CANVAS, "blackboard": BLACKBOARD}
SUFFIX = re.compile(r"\.(?:ipynb|zip)\Z", re.IGNORECASE)

__all__ = ["METADATA", "Owner", "doubts", "folded", "owner_from", "owners_of", "parse_metadata", "readings", "stem"]


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

    Examples
    --------
    >>> from dataclasses import asdict
    >>> both = Owner("gradescope", "42", "Ann", partners=(Owner("gradescope", "43", "Bob"),))
    >>> owner_from(asdict(both)) == both
    True
    """
    return data and Owner(**data | {"partners": tuple(map(owner_from, data.get("partners", ())))})


def stem(name):
    """Return a name without its suffix.

    Examples
    --------
    >>> stem("ann.IPYNB"), stem("bob@school.edu")
    ('ann', 'bob@school.edu')
    """
    return SUFFIX.sub("", name)


def folded(text):
    """Return a string without differences of case, blanks and Unicode's ways to write a letter.

    Examples
    --------
    >>> folded(" JOSE\u0301  Bee") == folded("Jos\u00e9 bee")
    True
    """
    once = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(unicodedata.normalize("NFKC", once).split())


def readings(text):
    """Read the name of a file or folder as each system writes it.

    Parameters
    ----------
    text : str
        The name, without its suffix.

    Returns
    -------
    list of Owner
        The one whose id comes first; others only if they overlap with what its system has written. What comes after
        that, the student has written. For Blackboard, the name is all that stands before the time.

    Examples
    --------
    >>> [each.id for each in readings("Work_ann_attempt_2026-10-04-14-00-00_Work_bob_attempt_2026-10-05-14-00-00")]
    ['ann']
    """
    matches = {system: match for system, pattern in PATTERNS.items() if (match := pattern.fullmatch(text))}
    found = sorted((match.start("id"), system) for system, match in matches.items())
    ends = [matches[system].end("end") for _, system in found[:1]]
    return [_reading(system, **matches[system].groupdict()) for start, system in found if start < ends[0]]


def _reading(system, name, id, attempt=None, day="", time="", end=""):
    submitted = f"{day} {time.replace('-', ':')}" if day else ""
    return Owner(system, id, name, attempt and int(attempt), submitted)


def owners_of(names, metadata=""):
    """Find the owners of the submissions of a class, or None for each.

    Parameters
    ----------
    names : sequence of str
        The first parts of the paths: a folder, or the name of a file.
    metadata : str
        The content of Gradescope's submission_metadata.yml.

    Returns
    -------
    list of Owner or None
        None, too, if the name can be read in two ways, or as a name of Canvas with a number that another file has as
        well. Names of Blackboard have no owner here.

    Examples
    --------
    >>> owners_of(["beeann_4711_98765_work.ipynb", "ann.ipynb"])
    [Owner(system='canvas', id='4711', name='beeann', attempt=98765, ...), None]
    """
    students, found = parse_metadata(metadata), {}
    for name in names:
        read = readings(stem(name))
        is_one = len(read) == 1 and read[0].system != "blackboard"
        found[name] = students.get(name) or (read[0] if is_one else None)
    files = Counter(owner.attempt for owner in found.values() if owner and owner.system == "canvas")
    return [owner if not owner or owner.system != "canvas" or files[owner.attempt] == 1 else None
            for owner in map(found.get, names)]  # fmt: skip


def doubts(owners):
    """Return why the owner of each file is in doubt: its id has several names; empty if there is no doubt.

    Examples
    --------
    >>> doubts([Owner("canvas", "4711", "beeann"), Owner("canvas", "4711", "coebob"), None])[1:]
    ['The id 4711 of Canvas stands with two names, beeann and coebob.', '']
    """
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
    """Read whose each submission of Gradescope is, by name of the folder, from its submission_metadata.yml.

    The id of a submitter is the student id, or else the e-mail address, or the name of the folder.

    Examples
    --------
    >>> text = '''submission_17:
    ...   :submitters:
    ...   - :name: Ann Bee
    ...     :sid: '0042'
    ...   - :name: Bob Coe
    ...     :email: bob@school.edu
    ...   :created_at: 2026-10-04 22:10:05.123456789 Z
    ...   :score: 3.0'''
    >>> found = parse_metadata(text)["submission_17"]
    >>> [each.id for each in found.everyone], found.submitted
    (['0042', 'bob@school.edu'], '2026-10-04 22:10:05.123456789Z')
    """
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
