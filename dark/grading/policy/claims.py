"""Find the student on the roster by the name of a submission; a name that fits two students is refused."""

from dataclasses import dataclass, field

from dark.grading.policy.students import OWN, SYSTEMS, several
from dark.grading.uploads.owners import Owner, folded, readings

MAIL = ("email", "login", "sis_login_id")
NUMBERS = ("id", "sis_user_id")


@dataclass(frozen=True)
class Claim:
    """Whose a submission is."""

    students: tuple = ()  # all who have submitted it; none if that is unknown, or a group
    group: object = None  # the group that it names
    why: str = ""  # a sentence about who is not known, or refused; empty if everybody is known
    # what a system has written, if that has named the only student
    owner: Owner | None = field(default=None, repr=False)


def claim_of(submission, roster, groups) -> Claim:
    """Return the claim of a submission; the groups are by folded name."""
    owner = submission.owner
    if owner and owner.partners:
        return _together(owner.everyone, [_of_owner(each, roster, groups) for each in owner.everyone])
    found = [_of_owner(each, roster, groups) for each in ([owner] if owner else readings(submission.claim))]
    students = {each.id: each for claim in found for each in claim.students}
    if len(students) > 1:
        return Claim(why=_says_two(students.values()))
    whole = submission.first if owner else submission.claim
    known = next((claim for claim in found if claim.students or claim.group), None)
    return known or _of_text(whole, roster, groups, found)


def _together(owners, claims):
    students = {each.id: each for claim in claims for each in claim.students}
    unknown = [f"{each.name} ({each.id}): {claim.why}" for each, claim in zip(owners, claims, strict=True) if claim.why]
    return Claim(tuple(students.values()), why=" ".join(unknown))


def _of_text(text, roster, groups, found):
    """Return the claim in a file name that no system has written."""
    students = roster.matches(text) or roster.matches(text, SYSTEMS)
    group = groups.get(folded(text))
    if group and not {each.id for each in students} <= {*group.members}:
        return Claim(why=_says_two([f"the group {group.name}", *students]))
    if group or len(students) == 1:
        return Claim(() if group else tuple(students), group)
    if students:
        return Claim(why=f"It is not known whose it is; {several(students)}.")
    return found[0] if found else Claim(why=unknown(roster, [text]))


def _of_owner(owner, roster, groups):
    """Return the claim in the part of a file name that a system has written."""
    if owner.system == "blackboard":
        return _of_blackboard(owner, roster, groups)
    mail = roster.matches(owner.email, MAIL) if owner.email else []
    found = _by_id(owner, roster) or mail
    named = roster.matches(owner.name, ("name",)) or roster.matches(owner.name)
    group = groups.get(folded(owner.name))
    if len(found) > 1:
        return Claim(why=f"It is not known whose it is; {several(found)}.")
    if not found:
        return _by_name(owner, roster, named, group)
    (student,) = found
    if mail and student not in mail:
        return Claim(why=_says_two([f"{student} by the id {owner.id}", f"{mail[0]} by the address {owner.email}"]))
    other = [] if student in named else named or ([f"the group {group.name}"] if group else [])
    if other and not (group and student.id in group.members):
        return Claim(why=_says_two([f"{student} by the id {owner.id}", f"{other[0]} by the name {owner.name}"]))
    return Claim((student,), owner=owner)


def _by_id(owner, roster):
    if owner.system == "gradescope":
        return roster.matches(owner.id, (owner.system, *NUMBERS))
    return roster.matches(owner.id, (owner.system,) if roster.has(owner.system) else NUMBERS)


def _by_name(owner, roster, named, group):
    """Return whom the name means before an id that is not on the roster."""
    if len(named) > 1:
        return Claim(why=f"Its id {owner.id} is not on the roster, and {several(named)}.")
    if named and owner.system not in named[0].ids:
        return Claim((named[0],), owner=owner)
    return Claim(group=group, why="" if group else unknown(roster, [owner.id, owner.name]))


def _of_blackboard(owner, roster, groups):
    """Return the claim of the login before the time; it may contain the sign that separates it from the title."""
    parts = owner.name.split("_")
    ends = ["_".join(parts[k:]) for k in range(len(parts))]
    students = {each.id: each for end in ends for each in roster.matches(end, OWN)}
    group = next((groups[folded(end)] for end in ends if folded(end) in groups), None)
    if group and not students.keys() <= {*group.members}:
        return Claim(why=_says_two([f"the group {group.name}", *students.values()]))
    if len(students) > 1:
        return Claim(why=_says_two(students.values()))
    why = "" if group or students else unknown(roster, [owner.id])
    return Claim(() if group else tuple(students.values()), group, why)


def _says_two(people):
    first, *others = map(str, people)
    return f"Its name fits two: {first}, and {', and '.join(others)}."


def unknown(roster, texts):
    """Return a sentence about a student who is not on the roster, with near misses."""
    near = " or ".join(str(roster.ids[each]) for each in roster.near(texts))
    return f"It matches no student on the roster{f'; did you mean {near}?' if near else '.'}"
