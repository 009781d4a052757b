"""Implementations: the reference, and the code cells of a module with some exercises replaced."""

import sys

from dark.course.judging.namespace import assemble

__all__ = ["arrange", "assemble", "reference"]

LOADED = ("operations", "derivatives", "optim")  # at once: not inside the time limit of a question


def reference():
    """Return the reference implementation, the package `dark` itself, with the parts that exams use loaded."""
    package = sys.modules[__name__.partition(".")[0]]  # this file is a part of it
    for name in LOADED:
        getattr(package, name)
    return package


def arrange(parts, replace, whose="exercise"):
    """Return the code of a module as (label, source), with some replaced, by id, whose labels begin with `whose`."""
    labeled = []
    for k, part in enumerate(parts, start=1):
        if part.exercise in replace:
            labeled.append((f"{whose} {part.exercise}", replace[part.exercise]))
        elif part.exercise:
            labeled.append((f"reference {part.exercise}", part.source))
        else:
            labeled.append((f"{part.kind} {k}", part.source))
    return labeled
