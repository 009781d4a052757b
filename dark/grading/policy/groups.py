"""Groups and extensions: tables of course.toml that name students."""

from collections import Counter
from dataclasses import dataclass
from difflib import get_close_matches

from dark.errors import CourseError
from dark.grading.policy.dates import days_after, to_moment
from dark.grading.policy.roster import on_roster
from dark.grading.policy.schema import MODULE_ID, SEE, TABLES, no_module


@dataclass(frozen=True)
class Group:
    """Students who hand in together; without modules, all of them."""

    name: str
    members: tuple[str, ...]
    modules: tuple[str, ...] = ()

    def has(self, module):
        """Return whether they hand in a module together."""
        return not self.modules or module in self.modules


def _need(row, keys, title, name):
    for key in keys:
        if key not in row:
            example = TABLES[title.strip("[]")][key].example
            raise CourseError(f"{name}: a table {title} has no {key}.", ", ".join(keys) + ".", f"{key} = {example}")


def read_groups(rows: list[dict], roster, name: str) -> tuple[Group, ...]:
    """Read the tables of groups, as TOML has read them, with known keys."""
    groups: list[Group] = []
    for row in rows:
        _need(row, ("name", "members"), "[[groups]]", name)
        where = f"[[groups]] {row['name']}"
        members = tuple(on_roster(roster, member, f"{name}, {where}") for member in row["members"])
        group = Group(row["name"], members, tuple(row.get("modules", ())))
        for module in group.modules:
            if not MODULE_ID.fullmatch(module):
                raise no_module(where, module, name)
        for other in groups:
            shared = {*group.members} & {*other.members}
            is_same = other.name == group.name
            at_once = not group.modules or not other.modules or {*group.modules} & {*other.modules}
            if is_same or shared and at_once:
                what = "occurs twice" if is_same else f"shares {min(shared)} with {other.name}"
                expected = "each student in one group a module."
                raise CourseError(f"{name}, {where}: it {what}.", expected, "modules = […]")
        if twice := [each for each, count in Counter(group.members).items() if count > 1]:
            raise CourseError(f"{name}, {where}: {twice[0]} occurs twice.", "each member once.", "remove one")
        groups.append(group)
    return tuple(groups)


def read_extensions(rows: list[dict], deadlines, groups: tuple[Group, ...], roster, zone, name: str):
    """Return the deadlines in the tables of extensions, also of each member of a group, by student and module."""
    members, found = {each.name: each.members for each in groups}, {}
    for row in rows:
        where = f"{name}, [[extensions]] of {row.get('student') or row.get('group') or '?'}"
        _need(row, ("module",), "[[extensions]]", name)
        for pair, example in ((("student", "group"), 'student = "0042"'), (("days", "deadline"), "days = 3")):
            if len({*pair} & row.keys()) != 1:
                count = "both" if {*pair} <= row.keys() else "neither"
                what = f"{where}: exactly one of {' and '.join(pair)} is required, got {count}."
                raise CourseError(what, f"{' or '.join(pair)}.", example)
        base = deadlines.get(row["module"])
        if base is None:
            what = f"{where}: module {row['module']!r} has no deadline."
            raise CourseError(what, "a module with a deadline.", f"one of {', '.join(deadlines)}" if deadlines else SEE)
        if "group" in row and row["group"] not in members:
            close = " or ".join(get_close_matches(row["group"], list(members), n=3, cutoff=0.6))
            advice = close or "the spelling, as it is there"
            raise CourseError(f"{where}: there is no such group.", "one of the names in use.", advice)
        until = to_moment(row["deadline"], zone, where) if "deadline" in row else days_after(base, row["days"], zone)
        for student in members[row["group"]] if "group" in row else [on_roster(roster, row["student"], where)]:
            if (student, row["module"]) in found:
                what = f"{where}: {student} has two for module {row['module']}."
                raise CourseError(what, "one for each student and module.", "remove one")
            found[student, row["module"]] = until
    return found
