"""Pack a run into one file (zip), which `Note.load` and these commands read as they read the folder."""

from __future__ import annotations

from pathlib import Path

from dark.cli.notes.finding import add_folder, find_run
from dark.errors import UsageError
from dark.monitor.notes.finding import is_packed

EXAMPLES = """examples:
  dark notes pack first
  dark notes pack runs/first first-without-arrays.zip --no-tensors"""


def add_arguments(parser):
    """Add the arguments of `dark notes pack`."""
    parser.add_argument("run_name", metavar="RUN", help="the path of a run, or its name in the folder")
    parser.add_argument("output", nargs="?", type=Path, metavar="FILE", help="the file (default: RUN.zip)")
    add_folder(parser)
    parser.add_argument("--no-tensors", action="store_true", help="leave the arrays out")


def run(arguments):
    """Write the file and print its name."""
    found = find_run(arguments.run_name, arguments.folder)
    output = arguments.output or found.folder.with_name(f"{found.folder.resolve().name}.zip")
    if output.exists() and not is_packed(output):
        raise UsageError(
            f"notes pack: '{output}' exists, and is not a packed run.", "the name of a new file.", f"{output}.zip"
        )
    (found.tensor_free if arguments.no_tensors else found).save(output)
    print(output)
    return 0
