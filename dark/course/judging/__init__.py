"""Judging: run a student's code, compare it with the reference, and find out what is wrong.

Reading order: `namespace` (built from cells), `observe`, `implementation`, `outcome`, `asking` (every question of
an exercise), `judge` with `dependencies` and `unfinished`, `verdict`; then the diagnosis: `bank`, `diagnosis`,
`common_mistakes`, `error_mistakes`, `answer_facts`, `python_errors`.
"""
