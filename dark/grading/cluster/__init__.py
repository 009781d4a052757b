"""Grading on the machines of a dask cluster: the same graders, confined in the same way.

Reading order: `cluster` with `connection`, `workers` (which of them may grade) and `dispatch` (which has which
submission) on the teacher's machine; `remote` on each worker; `machine`, what must be the same on all, and
`sent_exam`, the private exam on its way.
"""
