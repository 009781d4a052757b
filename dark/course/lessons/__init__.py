"""Lessons: the printed notebooks as data, and the student's answers in a notebook.

Reading order: `notebook_files` and `file_kinds`, `magics`, `magics_by_hand` and `code`, `blank`, `lesson` and
`library`, `which_module`; then the way of an answer: `cells`, `imports`, `dependency_search`, `redefined`, `answers`
and `answer_notes`; then the student's folder: `merge`, `working_copy`.
"""
