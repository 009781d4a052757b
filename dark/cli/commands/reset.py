"""Restore the stub of an exercise in your notebook; your answer is backed up."""

import sys
from functools import partial
from pathlib import Path

from dark.cli.targets import find_target
from dark.course.student.progress import Log
from dark.course.student.reset import reset
from dark.errors import UsageError


def add_arguments(parser):
    """Add the arguments of `dark reset`."""
    add = parser.add_argument
    parser.usage = "dark reset [-h] [--yes] [--file FILE] [module] exercise"
    add(
        "words",
        nargs="+",
        metavar="[module] exercise",
        help="number or name of the module, such as 01 (default: the one that has the exercise); "
        "name of the exercise, such as backward",
    )
    add("--yes", action="store_true", help="do not ask for confirmation")
    add("--file", type=Path, help="path to the notebook")


def run(arguments):
    """Reset one exercise and print where the old answer is; return 1 if the user declines."""
    module, names, path = find_target(arguments.words, arguments.file)
    if len(names) != 1:
        example = next(iter(module.exercises), "backward")
        raise UsageError(f"reset: expected one exercise, got {len(names)}.", "one exercise.", f"dark reset {example}")
    exercise = module.exercises[names[0]]
    if not arguments.yes and not _agreed(exercise.id, path):
        print("Nothing was changed.")
        return 1
    kept = reset(exercise, path)
    log = Log(path.parent, warn=partial(print, file=sys.stderr))
    log.append("reset", exercise=exercise.id, kept=kept.name if kept else None)
    if kept is None:
        print(f"{exercise.id}: nothing to reset; the stub is in {path}.")
        return 0
    print(f"{exercise.id}: the stub is restored in {path}.")
    print(f"Your answer is saved in {kept}.")
    print("If the notebook is open in JupyterLab: File > Reload Notebook from Disk.")
    return 0


def _agreed(name, path):
    """Ask for confirmation at the terminal."""
    if not sys.stdin.isatty():
        raise UsageError(
            f"reset {name}: cannot ask for confirmation: not a terminal.",
            "a terminal, or the option --yes.",
            f"dark reset ... {name} --yes",
        )
    answer = input(f"Restore the stub of {name} in {path}? Your answer is backed up. [y/N] ")
    return answer.strip().lower() in ("y", "yes")
