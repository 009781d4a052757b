"""Exams: questions that test an implementation, and predictions that a student makes.

The body of a question observes: it receives an implementation, called `dark`, and inputs, and returns
plain data, which `judge` compares with that of the reference. This file must import fast, because
the worker process reads every exam.
"""

from __future__ import annotations

import importlib.util
import inspect
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

from dark.checks import integer, number
from dark.course.exams.draws import Array, Choice, Expression, Float, Integer, ListOf
from dark.errors import CourseError, near_misses

DRAWS = (Array, Choice, Expression, Float, Integer, ListOf)
Body = TypeVar("Body", bound=Callable[..., Any])


@dataclass(frozen=True, eq=False)
class Question:
    """One question.

    Parameters
    ----------
    name, exercise : str
        Its name, and the exercise it tests.
    title : str
        First line of its docstring: the property of a right answer.
    body : callable
        ``body(dark, **inputs)`` returns plain data; its key ``"graph"`` is drawn, not judged.
    draws : dict
        The draw of each input.
    points, examples : int
        Its points, and the number of generated inputs.
    tolerance : float
        Relative tolerance of numbers.
    judge : callable or None
        For questions with several right answers: ``judge(answer, inputs)`` returns None if the answer
        is right, else a sentence on what is wrong, or the sentence and the name of the wrong node.
    """

    name: str
    exercise: str
    title: str
    body: Callable
    draws: dict[str, Any]
    points: int
    examples: int
    tolerance: float
    judge: Callable | None


@dataclass(frozen=True, eq=False)
class Prediction:
    """A prediction made before the cell runs.

    Parameters
    ----------
    name : str
        Such as ``"01.3a"``.
    body : callable
        ``body(dark)`` returns the right value.
    why : str
        The explanation shown afterwards.
    """

    name: str
    body: Callable
    why: str


@dataclass(eq=False)
class Exam:
    """The questions and predictions of one module.

    Parameters
    ----------
    module : str
        Its number, such as ``"01"``.

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
    predictions: dict[str, Prediction] = field(default_factory=dict)
    reference: object = None  # the reference implementation; None for `dark` itself
    path: str | None = None

    def question(
        self,
        exercise: str,
        *,
        points: int = 1,
        examples: int = 20,
        tolerance: float = 1e-9,
        judge: Callable[..., Any] | None = None,
    ) -> Callable[[Body], Body]:
        """Return a decorator that adds a function as a question of an exercise; see `Question`.

        Raises
        ------
        CourseError
            If the name already exists, the docstring is missing, or an input has no draw.
        ValueTypeError, UsageError
            If `points` or `examples` is not a positive integer, or `tolerance` not a number of 0 or more.
        """
        points = integer(points, "question", "points", 0)
        examples = integer(examples, "question", "examples", 1)
        tolerance = number(tolerance, "question", "tolerance", least=0)

        def add(body: Body) -> Body:
            name = body.__name__
            self._check_new(name, self.questions)
            title = _summary(body)
            draws = _draws(body)
            self.questions[name] = Question(name, exercise, title, body, draws, points, examples, tolerance, judge)
            return body

        return add

    def prediction(self, name: str) -> Callable[[Body], Body]:
        """Return a decorator that adds a function as a prediction; its docstring is the explanation.

        Raises
        ------
        CourseError
            If the name already exists or the docstring is missing.
        """

        def add(body: Body) -> Body:
            self._check_new(name, self.predictions)
            _summary(body)
            self.predictions[name] = Prediction(name, body, inspect.getdoc(body) or "")
            return body

        return add

    def questions_of(self, exercise: str) -> list[Question]:
        """Return the questions of one exercise.

        Raises
        ------
        CourseError
            If the exercise has no questions.
        """
        found = [question for question in self.questions.values() if question.exercise == exercise]
        if not found:
            known = list(dict.fromkeys(question.exercise for question in self.questions.values()))
            raise CourseError(
                f"exam {self.module}: no question for the exercise {exercise!r}.",
                "an exercise of this exam.",
                near_misses(exercise, known),
            )
        return found

    def _check_new(self, name, taken):
        if name in taken:
            raise CourseError(
                f"exam {self.module}: duplicate name {name!r}.",
                "a unique name for each question and prediction.",
                "rename one of the two.",
            )


def _summary(body):
    text = inspect.getdoc(body)
    if not text:
        raise CourseError(
            f"{body.__name__} has no docstring.",
            "one line that states the property of a right answer.",
            '"""A node that is used twice receives both gradients."""',
        )
    return text.splitlines()[0]


def _draws(body):
    annotations = inspect.get_annotations(body, eval_str=True)
    names = list(inspect.signature(body).parameters)[1:]
    for name in names:
        if not isinstance(annotations.get(name), DRAWS):
            raise CourseError(
                f"{body.__name__}: the input {name!r} has no draw.",
                "one of " + ", ".join(kind.__name__ for kind in DRAWS) + " as its annotation.",
                f"{name}: Float(-3, 3)",
            )
    return {name: annotations[name] for name in names}


def read_exam(path: str | Path) -> Exam:
    """Execute a file of questions and return its exam.

    Parameters
    ----------
    path : str or Path
        A Python file that creates one `Exam`.

    Returns
    -------
    Exam

    Raises
    ------
    CourseError
        If the file does not exist or does not create exactly one exam.
    """
    path = Path(path).resolve()
    if not path.is_file():
        raise CourseError(f"{path.name}: the file does not exist.", "a Python file of questions.", str(path))
    return _read(path, path.stat().st_mtime_ns)


@lru_cache(maxsize=32)
def _read(path, _changed):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    exams = [value for value in vars(module).values() if isinstance(value, Exam)]
    if len(exams) != 1:
        raise CourseError(
            f"{path.name}: creates {len(exams)} exams.", "exactly one.", f'exam = Exam("{path.stem[5:7]}")'
        )
    exams[0].path = str(path)
    return exams[0]
