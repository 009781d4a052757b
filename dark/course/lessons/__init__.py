"""Lessons: the printed notebooks as data, and the student's answers in a notebook.

Reading order: `notebook_files`, `magics` and `code`, `blank`, `lesson` and `library`; then the way of an answer:
`cells`, `dependency_search`, `redefined`, `answers`; then the student's folder: `merge`, `working_copy`.
"""
