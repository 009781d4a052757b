"""Show the next hint of an exercise, or the one you name."""

import sys
from functools import partial
from pathlib import Path

from dark.course.lessons.library import find_exercise, notebook_path
from dark.course.student.hints import hint_card, next_hint
from dark.course.student.progress import Log, forgiven
from dark.course.student.records import Record, records


def add_arguments(parser):
    """Declare the module, the exercise, and which hint."""
    parser.add_argument("module", help="number or name of the module, such as 01")
    parser.add_argument("exercise", help="such as backward")
    parser.add_argument("number", type=int, nargs="?", help="1 to 4; the next one by default")
    parser.add_argument("--file", type=Path, help="your notebook, if it lies somewhere else")


def run(arguments):
    """Print one hint and write it into the log, as the notebook does."""
    exercise = find_exercise(arguments.exercise, arguments.module)
    log = Log((arguments.file or notebook_path(arguments.module)).parent)
    forgive = partial(forgiven, partial(print, file=sys.stderr))
    events, _ = forgive(log.read) or ((), ())
    record = records(events).get(exercise.id, Record())
    number = arguments.number
    if number is None:
        number = next_hint(exercise, record.hints_used)
    shown = hint_card(exercise, number, terminal=True)
    if number is not None:
        forgive(log.append, "hint", exercise=exercise.id, number=number)
    print(shown.text)
    return 0
