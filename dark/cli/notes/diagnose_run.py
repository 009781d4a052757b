"""Diagnose a run: each problem with its confidence, its evidence, and what to try.

exit codes:
  0  the run has no finding, or none of the confidence that --at-least asks for
  1  it has findings
  2  it cannot be diagnosed: there is no such run, or the command is wrong
"""

from dark.cli.notes.finding import add_folder, find_run
from dark.cli.notes.printing import print_json
from dark.monitor import diagnose
from dark.monitor.doctor.diagnosis import CONFIDENCES

EXAMPLES = """examples:
  dark notes doctor first
  dark notes doctor experiments/first --json
  dark notes doctor first --at-least high || touch stop"""


def add_arguments(parser):
    """Add the arguments of `dark notes doctor`."""
    parser.add_argument("run_name", metavar="RUN", help="the path of a run, or its name in the folder")
    add_folder(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument(
        "--at-least",
        choices=CONFIDENCES,
        default=CONFIDENCES[-1],
        help="the confidence from which on a finding makes the exit code 1 (default: low); all are printed",
    )


def run(arguments):
    """Print the diagnosis, and return the exit code, as `--help` lists them."""
    diagnosis = diagnose(find_run(arguments.run_name, arguments.folder))
    if arguments.json:
        print_json(diagnosis.as_dict())
    else:
        print(diagnosis)
    counted = CONFIDENCES[: CONFIDENCES.index(arguments.at_least) + 1]
    return int(any(finding.confidence in counted for finding in diagnosis.findings))
