"""Read course.toml: every key and value is checked, and nothing in it is executed."""

import re
import tomllib
from collections import Counter
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta, tzinfo
from difflib import get_close_matches
from pathlib import Path

from dark.course.policy.dates import find_zone, to_moment
from dark.course.policy.late import Late
from dark.course.policy.roster import Roster, read_roster
from dark.course.policy.schema import SOURCES, TABLES, TITLES
from dark.errors import CourseError, UsageError

MODULE = re.compile(r"\d\d")
SEE = "`dark grade --example-course` prints a file with every key"
LARGEST_BYTES = 1 << 20


@dataclass(frozen=True)
class Group:
    """Students who hand in together; without modules, all of them."""

    name: str
    members: tuple[str, ...]
    modules: tuple[str, ...] = ()

    def has(self, module):
        """Return whether they hand in a module together."""
        return not self.modules or module in self.modules


@dataclass(frozen=True)
class Course:
    """The policy of a course.

    Parameters
    ----------
    folder : Path
        Where the file is, from which others are found.
    zone : tzinfo or None
        Of all dates.
    roster : Roster or None
        The students; None if everybody may hand in.
    attempts : dict of str to str
        Which attempt counts, by module; "" is for all others.
    late : dict of str to Late
        The rules, by module; "" is for all others.
    deadlines : dict of str to datetime
        By module.
    extensions : dict of (str, str) to datetime
        By id of the student and module.
    groups : tuple of Group
        Who hands in together.
    time_from : tuple of str
        Where the time of a submission is looked for.
    times : Path or None
        A table of times.
    missing_mark : int or None
        The mark of students without a submission.
    earlier_reports : tuple of Path
        Reports whose free days are spent.
    """

    folder: Path
    zone: tzinfo | None = None
    roster: Roster | None = None
    attempts: dict[str, str] = field(default_factory=lambda: {"": "latest"})
    late: dict[str, Late] = field(default_factory=lambda: {"": Late()})
    deadlines: dict[str, datetime] = field(default_factory=dict)
    extensions: dict[tuple[str, str], datetime] = field(default_factory=dict)
    groups: tuple[Group, ...] = ()
    time_from: tuple[str, ...] = SOURCES
    times: Path | None = None
    missing_mark: int | None = None
    earlier_reports: tuple[Path, ...] = ()

    def late_for(self, module):
        """Return the rules of lateness of a module."""
        return self.late.get(module, self.late[""])

    def attempt_for(self, module):
        """Return which attempt of a module counts, "latest" or "best"."""
        return self.attempts.get(module, self.attempts[""])

    def deadline_for(self, student, module):
        """Return the deadline of a student, with extension; None if the module has none."""
        return self.extensions.get((student, module), self.deadlines.get(module))

    def group_of(self, student, module):
        """Return the group of a student for a module, or None."""
        return next((each for each in self.groups if student in each.members and each.has(module)), None)


def read_course(path, attempt=None):
    """Read course.toml and the roster that it names.

    Parameters
    ----------
    path : path
        The file.
    attempt : {"latest", "best"}, optional
        Which attempt counts, instead of what the file says.

    Returns
    -------
    Course

    Raises
    ------
    CourseError
        If something in it is wrong; the message names the key.
    UsageError
        If it cannot be read.
    """
    path = Path(path)
    try:
        content = path.read_bytes()[: LARGEST_BYTES + 1]
    except OSError as error:
        raise UsageError(
            f"--course {path}: the file cannot be read ({error.strerror}).", "the policy of a course, as TOML.", SEE
        ) from error
    course = course_from(_parsed(content, path.name), path.parent, path.name)
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


def course_from(data, folder, name="course.toml"):
    """Check what TOML has read, and convert it.

    Parameters
    ----------
    data : dict
        The content.
    folder : Path
        From which other files are found.
    name : str
        The name of the file, for errors.

    Returns
    -------
    Course

    Raises
    ------
    CourseError
        If something is wrong.
    """
    check_tables(data, name)
    base, late, modules = (data.get(each, {}) for each in ("course", "late", "modules"))
    zone = find_zone(base["timezone"], f"{name}, [course] timezone") if "timezone" in base else None
    roster = read_roster(folder / base["roster"]) if "roster" in base else None
    groups = _groups(data.get("groups", ()), roster, name)
    deadlines = {
        module: to_moment(rules["deadline"], zone, f"{name}, [modules.{module}] deadline")
        for module, rules in modules.items()
        if "deadline" in rules
    }
    if deadlines and zone is None:
        raise CourseError(
            f"{name} has deadlines and no timezone.",
            "the zone in which files and tables note their times.",
            'timezone = "Europe/Vienna" in [course]',
        )
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
        extensions=_extensions(data.get("extensions", ()), deadlines, groups, roster, zone, name),
        groups=groups,
        time_from=tuple(base.get("time_from", SOURCES)),
        times=folder / base["times"] if "times" in base else None,
        missing_mark=0 if base.get("missing") == "zero" else None,
        earlier_reports=tuple(folder / each for each in late.get("earlier_reports", ())),
    )


