"""Judging: a student's code observed, held against the reference, and what is said of it.

Reading order: `implementation` (cells made into a namespace), `observe`, `outcome`, `judge`,
`verdict`, `bugs` (the diagnosis), `report`.
"""
