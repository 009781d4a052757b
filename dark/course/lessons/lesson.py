"""A module of the course as data: its exercises, hints and code, read from a printed notebook."""

from dataclasses import dataclass

from dark.course.lessons.blank import blank, blank_notebook, printed_hash
from dark.course.lessons.notebook_files import source_of
from dark.errors import CourseError


@dataclass(frozen=True)
class Hint:
    """One hint: its text, and code whose last value is a picture, or None."""

    text: str
    draw: str | None = None


@dataclass(frozen=True)
class Exercise:
    """One exercise; `solution` is None if only the student's notebook is available."""

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
    """One cell of the code of a module; of an exercise the solution if available, else the stub.

    Its kind is ``"given"``, ``"exercise"`` or, for the code of earlier modules, ``"earlier"``.
    """

    kind: str
    exercise: str | None
    source: str


@dataclass(frozen=True)
class Module:
    """One module: its code in order, its exercises by id, the student's notebook, and the modules it builds on."""

    id: str
    name: str
    title: str
    parts: tuple[Part, ...]
    exercises: dict[str, Exercise]
    blank: dict
    after: tuple[str, ...] = ()

    @property
    def stem(self):
        """The name of its files, such as `01-scalar-autodiff`."""
        return f"{self.id}-{self.name}"


def module_of(notebook, name="notebook"):
    """Read a module from a printed notebook, solved or blank.

    Parameters
    ----------
    notebook : dict
        The notebook as JSON.
    name : str
        Its name in an error.

    Returns
    -------
    Module

    Raises
    ------
    CourseError
        If it is not a notebook written by `dark build`.
    """
    try:
        return _module_of(notebook)
    except (KeyError, TypeError, AttributeError) as error:
        raise CourseError(
            f"{name}: the course metadata is damaged ({type(error).__name__}: {error}).",
            "a notebook written by `dark build`.",
            "write it again with `dark build`, or reinstall the course.",
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
        _after(course.get("after") or ()),
    )


def _after(numbers):
    return (numbers,) if isinstance(numbers, str) else tuple(map(str, numbers))


def _exercise(cell, course):
    name, source = cell["metadata"]["dark"]["exercise"], cell["source"]
    data, stub = course["exercises"][name], blank(source)
    if printed_hash(source) != cell["metadata"]["dark"]["printed"]:
        stub = ""  # a student's answer, without a solved notebook: the stub is unknown
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
