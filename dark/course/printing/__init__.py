"""Printing: manuscripts made into solved and blank notebooks.

Reading order: `manuscript` and `proofread`, `notebooks`, `execute` and `tidy`, `merge`, `build`.
"""
