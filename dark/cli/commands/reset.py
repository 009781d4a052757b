"""Put the stub of an exercise back into your notebook; your answer is kept aside."""

import sys
from functools import partial
from pathlib import Path

from dark.course.lessons.library import find_exercise, notebook_path
from dark.course.student.progress import Log, forgiven
from dark.course.student.reset import reset
from dark.errors import UsageError


def add_arguments(parser):
    """Declare the module, the exercise, and the consent."""
    parser.add_argument("module", help="number or name of the module, such as 01")
    parser.add_argument("exercise", help="such as backward")
    parser.add_argument("--yes", action="store_true", help="do not ask")
    parser.add_argument("--file", type=Path, help="your notebook, if it lies somewhere else")


def run(arguments):
    """Reset one exercise and say where the old answer is; 1 if the answer was no."""
    exercise = find_exercise(arguments.exercise, arguments.module)
    path = arguments.file or notebook_path(arguments.module)
    if not arguments.yes and not _agreed(exercise.id, path):
        print("Nothing was changed.")
        return 1
    kept = reset(exercise, path)
    log, warn = Log(path.parent), partial(print, file=sys.stderr)
    forgiven(warn, log.append, "reset", exercise=exercise.id, kept=kept.name if kept else None)
    if kept is None:
        print(f"{exercise.id}: there was no answer to put away; the stub is in {path}.")
        return 0
    print(f"{exercise.id}: the stub is back in {path}.")
    print(f"Your answer is kept in {kept}.")
    print("If the notebook is open in JupyterLab: File, Reload Notebook from Disk.")
    return 0


def _agreed(name, path):
    """Ask at the terminal; where nobody can answer, say what to type instead."""
    if not sys.stdin.isatty():
        raise UsageError(
            f"reset {name}: nobody is there to be asked.",
            "a terminal, or the option --yes.",
            f"dark reset ... {name} --yes",
        )
    answer = input(f"Put the stub of {name} back into {path}? Your answer is kept. [y/N] ")
    return answer.strip().lower() in ("y", "yes")
