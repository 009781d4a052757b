"""Show one run: its settings, criteria, series, lines of text, and damage."""

import math
import sys

import numpy as np

from dark.cli.notes.finding import add_folder, find_run
from dark.cli.notes.printing import print_json, table
from dark.monitor.notes.comparing import flat, shown

EXAMPLES = """examples:
  dark notes show first
  dark notes show experiments/first --verify --json"""


def add_arguments(parser):
    """Add the arguments of `dark notes show`."""
    parser.add_argument("run_name", metavar="RUN", help="the path of a run, or its name in the folder")
    add_folder(parser)
    parser.add_argument("--verify", action="store_true", help="read all arrays, and name those that are damaged")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(arguments):
    """Print the run; damage goes to the standard error. Return 1 if `--verify` has found some."""
    chosen = find_run(arguments.run_name, arguments.folder)
    found = as_data(chosen)
    if arguments.verify:
        found["damage"] = chosen.verify()
    print_run(found, arguments.json)
    return 1 if arguments.verify and found["damage"] else 0


def print_run(found, as_json):
    """Print a run as texts or JSON."""
    if as_json:
        print_json(found)
        return
    print("\n\n".join(texts(found)))
    for text in found["damage"]:
        print(text, file=sys.stderr)


def as_data(run):
    """Return a run as plain data."""
    return {
        "run": str(run.folder),
        "status": run.status,
        "began": run.began,
        "configs": flat(run.configs),
        "criteria": {name: each._asdict() for name, each in run.criterion_dict.items()},
        "scalars": {name: scalar_row(series) for name, series in run.scalar_dict.items()},
        "tensors": {
            name: {"count": len(series), **steps_of(series), "shape": series.shape, "dtype": str(series.dtype)}
            for name, series in run.tensor_dict.items()
        },
        "content": run.content,
        "damage": run.damage,
    }


def scalar_row(series):
    """Return the number of values of a series, its steps, its last value, and the extremes of the finite ones."""
    finite = series.values[np.isfinite(series.values)]
    low, high = (float(finite.min()), float(finite.max())) if finite.size else (math.nan, math.nan)
    return {"count": len(series), **steps_of(series), "last": series[-1], "min": low, "max": high}


def steps_of(series):
    """Return the first and the last step of a series."""
    return {"first_step": series.steps[0].item(), "last_step": series.steps[-1].item()}


def texts(found):
    """Return the parts of the output."""
    yield f"{found['run']}: {found['status']}, began {found['began'] or 'at an unknown time'}"
    if found["configs"]:
        yield "\n".join(f"{key} = {shown(value)}" for key, value in found["configs"].items())
    if found["criteria"]:
        rows = [[c["name"], c["value"], c["unit"] or "", c["better"] or ""] for c in found["criteria"].values()]
        yield table(["criterion", "value", "unit", "better"], rows)
    for kind in ("scalars", "tensors"):
        if found[kind]:
            names = list(next(iter(found[kind].values())))
            rows = [[name, *row.values()] for name, row in found[kind].items()]
            yield table([kind[:-1], *[name.replace("_", " ") for name in names]], rows)
    if found["content"]:
        yield "\n".join(found["content"])
