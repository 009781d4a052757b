"""The folder of a report: opened if it is empty or an earlier report; any other is refused."""

import json
from pathlib import Path

from dark.errors import UsageError

SCHEMA = 1


def open_folder(folder):
    """Create the folder of a gradebook, or open an existing one; any other folder is refused.

    Returns
    -------
    bool
        Whether it is new.
    """
    advice = "the name of a new folder, such as report"
    try:
        if folder.exists() and not folder.is_dir():
            raise UsageError(f"--out {folder} is a file.", "a folder for the results.", advice)
        is_new = not folder.is_dir() or not any(folder.iterdir())
        is_report = is_new or _is_gradebook(folder / "results.json")
        if is_report:
            (folder / "pages").mkdir(parents=True, exist_ok=True)
    except OSError as error:
        what = f"--out {folder}: the folder cannot be created or read ({error.strerror})."
        raise UsageError(what, "a folder with write permission.", advice) from error
    if not is_report:
        raise UsageError(
            f"--out {folder} is not empty and is not a report.",
            "a new or empty folder, or the report of an earlier `dark grade`.",
            advice,
        )
    return is_new


def recorded_seed(folder) -> int | None:
    """Return the seed of an earlier run, so that the next one reuses its records; None if there was none.

    Parameters
    ----------
    folder : path
        The folder of the report.
    """
    seed = (_results(Path(folder, "results.json")) or {}).get("seed")
    return seed if isinstance(seed, int) else None


def _is_gradebook(path):
    """Return whether a file is the results.json of a gradebook."""
    return _results(path) is not None


def _results(path):
    """Read the results.json of a gradebook; None if it is something else."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    is_report = isinstance(found, dict) and found.get("schema") == SCHEMA and "submissions" in found
    return found if is_report else None
