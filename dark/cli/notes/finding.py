"""The runs that a subcommand works on: all in a folder, or one by its name or path."""

from argparse import ArgumentParser
from pathlib import Path

from dark.errors import StorageError, UsageError, near_misses
from dark.monitor import Note
from dark.monitor.notes.finding import runs_below
from dark.monitor.notes.packing import archive_of

DEFAULT = "runs"


def add_folder(parser: ArgumentParser, positional: bool = False) -> None:
    """Add the argument that names the folder of the runs."""
    text = f"folder, or file of packed runs, to look in (default: {DEFAULT} if it exists, else the current folder)"
    parser.add_argument("--folder", type=Path, metavar="FOLDER", help=text)
    if positional:
        parser.add_argument("place", nargs="?", type=Path, metavar="FOLDER", help="the same as --folder")


def folder_of(given: Path | None) -> Path:
    """Return the folder of the runs."""
    folder = given or (Path(DEFAULT) if Path(DEFAULT).is_dir() else Path())
    if not folder.is_dir() and not (folder.is_file() and runs_below(folder)):
        others = sorted(str(path) for path in folder.parent.glob("*") if path.is_dir())
        advice = near_misses(str(folder), others) if others else "dark notes list, for the current folder."
        raise UsageError(f"notes: the folder '{folder}' does not exist.", "a folder of runs.", advice)
    return folder


def find_run(name: str, given: Path | None) -> Note:
    """Return the run of a name: a path, or a path in the folder of the runs."""
    folder = folder_of(given)
    for path in (Path(name), folder / name, folder / f"{name}.zip"):
        if path.exists() or archive_of(path):
            try:
                return Note.load(path)
            except StorageError:
                if path == Path(name) and path.is_file():
                    raise
    known = [name_of(path, folder) for path in runs_below(folder)]
    wanted = "the folder of a run, a packed run, or one in a file of several: FILE/RUN."
    advice = near_misses(name, known) if known else "dark notes list FOLDER, with another folder."
    raise UsageError(f"notes: the run '{name}' does not exist in '{folder}'.", wanted, advice)


def name_of(path: Path, folder: Path) -> str:
    """Return the name of a run in a folder: its path from there.

    >>> name_of(Path("runs/a/b"), Path("runs")), name_of(Path("runs"), Path("runs"))
    ('a/b', 'runs')
    """
    name = str(path.relative_to(folder)) if path.is_relative_to(folder) else str(path)
    return path.resolve().name if name == "." else name
