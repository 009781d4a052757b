"""`save_file` and `load_file`: a mapping into a file, and back."""

import json

from dark.atomic_write import path_string, replace_file
from dark.errors import StorageError
from dark.storage import safetensors_format
from dark.storage.packing import pack, unpack

FORMAT = "dark 1"


def save_file(mapping, path):
    """Write arrays and plain data into one file, which takes the place of an older one only when it is complete.

    The file is in the safetensors format, which other programs read; arrays of a flat mapping keep their
    names there. What else the mapping holds stands as JSON in the file's metadata, beside a checksum.

    Parameters
    ----------
    mapping : mapping
        Arrays of floats (16, 32 or 64 bits), integers or truth values, numbers, strings, None, and lists,
        tuples and mappings of all these, such as `Module.state_dict` and `Optimizer.state_dict` return.
        Keys are strings, integers, floats, truth values or None.
    path : str or path
        The folder must be there.

    Raises
    ------
    StorageError
        If the mapping holds something else, or there is no such folder; nothing has been written then.
    ValueTypeError
        If `path` is none.
    OSError
        If the file cannot be written; an older one is untouched then.

    Notes
    -----
    The bytes go into a new file in the same folder, then to the disk, then the file gets its name. A
    process that is killed in between leaves the old file, and one whose name ends in ``.part``.
    An array comes back in the machine's own order of bytes; any mapping comes back as a dict.

    Examples
    --------
    >>> import os, tempfile
    >>> import numpy as np
    >>> path = os.path.join(tempfile.mkdtemp(), "state.safetensors")
    >>> save_file({"weight": np.eye(2), "step": 3, "betas": (0.9, 0.999)}, path)
    >>> load_file(path)
    {'weight': array([[1., 0.],
           [0., 1.]]), 'step': 3, 'betas': (0.9, 0.999)}
    """
    tree, arrays = pack(mapping)
    notes = {"format": FORMAT, "content": json.dumps(tree, allow_nan=False, separators=(",", ":"))}
    with replace_file(path) as part, open(part, "xb") as file:
        safetensors_format.write(file, arrays, notes)


def load_file(path, *, foreign=False):
    """Read a file that `save_file` has written.

    Parameters
    ----------
    path : str or path
    foreign : bool, default False
        Take a safetensors file that another program has written: nothing protects it from damage to
        its numbers, and only its arrays are read.

    Returns
    -------
    dict
        What was saved; each array has memory of its own.

    Raises
    ------
    StorageError
        If the file is damaged, cut off, or not of this kind: any byte that has changed is noticed.
    ValueTypeError
        If `path` is none.
    OSError
        If it cannot be opened.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile() as file:
    ...     _ = file.write(b"something else")
    ...     file.flush()
    ...     load_file(file.name)
    Traceback (most recent call last):
        ...
    dark.errors.StorageError: .../... is no file that dark.save has written, or its beginning is damaged.
      Expected: a file of dark.save, as it was written.
      Try: another copy of the file; load(path, foreign=True), if it is a safetensors file of another program.
    """
    path = path_string(path, "load")
    try:
        arrays, notes = safetensors_format.read(path, is_foreign=foreign)
        if foreign:
            return arrays
        if notes.get("format") != FORMAT:
            raise StorageError(
                f"{path} has the format {notes.get('format')!r}.", f"the format {FORMAT!r}.", "a newer version of dark."
            )
        return unpack(json.loads(notes["content"]), arrays)
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        if isinstance(error, StorageError):
            raise
        raise safetensors_format.damaged(
            path, f"its content makes no sense ({type(error).__name__}: {error})"
        ) from None
