"""The commands of the shell command `dark`, one file each.

A command is a file with a docstring, whose first line is its help, and two functions:
`add_arguments(parser)` and `run(arguments) -> exit code`. `dark.cli` lists this folder; nothing
has to be registered.
"""
