"""Write an export into its folder, and never lose a change that was made there.

`.export.json` lists the files with their hashes: a file that was edited is copied to `edited` before it is replaced.
"""

import json
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from dark.course.lessons.notebook_files import save_file
from dark.errors import CourseError, UsageError

MANIFEST = ".export.json"
EDITED = "edited"


def check_folder(folder, force=False):
    """Refuse a folder that is not an export, or one that is without `force`."""
    folder = Path(folder)
    if folder.exists() and not folder.is_dir():
        raise UsageError(
            f"export: {folder} must be a folder, but is a file.",
            "a folder that is new or empty.",
            "choose another name",
        )
    if not folder.is_dir() or not any(folder.iterdir()):
        return
    if (folder / MANIFEST).is_file():
        if not force:
            advice = f"--force; a file that you have edited there is first copied to {folder / EDITED}"
            raise UsageError(f"export: {folder} has an export already.", "a folder that is new or empty.", advice)
        _manifest(folder)
        return
    some = ", ".join(sorted(path.name for path in folder.iterdir())[:3])
    says = f"export: {folder} is not empty and not an export (it has {some})."
    advice = f"a folder in it, such as {folder / 'framework'}"
    raise UsageError(says, "a folder that is new or empty, or an earlier export.", advice)


def write_files(folder, files: dict[str, bytes]) -> list[Path]:
    """Write files by path, remove the files of an earlier export, and return the copies of those edited in between."""
    folder = Path(folder)
    try:
        before = _manifest(folder)
        paths = {name: folder / name for name in {*before, *files}}
        there = {name: path.read_bytes() for name, path in paths.items() if path.is_file()}
        changed = {name: old for name, old in there.items() if old != files.get(name)}
        kept = [_keep(folder, name, old) for name, old in changed.items() if _hash(old) != before.get(name)]
        manifest = {name: _hash(content) for name, content in sorted(files.items())}
        save_file(folder / MANIFEST, json.dumps(manifest, indent=1) + "\n")
        for name, content in files.items():
            if there.get(name) != content:
                save_file(folder / name, content)
        for name in set(changed) - set(files):
            (folder / name).unlink()
        return sorted(kept)
    except OSError as error:
        says = f"export: {folder} cannot be written ({error.strerror or error})."
        raise CourseError(says, "a folder with write permission.", "choose another folder") from error


def _manifest(folder):
    """Return the hash of each file of the last export; empty without one."""
    path = folder / MANIFEST
    if not path.is_file():
        return {}
    with suppress(ValueError):
        found = json.loads(path.read_text(encoding="utf-8"))
        if isinstance(found, dict) and all(isinstance(value, str) for value in found.values()):
            if not any(name.startswith("/") or ".." in name.split("/") for name in found):
                return found
    advice = f"rm {path} and move the other files away, or export to another folder"
    raise UsageError(f"export: {path} is damaged.", "the list of files that dark export has written.", advice)


def _keep(folder, name, content):
    path = Path(name)
    kept = folder / EDITED / path.parent / f"{path.stem}-{_hash(content)[:8]}{path.suffix}"
    save_file(kept, content)
    return kept


def _hash(content):
    return sha256(content).hexdigest()
