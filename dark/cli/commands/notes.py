"""List, show, view, select, compare, diagnose, pack and export the notes of runs.

A run is a folder that `dark.monitor.Note` has written, or a packed one; it is named by its path, or by its path in the
folder of the runs, which is `runs` if it exists, else the current folder.
"""

from argparse import RawDescriptionHelpFormatter

from dark.cli.notes import (
    compare_runs,
    diagnose_run,
    export_run,
    list_runs,
    pack_run,
    select_runs,
    show_run,
    view_run,
)  # fmt: skip

SUBCOMMANDS = {
    "list": list_runs, "show": show_run, "view": view_run, "select": select_runs, "compare": compare_runs,
    "doctor": diagnose_run, "pack": pack_run, "export": export_run,
}  # fmt: skip


def add_arguments(parser):
    """Add the arguments of `dark notes`."""
    parser.set_defaults(help=parser.format_help)
    kinds = parser.add_subparsers(title="subcommands", metavar="SUBCOMMAND", dest="subcommand")
    for name, module in SUBCOMMANDS.items():
        command = kinds.add_parser(
            name,
            help=(module.__doc__ or "").partition("\n")[0],
            description=module.__doc__,
            epilog=module.EXAMPLES,
            formatter_class=RawDescriptionHelpFormatter,
        )
        module.add_arguments(command)


def run(arguments):
    """Run the subcommand and return its exit code; without one, print the help."""
    if arguments.subcommand is None:
        print(arguments.help())
        return 2
    return SUBCOMMANDS[arguments.subcommand].run(arguments) or 0
