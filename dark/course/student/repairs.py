"""Repairs: a cell that is printed with a fault, changed by the student, and asked like an exercise without points."""

from dataclasses import replace
from inspect import getdoc

from dark.course.cards.card import card
from dark.course.cards.verdict_card import Report
from dark.course.exams.questions import load_exam
from dark.course.judging.asking import observations_of
from dark.course.judging.implementation import arrange
from dark.course.judging.observe import LocalObserver
from dark.course.judging.outcome import finding_of
from dark.course.judging.verdict import NOT_ATTEMPTED, RIGHT, WRONG, Verdict
from dark.course.lessons.code import code_of
from dark.course.lessons.library import load_module

UNREPAIRED, STILL = "not repaired yet", "still the bug"


def judge_repair(module, repair, source, answers=None, *, exam=None, observer=LocalObserver, seed=0) -> Verdict:
    """Judge a student's version of a cell with a fault; it is not attempted if only comments were changed."""
    exam = (exam or load_exam(module.id)).of_repairs
    answers, exercises = answers or {}, module.exercises.items()
    unsolved = {name: answers.get(name, each.stub) for name, each in exercises if not each.solution}

    def judged(text):
        parts = [*arrange(module.parts, unsolved), (f"exercise {repair.id}", text)]
        findings = tuple(map(finding_of, observations_of(parts, repair.id, exam, observer, seed)))
        status = next((each.status for each in findings if each.status != RIGHT), RIGHT)
        why = getdoc(getattr(exam.reference, repair.id)) or ""
        return Verdict(module.id, repair.id, status, findings, 0, 0, why=why)

    verdict = judged(source)
    if code_of(source).shape == code_of(repair.source).shape:
        return replace(verdict, status=NOT_ATTEMPTED, phrase=UNREPAIRED)
    is_same = verdict.status == WRONG and verdict.findings == judged(repair.source).findings
    return replace(verdict, phrase=STILL) if is_same else verdict


def card_of_a_repair(repair, history):
    """Return the card of a repair as its cell has run last, of the printed cell if none has."""
    ran = [source for source in history.sources() if repair.id in code_of(source).names]
    if not ran:
        return card(f"· {repair.id}: not repaired yet.", "Change its cell, run it, then check again.", ok=False)
    return Report.of(_verdict(repair, ran[-1], history)).card()


def card_of_a_change(module, history):
    """Return the card of the cell that has run last; None if it is no repair, or as it was printed."""
    source = (history.sources() or [""])[-1]
    repair = next((each for each in module.repairs.values() if each.id in code_of(source).names), None)
    verdict = repair and _verdict(repair, source, history)
    return Report.of(verdict).card() if verdict and verdict.status != NOT_ATTEMPTED else None


def _verdict(repair, source, history):
    module = load_module(repair.module)
    return judge_repair(module, repair, source, history.answers(module).sources)
