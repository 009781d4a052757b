"""Exams: the building blocks of a file of questions.

Reading order: `exam`, `draws` (the inputs of a question), `trace` (a graph as data), `plain`,
`differences` and `rows` (plain data and how it is compared), `shortening`, `answers` (what only the judge reads),
`reading` (a file of either) and `questions` (where they are), `bodies` (a question for another process), `generate`
and `inputs`.
"""

from dark.course.exams.draws import Array, Choice, Expression, Float, Integer, ListOf, build
from dark.course.exams.exam import Exam
from dark.course.exams.trace import trace

__all__ = ["Array", "Choice", "Exam", "Expression", "Float", "Integer", "ListOf", "build", "trace"]
