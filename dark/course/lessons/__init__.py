"""Lessons as files and data: printed notebooks found and read, and a student's answers found in them.

Reading order: `files` and `names`, `blank`, `lesson` and `library`; then `pieces` and `cells`.
"""
