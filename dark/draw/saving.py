"""Writing pictures to files: whole or not at all."""

import os
from pathlib import Path
from tempfile import mkstemp

from dark.errors import DrawingError


def save(path, writers):
    """Write a picture in the format that the suffix of `path` names.

    Parameters
    ----------
    path : str or Path
        Where to; an older file there is replaced in one go.
    writers : dict of str to function
        For each suffix, what makes the content, `str` or `bytes`.

    Returns
    -------
    Path

    Raises
    ------
    DrawingError
        If the suffix is not one of `writers`, the folder is not there, or the file cannot be written.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     save(Path(folder, "a.txt"), {".txt": lambda: "hello"}).read_text()
    'hello'
    """
    path = checked_path(path, writers)
    content = writers[path.suffix.lower()]()
    try:
        _write_whole(path, content.encode("utf-8") if isinstance(content, str) else content)
    except OSError as error:
        raise DrawingError(
            f"save: '{path}' cannot be written: {error.strerror}.",
            "a file in a folder one may write to.",
            "another name or folder",
        ) from None
    return path


def checked_path(path, suffixes):
    """Return a path at which a picture can be written; a `~` in front is the user's own folder.

    Parameters
    ----------
    path : str or Path
    suffixes : iterable of str
        The endings whose format is known.

    Returns
    -------
    Path

    Raises
    ------
    DrawingError
        If it is no path, its ending is another one, or its folder is not there.

    Examples
    --------
    >>> checked_path("graph.svg", [".svg"]).name
    'graph.svg'
    """
    suffixes = list(suffixes)
    if not isinstance(path, (str, os.PathLike)) or "\0" in str(path):
        raise DrawingError(
            f"save: {path!r} is no path.", "the name of a file, as text or Path.", f'.save("graph{suffixes[0]}")'
        )
    path = Path(os.path.expanduser(path))
    if path.suffix.lower() not in suffixes:
        ending = f"ends in '{path.suffix}'" if path.suffix else "has no ending"
        raise DrawingError(
            f"save: '{path.name}' {ending}, so its format is not known.",
            "a name that ends in one of " + ", ".join(suffixes) + ".",
            f"{'graph' if path.name in ('', '..', *suffixes) else path.stem}{suffixes[0]}",
        )
    if path.parent.exists() and not path.parent.is_dir():
        raise DrawingError(
            f"save: '{path.parent}' is a file, not a folder.", "a folder that is there.", f"'{path.name}', to save here"
        )
    if not path.parent.is_dir():
        raise DrawingError(
            f"save: the folder '{path.parent}' does not exist.",
            "a folder that is there.",
            f"make it first: mkdir -p {path.parent}",
        )
    return path


def _write_whole(path, data):
    """Write a file beside its place, then move it there, so that nobody sees half of it.

    Where a symbolic link stands, the file it leads to is replaced, not the link.
    """
    path = Path(os.path.realpath(path))
    number, beside = mkstemp(dir=path.parent, prefix=".dark-")  # short: the name itself may be as long as can be
    try:
        with open(number, "wb") as file:
            file.write(data)
        os.chmod(beside, 0o644)
        os.replace(beside, path)
    except BaseException:
        os.unlink(beside)
        raise
