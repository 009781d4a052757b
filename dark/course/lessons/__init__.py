"""Lessons as files and data: printed notebooks found and read, and a student's answers found in them.

Reading order: `form` and `files`, `magics` and `names`, `blank`, `lesson` and `library`; then
`statements`, `needs`, `pieces` and `cells`.
"""
