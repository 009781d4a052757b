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
    """A student.

    Parameters
    ----------
    id : str
        As it is written.
    name : str
        The name.
    ids : dict of str to str
        The other columns of the roster that are not empty.
    """

    id: str
    name: str
    ids: dict[str, str] = field(default_factory=dict)

    def __str__(self):
        return self.id if self.name in ("", self.id) else f"{self.id} ({self.name})"

    @property
    def shown(self):
        """The name of the student in tables."""
        return self.name.strip() or self.id


class Roster:
    """The students of a course.

    Parameters
    ----------
    students : sequence of Student
        In the order of the table.

    Examples
    --------
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

    def matches(self, text, columns=OWN):
        """Return the students whom a string names.

        Parameters
        ----------
        text : str
            An id or a name.
        columns : iterable of str
            What it may be.

        Returns
        -------
        list of Student
            Those with this very text, or else with other case or another form of Unicode; with other leading zeros of
            a number; or with the parts of a name turned around, as Canvas writes "beeann".
        """
        keys = [_spellings(column, text) for column in columns]
        for spelling in range(4):
            named = [self._by.get((column, tried[spelling]), ()) for column, tried in zip(columns, keys, strict=True)]
            if found := {id(each): each for students in named for each in students}:
                return list(found.values())
        return []

    def find(self, keys) -> Student | None:
        """Return the student with the first of these ids or names that exactly one has.

        Parameters
        ----------
        keys : iterable of (str, str)
            Columns and values.
        """
        for column, value in keys:
            found = self.matches(value, (column,))
            if len(found) == 1:
                return found[0]
        return None

    def named(self, text):
        """Return the students whom a string names by anything that a table shows.

        Examples
        --------
        >>> roster = Roster([Student("1", "Wei Wang", {"canvas": "4711"}), Student("2", "Wei Wang")])
        >>> [[each.id for each in roster.named(text)] for text in ("Wei Wang (2)", "Wei Wang", "04711")]
        [['2'], ['1', '2'], ['1']]
        """
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
    """Return the students whom one text names, as the end of a sentence.

    Examples
    --------
    >>> several([Student("1", "Wei Wang"), Student("2", "Wei Wang")])
    'two students have this name: 1 (Wei Wang) and 2 (Wei Wang)'
    """
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
    """Return the keys of a name whose parts are turned around."""
    parts = folded(name).split()
    squeezed = [_squeezed("".join(parts[k:] + parts[:k])) for k in range(len(parts))]
    return [(3, each) for each in squeezed if each]
