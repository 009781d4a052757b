"""The process of a student's code, and its confinement.

Reading order: `limits`, `confinement` (the kernel's limits), `worker` and `exercise_process` (the child's side),
`worker_process`, `worker_observer`, `conversation` (the judge's side).
"""
