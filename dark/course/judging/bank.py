"""The bank of an exercise: known answers, written as edits of its solution in a file of TOML.

Three kinds of answers stand in it. A `bug` is a wrong answer with a sentence and a next step, for diagnoses;
`wrong` answers get no full points; `right` ones differ from the solution and get them::

    [bug.overwrites]
    says = 'The gradient that arrives second replaces the first.'
    next = 'Add to what is there; a node used twice receives two gradients.'
    change = { 'found + piece' = 'piece' }

    [wrong]
    doubled.change = { 'found + piece' = '2 * found + piece' }

    [right.otherwise]
    change = { 'if found is None: ... return found' = 'return found or 0.0' }

`change` is a table from what stands in the solution, exactly once, to what replaces it: a part of a line, or all lines
from one to the next that has the other, `first ... last`. New lines get the indentation of the old ones, and an empty
text removes them. Only an answer that shares little with the solution is a whole `cell = '''...'''`.
"""

import re
import textwrap
import tomllib
from dataclasses import dataclass

from dark.course.exams.questions import bank_path
from dark.errors import CourseError, near_misses

MARKERS = re.compile(r"^ *### (?:BEGIN|END) SOLUTION\n", re.MULTILINE)
KINDS = {"bug": {"says", "next"}, "wrong": set(), "right": set()}
RANGE = " ... "  # between the first and the last of several lines


@dataclass(frozen=True)
class Answer:
    """One known answer."""

    name: str  # unique among answers of its kind
    source: str  # the whole cell
    says: str = ""  # what is wrong, in one sentence; of bugs only
    next: str = ""  # the next step; of bugs only


@dataclass(frozen=True)
class Bank:
    """All known answers to an exercise, in file order."""

    bug: tuple = ()  # all three of `Answer`
    wrong: tuple = ()
    right: tuple = ()


def load_bank(module, exercise, private=None):
    """Load the bank of an exercise, a `private` folder's first; empty if it has none, as in an installed package."""
    paths = [private and private / module.id / f"{exercise}.toml", bank_path(module.id, exercise)]
    solution, files = module.exercises[exercise].solution, [path for path in paths if path and path.is_file()]
    found = [parse_bank(path.read_text(encoding="utf-8"), solution, path.name) for path in files]
    return Bank(**{kind: tuple(each for bank in found for each in getattr(bank, kind)) for kind in KINDS})


def parse_bank(text, solution, file="bank"):
    """Parse the text of a bank; an unknown format, or an edit that does not fit the solution, is a `CourseError`."""
    try:
        kinds = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise CourseError(f"{file}: {error}.", "TOML.", "correct the line.") from None
    _check_keys(kinds, KINDS, file)
    solution = MARKERS.sub("", solution)
    found = {
        kind: tuple([_answer(kind, name, entry, solution, f"{file}: {kind}.{name}") for name, entry in entries.items()])
        for kind, entries in kinds.items()
    }
    return Bank(**found)


def _answer(kind, name, entry, solution, who):
    needed = KINDS[kind] | {"cell" if "cell" in entry else "change"}
    _check_keys(entry, needed, who)
    if missing := " and no ".join(sorted(needed - set(entry))):
        keys = ", ".join(sorted(needed))
        raise CourseError(f"{who} has no {missing}.", f"the keys {keys}.", "add what is missing.")
    source = entry["cell"] if "cell" in entry else edited(solution, entry["change"], who)
    return Answer(name, source.strip("\n") + "\n", entry.get("says", ""), entry.get("next", ""))


def edited(solution, change, who="edit"):
    """Return a solution after one edit or several, see the docstring of this module; `who` is the answer in an error.

    >>> edited("if x > 0:\\n    y = x\\n    return y", {"y = x ... return y": "return x"}).splitlines()
    ['if x > 0:', '    return x']
    """
    if not isinstance(change, dict) or not all(isinstance(new, str) for new in change.values()):
        says = f"{who}: change must be a table of strings, got {change!r}."
        raise CourseError(says, "a table: { 'old' = 'new' }.", "write both texts in quotes, inside braces.")
    lines = solution.split("\n")
    for old, new in change.items():
        lines = _replaced(lines, old, new, who)
    return "\n".join(lines)


def _replaced(lines, old, new, who):
    places = list(_places(lines, old))
    if len(places) != 1:
        says = f"{who}: change {old!r} occurs {len(places)} times in the solution."
        advice = "take more of the line, or the lines around it: 'first ... last'."
        raise CourseError(says, "text that occurs exactly once.", advice)
    [(start, stop)] = places
    margin = " " * min(len(line) - len(line.lstrip()) for line in lines[start:stop] if line.strip())
    text = textwrap.indent(new.removeprefix("\n"), margin)
    if RANGE not in old:
        text = lines[start].replace(old, text.removeprefix(margin))
    return [*lines[:start], *(text.split("\n") if text.strip() else ()), *lines[stop:]]


def _places(lines, old):
    """Yield where a part of a line stands, or the lines from one part to the next line with the other."""
    first, _, last = old.partition(RANGE)
    for start, line in enumerate(lines):
        for _ in range(line.count(first)):
            following = range(start + 1, len(lines)) if last else [start]
            if (end := next((k for k in following if last in lines[k]), None)) is not None:
                yield start, end + 1


def _check_keys(found, known, who):
    for key in found:
        if key not in known:
            raise CourseError(f"{who}: unknown key {key!r}.", f"keys of {sorted(known)}.", near_misses(key, known))
