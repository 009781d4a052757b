"""The process of a student's code, and its confinement.

Reading order: `limits`, `confinement` (the kernel's limits), `worker` and `exercise_process` (the child's side),
`worker_process`, `worker_observer`, `conversation` and `exit_reasons` (the judge's side), `shared_child`.
"""
