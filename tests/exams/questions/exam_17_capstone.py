"""Module 17, the capstone, has no exercises, so that no question is asked; its predictions stand with the answers.

Part of the product: the package ships this file in `dark/_questions`.
"""

from dark.course.exams import Exam

exam = Exam("17")