def check_tables(data, name):
    """Refuse unknown tables and keys, with near misses, and values of a wrong kind.

    Parameters
    ----------
    data : dict
        The content.
    name : str
        The name of the file.
    """
    for table, content in data.items():
        if table not in TABLES:
            raise _unknown(table, TABLES, "", name)
        title, is_list = TITLES[table], table in ("extensions", "groups")
        if not isinstance(content, list if is_list else dict):
            raise CourseError(f"{name}: {table} is not a table.", f"a line {title}, and its keys below.", SEE)
        if table == "modules":
            for module, rules in content.items():
                if not MODULE.fullmatch(module):
                    raise _no_module(f"[modules.{module}]", module, name)
                _check_table(rules, table, f"[modules.{module}]", name)
        else:
            for each in content if is_list else [content]:
                _check_table(each, table, title, name)


def _check_table(content, table, title, name):
    if not isinstance(content, dict):
        raise CourseError(f"{name}: {title} is not a table.", f"a line {title}, and its keys below.", SEE)
    for key, value in content.items():
        kind = TABLES[table].get(key)
        if kind is None:
            raise _unknown(key, TABLES[table], title, name)
        if not kind.accepts(value):
            written = repr(value) if len(repr(value)) < 80 else type(value).__name__
            raise CourseError(f"{name}, {title} {key}: {written} is invalid.", kind.expected, f"{key} = {kind.example}")


def _unknown(key, known, title, name):
    """Return the error for an unknown key; it names a near miss, or the table to which the key belongs."""
    where, close = f" in {title}" if title else "", get_close_matches(key, known, n=1, cutoff=0.6)
    others = [TITLES[table] for table, keys in TABLES.items() if key in keys]
    meant = f"; did you mean {close[0]!r}?" if close else "."
    if others and not close:
        meant = f"; it belongs to {' or '.join(others)}."
    what = "key" if title else "table"
    advice = close[0] if close else others[0] if others else SEE
    return CourseError(f"{name}: unknown {what} {key!r}{where}{meant}", f"one of {', '.join(known)}.", advice)


def _no_module(where, module, name):
    digits = f"{int(module):02d}" if module.isascii() and module.isdigit() and int(module) < 100 else "01"
    return CourseError(f"{name}, {where}: {module!r} is not a module.", "an id of two digits, such as 01.", digits)


def _need(row, keys, title, name):
    for key in keys:
        if key not in row:
            example = TABLES[title.strip("[]")][key].example
            raise CourseError(f"{name}: a table {title} has no {key}.", ", ".join(keys) + ".", f"{key} = {example}")


def _groups(rows, roster, name):
    groups = []
    for row in rows:
        _need(row, ("name", "members"), "[[groups]]", name)
        group = Group(row["name"], tuple(row["members"]), tuple(row.get("modules", ())))
        where = f"[[groups]] {group.name}"
        for module in group.modules:
            if not MODULE.fullmatch(module):
                raise _no_module(where, module, name)
        for member in group.members:
            _check_student(member, roster, f"{name}, {where}")
        for other in groups:
            shared = {*group.members} & {*other.members}
            is_same = other.name == group.name
            if (
                is_same
                or shared
                and (not {*group.modules} or not {*other.modules} or {*group.modules} & {*other.modules})
            ):
                what = "occurs twice" if is_same else f"shares {min(shared)} with {other.name}"
                raise CourseError(
                    f"{name}, {where}: it {what}.", "each student in one group a module.", "modules = […]"
                )
        if twice := [each for each, count in Counter(group.members).items() if count > 1]:
            raise CourseError(f"{name}, {where}: {twice[0]} occurs twice.", "each member once.", "remove one")
        groups.append(group)
    return tuple(groups)


def _extensions(rows, deadlines, groups, roster, zone, name):
    members, found = {each.name: each.members for each in groups}, {}
    for row in rows:
        where = f"{name}, [[extensions]] of {row.get('student') or row.get('group') or '?'}"
        _need(row, ("module",), "[[extensions]]", name)
        for pair, example in ((("student", "group"), 'student = "0042"'), (("days", "deadline"), "days = 3")):
            if len({*pair} & row.keys()) != 1:
                count = "both" if {*pair} <= row.keys() else "neither"
                what = f"{where}: it has {count} of {' and '.join(pair)}."
                raise CourseError(what, f"{' or '.join(pair)}.", example)
        base = deadlines.get(row["module"])
        if base is None:
            what = f"{where}: module {row['module']!r} has no deadline."
            raise CourseError(what, "a module with a deadline.", f"one of {', '.join(deadlines)}" if deadlines else SEE)
        if "group" in row and row["group"] not in members:
            raise _unknown_name(f"{where}: there is no such group.", row["group"], members)
        until = to_moment(row["deadline"], zone, where) if "deadline" in row else base + timedelta(days=row["days"])
        for student in members[row["group"]] if "group" in row else [row["student"]]:
            _check_student(student, roster, where)
            if (student, row["module"]) in found:
                what = f"{where}: {student} has two for module {row['module']}."
                raise CourseError(what, "one for each student and module.", "remove one")
            found[student, row["module"]] = until
    return found


def _check_student(student, roster, where):
    if roster is not None and student not in roster.ids:
        raise _unknown_name(f"{where}: {student!r} is not on the roster.", student, roster.ids)


def _unknown_name(what, name, known):
    close = get_close_matches(name, list(known), n=3, cutoff=0.6)
    return CourseError(
        what, "one of the names in use.", " or ".join(close) if close else "the spelling, as it is there"
    )
