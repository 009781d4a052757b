"""The functions that a student calls: the notebook extension, checks, hints, predictions, the log.

Reading order: `student_kernel` (the functions) and `ipython_extension`; `examination`, with `preparation`, `judged`,
`cell_history` and `repairs` (how a cell is checked); `hints`, `predictions`, `mine`, `class_source`, `course_map`,
`pytorch_cells` (what a student calls); `no_processes` (what a cell says in a browser); `progress`, `records` and
`reset` (the log); `pytest_plugin` (a notebook that is run by a program).
"""
