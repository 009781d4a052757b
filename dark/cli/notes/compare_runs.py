"""Compare runs: the settings in which they differ, their criteria, and the last values of their scalars."""

from dark.cli.notes.finding import add_folder, find_run
from dark.cli.notes.printing import print_json, table
from dark.monitor.notes.comparing import MISSING, flat, is_equal

EXAMPLES = """examples:
  dark notes compare first second
  dark notes compare first second third --folder experiments --json"""
TITLES = {"configs": "setting", "criteria": "criterion", "scalars": "last value"}


def add_arguments(parser):
    """Add the arguments of `dark notes compare`."""
    parser.add_argument("first", metavar="RUN", help="the path of a run, or its name in the folder")
    parser.add_argument("others", metavar="RUN", nargs="+", help="other runs")
    add_folder(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(arguments):
    """Print the comparison."""
    names = [arguments.first, *arguments.others]
    runs = [find_run(name, arguments.folder) for name in names]
    found = {
        "configs": rows_of([flat(run.configs) for run in runs], only_different=True),
        "criteria": rows_of([run.criteria for run in runs]),
        "scalars": rows_of([{name: series[-1] for name, series in run.scalar_dict.items()} for run in runs]),
    }
    if arguments.json:
        print_json({"runs": names, **found})
        return 0
    parts = []
    for what, rows in found.items():
        if rows:
            headings = [TITLES[what], *names, *(["difference"] if len(runs) == 2 else [])]
            lines = [[key, *values, *([difference(*values)] if len(runs) == 2 else [])] for key, values in rows.items()]
            parts.append(table(headings, lines))
    print("\n\n".join(parts) if parts else "The runs do not differ.")
    return 0


def rows_of(values, only_different=False):
    """Return the values of each key, one for each run."""
    keys = dict.fromkeys(key for each in values for key in each)
    rows = {key: [each.get(key, MISSING) for each in values] for key in keys}
    return {key: row for key, row in rows.items() if not only_different or not _all_equal(row)}


def _all_equal(row):
    return all(is_equal(value, row[0]) for value in row)


def difference(a, b):
    """Return the second number minus the first; `MISSING` if one of them is not a number.

    >>> difference(1, 1.5), difference("adam", "sgd") is MISSING
    (0.5, True)
    """
    are_numbers = all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in (a, b))
    return b - a if are_numbers else MISSING
