"""Writing a file so that its name stands for the old content or the new, and never for half of it."""

import errno
import os
import secrets
import stat
from contextlib import contextmanager, suppress

from dark.errors import StorageError, ValueTypeError


def checked_path(path, who):
    """Return a path as text; a number, which `open` would take for a file that is open, is none.

    Raises
    ------
    ValueTypeError
    """
    try:
        return os.fsdecode(path)
    except TypeError:
        raise ValueTypeError(
            f"{who}: {path!r} ({type(path).__name__}) is no path.", "the name of a file.", '"state.safetensors"'
        ) from None


@contextmanager
def replacing(path):
    """Open a file for writing that takes the place of another when the block has ended well.

    Parameters
    ----------
    path : str or path
        What is to be replaced, if it is there. Of a link, the file that it leads to.

    Yields
    ------
    binary file

    Raises
    ------
    StorageError
        If there is no such folder, or the path is one itself.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp(), "file")
    >>> with replacing(path) as file:
    ...     _ = file.write(b"new")
    >>> path.read_bytes()
    b'new'
    """
    target = os.path.realpath(checked_path(path, "save"))
    folder = os.path.dirname(target)
    if os.path.isdir(target) or not os.path.isdir(folder):
        raise StorageError(
            f"save: {path} is a folder." if os.path.isdir(target) else f"save: there is no folder {folder}.",
            "the name of a file, in a folder that is there.",
            "os.makedirs(folder, exist_ok=True)",
        )
    part = os.path.join(folder, f".{secrets.token_hex(8)}.part")  # in the same folder, so the same disk
    try:
        with open(part, "xb") as file:
            if os.path.exists(target):  # who may read the old one may read the new one
                os.chmod(part, stat.S_IMODE(os.stat(target).st_mode))
            yield file
            file.flush()
            os.fsync(file.fileno())  # or a crash may leave the new name with no content
        os.replace(part, target)
    except BaseException as error:
        with suppress(OSError):
            os.unlink(part)
        if isinstance(error, OSError):
            error.add_note(f"while saving {path}; what was there before is untouched")
        raise
    _flush(folder)


def _flush(folder):
    """Bring the new name to the disk, where the system can do that for folders."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):  # some file systems of networks cannot
            raise
    finally:
        os.close(handle)
