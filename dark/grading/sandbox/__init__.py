"""The process of a student's code, and what confines it.

Reading order: `limits`, `confinement` (the kernel's limits), `worker` and `exercise_process` (the child's side),
`worker_process`, `worker_observer`, `conversation` and `exit_reasons` (the judge's side), `shared_child`.
"""
