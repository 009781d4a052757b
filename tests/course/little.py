"""A little course of two exercises for tests: printed notebooks, questions and a student's notebook."""

import json
from pathlib import Path

from dark.course.exams import questions
from dark.course.lessons import library
from dark.course.lessons.blank import blank, printed_hash

STEM = "71-little"
SLOPE = '''def slope(f, x, nudge=1e-6):
    """Return the slope of f at x."""
    ### BEGIN SOLUTION
    return (f(x + nudge) - f(x - nudge)) / (2 * nudge)
    ### END SOLUTION'''
MINIMIZE = '''def minimize(f, x, learning_rate=0.1, steps=100):
    """Run gradient descent and return the path."""
    ### BEGIN SOLUTION
    path = [x]
    for _ in range(steps):
        x = x - learning_rate * slope(f, x)
        path.append(x)
    return path
    ### END SOLUTION'''
GIVEN = "import math"
QUESTIONS = '''"""Questions of the little course."""

from dark.course.exams import Exam, Float

exam = Exam("71")


@exam.question("slope", points=2, tolerance=1e-4)
def slope_of_a_square(dark, x: Float(-3, 3)):
    """The slope of a square is twice its side."""
    return dark.slope(lambda x: x * x, x)


@exam.question("minimize", points=3, tolerance=1e-4)
def path_of_a_square(dark, x: Float(-3, 3)):
    """The path of a square shrinks by the same factor every step."""
    return dark.minimize(lambda x: x * x, x, steps=3)
'''
ANSWERS = '''"""Answers of the little course."""

from dark.course.exams.answers import Answers

answers = Answers("71")


@answers.reference
def slope(f, x, nudge=1e-6):
    return (f(x + nudge) - f(x - nudge)) / (2 * nudge)


@answers.reference
def minimize(f, x, learning_rate=0.1, steps=100):
    path = [x]
    for _ in range(steps):
        x = x - learning_rate * slope(f, x)
        path.append(x)
    return path


@answers.prediction("71.1a")
def slope_at_three(dark):
    """Twice three."""
    return round(dark.slope(lambda x: x * x, 3.0), 6)
'''
SECOND = "steeper = lambda f, x: 2 * slope(f, x)"
HINTS = [
    {"text": "Nudge it.", "draw": None},
    {"text": "Look at it.", "draw": "x = dark.Parameter(3.0)\ndark.mul(x, x)"},
    {"text": "one\n  two", "draw": None},
    {"text": "A sibling.", "draw": None},
]


def data(name):
    """Return the data of an exercise in the printed notebook."""
    return {
        "defines": [name],
        "minutes": 5,
        "difficulty": 1,
        "hints": HINTS,
        "why": f"Because of {name}.",
    }


def cell(kind, source, name=None, id=None):
    """Make a printed cell."""
    course = {"module": "71", "kind": kind, "printed": printed_hash(source)}
    if name:
        course["exercise"] = name
    rest = {"outputs": [], "execution_count": None}
    metadata = {"dark": course, "tags": [kind]}
    return {"cell_type": "code", "id": id, "metadata": metadata, "source": source, **rest}


def notebook(slope=SLOPE, minimize=MINIMIZE):
    """Make the little notebook with these answers in it."""
    cells = [
        cell("given", GIVEN, id="given-1"),
        cell("exercise", slope, "slope", id="exercise-slope"),
        cell("check", 'check("slope")', "slope", id="check-slope"),
        cell("exercise", minimize, "minimize", id="exercise-minimize"),
        cell("check", 'check("minimize")', "minimize", id="check-minimize"),
    ]
    course = {"module": "71", "name": "little", "title": "Little"}
    course["exercises"] = {name: data(name) for name in ("slope", "minimize")}
    return {"nbformat": 4, "nbformat_minor": 5, "metadata": {"dark": course}, "cells": cells}


def student(path, slope=None, minimize=None):
    """Write a student's notebook: blank, but for the answers given."""
    printed = notebook(blank(SLOPE), blank(MINIMIZE))
    for index, answer in ((1, slope), (3, minimize)):
        if answer is not None:
            printed["cells"][index]["source"] = answer
    Path(path).write_text(json.dumps(printed))
    return Path(path)


def install(root, monkeypatch):
    """Make the little course the only one, in a separate repository; return its root."""
    (root / "book").mkdir()
    for folder, printed in (
        ("modules", notebook(blank(SLOPE), blank(MINIMIZE))),
        ("work", notebook(blank(SLOPE), blank(MINIMIZE))),
        ("solutions", notebook()),
    ):
        (root / folder).mkdir()
        (root / folder / f"{STEM}.ipynb").write_text(json.dumps(printed))
    for folder, name, text in (
        ("questions", "exam_71_little.py", QUESTIONS),
        ("answers", "answers_71_little.py", ANSWERS),
    ):
        (root / "tests" / "exams" / folder).mkdir(parents=True)
        (root / "tests" / "exams" / folder / name).write_text(text)
    monkeypatch.setattr(library, "repository_root", lambda: root)
    monkeypatch.setattr(questions, "repository_root", lambda: root)
    return root


def second(folder, after=("71",), exercises=False, number="72", name="more"):
    """Add a module after others to the little course, with one given cell or with the same exercises."""
    made = notebook() if exercises else {**notebook(), "cells": [cell("given", SECOND, id="given-1")]}
    course = {"module": number, "name": name, "title": "More", "after": after[0] if len(after) == 1 else list(after)}
    made["metadata"]["dark"] = {**course, "exercises": made["metadata"]["dark"]["exercises"] if exercises else {}}
    for each in ("modules", "solutions"):
        (folder.parent / each / f"{number}-{name}.ipynb").write_text(json.dumps(made))
