"""Find the runs in a folder, and the ones with a name similar to a missing one."""

import os
import zipfile
from collections.abc import Iterator
from pathlib import Path

from dark.errors import StorageError, near_misses
from dark.monitor.notes.packing import archive_of, folders_in
from dark.monitor.notes.run_files import NAME, file_name, numbers_in

SUFFIX = ".zip"  # of packed runs


def runs_below(folder: Path) -> list[Path]:
    """Return the runs in a folder and its subfolders, sorted: folders of runs, and packed ones.

    Of a file in which several runs are packed, each is ``file.zip/name``; the folder may be such a file. A packed copy
    of a run that is there as a folder is left out.
    """
    runs = sorted(_runs_below(folder))
    folders = {first_line(path) for path in runs if path.is_dir()} - {b""}
    return [path for path in runs if path.is_dir() or first_line(path) not in folders]


def first_line(run: Path) -> bytes:
    """Return the line with which a run begins: its time and process, as in a packed copy; empty if it is lost."""
    try:
        archive = archive_of(run)
        inside = f"{run.relative_to(archive).as_posix()}/" if archive else ""
        place = run if run.is_dir() else zipfile.Path(archive or run, inside)
        number = numbers_in(entry.name for entry in place.iterdir())[0]
        with (place / file_name("run", number)).open("rb") as file:
            return file.readline()
    except OSError:
        return b""


def _runs_below(folder: Path) -> Iterator[Path]:
    if folder.is_file():
        yield from (folder / name for name in folders_in(folder))
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        if any(NAME.fullmatch(name) for name in names):
            folders.clear()
            yield Path(place)
        else:
            yield from (run for name in names for run in packed_runs(Path(place, name)))


def packed_runs(path: Path) -> list[Path]:
    """Return the runs that a file holds, by its name and its list of members: itself, or ``file.zip/name``."""
    return [path / folder for folder in folders_in(path)] if path.suffix == SUFFIX else []


def no_run(path: Path) -> StorageError:
    """Return the error for a path that does not hold a run; it offers similar runs in the same folder."""
    what = "the folder does not hold a run" if path.is_dir() else "this run does not exist"
    below = path if path.is_dir() else path.parent
    others = [str(run) for run in runs_below(below)] if below.exists() else []
    advice = near_misses(str(path), others) if others else "Note(folder), to begin one."
    return StorageError(f"{path}: {what}.", "the folder of a run, or a file that Note.save wrote.", advice)
