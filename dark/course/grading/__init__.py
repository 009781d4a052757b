"""Grading: a folder of submissions, each judged from the answers of a confined process.

Reading order: `limits`, `worker` and `session` (the child's side), `confine` (the parent's),
`grade` (one submission), `batch` and `folder` (many), `gradebook` with `table` and `pages`.
"""
