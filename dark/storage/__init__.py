"""Saving and loading of mappings of arrays and plain data: one file, written atomically, that contains no code.

Reading order: `files` (the two functions), `packing` (plain data as JSON), `safetensors_format` (the bytes of the
file); `dark.atomic_write` writes it so that a crash leaves the old file.
"""

from dark.storage.files import load_file, save_file

__all__ = ["load_file", "save_file"]
