"""Exams: what a file of questions is written with.

Reading order: `exam`, `draws` (what inputs a question asks for), `trace` (a graph as data), `plain`
and `differences` (what an answer may be made of), `questions` (where the files are), `strategies`.
"""

from dark.course.exams.draws import Choice, Expression, Float, Integer, ListOf, build
from dark.course.exams.exam import Exam
from dark.course.exams.trace import trace

__all__ = ["Choice", "Exam", "Expression", "Float", "Integer", "ListOf", "build", "trace"]
