"""Whose a submission is: a student of the roster, each member of a group, or unknown."""

import re

from dark.grading.policy.roster import Student
from dark.grading.policy.times import ATTEMPT

BLACKBOARD = re.compile(r"(?:.*_)?(?P<id>[^_]+)" + ATTEMPT.pattern)


class Owners:
    """The students of a class of submissions.

    Parameters
    ----------
    course : Course
        The policy.
    submissions : list of Submission
        The files.

    Notes
    -----
    A file that Canvas, Moodle or Gradescope has named is that of the student with this id in the column of the
    system, or else in the column id; any other is that of the student whose id, login, e-mail address or name it
    has, or its folder.
    """

    def __init__(self, course, submissions):
        self.course = course
        self._submissions = {each.name: each for each in submissions}
        self._groups = {each.name: each for each in course.groups}
        self._students = {each.name: self._student(each) for each in submissions}

    def unknown(self):
        """List the names of the submissions whose student is not on the roster, sorted."""
        return [
            name
            for name, student in sorted(self._students.items())
            if student is None and self._group_named(name) is None
        ]

    def _student(self, submission):
        """Return whose a submission is; None if that is unknown, or a group of that name."""
        owner, roster, first = submission.owner, self.course.roster, _named(submission.name)
        if first in self._groups:
            return None
        if roster is None:
            return Student(owner.id, owner.name, {owner.system: owner.id}) if owner else Student(first, "")
        if owner is None:
            return roster.find([(key, first) for key in ("id", "login", "email", "name", "sis_user_id")])
        keys = [(owner.system, owner.id), ("id", owner.id), ("email", owner.id)]
        if not roster.has(owner.system):
            keys.append(("name", owner.name))
        return roster.find(keys)

    def describe_unknown(self, name):
        """Return a sentence about a submission whose student is not on the roster, with near misses."""
        submission = self._submissions[name]
        owner, first = submission.owner, _named(submission.name)
        near = self.course.roster.near([owner.id, owner.name] if owner else [first]) if self.course.roster else []
        meant = f"; did you mean {' or '.join(str(self.course.roster.ids[each]) for each in near)}?" if near else "."
        return f"It matches no student on the roster{meant}"

    def _group_named(self, name):
        return self._groups.get(_named(name))

    def of(self, name, module):
        """List the students whose submission this is, each with the group or None."""
        student, group = self._students[name], self._group_named(name)
        if student is not None:
            group = self.course.group_of(student.id, module) if module else None
        if group is None:
            return [(student, None)] if student else []
        known = self.course.roster.ids if self.course.roster else {}
        others = {each.id: each for each in self._students.values() if each}
        system = student.ids if student and self.course.roster is None else {}
        members = [
            known.get(each) or others.get(each) or Student(each, "", dict.fromkeys(system, each))
            for each in group.members
        ]
        return [(member, group.name) for member in members]


def _named(name):
    """Return whom the name of a submission names.

    Examples
    --------
    >>> _named("ann/one"), _named("Work 1_ann_attempt_2026-10-04-14-00-00_one")
    ('ann', 'ann')
    """
    first = name.split("/")[0]
    match = BLACKBOARD.match(first)
    return match["id"] if match else first
