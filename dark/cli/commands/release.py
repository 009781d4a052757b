"""Release a module to a class: choose exercises, points and a deadline, and search the files for answers."""

import sys
from argparse import ArgumentTypeError, RawDescriptionHelpFormatter
from datetime import datetime
from functools import partial
from pathlib import Path

from dark.course.exams.questions import check_private
from dark.grading.batch.module_check import PreflightError
from dark.grading.batch.preflight import read_assignment
from dark.grading.grader.grade import load_assignment
from dark.grading.release import FORMATS, LeakError, choose, write_release

EPILOG = """\
exit codes:
  0    the release is written
  2    an invalid command line or folder
  3    the module is faulty, or a file contains an answer; nothing is written

example:
  dark release 01 --out class --exercises slope,backward --points slope=2 --deadline 2026-12-01T23:59+01:00
"""


def add_arguments(parser):
    """Add the arguments of `dark release`."""
    parser.epilog, parser.formatter_class = EPILOG, RawDescriptionHelpFormatter
    add = parser.add_argument
    add("module", help="number or name of the module, such as 01")
    add("--out", type=Path, default=Path("release"), metavar="DIR", help="folder of the release (default: release)")
    names_help = "the exercises that count, separated by commas; others are practice (default: all)"
    add("--exercises", type=_names, default=(), metavar="NAMES", help=names_help)
    points_help = "points of exercises, such as slope=3,backward=10 (default: the points of their questions)"
    add("--points", type=_points, default={}, metavar="NAME=N", help=points_help)
    deadline_help = "until when, with the offset from UTC, such as 2026-12-01T23:59+01:00 (default: none is named)"
    add("--deadline", type=_moment, metavar="TIME", help=deadline_help)
    format_help = (
        "notebook; nbgrader: a folder in which `nbgrader generate_assignment` runs; gradescope: the notebook in class, "
        "and autograder.zip for Gradescope, which grades by `dark grade` and holds the solutions (default: notebook)"
    )
    add("--format", choices=FORMATS, default="notebook", help=format_help)
    exam_help = "a private folder of questions, which are tested and searched for, as in `dark grade` (default: none)"
    add("--exam", type=Path, metavar="DIR", help=exam_help)


def run(arguments):
    """Test the module, write the release, print its files; return the exit code, as `--help` lists them."""
    if arguments.exam:
        check_private(arguments.exam, arguments.module)
    load = partial(load_assignment, arguments.module, arguments.exam)
    try:
        assignment = read_assignment(arguments.module, load)
        chosen = (arguments.exercises, arguments.points, arguments.deadline)
        terms = choose(assignment.module, assignment.exam, *chosen)
        files = write_release(assignment, terms, arguments.out, arguments.format, _tell, arguments.exam)
    except (PreflightError, LeakError) as error:
        print(error, file=sys.stderr)
        return 3
    print("\n".join(map(str, files)))
    return 0


def _tell(text):
    print(text, file=sys.stderr, flush=True)


def _names(text):
    return tuple(name.strip() for name in text.split(",") if name.strip())


def _points(text):
    found = {}
    for pair in _names(text):
        name, sign, count = pair.partition("=")
        if not sign or not count.strip().isdecimal():
            raise ArgumentTypeError(f"{pair!r} is not an exercise and its points; try slope=3.")
        found[name.strip()] = int(count)
    return found


def _moment(text):
    try:
        found = datetime.fromisoformat(text)
    except ValueError as error:
        raise ArgumentTypeError(f"{error}; try 2026-12-01T23:59+01:00.") from None
    if found.tzinfo is None:
        raise ArgumentTypeError(f"{text} has no offset from UTC; try {found.isoformat(timespec='minutes')}+01:00.")
    return found
