"""Saving and loading: mappings of arrays and plain data in one file that holds no code, written whole or not at all.

Reading order: `files` (the two functions), `content` (what may stand in a mapping), `tensors` (the bytes);
`dark.atomic_write` says why a crash leaves the old file.
"""

from dark.storage.files import load_file, save_file

__all__ = ["load_file", "save_file"]
