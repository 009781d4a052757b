"""Grading on the machines of a dask cluster: the same graders, confined in the same way.

Reading order: `cluster` (this machine's side), `workers` (which of them may grade), `remote` (what runs on them)
and `machine` (what must be the same on all).
"""
