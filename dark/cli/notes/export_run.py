"""Export a run: as one page with its viewer (HTML), its scalars as a table (CSV), or as event files of TensorBoard.

The page works from the disk without a network; of a run that is larger than the limit it says what was left out. The
table has a row for each step and a column for each series. TensorBoard gets scalars as curves, arrays as
histograms, settings and criteria as texts; it needs the extra `tensorboard`.
"""

import io
import sys
from pathlib import Path

from dark.atomic_write import write_file
from dark.cli.notes.finding import add_folder, find_run
from dark.errors import UsageError
from dark.monitor import page
from dark.monitor.notes.exporting import write_csv, write_tensorboard

EXAMPLES = """examples:
  dark notes export first first.html
  dark notes export first all.html --compare second third --limit-mb 50
  dark notes export first --csv > first.csv
  dark notes export first first.csv
  dark notes export first --tensorboard runs/tensorboard"""


def add_arguments(parser):
    """Add the arguments of `dark notes export`."""
    parser.add_argument("run_name", metavar="RUN", help="the path of a run, or its name in the folder")
    parser.add_argument("output", nargs="?", type=Path, metavar="OUT", help="a file, whose ending tells the format")
    chosen = parser.add_mutually_exclusive_group()
    chosen.add_argument("--csv", nargs="?", const="", metavar="FILE", help="write scalars as CSV (default: print them)")
    chosen.add_argument("--tensorboard", nargs="?", const="", metavar="FOLDER", help="write event files to a folder")
    chosen.add_argument("--html", metavar="FILE", help="write the viewer as one page, which needs no network")
    parser.add_argument("--compare", nargs="+", default=[], metavar="RUN", help="more runs for the page")
    parser.add_argument("--limit-mb", type=float, default=20, metavar="N", help="size of the page in MB (default: 20)")
    add_folder(parser)


def run(arguments):
    """Write the run in the format that was asked for."""
    found, output = find_run(arguments.run_name, arguments.folder), arguments.output
    if arguments.tensorboard is not None:
        export_tensorboard(found, arguments.tensorboard or output)
    elif arguments.html is not None or (output is not None and output.suffix in PAGES):
        others = [find_run(name, arguments.folder) for name in arguments.compare]
        export_page(found, arguments.html or output, others, arguments.limit_mb)
    elif arguments.csv is not None:
        export_csv(found, arguments.csv or output)
    elif output is not None and output.suffix in BY_ENDING:
        BY_ENDING[output.suffix](found, output)
    else:
        raise UsageError(
            f"notes export: the format of '{output}' is not known." if output else "notes export: no format is given.",
            f"a file that ends in {' or '.join([*PAGES, *BY_ENDING])}, or an option.",
            f"dark notes export {arguments.run_name} --csv",
        )
    return 0


def export_page(found, path, others, limit_mb):
    """Write the page, and report the data that were left out."""
    made = page(found, *others, limit_mb=limit_mb)
    made.save(path)
    print(f"{path}: {len(made.html) / 1e6:.1f} MB", file=sys.stderr)
    for sentence in made.left_out:
        print(f"  {sentence}", file=sys.stderr)


def export_csv(found, path):
    """Write the scalars to a file, or print them."""
    text = io.StringIO()
    rows = write_csv(found, text)
    if not path:
        print(text.getvalue(), end="")
        return
    write_file(path, text.getvalue())
    print(f"{path}: {rows} steps of {len(found.scalar_dict)} scalars", file=sys.stderr)


def export_tensorboard(found, folder):
    """Write event files to a folder."""
    if not folder:
        raise UsageError("notes export: the folder is missing.", "--tensorboard FOLDER.", "--tensorboard tensorboard")
    scalars, histograms = write_tensorboard(found, folder)
    print(f"{folder}: {scalars} values, {histograms} histograms", file=sys.stderr)


PAGES = (".html", ".htm")
BY_ENDING = {".csv": export_csv}
