"""A tiny module of three exercises, its exam, and notebooks that answer it in many ways."""

import json
import os
import signal
from pathlib import Path

from dark.course.exams.answers import join
from dark.course.exams.reading import read_exam
from dark.course.judging.implementation import arrange, assemble
from dark.course.lessons.blank import printed_hash
from dark.course.lessons.library import module_of
from dark.grading.grader.grade import Assignment

SOLVED = {
    "double": "def double(x):\n    ### BEGIN SOLUTION\n    return 2 * x\n    ### END SOLUTION",
    "square": "def square(x):\n    ### BEGIN SOLUTION\n    return x * x\n    ### END SOLUTION",
    "both": "def both(x):\n    ### BEGIN SOLUTION\n    return double(square(x))\n    ### END SOLUTION",
}
GIVEN = "import math"

QUESTIONS = '''"""Questions of the tiny module."""

from dark.course.exams import Exam, Float

exam = Exam("77")


@exam.question("double", points=2)
def twice(dark, x: Float(-3, 3)):
    """Twice the number."""
    return {"value": dark.double(x)}


@exam.question("square", points=1)
def times_itself(dark, x: Float(-3, 3)):
    """The number times itself."""
    return {"value": dark.square(x)}


@exam.question("both", points=1)
def one_after_the_other(dark, x: Float(-3, 3)):
    """Twice the square."""
    return {"value": dark.both(x)}
'''


def cell(kind, source, **course):
    """Make a code cell as `dark build` prints it."""
    course = {"kind": kind, "module": "77", "printed": printed_hash(source), **course}
    return {"cell_type": "code", "metadata": {"dark": course}, "source": source, "outputs": []}


def solved_notebook():
    """Make the solved notebook, as `dark build` prints it."""
    exercises = {
        name: {"defines": [name], "minutes": 1, "difficulty": 1, "hints": [], "why": "It is used next."}
        for name in SOLVED
    }
    cells = [cell("given", GIVEN)]
    cells += [cell("exercise", source, exercise=name) for name, source in SOLVED.items()]
    course = {"module": "77", "name": "tiny", "title": "Tiny", "exercises": exercises}
    metadata = {"dark": course, "kernelspec": {"name": "python3"}}
    return {"nbformat": 4, "nbformat_minor": 5, "metadata": metadata, "cells": cells}


MODULE = module_of(solved_notebook())
REFERENCE = assemble(arrange(MODULE.parts, {}))


def submission(*, marked=True, **answers):
    """Make the bytes of a student's notebook; exercises without an answer are blank."""
    notebook = json.loads(json.dumps(MODULE.blank))
    for place in notebook["cells"]:
        name = place["metadata"]["dark"].get("exercise")
        place["source"] = answers.get(name, place["source"])
        if not marked:
            place["metadata"] = {}
    if not marked:
        notebook["metadata"] = {}
    return json.dumps(notebook).encode()


RIGHT = {
    "double": "def double(x):\n    return x + x",
    "square": "def square(x):\n    return x**2",
    "both": "def both(x):\n    return 2 * x * x",
}


def assignment(folder, module="77"):
    """Make the tiny assignment, its questions in a file of that folder, its reference its solution."""
    path = Path(folder, "exam_77_tiny.py")
    if not path.exists():
        path.write_text(QUESTIONS)
    return Assignment(MODULE, join(read_exam(path), None, REFERENCE), ())


def die_once(folder, mark):
    """Simulate a grader killed by the system; an `assign` function, as are the following."""
    if _is_first(mark):
        os.kill(os.getpid(), signal.SIGKILL)
    return assignment(folder)


def eat_once(folder, mark):
    """Simulate a submission that exceeds the memory of a grader."""
    return Assignment(Hungry(), None) if _is_first(mark) else assignment(folder)


class Hungry:
    """Simulates a module; allocates four GiB when its name is accessed."""

    @property
    def id(self):
        return str(len(bytes(1 << 32)))


def loop_once(folder, mark):
    """Simulate a submission that exceeds the CPU time of a grader."""
    if _is_first(mark):
        signal.setitimer(signal.ITIMER_VIRTUAL, 0.05)
        while True:
            pass
    return assignment(folder)


def sleep_once(folder, mark):
    """Simulate a submission on which a grader sleeps forever."""
    while _is_first(mark):
        signal.pause()
    return assignment(folder)


def _is_first(mark):
    try:
        mark.touch(exist_ok=False)
    except FileExistsError:
        return False
    return True
