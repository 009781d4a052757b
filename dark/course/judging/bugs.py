"""The bug bank: known wrong answers of an exercise, used to diagnose a student's mistake.

A bank is a Python file in the percent format; after its docstring each bug is a cell with two comments::

    # %% overwrites
    # says: The gradient that arrives second replaces the first.
    # next: Add to what is there; a node used twice receives two gradients.
    def backward(self): ...
"""

import re
from dataclasses import dataclass

from dark.course.exams.plain import compare
from dark.course.exams.questions import bank_path
from dark.course.judging.implementation import arrange
from dark.course.judging.observe import LocalObserver
from dark.course.judging.outcome import answer_of, compare_observations
from dark.course.judging.verdict import RIGHT
from dark.errors import CourseError

CELL = re.compile(r"^# %% +(\S+)\n# says: (.+)\n# next: (.+)\n", re.MULTILINE)


@dataclass(frozen=True)
class Bug:
    """One known wrong answer.

    Parameters
    ----------
    name : str
        A unique name.
    says : str
        What is wrong, in one sentence.
    next : str
        The next step.
    source : str
        The whole wrong cell.
    """

    name: str
    says: str
    next: str
    source: str


def load_bugs(module, exercise):
    """Load the bank of an exercise.

    Parameters
    ----------
    module, exercise : str
        The ids.

    Returns
    -------
    tuple of Bug
        In file order; empty if the exercise has no bank, as in an installed package.

    Raises
    ------
    CourseError
        If the file is not in the right format.
    """
    path = bank_path(module, exercise)
    if path is None or not path.is_file():
        return ()
    return parse_bugs(path.read_text(encoding="utf-8"), path.name)


def parse_bugs(text, name="bank"):
    """Parse a bank.

    Parameters
    ----------
    text : str
        The content of the file.
    name : str
        Its name in an error.

    Returns
    -------
    tuple of Bug

    Raises
    ------
    CourseError
        If a cell lacks its two comments or its source, or has a duplicate name.

    Examples
    --------
    >>> parse_bugs('"Bank."\\n# %% twice\\n# says: It is doubled.\\n# next: Do not.\\nx = 2')[0].says
    'It is doubled.'
    """
    heads = list(CELL.finditer(text))
    ends = [head.start() for head in heads[1:]] + [len(text)] * bool(heads)
    bugs = [Bug(*head.groups(), text[head.end() : end].strip() + "\n") for head, end in zip(heads, ends, strict=True)]
    _check(text, bugs, name)
    return tuple(bugs)


def _check(text, bugs, name):
    cells = re.findall(r"^# %%", text, re.MULTILINE)
    names = {bug.name for bug in bugs}
    if len(cells) != len(bugs) or len(names) != len(bugs) or any(not b.source.strip() for b in bugs):
        raise CourseError(
            f"{name}: {len(cells)} cells, but {len(names)} bugs with unique names.",
            "`# %% name`, `# says: ...`, `# next: ...`, then the source.",
            "find the cell without these three lines, or the duplicate name.",
        )


def diagnose(bank, module, exam, exercise, remembered):
    """Return the diagnosis of the first bug whose answers equal the student's.

    Parameters
    ----------
    bank : sequence of Bug
        In order of preference.
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
