"""The functions that a student calls: the notebook extension, checks, hints, predictions, the log.

Reading order: `student_kernel` (the functions), `ipython_extension`, `examination`, `cards`.
"""
