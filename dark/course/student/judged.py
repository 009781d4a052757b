"""The verdicts of earlier answers, remembered under a hash of answer and course, so that nothing is judged twice.

A line of `.dark/judged` is the hash of an answer, of the course and of the status that the judge found: a status is
looked up by computing the line that it would have. So a damaged line has no meaning, and none can be edited into a
better status. The file certifies nothing: only `mine()` reads it.
"""

import hashlib
import json
import sys
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

import numpy as np

from dark.course.exams.questions import question_files
from dark.course.judging.judge import judge_exercise
from dark.course.judging.unfinished import is_attempted
from dark.course.judging.verdict import ERROR, NOT_ATTEMPTED, PARTLY, RIGHT, USES_REFERENCE, WRONG
from dark.course.lessons.notebook_files import PACKAGE

REMEMBERED = (RIGHT, WRONG, ERROR, PARTLY, USES_REFERENCE)  # the others depend on the load of the computer


class Judged:
    """The verdicts of a student's answers to one module, remembered in the folder `.dark` next to the notebook."""

    def __init__(self, folder, module, answers):
        self.path = Path(folder) / ".dark" / "judged"
        self.module, self.answers, self._course = module, answers, _course(module)
        try:
            self._lines = set(self.path.read_bytes().split())
        except OSError:
            self._lines = set()

    def status(self, exercise):
        """Return the status of an answer: the remembered one if it and the course are unchanged, else judge it."""
        if exercise not in self.answers:
            return NOT_ATTEMPTED
        alone, together = self._keys(exercise)
        known = {status for status in REMEMBERED if _line(together, status) in self._lines}
        known |= {RIGHT} if _line(alone, RIGHT) in self._lines else set()
        if len(known) == 1:  # two verdicts: the answer draws random numbers
            return known.pop()
        if not is_attempted(self.answers[exercise], self.module.exercises[exercise].stub):
            return NOT_ATTEMPTED
        verdict = judge_exercise(self.module, exercise, self.answers, bank=())
        is_alone = verdict.status == RIGHT and not verdict.dependencies
        if verdict.status in REMEMBERED:
            self._remember(_line(alone if is_alone else together, verdict.status))
        return verdict.status

    def _keys(self, exercise):
        """Return the keys of a verdict: if the answer is right with the reference alone, and otherwise."""
        exercises = self.module.exercises.items()
        unsolved = {name: self.answers.get(name) for name, each in exercises if each.solution is None}
        key = [self._course, exercise, self.answers[exercise]]
        return [*key, "alone", unsolved], [*key, "together", self.answers]

    def _remember(self, line):
        if line not in self._lines:
            self._lines.add(line)
            with suppress(OSError):  # without write permission, the answer is judged again next time
                self.path.parent.mkdir(exist_ok=True)
                with open(self.path, "ab") as file:
                    file.write(b"\n" + line)  # a writer that was killed in mid-line spoils its own line only


def _line(key, status):
    return hashlib.sha256(json.dumps([status, key], sort_keys=True).encode()).hexdigest().encode()


def _course(module):
    """Return the hash of the course: the module, all questions, and the programs that judge."""
    content = hashlib.sha256(json.dumps([_programs(), module.id]).encode())
    for part in module.parts:
        content.update(json.dumps([part.kind, part.exercise, part.source]).encode())
    for exercise in module.exercises.values():
        content.update(json.dumps([exercise.id, exercise.stub, exercise.solution]).encode())
    for path in question_files():
        content.update(path.read_bytes())
    return content.hexdigest()


@lru_cache
def _programs():
    """Return a key of the programs of this process: the files of `dark`, Python and NumPy."""
    files = [(str(path.relative_to(PACKAGE)), path.stat()) for path in sorted(PACKAGE.rglob("*.py"))]
    stamps = [(name, status.st_mtime_ns, status.st_size) for name, status in files]
    return [sys.version, np.__version__, stamps]
