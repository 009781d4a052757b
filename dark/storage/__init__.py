"""Saving and loading of mappings of arrays and plain data: one file, written atomically, that contains no code.

Reading order: `files` (the public functions), `packing` (plain data as JSON), `safetensors_format` (the bytes of the
file), `checksums`, `header`, `array_file` (arrays and rows read one by one), `faults` (errors); `dark.atomic_write`
writes a file so that a crash leaves the old one.
"""

from dark.storage.array_file import ArrayFile
from dark.storage.files import load_file, open_file, save_file

__all__ = ["ArrayFile", "load_file", "open_file", "save_file"]
