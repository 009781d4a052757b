"""The policy of a course: who is graded, which attempt counts, until when, and what lateness costs.

All of it is computed from the raw points of a report, which it never changes: a changed policy needs no regrading.

Reading order: `dates`, `late`; `schema`, `students`, `roster` and `groups`, which `course_file` joins;
`claims`, `class_owners`, `times` and `policy`.
"""

from dark.grading.policy.class_owners import Owners
from dark.grading.policy.course_file import Course, read_course
from dark.grading.policy.schema import EXAMPLE
from dark.grading.policy.policy import MISSING, Policy

__all__ = ["EXAMPLE", "MISSING", "Course", "Owners", "Policy", "read_course"]
