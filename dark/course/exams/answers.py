"""Answers: the file of a module that only the judge reads; it creates one `Answers`, which `join` adds to the exam."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, lru_cache, partial
from inspect import getdoc, signature
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

from dark.course.exams.exam import Exam, Hidden, Question, check_new, summary
from dark.errors import CourseError, near_misses

Body = TypeVar("Body", bound=Callable[..., Any])


@dataclass(frozen=True, eq=False)
class Prediction:
    """A prediction made before the cell runs."""

    name: str  # such as "01.3a"
    body: Callable  # `body(dark)` returns the right value
    why: str  # the explanation shown afterwards


@dataclass(eq=False)
class Answers:
    """The predictions, judges and reference of a module, which is given by its number, such as ``"01"``."""

    module: str
    predictions: dict[str, Prediction] = field(default_factory=dict)
    judges: dict[str, Callable] = field(default_factory=dict)
    references: dict[str, Callable] = field(default_factory=dict)

    def prediction(self, name: str) -> Callable[[Body], Body]:
        """Return a decorator that adds a function as a prediction; its docstring is the explanation."""

        def add(body: Body) -> Body:
            check_new(self.module, name, self.predictions)
            summary(body)
            self.predictions[name] = Prediction(name, body, getdoc(body) or "")
            return body

        return add

    def judge(self, *questions: str) -> Callable[[Body], Body]:
        """Return a decorator that adds a function as the judge of questions with several right answers.

        ``judge(answer, inputs)`` returns None if the answer is right, else a sentence on what is wrong, or that and the
        name of the wrong node. The answer is what the student's process says: it is judged by the inputs, or by the
        reference's answer, a third parameter.
        """

        def add(judge: Body) -> Body:
            for name in questions:
                check_new(self.module, name, self.judges)
                self.judges[name] = judge
            return judge

        return add

    def reference(self, thing: Body) -> Body:
        """Add a function or class that the reference has in place of `dark`'s, by its name; a decorator."""
        check_new(self.module, thing.__name__, self.references)
        self.references[thing.__name__] = thing
        return thing


@dataclass(frozen=True, eq=False)
class JudgedQuestion(Question):
    """A question with its judge; None where the answer is compared with the reference's answer."""

    judge: Callable | None = None

    def remark(self, answer: Any, inputs: dict[str, Any], expected: Any) -> str | tuple[str, str] | None:
        """Ask the judge what is wrong with an answer; the reference's answer is for a judge with a third argument."""
        if self.judge is None:
            return None
        wants_expected = len(signature(self.judge).parameters) > 2
        return self.judge(answer, inputs, expected) if wants_expected else self.judge(answer, inputs)


@dataclass(eq=False)
class JudgedExam(Exam):
    """An exam with its answers, for the judge."""

    predictions: dict[str, Prediction] = field(default_factory=dict)
    reference: object = None  # the reference implementation; None for `dark` itself
    bank: Path | None = None  # a folder with further known answers, besides the course's own
    only_hidden: frozenset[str] = frozenset()  # exercises whose questions are all hidden, and left out here

    @cached_property
    def without_hidden(self) -> JudgedExam:
        """The exam as a student may ask it: without the hidden questions."""
        shown = {name: question for name, question in self.questions.items() if question.hidden is None}
        left_out = {each.exercise for each in self.questions.values()} - {each.exercise for each in shown.values()}
        return dataclasses.replace(self, questions=shown, only_hidden=frozenset(left_out) | self.only_hidden)

    @cached_property
    def of_repairs(self) -> JudgedExam:
        """The exam with the questions about repairs only."""
        return dataclasses.replace(self, questions=self.repairs)

    def questions_of(self, exercise: str) -> list[Question]:
        """Return the questions about an exercise; hidden ones only are a `CourseError`, too."""
        if exercise in self.only_hidden:
            says = f"{exercise}: all questions about this exercise are hidden; `check` has nothing to ask."
            expected = "the run of your teacher, which asks them."
            raise CourseError(says, expected, "hand the notebook in, or check another exercise")
        return super().questions_of(exercise)


@lru_cache(maxsize=64)
def join(exam: Exam, answers: Answers | None = None, reference: object = None) -> JudgedExam:
    """Add the answers to a module's questions; the reference is by default `dark`. Equal arguments give one object."""
    answers = answers or Answers(exam.module)
    for name in answers.judges:
        if name not in {**exam.questions, **exam.repairs}:
            says = f"answers {answers.module}: no question {name!r} to judge."
            raise CourseError(says, "the name of a question of this module.", near_misses(name, exam.questions))

    def judged(questions) -> dict[str, Question]:
        return {name: JudgedQuestion(**vars(q) | {"judge": answers.judges.get(name)}) for name, q in questions.items()}

    reference, repairs = reference or _reference(answers.references), judged(exam.repairs)
    return JudgedExam(exam.module, judged(exam.questions), exam.path, answers.predictions, reference, repairs=repairs)


@lru_cache(maxsize=64)
def with_private(
    exam: Exam, answers: Answers | None, private: Exam, private_answers: Answers | None, bank: Path
) -> JudgedExam:
    """Add the questions and answers of a teacher's private folder to an exam of the course; the added ones are hidden.

    What has a name of the course's takes its place; with ``Exam(…, replace=True)``, also of all other questions of its
    exercise. `bank` is the folder of its known answers, which need not exist.
    """
    given, added = join(exam, answers), join(private, private_answers)
    exercises = {question.exercise for question in private.questions.values()} if private.replace else ()
    kept = {name: question for name, question in given.questions.items() if question.exercise not in exercises}
    hidden = {
        name: dataclasses.replace(question, hidden=question.hidden or Hidden())
        for name, question in added.questions.items()
    }
    references = [each.references for each in (answers, private_answers) if each]
    reference = _reference({name: thing for each in references for name, thing in each.items()})
    predictions = given.predictions | added.predictions
    return JudgedExam(exam.module, kept | hidden, private.path, predictions, reference, bank)


@lru_cache(maxsize=64)
def with_points(exam: JudgedExam, points: tuple[tuple[str, int], ...]) -> JudgedExam:
    """Scale the points of the questions of some exercises to these sums; equal arguments return the same object."""
    changed = dict(exam.questions)
    for name, count in points:
        asked = exam.questions_of(name)
        for question, share in zip(asked, _shares(count, [each.points for each in asked])):
            changed[question.name] = dataclasses.replace(question, points=share)
    return dataclasses.replace(exam, questions=changed)


def _shares(count, weights):
    """Divide a number of points in proportion to weights; the rest goes to the largest remainders."""
    weights = weights if sum(weights) else [1] * len(weights)
    exact = [Fraction(count * weight, sum(weights)) for weight in weights]
    shares = [int(share) for share in exact]
    order = sorted(range(len(exact)), key=lambda k: shares[k] - exact[k])
    for k in order[: count - sum(shares)]:
        shares[k] += 1
    return shares


def _reference(replaced):
    """Return `dark` with some names replaced; None without replacements."""
    if not replaced:
        return None
    made = ModuleType("reference")
    made.__getattr__ = partial(getattr, sys.modules["dark"])  # for every other name
    vars(made).update(replaced)
    return made
