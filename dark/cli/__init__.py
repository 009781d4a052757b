"""The shell command `dark`: its entry point is `main`.

Reading order: `dispatch` (finds and runs a command), `commands` (one file each), `user_files`
(Python files of the user that a command works on).
"""

from dark.cli.dispatch import main

__all__ = ["main"]
