"""Select runs by a condition on settings, criteria and last values of scalars, such as 'lr<0.1 and accuracy>=0.95'.

A condition has comparisons (< <= > >= == != in, not in), `and`, `or`, `not` and parentheses; numbers, strings in
quotes, true, false, none, and lists [a, b]. A run that lacks a key does not match. The key `status` is "running",
"ended", "failed" or "interrupted". Keys with other characters than letters, digits and _ . / # : - are put in
backquotes.
"""

from dark.cli.notes.finding import add_folder, folder_of
from dark.cli.notes.list_runs import add_options, print_runs
from dark.monitor import Note
from dark.monitor.notes.expression import Expression, select

EXAMPLES = """examples:
  dark notes select 'lr<0.1' --sort accuracy
  dark notes select 'optimizer in ["adam", "sgd"] and not (dropout > 0.2)' experiments
  dark notes select '0.001 <= lr < 0.1 or `accuracy/validation` >= 0.95' --json"""


def add_arguments(parser):
    """Add the arguments of `dark notes select`."""
    parser.add_argument("condition", metavar="CONDITION", help="which runs, such as 'lr<0.1 and accuracy>=0.95'")
    add_folder(parser, positional=True)
    add_options(parser)


def run(arguments):
    """Print the runs for which the condition holds."""
    condition, folder = Expression(arguments.condition), folder_of(arguments.place or arguments.folder)
    runs = Note.load_all(folder)
    chosen = select(runs, arguments.condition)
    nothing = f"holds {len(runs)} runs, and none matches {arguments.condition}" if runs else "does not hold a run"
    print_runs(chosen, folder, arguments, nothing, condition.keys if chosen else ())
    return 0
