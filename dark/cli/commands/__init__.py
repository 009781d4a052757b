"""The commands of the shell command `dark`, one file each.

A command is a file with a docstring, whose first line is its help,
`add_arguments(parser)` and `run(arguments) -> exit code`. `dark.cli` walks
this folder; nothing has to be registered.
"""
