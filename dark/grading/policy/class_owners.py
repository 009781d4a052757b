"""Whose each submission of a class is: students of the roster, the members of a group, or unknown."""

from collections import Counter, defaultdict
from dataclasses import replace
from difflib import SequenceMatcher
from typing import Any

from dark.grading.policy.claims import Claim, claim_of
from dark.grading.policy.students import Roster, Student
from dark.grading.uploads.owners import doubts, folded, readings


class Owners:
    """The students of a class of submissions.

    Each file is read by itself. A file that Canvas, Moodle or Gradescope has named belongs to the student with this id
    in the column of the system, or in the column id without such a column; any other belongs to the student whose id,
    login, e-mail address, name or number it has, or its folder. A name that fits two people belongs to none of them.
    """

    def __init__(self, course, submissions):
        self.course = course
        groups = {folded(each.name): each for each in course.groups}
        if course.roster:
            found = {each.name: claim_of(each, course.roster, groups) for each in submissions}
            self._claims = found | _conflicts(found)
        else:
            found = {each.name: _without_roster(each, groups) for each in submissions}
            self._claims = found | _titles_or_logins(submissions, found)
        seen = {str(each) + str(each.ids): each for claim in self._claims.values() for each in claim.students}
        self._known = course.roster or Roster(seen.values())
        self._names = Counter(each.shown for each in self._known.students)

    def unknown(self):
        """List the names of the submissions with an unknown student, sorted."""
        return sorted(name for name, claim in self._claims.items() if claim.why)

    def lines(self):
        """Return a line for each submission with an unknown student: near misses, or the two whom it names."""
        return [f"! {name}: {self.describe_unknown(name)}" for name in self.unknown()]

    def describe_unknown(self, name):
        """Return a sentence about a submission whose student is not known: near misses, or the two whom it names."""
        return self._claims[name].why

    def of(self, name, module):
        """List the students whose submission this is, each with the name of the group or None."""
        claim = self._claims.get(name, Claim())
        if claim.group:
            return self._members(claim, claim.group)
        found: dict[Any, Any] = {}
        for student in claim.students:
            group = self.course.group_of(student.id, module) if module else None
            together = ", ".join(each.shown for each in claim.students) if len(claim.students) > 1 else None
            for member, label in self._members(claim, group) if group else [(student, together)]:
                found.setdefault(member.id, (member, label))
        return list(found.values())

    def _members(self, claim, group):
        systems = [] if self.course.roster else [key for each in claim.students for key in each.ids if key != "email"]
        members = [self._known.ids.get(one) or Student(one, "", dict.fromkeys(systems, one)) for one in group.members]
        return [(member, group.name) for member in members]

    def label(self, student):
        """Return the name of a student, with the id if others have this name."""
        return f"{student.shown} ({student.id})" if self._names[student.shown] > 1 else student.shown

    @property
    def students(self):
        """All students: of the roster, or, without a roster, of the submissions."""
        return self._known.students

    def meant(self, text):
        """List the students whom a string means, by anything that a table shows; more than one if that is ambiguous."""
        return self._known.named(text)

    def who(self, text):
        """Return the id of the only student whom a string means, or None."""
        found = self.meant(text)
        return found[0].id if len(found) == 1 else None


def _without_roster(submission, groups):
    """Return whose a submission is where everybody may hand in."""
    if submission.doubt:
        return Claim(why=submission.doubt)
    if submission.owner:
        return Claim(tuple(_student(each) for each in submission.owner.everyone))
    read = [each for each in readings(submission.claim) if each.system == "blackboard"]
    text = read[0].id if read else submission.claim
    group = groups.get(folded(text))
    return Claim(() if group else (Student(text, ""),), group)


def _titles_or_logins(submissions, claims):
    """Refuse files of Blackboard where "Work_a_bob" beside "Work_bob" leaves open whether the login is bob or a_bob."""
    titles: defaultdict[str, defaultdict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for each in submissions:
        read = readings(each.claim)[:1]
        if read and read[0].system == "blackboard" and claims[each.name].students:
            titles[read[0].id][read[0].name.removesuffix(read[0].id)].append(each.name)
    found: dict[str, Claim] = {}
    for login, names in titles.items():
        for title in names:
            if longer := [other for other in names if title and other != title and other.startswith(title)]:
                why = f"Its name fits two: without a roster, {login} may be {longer[0][len(title) :]}{login}."
                found |= {name: Claim(why=why) for each in (title, *longer) for name in names[each]}
    return found


def _student(owner):
    return Student(owner.id, owner.name, {owner.system: owner.id} | ({"email": owner.email} if owner.email else {}))


def _conflicts(claims):
    """Refuse files of one id with several names, except the names most similar to the name on the roster."""
    own: defaultdict[tuple[str, str], dict[str, Any]] = defaultdict(dict)
    found: dict[str, Claim] = {}
    for name, claim in claims.items():
        if claim.owner:
            own[claim.students[0].id, claim.owner.system][name] = claim
    for (_, system), files in own.items():
        student, owners = next(iter(files.values())).students[0], {name: each.owner for name, each in files.items()}
        ids = {each.id for each in owners.values()}
        if len(ids) > 1 and system == "canvas" and system not in student.ids:  # ids of Moodle differ each time
            why = f"Its name fits two: {student} has the ids {' and '.join(sorted(ids))}."
            found |= {name: Claim(why=why) for name in owners}
        elif why := doubts([replace(each, id=min(ids)) for each in owners.values()])[0]:
            likely = _most_alike(student, {folded(each.name) for each in owners.values()})
            found |= {name: Claim(why=why) for name, each in owners.items() if folded(each.name) not in likely}
    return found


def _most_alike(student, names):
    """Return the names most similar to the student's, in any order of its parts; none if several are a bit similar."""
    parts = folded(student.name).split()
    turned = [_letters("".join(parts[k:] + parts[:k])) for k in range(len(parts))] or [""]
    alike = {name: max(SequenceMatcher(None, _letters(name), each).ratio() for each in turned) for name in names}
    most = max(alike.values())
    best = [name for name, ratio in alike.items() if ratio == most]
    return best if most == 1 or len(best) == 1 else []


def _letters(text):
    return "".join(c for c in text if c.isalnum())
