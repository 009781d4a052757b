"""Grading: a folder of submissions, each run in its own process with limits.

Reading order: `limits`, `worker` and `exercise_process` (the child's side), `worker_process` and
`worker_observer` with `conversation` (the parent's side), `grade` and `graded_file` (one submission), `batch` with
`grader_process`, `grader` and `folder` (many), `cluster` (many machines), `report`.
"""
