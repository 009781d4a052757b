"""Pack runs into one file (zip), which `Note.load` and these commands read as they read the folders.

Of several runs, which are given by name or as the folder that holds them, each is in a folder of the file: show, view,
compare and export take FILE/RUN, list and select the file in the place of the folder.
"""

from pathlib import Path

from dark.cli.notes.finding import add_folder, find_run, folder_of, name_of
from dark.errors import DarkError, UsageError
from dark.monitor import Note
from dark.monitor.notes.finding import SUFFIX, packed_runs, runs_below
from dark.monitor.notes.packing import files_of

EXAMPLES = """examples:
  dark notes pack first
  dark notes pack runs/first first-without-arrays.zip --no-tensors
  dark notes pack first second third summary.zip
  dark notes pack runs --output summary.zip
  dark notes list summary.zip"""


def add_arguments(parser):
    """Add the arguments of `dark notes pack`."""
    parser.add_argument("names", nargs="+", metavar="RUN", help="paths of runs, names in the folder, folders of runs")
    text = "the file; also the last of several names, if it ends in .zip (default: RUN.zip, or FOLDER.zip for several)"
    parser.add_argument("--output", "-o", type=Path, metavar="FILE", help=text)
    add_folder(parser)
    parser.add_argument("--no-tensors", action="store_true", help="leave the arrays out")


def run(arguments):
    """Write the file and print its name."""
    names, output = names_and_output(arguments.names, arguments.output, arguments.folder)
    groups = [runs_of(name, arguments.folder) for name in names]
    is_one = len(names) == 1 and not is_folder(names[0])
    output = output or default_output(groups, names, is_one, arguments.folder)
    if output.exists() and not packed_runs(output):
        wanted = "the name of a new file."
        raise UsageError(f"notes pack: '{output}' exists, and is not a packed run.", wanted, f"{output}{SUFFIX}")
    if arguments.no_tensors:
        groups = [{name: found.tensor_free for name, found in group.items()} for group in groups]
    if is_one:
        (found,) = groups[0].values()
        found.save(output)
    else:
        Note.save_all(groups[0] if len(groups) == 1 else [run for group in groups for run in group.values()], output)
    print(output)
    return 0


def names_and_output(names, output, folder):
    """Return the names of the runs, and the file: also the last of several names, if it ends in .zip.

    The second of two is the file if it has any ending, or is a file, and is not a run.
    """
    *others, last = names
    if output is None and others:
        is_file = len(others) == 1 and (Path(last).suffix or Path(last).is_file()) and not is_run(last, folder)
        if last.endswith(SUFFIX) or is_file:
            return others, Path(last)
    return names, output


def is_run(name, folder):
    """Return whether there is a run of a name."""
    try:
        return bool(find_run(name, folder))
    except DarkError:
        return False


def is_folder(name):
    """Return whether a name is a folder, or a file, of runs, not a single run."""
    path = Path(name)
    if path.is_dir():
        return files_of(path) is None and bool(runs_below(path))
    return packed_runs(path) not in ([], [path])


def runs_of(name, folder):
    """Return the run of a name, or all runs of a folder or of a file, by their names in the archive."""
    if is_folder(name):
        return {name_of(found.folder, Path(name)).removesuffix(SUFFIX): found for found in Note.load_all(name)}
    return {name: find_run(name, folder)}


def default_output(groups, names, is_one, folder):
    """Return the file that is written if none is named: beside the run, or in the current folder for several."""
    if is_one:
        (found,) = groups[0].values()
        return found.folder.with_name(found.folder.resolve().name.removesuffix(SUFFIX) + SUFFIX)
    place = Path(names[0]) if len(names) == 1 else folder_of(folder)
    return Path(place.resolve().name.removesuffix(SUFFIX) + SUFFIX)
