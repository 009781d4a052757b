"""Lessons: the printed notebooks as data, and the student's answers in a notebook.

Reading order: `notebook_schema` and `notebook_files`, `magics` and `code`, `blank`, `lesson` and
`library`; then the way of an answer: `statements`, `cells`, `dependency_search`, `answers`; then
the student's folder: `merge`, `working_copy`.
"""
