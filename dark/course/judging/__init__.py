"""Judging: run a student's code, compare it with the reference, and report the result.

Reading order: `implementation` (a namespace built from cells), `observe`, `outcome`, `submission_runner`,
`judge`, `dependencies`, `verdict`, `bugs` and `common_mistakes` (the diagnosis), `unfinished`,
`report`.
"""
