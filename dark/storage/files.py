"""`save_file`, `load_file` and `open_file`: write a mapping to a file, read it back, read single arrays of it."""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterable, Mapping
from typing import Any

from dark.atomic_write import kind_of_file, path_string, replace_file
from dark.checks import describe
from dark.errors import StorageError, UsageError, ValueTypeError, near_misses
from dark.spellings import keywords_checked
from dark.storage import checksums, safetensors_format
from dark.storage.array_file import ArrayFile
from dark.storage.header import FORMAT, invalid_is_corrupt, read_header, unsupported
from dark.storage.packing import branches, pack, unpack
from dark.typing import Path


@keywords_checked
def save_file(mapping: Mapping[Any, Any], path: Path) -> None:
    """Save arrays and plain data to one file; an older file is replaced only when the new one is complete.

    The file is in the safetensors format, which other programs can read; arrays of a flat mapping keep their names.
    All other data is stored as JSON in the metadata of the file. Checksums cover every byte.

    If the mapping contains anything else, or the file cannot be written, an older file is unchanged.

    Parameters
    ----------
    mapping : mapping
        Arrays of floats (16, 32 or 64 bits), integers or bools, numbers, strings, None, and lists, tuples and
        mappings of all these, such as the results of `Module.state_dict` and `Optimizer.state_dict`.
        Keys are strings, integers, floats, bools or None.
    path : str or path
        The folder must exist. A symbolic link is followed.

    Notes
    -----
    A new file in the same folder is written, flushed to the disk, and renamed. A process that is killed before
    that leaves the old file, and one whose name ends in ``.part``. Arrays are loaded in the machine's native byte
    order, mappings as dicts.

    Examples
    --------
    >>> import os, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "state.safetensors")
    ...     save_file({"weight": np.eye(2), "step": 3, "betas": (0.9, 0.999)}, path)
    ...     load_file(path)
    {'weight': array([[1., 0.],
           [0., 1.]]), 'step': 3, 'betas': (0.9, 0.999)}
    """
    tree, arrays = pack(mapping)
    content = json.dumps(tree, allow_nan=False, separators=(",", ":"))
    with replace_file(path) as part, open(part, "xb") as file:
        _write(file, arrays, content)


def _write(file, arrays, content):
    """Write arrays and plain data to a binary file."""
    entries = safetensors_format.layout(arrays)
    data = {name: memoryview(safetensors_format.little_endian_bytes(arrays[name])) for name in entries}
    digits = [digits for array in data.values() for digits in checksums.of_blocks(array)]
    metadata = {
        "header_sha256": checksums.NO_DIGITS,
        "format": FORMAT,
        "content": content,
        "checksums": " ".join(digits),
    }
    header = safetensors_format.header_text(entries, metadata)
    length = len(header).to_bytes(8, "little")
    for part in (length, checksums.signed(length, header), *data.values()):
        file.write(part)


@keywords_checked
def load_file(path: Path, *, foreign: bool | None = None, names: Iterable[Any] | None = None) -> dict[Any, Any]:
    """Load a file that was written by `save_file`, or a safetensors file of another program.

    Each array owns its memory. A `StorageError` is raised if the file is corrupt, truncated, of another format, or not
    a regular file: any changed byte of what is loaded is detected. So it is if a foreign file holds arrays of types
    that NumPy does not have, such as BF16; with `names`, or `open_file`, the others can be loaded.

    Parameters
    ----------
    path : str or path
    foreign : bool, optional
        True reads the arrays of any safetensors file and verifies no checksum; False refuses a file that was not
        written by `save_file`. By default the header decides: a file of another program has no checksum, and only
        its arrays are read; one of `save_file` is verified.
    names : iterable of str, optional
        Keys of the saved mapping, such as ``["epoch"]``: only these are read. If not given, all.

    See Also
    --------
    open_file : single arrays, and rows of arrays.

    Examples
    --------
    >>> import os, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "run.safetensors")
    ...     save_file({"net": {"weight": np.ones((1000, 1000))}, "epoch": 12}, path)
    ...     load_file(path, names=["epoch"])
    {'epoch': 12}
    >>> load_file(os.devnull)
    Traceback (most recent call last):
        ...
    dark.errors.StorageError: load: /dev/null must be a regular file, but is a character device.
      Expected: a regular file.
      Try: a file written by dark.save.
    """
    with open_file(path, foreign=foreign) as file:
        return _content(file, names, path) if file.is_verified else _arrays(file, names, path)


def open_file(path: Path, *, foreign: bool | None = None) -> ArrayFile:
    """Open a file to read single arrays, or rows of them, without reading the others.

    The result is a mapping of names to arrays; a nested mapping was saved under dotted names, such as "net.weight". Use
    it in a ``with`` statement, which closes the file. `foreign` is as in `load_file`; of a file of another program
    nothing is verified.

    Notes
    -----
    The header and the bytes that are read are verified: each block of 256 KiB of an array has its own checksum. A
    file of an older version of `dark`, with a single checksum, is verified completely when it is opened.

    Examples
    --------
    >>> import os, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "run.safetensors")
    ...     save_file({"losses": np.arange(1e6), "net": {"bias": np.zeros(3)}}, path)
    ...     with open_file(path) as file:
    ...         print(file.keys(), file.shape("losses"))
    ...         print(file["net.bias"], file.rows("losses", 10, 13))
    ['losses', 'net.bias'] (1000000,)
    [0. 0. 0.] [10. 11. 12.]
    """
    text = path_string(path, "load")
    kind = kind_of_file(text)
    if kind not in (None, "a folder"):  # for which `open` raises the system's error
        raise StorageError(
            f"load: {path} must be a regular file, but is {kind}.", "a regular file.", "a file written by dark.save."
        )
    file = open(text, "rb")
    try:
        return ArrayFile(file, text, read_header(file, text, foreign))
    except BaseException:
        file.close()
        raise


def _arrays(file, names, path):
    """Return arrays of a file of another program."""
    if names is not None:
        return {name: file[name] for name in _checked(names, [*file, *file.unsupported], path)}
    if file.unsupported:
        raise unsupported(path, file.unsupported, file.keys())
    return dict(file)


def _content(file, names, path):
    """Return the mapping that was saved, or some of its items."""
    with invalid_is_corrupt(path, "content"):
        known = branches(json.loads(file.metadata["content"]))
    chosen = known if names is None else _checked(names, known, path)
    arrays = dict(file) if names is None else file  # the whole file is verified, also what it does not refer to
    with invalid_is_corrupt(path, "content"):
        return {name: unpack(known[name], arrays) for name in chosen}


def _checked(names, known, path):
    """Return names as a list if all of them are known."""
    if isinstance(names, (str, bytes)) or not isinstance(names, Iterable):
        raise ValueTypeError(f"load: names must be a list, got {describe(names)}.", "a list of names.", '["weight"]')
    chosen = list(names)
    for name in chosen:
        if not isinstance(name, Hashable) or name not in known:
            raise UsageError(f"load: {path} does not contain {name!r}.", "names in the file.", near_misses(name, known))
    return chosen
