"""Write your answers as a package of your own, with the exams as its tests."""

import sys
from argparse import RawDescriptionHelpFormatter
from pathlib import Path

from dark.course.export import export_course

QUIET_SECONDS = 1.5  # before a progress bar appears
EPILOG = """\
The package needs NumPy, and nothing of the course. An exercise that you have not written, or that is not right, is
taken from the reference answers and marked so: in its file, and in the README.

exit codes:
  0    the package is written
  1    the package is written, and some of its tests fail: answers that are right by themselves do not work together
  2    an invalid command line or folder; nothing is written

example:
  dark export ../my-framework
  python -m pip install -e ../my-framework[test]
  python -m pytest ../my-framework
"""


def add_arguments(parser):
    """Add the arguments of `dark export`."""
    parser.epilog, parser.formatter_class = EPILOG, RawDescriptionHelpFormatter
    add = parser.add_argument
    add("folder", type=Path, metavar="DIR", help="folder of the package, new or empty")
    modules_help = "modules such as 05, with those that they build on (default: all)"
    add("modules", nargs="*", metavar="MODULE", help=modules_help)
    work_help = "folder of your notebooks (default: where dark lab opens them)"
    add("--work", type=Path, metavar="FOLDER", help=work_help)
    add("--name", help="name of the package (default: the last part of DIR)")
    force_help = "renew an earlier export; a file that you have edited there is kept as a copy"
    add("--force", action="store_true", help=force_help)


def run(arguments):
    """Write the package, print whose code it is, and return the exit code, as `--help` lists them."""
    given = arguments.folder, arguments.modules
    options = {"work": arguments.work, "name": arguments.name, "force": arguments.force}
    exported = export_course(*given, **options, progress=_bar)
    print(exported)
    print(f'Next: python -m pip install -e "{exported.folder}[test]"; python -m pytest {exported.folder}')
    return 0 if exported.is_right else 1


def _bar(items, text):
    from tqdm import tqdm

    return tqdm(items, text, leave=False, delay=QUIET_SECONDS, file=sys.stderr, disable=None)
