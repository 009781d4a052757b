"""Diagnose a wrong answer: a bug of the bank with the same answers, or a common mistake, names the fault."""

import ast
import re
from dataclasses import dataclass, field
from functools import lru_cache, partial
from itertools import islice
from operator import itemgetter

from dark.course.exams.plain import compare
from dark.course.judging.answer_facts import fact_of, unreadable
from dark.course.judging.common_mistakes import CERTAIN, Mistake, find_mistake
from dark.course.judging.implementation import arrange
from dark.course.judging.observe import AFTER_A_STOP, LocalObserver
from dark.course.judging.outcome import answer_of, compare_observations
from dark.course.judging.verdict import RIGHT
from dark.course.lessons.code import code_of

EXCLUDED = -1  # less than any number of agreements
LONGEST = 1.0  # seconds for a bug that does not end beside an answer that does; for each further one `AFTER_A_STOP`


def diagnose(verdict, source, observations, bank, module, exam):
    """Return the fault and the next step, or None if the answer is not valid Python.

    It is a bug of the `bank`, the preferred first, that explains all answers, unless the source shows another mistake;
    else a common mistake, else the bug that explains the question which the card shows, most others, and fails nowhere
    where the student is right; else what the evidence itself says.
    """
    solution = module.exercises[verdict.exercise].solution
    trials = [trial for asked in observations for trial in asked.trials]
    bank = [bug for bug in bank if _calls_named_by(bug, solution) <= _names(source)]
    limits = _Limits(AFTER_A_STOP if any("stopped" in trial.seen for trial in trials) else LONGEST)
    agreements = partial(_agreements, exercise=verdict.exercise, module=module, exam=exam, limits=limits)
    for bug in bank if trials else ():
        if all(agreements(bug, trials)):  # in the order of the judge, for an answer may keep something
            shown = find_mistake(source, solution, verdict, CERTAIN)
            return shown if shown and not find_mistake(bug.source, solution, verdict, CERTAIN) else (bug.says, bug.next)
    if mistake := find_mistake(source, solution, verdict):
        return mistake
    shown = verdict.failing.question if verdict.failing else None
    trials = sorted(trials, key=lambda trial: trial.question.name != shown)
    found = [(bug, _likeness(trials, agreements(bug, trials), shown)) for bug in bank if trials]
    best, likeness = max(found, key=itemgetter(1), default=(None, EXCLUDED))
    if best is not None and likeness > EXCLUDED:
        return f"Looks like this: {best.says}", best.next
    tree, known = code_of(source).tree, code_of(solution).tree if solution else None
    return fact_of(Mistake(tree, known, verdict), observations) if tree else unreadable(verdict.failing.error)


@dataclass
class _Limits:
    """How long a bug may run, and the observations of bugs that do not end: none of them is waited for twice."""

    seconds: float
    stopped: dict = field(default_factory=dict)


def _calls_named_by(bug, solution):
    """Return the names in the sentence of a bug which its source has and the solution has not, such as `np.roll`."""
    quoted = set(re.findall(r"\w+", " ".join(re.findall("`(.+?)`", bug.says))))
    return quoted & _names(bug.source) - _names(solution)


@lru_cache(maxsize=1024)  # the bugs of a bank are asked for with each wrong answer
def _names(source):
    """Return all names and attributes of a source; none if it is not valid Python."""
    tree = code_of(source).tree if source else None
    nodes = ast.walk(tree) if tree else ()
    return frozenset(getattr(node, "attr", getattr(node, "id", None)) for node in nodes) - {None}


def _likeness(trials, agreeing, shown):
    """Return on how many trials of other questions a bug agrees; `EXCLUDED` if not on those of the one shown, first."""
    here = sum(trial.question.name == shown for trial in trials)
    if not here or not all(islice(agreeing, here)):
        return EXCLUDED
    alike = 0
    for trial, same in zip(trials[here:], agreeing, strict=True):
        if trial.outcome.status == RIGHT and not same:
            return EXCLUDED
        alike += same
    return alike


def _agreements(bug, trials, exercise, module, exam, limits):
    """Yield for each trial whether the bug's answer equals the student's.

    A bug that is stopped where the student is not does not run again; after that, the time limit is short.
    """
    observer = LocalObserver(exam, limits.seconds)
    failure = observer.open(arrange(module.parts, {exercise: bug.source}, whose="bug"))
    for trial in trials:
        question, seen, key = trial.question, trial.seen, (bug.name, id(trial))
        bugs = failure or limits.stopped.get(key) or observer.observe(question.name, trial.inputs)
        if "stopped" in bugs and "stopped" not in seen:
            failure = limits.stopped[key] = bugs
            limits.seconds = AFTER_A_STOP
        if not ("returned" in seen and "returned" in bugs):
            keys = ("stopped",) if "stopped" in seen else ("raised", "message", "not attempted")
            yield [bugs.get(key) for key in keys] == [seen.get(key) for key in keys]
        elif question.judge is not None:
            remark = compare_observations(question, trial.inputs, bugs, trial.expected, exercise).remark
            yield remark == trial.outcome.remark
        else:
            yield not compare(answer_of(bugs), answer_of(seen), question.tolerance)
