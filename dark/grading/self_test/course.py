"""The module of two exercises that the answers of the self-test belong to."""

import json
from functools import cache
from pathlib import Path

from dark.course.exams.answers import join
from dark.course.exams.reading import read_exam
from dark.course.judging.implementation import arrange, assemble
from dark.course.lessons.blank import printed_hash
from dark.course.lessons.library import module_of
from dark.grading.grader.grade import Assignment

SOLUTIONS = {"double": "return 2 * x", "square": "return x * x"}
SOLVED = "def {name}(x):\n    ### BEGIN SOLUTION\n    {line}\n    ### END SOLUTION"


def notebook(**cells) -> bytes:
    """Return the notebook with the source of each exercise as its answer, as the content of a file."""
    printed = [_cell(name, source) for name, source in cells.items()]
    return json.dumps(_notebook(printed)).encode("utf-8", "surrogatepass")


@cache
def assignment():
    """Return the module and questions by which the answers are judged."""
    solved = [_cell(name, SOLVED.format(name=name, line=line)) for name, line in SOLUTIONS.items()]
    module = module_of(_notebook(solved))
    exam = join(read_exam(Path(__file__).with_name("questions.py")), None, assemble(arrange(module.parts, {})))
    return Assignment(module, exam, ())


def _cell(name, source):
    course = {"kind": "exercise", "module": "00", "exercise": name, "printed": printed_hash(source)}
    return {"cell_type": "code", "metadata": {"dark": course}, "source": source, "outputs": []}


def _notebook(cells):
    data = {"minutes": 1, "difficulty": 1, "hints": [], "why": "It is used next."}
    exercises = {name: {"defines": [name], **data} for name in SOLUTIONS}
    course = {"module": "00", "name": "self-test", "title": "Self-test", "exercises": exercises}
    metadata = {"dark": course, "kernelspec": {"name": "python3"}}
    return {"nbformat": 4, "nbformat_minor": 5, "metadata": metadata, "cells": cells}
