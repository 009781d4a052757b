"""Diagnose a wrong answer: a bug of the bank with the same answers, or a common mistake, names what is wrong."""

from dark.course.exams.plain import compare
from dark.course.judging.common_mistakes import find_mistake
from dark.course.judging.implementation import arrange
from dark.course.judging.observe import LocalObserver
from dark.course.judging.outcome import answer_of, compare_observations
from dark.course.judging.verdict import RIGHT


def diagnose(verdict, source, observations, bank, module, exam):
    """Return what is wrong and the next step, or None if nothing is known.

    It is a bug that explains all answers, else a common mistake, else a bug that explains one failing question.
    Among several bugs that explain a question, the one that agrees on most other questions is chosen; one that fails
    where the student is right is excluded.

    Parameters
    ----------
    verdict : Verdict
        What the judge found.
    source : str
        The student's answer.
    observations : tuple of Asked
        What the verdict is about.
    bank : sequence of Answer
        The bugs, in order of preference.
    module, exam
        The rest of the code, and the questions.
    """
    trials = [trial for asked in observations for trial in asked.trials]
    if best := _likeliest(trials, (), verdict.exercise, bank, module, exam):
        return best.says, best.next
    if mistake := find_mistake(source, module.exercises[verdict.exercise].solution, verdict):
        return mistake
    for finding in [each for each in verdict.findings if each.status != RIGHT]:
        here = [trial for trial in trials if trial.question.name == finding.question]
        rest = [trial for trial in trials if trial.question.name != finding.question]
        if best := _likeliest(here, rest, verdict.exercise, bank, module, exam):
            return f"Looks like this: {best.says}", best.next
    return None


def _likeliest(here, rest, exercise, bank, module, exam):
    """Return the bug that explains all trials `here`, and agrees with most of the rest; the first among equals."""
    best, most = None, -1
    for bug in bank if here else ():
        if all(_agreements(bug, exercise, module, exam, here)):
            alike = list(_agreements(bug, exercise, module, exam, rest))
            excused = any(each.outcome.status == RIGHT and not same for each, same in zip(rest, alike, strict=True))
            if not rest:
                return bug
            best, most = (bug, sum(alike)) if sum(alike) > most and not excused else (best, most)
    return best


def _agreements(bug, exercise, module, exam, trials):
    """Yield for each trial whether the bug's answer equals the student's."""
    observer = LocalObserver(exam)
    failure = observer.open(arrange(module.parts, {exercise: bug.source}, whose="bug"))
    for trial in trials:
        question, seen = trial.question, trial.seen
        bugs = failure or observer.observe(question.name, trial.inputs)
        if not ("returned" in seen and "returned" in bugs):
            keys = ("stopped",) if "stopped" in seen else ("raised", "message", "not attempted")
            yield [bugs.get(key) for key in keys] == [seen.get(key) for key in keys]
        elif question.judge is not None:
            yield (
                compare_observations(question, trial.inputs, bugs, trial.expected, exercise).remark
                == trial.outcome.remark
            )
        else:
            yield not compare(answer_of(bugs), answer_of(seen), question.tolerance)
