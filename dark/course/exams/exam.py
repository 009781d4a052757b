"""Exams: questions asked of an implementation, and predictions asked of a person.

A question's body observes: it gets an implementation, called `dark`, and inputs, and returns plain
data. What that data is worth is decided elsewhere (`judge`). This file imports fast, for the
worker process reads every exam.
"""

import importlib.util
import inspect
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from dark.course.exams.draws import Choice, Expression, Float, Integer, ListOf
from dark.errors import CourseError, near_misses

DRAWS = (Choice, Expression, Float, Integer, ListOf)


@dataclass(frozen=True, eq=False)
class Question:
    """One question.

    Parameters
    ----------
    name, exercise : str
        Its own name, and the exercise it belongs to.
    title : str
        First line of its docstring: what is true of a right answer.
    body : callable
        ``body(dark, **inputs)`` gives plain data; its key ``"graph"`` is drawn, not judged.
    draws : dict
        What is drawn for each input.
    points, examples : int
        What it is worth, and how many inputs are tried.
    tolerance : float
        Largest relative difference of numbers that agree.
    judge : callable or None
        ``judge(answer, inputs)`` gives None or a sentence on what is wrong, or that and the name
        of the node it is about; for questions with several right answers.
    """

    name: str
    exercise: str
    title: str
    body: Callable
    draws: dict
    points: int
    examples: int
    tolerance: float
    judge: Callable | None


@dataclass(frozen=True, eq=False)
class Prediction:
    """What a student foretells before seeing it.

    Parameters
    ----------
    name : str
        Such as ``"01.3a"``.
    body : callable
        ``body(dark)`` gives the truth.
    why : str
        Shown afterwards.
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
    questions: dict = field(default_factory=dict)
    predictions: dict = field(default_factory=dict)
    reference: object = None  # the implementation that is right; `dark` itself unless told otherwise
    path: str | None = None

    def question(self, exercise, *, points=1, examples=20, tolerance=1e-9, judge=None):
        """Make a function a question of an exercise; see `Question` for the options.

        Raises
        ------
        CourseError
            Where the name is taken, the docstring is missing, or an input has no draw.
        """

        def add(body):
            name = body.__name__
            self._check_new(name, self.questions)
            title = _summary(body)
            draws = _draws(body)
            self.questions[name] = Question(name, exercise, title, body, draws, points, examples, tolerance, judge)
            return body

        return add

    def prediction(self, name):
        """Make a function the truth of a prediction; its docstring says why it is so.

        Raises
        ------
        CourseError
            Where the name is taken or the docstring is missing.
        """

        def add(body):
            self._check_new(name, self.predictions)
            _summary(body)
            self.predictions[name] = Prediction(name, body, inspect.getdoc(body))
            return body

        return add

    def questions_of(self, exercise):
        """List the questions of one exercise.

        Raises
        ------
        CourseError
            Where there is none.
        """
        found = [question for question in self.questions.values() if question.exercise == exercise]
        if not found:
            known = list(dict.fromkeys(question.exercise for question in self.questions.values()))
            raise CourseError(
                f"exam {self.module}: no question for the exercise {exercise!r}.",
                "an exercise that this exam asks about.",
                near_misses(exercise, known),
            )
        return found

    def _check_new(self, name, taken):
        if name in taken:
            raise CourseError(
                f"exam {self.module}: {name!r} is there twice.",
                "a name of its own for each.",
                "rename one of the two.",
            )


def _summary(body):
    text = inspect.getdoc(body)
    if not text:
        raise CourseError(
            f"{body.__name__}: it has no docstring.",
            "one line on what is true of a right answer.",
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


def read_exam(path):
    """Execute a file of questions and give its exam.

    Parameters
    ----------
    path : str or Path
        A Python file that makes one `Exam`.

    Returns
    -------
    Exam

    Raises
    ------
    CourseError
        Where the file is missing or makes no exam.
    """
    path = Path(path).resolve()
    if not path.is_file():
        raise CourseError(f"{path.name}: no such file of questions.", "a Python file.", str(path))
    return _read(path, path.stat().st_mtime_ns)


@lru_cache(maxsize=32)
def _read(path, _changed):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    exams = [value for value in vars(module).values() if isinstance(value, Exam)]
    if len(exams) != 1:
        raise CourseError(f"{path.name}: it makes {len(exams)} exams.", "one.", f'exam = Exam("{path.stem[5:7]}")')
    exams[0].path = str(path)
    return exams[0]
