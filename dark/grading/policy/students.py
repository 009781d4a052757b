"""The students of a course, and how a string names one of them: exactly, in other spelling, without leading zeros."""

from collections import defaultdict
from dataclasses import dataclass, field
from difflib import get_close_matches

from dark.grading.uploads.owners import folded

UNIQUE = ("id", "canvas", "moodle", "gradescope", "email", "login")  # what identifies a student
OWN = ("id", "login", "email", "name", "sis_user_id", "sis_login_id")  # what a file, a rubric or course.toml may say
SYSTEMS = ("canvas", "moodle", "gradescope")


@dataclass(frozen=True)
class Student:
    """A student."""

    id: str  # as it is written
    name: str
    ids: dict[str, str] = field(default_factory=dict)  # the other columns of the roster that are not empty

    def __str__(self):
        return self.id if self.name in ("", self.id) else f"{self.id} ({self.name})"

    @property
    def shown(self):
        """The name of the student in tables."""
        return self.name.strip() or self.id

    @property
    def entry(self):
        """The student in results.json."""
        return {"id": self.id, "name": self.name, **self.ids}


class Roster:
    """The students of a course, in the order of the table.

    >>> roster = Roster([Student("0042", "Ann Bee", {"login": "ann"}), Student("0043", "Bob Coe")])
    >>> roster.find([("login", "ANN")]).id, roster.find([("name", "bob coe")]).id, roster.find([("id", "42")]).id
    ('0042', '0043', '0042')
    >>> roster.find([("id", "44")])
    """

    def __init__(self, students):
        self.students = tuple(students)
        self.ids = {each.id: each for each in self.students}
        self._by = defaultdict(list)
        for each in self.students:
            for column, value in [("id", each.id), ("name", each.name), *each.ids.items()]:
                for key in {*_spellings(column, value), *(_turned(value) if column == "name" else ())} - {None}:
                    self._by[column, key].append(each)

    def has(self, column):
        """Return whether a student has an id of this kind."""
        return any(column in each.ids for each in self.students)

    def matches(self, text: str, columns=OWN) -> list[Student]:
        """Return the students whom a text names: as it is, in another case, without zeros, or turned around."""
        keys = [_spellings(column, text) for column in columns]
        for spelling in range(4):
            named = [self._by.get((column, tried[spelling]), ()) for column, tried in zip(columns, keys, strict=True)]
            if found := {id(each): each for students in named for each in students}:
                return list(found.values())
        return []

    def find(self, keys) -> Student | None:
        """Return the student with the first of these columns and values that exactly one has."""
        for column, value in keys:
            found = self.matches(value, (column,))
            if len(found) == 1:
                return found[0]
        return None

    def named(self, text):
        """Return the students whom a string names by anything that a table shows."""
        shown = [each for each in self.students if text in (str(each), f"{each.shown} ({each.id})")]
        return self.matches(text) or self.matches(text.removeprefix("Participant "), SYSTEMS) or shown

    def near(self, texts):
        """Return up to three students whose id or name is similar to one of these texts."""
        known: dict[str, Student] = {}
        for each in self.students:
            for text in (each.id, each.name, *(each.ids[key] for key in UNIQUE if key in each.ids)):
                known.setdefault(folded(text), each)
        close = [known[word] for text in texts for word in get_close_matches(folded(text), known, n=3, cutoff=0.6)]
        return list(dict.fromkeys(each.id for each in close))[:3]


def several(students):
    """Return the students whom one text names, as the end of a sentence."""
    words = list(map(str, students))
    count = "two" if len(words) == 2 else str(len(words))
    is_name = len({folded(each.name) for each in students}) == 1
    what = "students have this name" if is_name else "students are meant by it"
    return f"{count} {what}: {', '.join(words[:-1])} and {words[-1]}"


def _spellings(column, text):
    """Return the keys by which a text is found, the strictest first, or None for each."""
    plain = folded(text)
    number = plain.lstrip("0") or "0"
    is_number = plain.isascii() and plain.isdigit() and column not in ("name", "email")
    is_name = column == "name"
    found = ["" if is_name else text, plain, number if is_number else "", _squeezed(plain) if is_name else ""]
    return [(spelling, value) if value else None for spelling, value in enumerate(found)]


def _squeezed(plain):
    return "".join(c for c in plain if c.isalnum())


def _turned(name):
    parts = folded(name).split()
    squeezed = [_squeezed("".join(parts[k:] + parts[:k])) for k in range(len(parts))]
    return [(3, each) for each in squeezed if each]
