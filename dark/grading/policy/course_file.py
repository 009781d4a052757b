"""Read course.toml: every key and value is checked, and nothing in it is executed."""

import tomllib
from dataclasses import dataclass, field, replace
from datetime import datetime, tzinfo
from pathlib import Path

from dark.errors import CourseError, UsageError
from dark.grading.policy.dates import find_zone, to_moment
from dark.grading.policy.groups import Group, read_extensions, read_groups
from dark.grading.policy.late import Late
from dark.grading.policy.roster import Roster, read_roster
from dark.grading.policy.schema import SEE, SOURCES, check_tables

LARGEST_BYTES = 1 << 20


@dataclass(frozen=True)
class Course:
    """The policy of a course."""

    folder: Path  # where the file is, from which others are found
    zone: tzinfo | None = None  # of all dates
    roster: Roster | None = None  # the students; None if everybody may hand in
    # which attempt counts, by module; "" is for all others
    attempts: dict[str, str] = field(default_factory=lambda: {"": "latest"})
    late: dict[str, Late] = field(default_factory=lambda: {"": Late()})  # the rules, by module; "" is for all others
    deadlines: dict[str, datetime] = field(default_factory=dict)  # by module
    extensions: dict[tuple[str, str], datetime] = field(default_factory=dict)  # by id of the student and module
    groups: tuple[Group, ...] = ()  # who hands in together
    time_from: tuple[str, ...] = SOURCES  # where the time of a submission is looked for
    times: Path | None = None  # a table of times
    missing_mark: int | None = None  # the mark of students without a submission
    earlier_reports: tuple[Path, ...] = ()  # reports whose free days are spent

    def late_for(self, module):
        """Return the rules of lateness of a module."""
        return self.late.get(module, self.late[""])

    def attempt_for(self, module):
        """Return which attempt of a module counts, "latest" or "best"."""
        return self.attempts.get(module, self.attempts[""])

    def deadline_for(self, student, module):
        """Return the deadline of a student, with extension, in the zone of the course; None if there is none."""
        found = self.extensions.get((student, module), self.deadlines.get(module))
        return found.astimezone(self.zone) if found and self.zone else found

    def group_of(self, student, module):
        """Return the group of a student for a module, or None."""
        return next((each for each in self.groups if student in each.members and each.has(module)), None)


def read_course(path, attempt=None, released=None) -> Course:
    """Read course.toml and its roster; `attempt` replaces its entry, `released` are deadlines that it does not have."""
    path = Path(path)
    try:
        content = path.read_bytes()[: LARGEST_BYTES + 1]
    except OSError as error:
        what = f"--course {path}: the file cannot be read ({error.strerror})."
        raise UsageError(what, "the policy of a course, as TOML.", SEE) from error
    course = course_from(_parsed(content, path.name), path.parent, path.name, released or {})
    return replace(course, attempts={"": attempt}) if attempt else course


def _parsed(content, name):
    try:
        if len(content) > LARGEST_BYTES:
            raise ValueError("larger than 1 MiB")
        return tomllib.loads(content.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:  # of UTF-8, or TOML
        said = str(error) or type(error).__name__
        advice = f"the line that is named; {SEE}"
        raise CourseError(f"{name} is not TOML: {said}.", "lines such as key = value.", advice) from error


def course_from(data: dict, folder: Path, name: str = "course.toml", released=()) -> Course:
    """Check tables read from TOML, and convert them; other files are found from the folder."""
    check_tables(data, name)
    base, late, modules = (data.get(each, {}) for each in ("course", "late", "modules"))
    zone = find_zone(base["timezone"], f"{name}, [course] timezone") if "timezone" in base else None
    roster = read_roster(folder / base["roster"]) if "roster" in base else None
    groups = read_groups(data.get("groups", ()), roster, name)
    own_deadlines = {
        module: to_moment(rules["deadline"], zone, f"{name}, [modules.{module}] deadline")
        for module, rules in modules.items()
        if "deadline" in rules
    }
    deadlines = dict(released) | own_deadlines
    if deadlines and zone is None:
        expected = "the zone in which files and tables note their times."
        raise CourseError(f"{name} needs a timezone for deadlines.", expected, 'timezone = "Europe/Vienna" in [course]')
    rules = Late(**{key: value for key, value in late.items() if key != "earlier_reports"})
    own = {
        module: replace(rules, **{key: value for key, value in each.items() if key not in ("deadline", "attempt")})
        for module, each in modules.items()
    }
    return Course(
        folder=folder,
        zone=zone,
        roster=roster,
        attempts={"": base.get("attempt", "latest")} | {m: e["attempt"] for m, e in modules.items() if "attempt" in e},
        late={"": rules} | own,
        deadlines=deadlines,
        extensions=read_extensions(data.get("extensions", ()), deadlines, groups, roster, zone, name),
        groups=groups,
        time_from=tuple(base.get("time_from", SOURCES)),
        times=folder / base["times"] if "times" in base else None,
        missing_mark=0 if base.get("missing") == "zero" else None,
        earlier_reports=tuple(folder / each for each in late.get("earlier_reports", ())),
    )
