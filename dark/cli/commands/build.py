"""Print the notebooks of the course from their manuscripts.

`dark build` writes `solutions/` and `modules/`; `dark build --check` prints again and compares.
"""

import sys
from pathlib import Path

from dark.course.lessons.library import repository_root
from dark.course.printing.build import manuscripts, print_module, stale, write
from dark.errors import CourseError


def add_arguments(parser):
    """Add the arguments of `dark build`."""
    parser.add_argument("modules", nargs="*", metavar="MODULE", help="such as 01; all by default")
    parser.add_argument(
        "--check", action="store_true", help="write nothing; exit 1 if a file is not what would be printed"
    )
    parser.add_argument(
        "--no-execute",
        action="store_true",
        help="run no cell; keep the outputs of cells whose source is the same",
    )
    parser.add_argument(
        "--out", type=Path, metavar="DIR", help="the folder of solutions/ and modules/, by default the repository"
    )


def run(args):
    """Print the modules; return 1 if `--check` finds a stale file."""
    root = repository_root()
    if root is None:
        raise CourseError(
            "there are no manuscripts here.",
            "the repository of the course, with its folder book/.",
            "clone it; the installed package holds the printed notebooks only.",
        )
    out, found = args.out or root, []
    for path in manuscripts(root, args.modules):
        printed = print_module(path, execute=not args.no_execute, report=_report)
        if args.check:
            found += stale(printed, out)
        else:
            kept = write(printed, out)
            print(f"{printed.stem}: printed" + (f"; what was there is kept in {kept}" if kept else ""))
    for line in found:
        print(line)
    if args.check and not found:
        print("what is printed is up to date")
    return 1 if found else 0


def _report(line):
    print(line, file=sys.stderr, flush=True)
