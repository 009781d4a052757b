"""A module of the course as data: its exercises, hints and code, made out of a printed notebook."""

from dataclasses import dataclass

from dark.course.lessons.blank import blank, blank_notebook, printed_hash
from dark.course.lessons.notebook_files import source_of
from dark.errors import CourseError


@dataclass(frozen=True)
class Hint:
    """One hint: a text, and code whose last value is a picture, or None."""

    text: str
    draw: str | None = None


@dataclass(frozen=True)
class Exercise:
    """One exercise as printed; `solution` is None where only the blank notebook is there."""

    id: str
    module: str
    title: str
    defines: tuple[str, ...]
    minutes: int
    difficulty: int
    hints: tuple[Hint, ...]
    why: str
    stub: str
    solution: str | None


@dataclass(frozen=True)
class Part:
    """A piece of a module's code: its source is the solution where there is one.

    Its kind is ``"given"``, ``"exercise"`` or, for the code of the modules before it, ``"earlier"``.
    """

    kind: str
    exercise: str | None
    source: str


@dataclass(frozen=True)
class Module:
    """One module: the code in order, its exercises by id, and its blank notebook."""

    id: str
    name: str
    title: str
    parts: tuple[Part, ...]
    exercises: dict[str, Exercise]
    blank: dict
    after: str | None = None

    @property
    def stem(self):
        """The name of its files, such as `01-scalar-autodiff`."""
        return f"{self.id}-{self.name}"


def module_of(notebook, name="notebook"):
    """Make a module out of a printed notebook, solved or blank.

    Parameters
    ----------
    notebook : dict
        The notebook as JSON.
    name : str
        What to call it in an error.

    Returns
    -------
    Module

    Raises
    ------
    CourseError
        If it is not a notebook that `dark build` printed.
    """
    try:
        return _module_of(notebook)
    except (KeyError, TypeError, AttributeError) as error:
        raise CourseError(
            f"{name}: its course data is damaged ({type(error).__name__}: {error}).",
            "a notebook as `dark build` prints it.",
            "print it again with `dark build`, or install the course again.",
        ) from error


def _module_of(notebook):
    cells = [{**cell, "source": source_of(cell)} for cell in notebook["cells"]]
    course = notebook["metadata"]["dark"]
    parts, exercises = [], {}
    for cell in cells:
        kind = cell["metadata"].get("dark", {}).get("kind")
        if kind == "given":
            parts.append(Part("given", None, cell["source"]))
        elif kind == "exercise":
            exercise = _exercise(cell, course)
            exercises[exercise.id] = exercise
            parts.append(Part("exercise", exercise.id, exercise.solution or exercise.stub))
    return Module(
        course["module"],
        course["name"],
        course["title"],
        tuple(parts),
        exercises,
        blank_notebook({**notebook, "cells": cells}),
        course.get("after"),
    )


def _exercise(cell, course):
    name, source = cell["metadata"]["dark"]["exercise"], cell["source"]
    data, stub = course["exercises"][name], blank(source)
    if printed_hash(source) != cell["metadata"]["dark"]["printed"]:
        stub = ""  # a student's answer, met where no solved notebook is: nothing printed is left
    return Exercise(
        id=name,
        module=course["module"],
        title=name,
        defines=tuple(data["defines"]),
        minutes=data["minutes"],
        difficulty=data["difficulty"],
        hints=tuple(Hint(hint["text"], hint["draw"]) for hint in data["hints"]),
        why=data["why"],
        stub=stub,
        solution=source if stub and stub != source else None,
    )
