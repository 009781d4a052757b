"""Grading: the submissions of a class, judged by the exams of the course, the answers in confined processes.

Reading order: `sandbox` (the process of a student's code, and what confines it), `grader` (one submission),
`batch` (a folder of them), `report` and `gradebook` (what becomes of the results), `cluster` (many machines). What a
course adds: `uploads` (names and archives), `policy` (deadlines, late days, groups), `exports`, `release`,
`class_page`, `similarity`; `self_test` grades a catalog of hostile answers.
"""
