"""Generate the notebooks of the course from their manuscripts.

`dark build` writes `solutions/`, `modules/` and the glossary; `dark build --check` generates them again and compares.
"""

import sys
from pathlib import Path

from dark.course.lessons.library import repository_root
from dark.course.lessons.notebook_files import save_file
from dark.course.printing.build import NAME, manuscripts, plain_glossary, print_module, stale, write
from dark.errors import CourseError


def add_arguments(parser):
    """Add the arguments of `dark build`."""
    add = parser.add_argument
    add("modules", nargs="*", metavar="MODULE", help="such as 01; all by default")
    add("--check", action="store_true", help="write nothing; exit 1 if a file is out of date")
    add(
        "--no-execute",
        action="store_true",
        help="do not run the cells; keep the outputs of cells whose source is unchanged",
    )
    add("--out", type=Path, metavar="DIR", help="folder for solutions/ and modules/ (default: the repository)")


def run(args):
    """Generate the notebooks; return 1 if `--check` finds a file that is out of date."""
    root = repository_root()
    if root is None:
        raise CourseError(
            "no manuscripts were found.",
            "the repository of the course, with its folder book/.",
            "clone it; the installed package contains only the generated notebooks.",
        )
    out, found = args.out or root, []
    for path in manuscripts(root, args.modules):
        printed = print_module(path, execute=not args.no_execute, report=_report)
        if args.check:
            found += stale(printed, out)
        else:
            kept = write(printed, out)
            print(f"{printed.stem}: written" + (f"; the previous file was kept as {kept}" if kept else ""))
    found += _glossary(root, out, args.check)
    for line in found:
        print(line)
    if args.check and not found:
        print("the notebooks are up to date")
    return 1 if found else 0


def _glossary(root, out, check):
    """Write the glossary next to the notebooks, or return a list that names it if it is out of date."""
    manuscript, path = root / "book" / NAME, Path(out, "modules", NAME)
    if not manuscript.is_file():
        return []
    text = plain_glossary(manuscript.read_text(encoding="utf-8"))
    if check:
        return [] if path.is_file() and path.read_text(encoding="utf-8") == text else [f"modules/{NAME}: out of date"]
    save_file(path, text)
    return []


def _report(line):
    print(line, file=sys.stderr, flush=True)
