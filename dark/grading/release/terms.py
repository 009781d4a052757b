"""The terms of a release: the exercises that count, their points, and the deadline; written as TOML."""

import json
import tomllib
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from dark.errors import CourseError, UsageError, near_misses

FILE = "release.toml"
KEYS = {"module": str, "deadline": datetime, "points": dict}
MOST_POINTS = 10_000


@dataclass(frozen=True)
class Terms:
    """The terms on which a module is released."""

    module: str  # its number
    points: dict[str, int]  # the exercises that count, in the order of the module
    deadline: datetime | None = None  # with its offset from UTC

    @property
    def text(self):
        """The content of release.toml.

        >>> print(Terms("01", {"slope": 3}).text.partition("\\n\\n")[2], end="")
        module = "01"
        <BLANKLINE>
        [points]
        "slope" = 3
        """
        deadline = [f"deadline = {self.deadline.isoformat()}"] if self.deadline else []
        points = [f"{json.dumps(name)} = {count}" for name, count in self.points.items()]
        head = f"# What was released. `dark grade SUBMISSIONS --release {FILE}` counts these exercises and points.\n"
        return "\n".join([head, f"module = {json.dumps(self.module)}", *deadline, "", "[points]", *points]) + "\n"


def choose(module, exam, exercises=(), points=(), deadline=None) -> Terms:
    """Return the terms of a release; by default all exercises count, with the points of their questions."""
    known, chosen, points = list(module.exercises), list(exercises) or list(module.exercises), dict(points)
    for name in [name for name in chosen if name not in known]:
        what, expected = (
            f"module {module.id} has no exercise {name!r}.",
            f"exercises of this module: {', '.join(known)}.",
        )
        raise UsageError(what, expected, near_misses(name, known))
    for name in [name for name in points if name not in chosen]:
        what = f"--points: {name!r} is not among the exercises that count."
        raise UsageError(what, f"{', '.join(chosen)}.", near_misses(name, chosen))
    counted = {
        name: points.get(name, sum(question.points for question in exam.questions_of(name)))
        for name in module.exercises
        if name in chosen
    }
    return Terms(module.id, counted, deadline)


def read_terms(path) -> Terms:
    """Read the terms of a release, the file release.toml."""
    try:
        found = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        what = f"{path}: the file cannot be read ({why})."
        raise CourseError(what, f"the {FILE} that `dark release` wrote.", f"FOLDER/{FILE}, of the release") from None
    for key, value in found.items():
        if key not in KEYS or not isinstance(value, KEYS[key]):
            known = ", ".join(KEYS)
            raise CourseError(f"{path}: {key} = {value!r} is not valid.", f"{known}.", near_misses(key, KEYS))
    if not found.get("module") or not found.get("points"):
        raise CourseError(f"{path}: the module or the points are missing.", "both.", 'module = "01"')
    for name, count in found["points"].items():
        if type(count) is not int or not 0 <= count <= MOST_POINTS:
            what = f"{path}: the points of {name} must be an integer from 0 to {MOST_POINTS}, got {count!r}."
            raise CourseError(what, f"0 to {MOST_POINTS}.", f'"{name}" = 3')
    deadline = found.get("deadline")
    if deadline and deadline.tzinfo is None:
        example = f"deadline = {deadline.isoformat()}+01:00"
        raise CourseError(f"{path}: its deadline has no offset from UTC.", "one moment.", example)
    return Terms(found["module"], found["points"], deadline)
