"""Exams: questions that test an implementation.

The body of a question observes: it receives an implementation, called `dark`, and inputs, and returns
plain data, which the judge compares with the reference's answer. A file of questions has no answers, and
imports only the standard library, NumPy and `dark.course.exams`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from dark.checks import boolean, integer, number
from dark.course.exams.draws import Array, Choice, Expression, Float, Integer, ListOf
from dark.errors import CourseError, ValueTypeError, near_misses

DRAWS = (Array, Choice, Expression, Float, Integer, ListOf)
QUESTIONS_IMPORT = "dark.course.exams"  # all that a file of questions imports of dark
EXAMPLES = 12  # inputs that are drawn for a question
TOLERANCE = 1e-9
Body = TypeVar("Body", bound=Callable[..., Any])


@dataclass(frozen=True)
class Hidden:
    """The visible part of a hidden question: its category, such as ``"empty inputs"``, and a hint if it fails."""

    category: str = ""
    hint: str = ""


@dataclass(frozen=True, eq=False)
class Question:
    """One question about an exercise."""

    name: str
    exercise: str
    title: str  # the first line of its docstring: the property of a right answer
    body: Callable  # `body(dark, **inputs)` returns plain data; its key "graph" is drawn, not judged
    draws: dict[str, Any]  # of each input
    points: int
    examples: int  # the number of generated inputs
    tolerance: float  # relative, of numbers
    hidden: Hidden | None = None  # what a student sees of it instead of itself; None if it is not hidden


@dataclass(eq=False)
class Exam:
    """The questions of a module, which is given by its number.

    With ``replace=True``, the questions of a private folder replace the course's, exercise by exercise; otherwise they
    are asked in addition.

    Examples
    --------
    >>> exam = Exam("01")
    >>> @exam.question("slope", points=2)
    ... def of_a_line(dark, a: Float(-3, 3)):
    ...     '''The slope of a line is its factor.'''
    ...     return dark.slope(lambda x: a * x, 1.0)
    >>> exam.questions["of_a_line"].title
    'The slope of a line is its factor.'
    """

    module: str
    questions: dict[str, Question] = field(default_factory=dict)
    path: str | None = None
    repairs: dict[str, Question] = field(default_factory=dict, kw_only=True)  # about code that is found to be wrong
    replace: bool = field(default=False, kw_only=True)

    def question(
        self,
        exercise: str,
        *,
        points: int = 1,
        examples: int = EXAMPLES,
        tolerance: float = TOLERANCE,
        hidden: bool = False,
        category: str = "",
        hint: str = "",
    ) -> Callable[[Body], Body]:
        """Return a decorator that adds a function as a question of an exercise; see `Question`.

        A `hidden` question is asked in grading only. A student sees its `category`, how many of that category pass,
        and its `hint` if it fails, never its inputs, its docstring or a value. A known name, no docstring, an input
        without a draw, and a `category` or `hint` of a question that is not hidden are errors.
        """
        points = integer(points, "question", "points", 0)
        examples = integer(examples, "question", "examples", 1)
        tolerance = number(tolerance, "question", "tolerance", least=0)
        known = Hidden(_text(category, "category"), _text(hint, "hint"))
        if not boolean(hidden, "question", "hidden") and known != Hidden():
            says = f"exam {self.module}: a category or a hint requires a hidden question, got one of {exercise!r}."
            raise CourseError(says, "both for hidden questions only; of others, a student sees all.", "hidden=True")
        shown = known if hidden else None
        return self._adding(self.questions, exercise, points, examples, tolerance, shown)

    def repair(self, name: str) -> Callable[[Body], Body]:
        """Return a decorator that adds a function as a question, without points, about the repair of wrong code.

        The code is a cell with `repair: name`; the right one is a reference of that name among the answers.
        """
        return self._adding(self.repairs, name, points=0)

    def _adding(self, questions, exercise, points, examples=EXAMPLES, tolerance=TOLERANCE, shown=None):
        """Return a decorator that adds a question to the exam's `questions` or its `repairs`."""

        def add(body: Body) -> Body:
            name = body.__name__
            check_new(self.module, name, {**self.questions, **self.repairs})
            title, draws = summary(body), _draws(body)
            questions[name] = Question(name, exercise, title, body, draws, points, examples, tolerance, shown)
            return body

        return add

    def questions_of(self, exercise: str) -> list[Question]:
        """Return the questions about an exercise."""
        found = [question for question in self.questions.values() if question.exercise == exercise]
        if not found:
            known = list(dict.fromkeys(question.exercise for question in self.questions.values()))
            says = f"exam {self.module}: no question for the exercise {exercise!r}."
            raise CourseError(says, "an exercise of this exam.", near_misses(exercise, known))
        return found


def _text(value, name):
    if not isinstance(value, str):
        says = f"question: `{name}` must be a string, got {value!r}."
        raise ValueTypeError(says, "a string, which students read.", f'{name}="empty inputs"')
    return value


def check_new(module, name, taken):
    """Refuse a name that a question or prediction has already."""
    if name in taken:
        expected = "a unique name for each question and prediction."
        raise CourseError(f"exam {module}: duplicate name {name!r}.", expected, "rename one of the two.")


def summary(body):
    """Return the first line of the docstring of a question or prediction, which must have one."""
    text = inspect.getdoc(body)
    if not text:
        expected = "one line that states the property of a right answer."
        advice = '"""A node that is used twice receives both gradients."""'
        raise CourseError(f"{body.__name__} has no docstring.", expected, advice)
    return text.splitlines()[0]


def _draws(body):
    annotations = inspect.get_annotations(body, eval_str=True)
    names = list(inspect.signature(body).parameters)[1:]
    for name in names:
        if not isinstance(annotations.get(name), DRAWS):
            expected = f"one of {', '.join(kind.__name__ for kind in DRAWS)} as its annotation."
            raise CourseError(f"{body.__name__}: the input {name!r} has no draw.", expected, f"{name}: Float(-3, 3)")
    return {name: annotations[name] for name in names}
