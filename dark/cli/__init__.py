"""The shell command `dark`: its entry point is `main`.

Reading order: `dispatch` (finds and runs a command), `parser` (its errors), `commands` (one file each), `targets`
(the arguments that name modules and exercises), `user_files` (Python files of the user that a command works on),
`progress_line`, `jupyter_notebooks`, `setup_advice`; `grade_arguments`, `grade_checks` and `grade_again` (the parts
of `dark grade`), `autograder` (the same for Gradescope); `notes` (the subcommands of `dark notes`).
"""

from dark.cli.dispatch import main

__all__ = ["main"]
