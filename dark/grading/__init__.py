"""Grading: the submissions of a class, judged by the exams of the course, the answers in confined processes.

Reading order: `sandbox` (the confined process of a student's code), `grader` (one submission), `batch` (a folder of
submissions), `report` and `gradebook` (the results), `cluster` (many machines). For a course: `uploads` (names and
archives), `policy` (deadlines, late days, groups), `exports`, `release`, `class_page`, `similarity`; `self_test`
grades a catalog of hostile answers.
"""
