"""Bring your notebooks up to date with the course; every cell of yours is kept.

Run it after `git pull`; `dark lab` does the same when it starts.
"""

from dark.course.lessons.library import working_folder
from dark.course.lessons.working_copy import lay_out


def add_arguments(parser):
    """Add the arguments of `dark update`: none."""


def run(_):
    """Create or update every notebook and print the changes; return 1 if one is damaged."""
    updates = lay_out(working_folder())
    for update in updates:
        print(update)
    if any(update.kept for update in updates):
        print("If a notebook is open in JupyterLab: File > Reload Notebook from Disk.")
    return 1 if any(update.error for update in updates) else 0
