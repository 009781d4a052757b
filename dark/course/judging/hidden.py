"""What a student sees of a verdict: of hidden questions only the category, the count and the hint."""

from dataclasses import replace
from typing import Any

from dark.course.judging.verdict import RIGHT, WRONG, HiddenTests

__all__ = ["for_student", "hidden_findings"]


def for_student(verdict):
    """Return a verdict without its hidden findings, which are counted by category.

    Its points include those of the hidden questions; where only hidden ones fail, it is wrong. A verdict that was
    returned by this function is returned as it is.
    """
    if not (hidden := hidden_findings(verdict)):
        return verdict
    shown = tuple(finding for finding in verdict.findings if finding.hidden is None)
    status = next((finding.status for finding in shown if finding.status != RIGHT), verdict.status)
    if shown and status != RIGHT and all(finding.status == RIGHT for finding in shown):
        status = WRONG
    groups: dict[str, list[Any]] = {}
    for finding in hidden:
        groups.setdefault(finding.hidden.category, []).append(finding)
    counted = tuple(_count(category, found) for category, found in groups.items())
    return replace(verdict, status=status, findings=shown, hidden=counted)


def hidden_findings(verdict):
    """Return the findings of hidden questions, which only a teacher sees."""
    return [finding for finding in verdict.findings if finding.hidden is not None]


def _count(category, findings):
    hints = dict.fromkeys(each.hidden.hint for each in findings if each.status != RIGHT and each.hidden.hint)
    right = sum(each.status == RIGHT for each in findings)
    earned, points = sum(each.earned for each in findings), sum(each.points for each in findings)
    return HiddenTests(category, right, len(findings), earned, points, tuple(hints))
