"""Files that `dark capstone start` copies into a project as they are; they import the standard library alone.

Reading order: `curves`, `runs`.
"""
