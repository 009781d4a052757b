"""Diagnose a run: each problem with its evidence, and what to try.

The exit code is 1 if there are findings, and 0 for a healthy run.
"""

from dark.cli.notes.finding import add_folder, find_run
from dark.cli.notes.printing import print_json
from dark.monitor import diagnose

EXAMPLES = """examples:
  dark notes doctor first
  dark notes doctor experiments/first --json"""


def add_arguments(parser):
    """Add the arguments of `dark notes doctor`."""
    parser.add_argument("run_name", metavar="RUN", help="the path of a run, or its name in the folder")
    add_folder(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(arguments):
    """Print the diagnosis, and return whether there are findings."""
    diagnosis = diagnose(find_run(arguments.run_name, arguments.folder))
    if arguments.json:
        print_json(diagnosis.as_dict())
    else:
        print(diagnosis)
    return int(not diagnosis.is_healthy)
