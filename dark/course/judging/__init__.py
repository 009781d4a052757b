"""Judging: a student's code observed, held against the reference, and what is said of it.

Reading order: `implementation` (cells made into a namespace), `observe`, `outcome`, `submission_runner`,
`judge`, `dependencies`, `verdict`, `bugs` and `slips` (the diagnosis), `unfinished`, `report`.
"""
