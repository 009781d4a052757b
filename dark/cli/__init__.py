"""The shell command `dark`: its entry point is `main`.

Reading order: `dispatch` (finds and runs a command), `commands` (one file each), `user_files`
(Python files of the user that a command works on), `notes` (the subcommands of `dark notes`).
"""

from dark.cli.dispatch import main

__all__ = ["main"]
