"""`save_file` and `load_file`: write a mapping to a file, and read it back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from dark.atomic_write import path_string, replace_file
from dark.errors import StorageError
from dark.storage import safetensors_format
from dark.storage.packing import pack, unpack

if TYPE_CHECKING:
    from dark.typing import Path

FORMAT = "dark 1"


def save_file(mapping: Mapping[Any, Any], path: Path) -> None:
    """Save arrays and plain data to one file; an older file is replaced only when the new one is complete.

    The file is in the safetensors format, which other programs can read; arrays of a flat mapping keep their names.
    All other data is stored as JSON in the metadata of the file, with a checksum.

    Parameters
    ----------
    mapping : mapping
        Arrays of floats (16, 32 or 64 bits), integers or bools, numbers, strings, None, and lists, tuples and
        mappings of all these, such as the results of `Module.state_dict` and `Optimizer.state_dict`.
        Keys are strings, integers, floats, bools or None.
    path : str or path
        The folder must exist.

    Raises
    ------
    StorageError
        If the mapping contains anything else, or the folder does not exist; nothing has been written then.
    ValueTypeError
        If `path` is not a path.
    OSError
        If the file cannot be written; an older one is unchanged then.

    Notes
    -----
    A new file in the same folder is written, flushed to the disk, and renamed. A process that is killed before
    that leaves the old file, and one whose name ends in ``.part``. Arrays are loaded in the machine's native byte
    order, mappings as dicts.

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
    metadata = {"format": FORMAT, "content": json.dumps(tree, allow_nan=False, separators=(",", ":"))}
    with replace_file(path) as part, open(part, "xb") as file:
        safetensors_format.write(file, arrays, metadata)


def load_file(path: Path, *, foreign: bool = False) -> dict[Any, Any]:
    """Load a file that was written by `save_file`.

    Parameters
    ----------
    path : str or path
    foreign : bool, default False
        Whether to load a safetensors file that was written by another program: it has no checksum, and only
        its arrays are read.

    Returns
    -------
    dict
        The saved mapping; each array owns its memory.

    Raises
    ------
    StorageError
        If the file is corrupt, truncated, or of another format: any changed byte is detected.
    ValueTypeError
        If `path` is not a path.
    OSError
        If the file cannot be opened.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile() as file:
    ...     _ = file.write(b"something else")
    ...     file.flush()
    ...     load_file(file.name)
    Traceback (most recent call last):
        ...
    dark.errors.StorageError: .../... was not written by dark.save, or its header is corrupt.
      Expected: an intact file written by dark.save.
      Try: another copy of the file; load(path, foreign=True), for a safetensors file of another program.
    """
    path = path_string(path, "load")
    try:
        arrays, metadata = safetensors_format.read(path, is_foreign=foreign)
        if foreign:
            return arrays
        if metadata.get("format") != FORMAT:
            raise StorageError(
                f"{path} has the format {metadata.get('format')!r}.",
                f"the format {FORMAT!r}.",
                "a newer version of dark.",
            )
        return unpack(json.loads(metadata["content"]), arrays)
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        if isinstance(error, StorageError):
            raise
        raise safetensors_format.corrupt(path, f"its content is invalid ({type(error).__name__}: {error})") from None
