"""List the runs of a folder with the settings in which they differ, their criteria, and a summary."""

from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

from dark.cli.notes.finding import add_folder, folder_of, name_of
from dark.cli.notes.printing import print_json, table
from dark.monitor import Note
from dark.monitor.notes.comparing import MISSING, check_keys, flat, in_order, shown, summarize, value_of

EXAMPLES = """examples:
  dark notes list
  dark notes list experiments --sort accuracy --descend
  dark notes list --group lr --json"""
COLUMNS = ("min", "max", "mean", "median")


def add_arguments(parser):
    """Add the arguments of `dark notes list`."""
    add_folder(parser, positional=True)
    add_options(parser)


def add_options(parser):
    """Add the options that order, group and print runs."""
    parser.add_argument("--sort", metavar="KEY", help="sort by a setting, a criterion or the last value of a scalar")
    parser.add_argument("--descend", action="store_true", help="sort from high to low")
    parser.add_argument("--group", metavar="KEY", action="append", help="summarize runs of equal KEY; may be repeated")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(arguments):
    """Print all runs of the folder."""
    folder = folder_of(arguments.place or arguments.folder)
    print_runs(Note.load_all(folder), folder, arguments, "does not hold a run")
    return 0


def print_runs(runs: list[Note], folder: Path, arguments: Namespace, nothing: str, keys: Sequence[str] = ()) -> None:
    """Print runs as a table with `keys` at least, or as JSON; if there are none, `nothing`, a phrase on the folder."""
    asked = [*keys, *([arguments.sort] if arguments.sort else []), *(arguments.group or [])]
    check_keys(asked, runs, "notes")
    if arguments.sort:
        runs = in_order(runs, arguments.sort, arguments.descend)
    found = summarize(runs, arguments.group)
    if arguments.json:
        print_json(as_json(runs, folder, found))
    elif runs:
        print("\n\n".join(texts(runs, folder, found, asked, arguments.group)))
    else:
        print(f"'{folder}' {nothing}.")


def texts(runs, folder, found, asked, by):
    """Return the parts of the output: the runs, the settings that all share, the criteria, the groups."""
    keys = [key for key in dict.fromkeys([*found.varying, *found.criteria, *asked]) if key != "status"]
    values = [[value_of(run, key, with_scalars=key in asked) for key in keys] for run in runs]
    rows = [[name_of(run.folder, folder), run.status, *row] for run, row in zip(runs, values)]
    parts = [table(["run", "status", *keys], rows)]
    if found.common and len(runs) > 1:
        parts.append("all: " + ", ".join(f"{key}={shown(value)}" for key, value in found.common.items()))
    if found.criteria and len(runs) > 1:
        parts.append(table(["criterion", "runs", *COLUMNS], [[name, *s] for name, s in found.criteria.items()]))
    if found.criteria and (by or len(found.groups) < len(runs)) and len(found.groups) > 1:
        parts.append(groups_table(found, by))
    return parts


def groups_table(found, by):
    """Return the criteria of each group as a table."""
    keys = by or found.varying
    rows = [
        [*[group.configs.get(key, MISSING) for key in keys], name, *stats]
        for group in found.groups
        for name, stats in group.criteria.items()
    ]
    return table([*keys, "criterion", "runs", *COLUMNS], rows)


def as_json(runs, folder, found):
    """Return runs and their summary as plain data."""
    return {
        "folder": str(folder),
        "runs": [
            {"run": name_of(run.folder, folder), "path": str(run.folder), "status": run.status, "began": run.began,
             "configs": flat(run.configs), "criteria": run.criteria}
            for run in runs
        ],
        "common": found.common,
        "varying": found.varying,
        "criteria": {name: stats._asdict() for name, stats in found.criteria.items()},
        "groups": [
            {"configs": group.configs, "runs": [name_of(run.folder, folder) for run in group.runs],
             "criteria": {name: stats._asdict() for name, stats in group.criteria.items()}}
            for group in found.groups
        ],
    }  # fmt: skip
