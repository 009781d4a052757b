"""Diagnoses from the bank: a bug whose answers to the questions equal the student's names the mistake."""

from dark.course.exams.plain import compare
from dark.course.judging.implementation import arrange
from dark.course.judging.observe import LocalObserver
from dark.course.judging.outcome import answer_of, compare_observations
from dark.course.judging.verdict import RIGHT


def diagnose(bank, module, exam, exercise, remembered):
    """Return the diagnosis of the first bug whose answers equal the student's.

    Parameters
    ----------
    bank : sequence of Answer
        The bugs, in order of preference.
    module : Module
        The module that provides the rest of the code.
    exam : Exam
        The questions.
    exercise : str
        The exercise that the bugs replace.
    remembered : list of (Question, dict, dict, Outcome)
        Questions, inputs, the student's observations and their outcomes.

    Returns
    -------
    (str, str) or None
        The sentence and the next step.
    """
    for bug in bank if remembered else ():
        if all(_answers(bug, module, exam, exercise, remembered)):
            return bug.says, bug.next
    return None


def diagnose_one(bank, module, exam, exercise, remembered, question):
    """Return the diagnosis of a bug whose answer to one question equals the student's.

    Among several, the one that agrees on most other questions is chosen. A bug that fails where the
    student is right is excluded.

    Parameters
    ----------
    bank, module, exam, exercise, remembered
        As in `diagnose`.
    question : str
        The name of the question.

    Returns
    -------
    (str, str) or None
        The sentence, which claims only that, and the next step.
    """
    best, most = None, -1
    here = [asked for asked in remembered if asked[0].name == question]
    rest = [asked for asked in remembered if asked[0].name != question]
    for bug in bank if here else ():
        if all(_answers(bug, module, exam, exercise, here)):
            alike = list(_answers(bug, module, exam, exercise, rest))
            excused = any(asked[-1].status == RIGHT and not same for asked, same in zip(rest, alike, strict=True))
            best, most = (bug, sum(alike)) if sum(alike) > most and not excused else (best, most)
    return best and (f"One of the mistakes: {best.says}", best.next)


def _answers(bug, module, exam, exercise, remembered):
    """Yield for each question whether the bug's answer equals the student's."""
    observer = LocalObserver(exam)
    failure = observer.open(arrange(module.parts, {exercise: bug.source}, whose="bug"))
    for asked in remembered:
        yield _alike(observer, failure, exercise, *asked)


def _alike(observer, failure, exercise, question, inputs, seen, outcome):
    """Return whether the bug's answer to one question equals the student's."""
    bugs = failure or observer.observe(question.name, inputs)
    if question.judge is not None and "returned" in seen and "returned" in bugs:
        return compare_observations(question, inputs, bugs, bugs, exercise).remark == outcome.remark
    if "returned" in seen and "returned" in bugs:
        return not compare(answer_of(bugs), answer_of(seen), question.tolerance)
    keys = ("raised", "message", "not attempted") if "stopped" not in seen else ("stopped",)
    return [bugs.get(key) for key in keys] == [seen.get(key) for key in keys]
