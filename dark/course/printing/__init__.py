"""Printing: generate the solved and the blank notebooks from the manuscripts.

Reading order: `manuscript` and `proofread`, `solved_notebook`, `execute`, `build`.
"""
