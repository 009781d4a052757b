"""The self-test of grading: a catalog of hostile and damaged answers, graded on this machine.

Reading order: `cases.toml` (the catalog), `course` (the module they answer) with `questions`, `traces`, `catalog`.
"""
