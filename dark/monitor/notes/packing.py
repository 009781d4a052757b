"""Runs in one file: an archive (zip) of the files of a run, or of several in a folder each, which is not unpacked."""

import os
import struct
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import IO

from dark.atomic_write import replace_file
from dark.errors import StorageError, UsageError
from dark.monitor.notes.json_lines import CHUNK, JsonLines, Region
from dark.monitor.notes.run_files import NAME, file_name, is_live, numbers_in

WITHOUT_TENSORS = ("run", "scalars")
KINDS = (*WITHOUT_TENSORS, "tensors", "segments")
NAMES_AT, LOCAL_HEADER = 26, 30  # bytes, in the header before a member of an archive


class FolderFiles:
    """The files of a run in a folder."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def numbers(self) -> list[int]:
        """Return the numbers of the processes that have written."""
        try:
            return numbers_in(os.listdir(self.path))
        except FileNotFoundError:
            return []

    def regions(self, number: int) -> dict[str, Region]:
        """Return the files of a process by kind; they may be missing."""
        names = {kind: file_name(kind, number) for kind in KINDS}
        return {kind: Region(name, self.path / name) for kind, name in names.items()}

    def is_live(self, number: int) -> bool:
        """Return whether a process can still write."""
        return is_live(self.path / file_name("run", number))


class PackedFiles:
    """The files of a run in an archive. `folder` is the folder of the run in an archive of several."""

    def __init__(self, path: Path, folder: str = "") -> None:
        self.path = path
        self._begins: dict[str, tuple[int, int]] = {}
        try:
            with zipfile.ZipFile(path) as archive, open(path, "rb") as file:
                for member in archive.infolist():
                    place, _, name = member.filename.rpartition("/")
                    if place != folder or member.compress_type != zipfile.ZIP_STORED:
                        continue
                    file.seek(member.header_offset + NAMES_AT)
                    lengths = struct.unpack("<HH", file.read(4))
                    self._begins[name] = member.header_offset + LOCAL_HEADER + sum(lengths), member.file_size
                others = folders_of(archive)
        except (zipfile.BadZipFile, struct.error, EOFError) as error:
            raise _not_packed(path, str(error)) from None
        if not numbers_in(self._begins):
            raise _several(path, others) if others else _not_packed(path, "it holds no files of a run")

    def numbers(self) -> list[int]:
        """Return the numbers of the processes that have written."""
        return numbers_in(self._begins)

    def regions(self, number: int) -> dict[str, Region]:
        """Return the files of a process by kind; a missing one is empty."""
        names = {kind: file_name(kind, number) for kind in KINDS}
        found = {kind: self._begins.get(name, (0, 0)) for kind, name in names.items()}
        return {kind: Region(names[kind], self.path, *place) for kind, place in found.items()}

    def is_live(self, number: int) -> bool:
        """Return False: a packed run is not written to."""
        return False


def folders_of(archive: zipfile.ZipFile) -> list[str]:
    """Return the folders of an archive that hold runs, sorted; the empty string for a single run."""
    parts = (name.rpartition("/") for name in archive.namelist())
    return sorted({folder for folder, _, name in parts if numbers_in([name])})


def archive_of(path: Path) -> Path | None:
    """Return the file in which a path like ``runs.zip/first`` lies; None if there is no such file."""
    return next((parent for parent in path.parents if parent.is_file()), None)


def _several(path, names):
    shown = ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")
    wanted = "one of them."
    advice = f"Note.load({str(path / names[0])!r}), or Note.load_all({str(path)!r})."
    return StorageError(f"{path} holds {len(names)} run{'s' * (len(names) > 1)} in folders: {shown}.", wanted, advice)


def _not_packed(path, why):
    wanted = "the folder of a run, or a file that Note.save wrote."
    return StorageError(f"{path} is not a packed run: {why}.", wanted, "Note.load(folder)")


def has_ended(files: FolderFiles | PackedFiles, number: int) -> bool:
    """Return whether a process has written, and can write no longer.

    The order of the two questions matters: a process locks its file before it writes to any. So if something is
    written and there is no lock, the process has ended; if nothing is written, it may be about to lock its file.
    """
    return any(region.size for region in files.regions(number).values()) and not files.is_live(number)


def pack(files: FolderFiles | PackedFiles, path: str | os.PathLike[str], with_tensors: bool = True) -> None:
    """Write the files of a run to an archive; an older one is replaced when the new one is complete.

    Of a process that is still writing, complete lines are packed, and the segments that they refer to.
    """
    with replace_file(path) as part, zipfile.ZipFile(part, "x", zipfile.ZIP_STORED) as archive:
        _add(archive, "", files, with_tensors)


def pack_all(runs: Mapping[str, tuple[FolderFiles | PackedFiles, bool]], path: str | os.PathLike[str]) -> None:
    """Write the files of several runs to an archive, each in its folder."""
    for name in runs:
        if not name or any(part in ("", ".", "..") for part in name.split("/")) or "\\" in name:
            message = f"save_all: {name!r} cannot be the folder of a run in an archive."
            raise UsageError(message, "names such as 'first' or 'sweep/lr-0.1'.", "use the name of the run alone.")
    with replace_file(path) as part, zipfile.ZipFile(part, "x", zipfile.ZIP_STORED) as archive:
        for name, (files, with_tensors) in runs.items():
            _add(archive, f"{name}/", files, with_tensors)


def _add(archive, folder, files, with_tensors):
    """Add the files of a run to an archive."""
    for number in files.numbers():
        regions = files.regions(number)
        sizes = {kind: regions[kind].size for kind in KINDS} if has_ended(files, number) else _complete(regions)
        for kind in KINDS if with_tensors else WITHOUT_TENSORS:
            if sizes[kind]:
                with archive.open(folder + regions[kind].name, "w", force_zip64=True) as target:
                    _copy(regions[kind], sizes[kind], target)
            regions[kind].close()


def _complete(regions: dict[str, Region]) -> dict[str, int]:
    """Return how many bytes of the files of a process are complete lines, and segments that lines refer to."""
    sizes = {}
    for kind in ("run", "scalars", "tensors"):
        lines = JsonLines(regions[kind])
        end = max((record.get("end", 0) for record in lines.new()), default=0)
        sizes[kind], sizes["segments"] = lines.position, end  # of the index, which is the last one
    return sizes


def _copy(region: Region, size: int, target: IO[bytes]) -> None:
    """Copy the beginning of a file."""
    for start in range(0, size, CHUNK):
        target.write(region.read(start, min(CHUNK, size - start)))


def files_of(path: Path) -> FolderFiles | PackedFiles | None:
    """Return the files of a run in a folder or archive; None if the path does not hold a run.

    Raises a `StorageError` if the path is a file that is not a packed run, or holds several.
    """
    if path.is_dir():
        return FolderFiles(path) if any(NAME.fullmatch(name) for name in os.listdir(path)) else None
    if path.is_file():
        return PackedFiles(path)
    archive = archive_of(path)
    folder = path.relative_to(archive).as_posix() if archive else ""
    return PackedFiles(archive, folder) if archive and folder in folders_in(archive) else None


def folders_in(path: Path) -> list[str]:
    """Return the folders of a file that hold runs, see `folders_of`; none if it is not an archive."""
    try:
        with zipfile.ZipFile(path) as archive:
            return folders_of(archive)
    except (OSError, zipfile.BadZipFile):
        return []
