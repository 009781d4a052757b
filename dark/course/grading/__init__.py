"""Grading: a folder of submissions, each judged from the answers of a confined process.

Reading order: `limits`, `worker` and `session` (the child's side), `process` and `confine` (the parent's),
`grade` and `file` (one submission), `batch` with `grader` and `folder` (many), `gradebook` with `table`
and `pages`.
"""
