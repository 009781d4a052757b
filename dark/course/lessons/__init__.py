"""Lessons: the printed notebooks as data, and the student's answers in a notebook.

Reading order: `notebook_schema` and `notebook_files`, `magics` and `names`, `blank`, `lesson` and
`library`; then `statements`, `dependency_search`, `answer_source` and `cells`.
"""
