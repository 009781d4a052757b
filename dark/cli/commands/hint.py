"""Show the next hint of an exercise, or the hint with the given number."""

import sys
from functools import partial
from pathlib import Path

from dark.cli.targets import find_hint
from dark.course.cards.verdict_card import next_hint
from dark.course.student.hints import hint_card
from dark.course.student.progress import Log
from dark.course.student.records import records


def add_arguments(parser):
    """Add the arguments of `dark hint`."""
    parser.usage = "dark hint [-h] [--file FILE] [module] exercise [number]"
    parser.add_argument(
        "words",
        nargs="*",
        metavar="[module] exercise [number]",
        help="number or name of the module, such as 01, or a notebook file (default: the one that has the exercise); "
        "name of the exercise, such as backward; 1 to 4 (default: the next)",
    )
    parser.add_argument("--file", type=Path, help="path to the notebook")


def run(arguments):
    """Print one hint and record it in the progress log, as in the notebook."""
    exercise, number, path = find_hint(arguments.words, arguments.file)
    log = Log(path.parent, warn=partial(print, file=sys.stderr))
    if number is None:
        number = next_hint(len(exercise.hints), records(log.read()[0])[exercise.id].hints)
    shown = hint_card(exercise, number, terminal=True)
    if number is not None:
        log.append("hint", exercise=exercise.id, number=number)
    print(shown.text)
    return 0
