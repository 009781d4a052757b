"""The subcommands of `dark notes`, one file each: a docstring, `add_arguments(parser)` and `run(arguments)`.

`dark.cli.commands.notes` lists them. Shared by all: `finding` (runs by name), `printing` (tables and JSON).
"""
