"""Saving and loading of mappings of arrays and plain data: one file, written atomically, that contains no code; logs.

Reading order: `files` (the public functions), `packing` (plain data as JSON), `safetensors_format` (the bytes of the
file), `checksums`, `header`, `array_file` (arrays and rows read one by one); `dark.atomic_write` writes a file so that
a crash leaves the old one. `event_files` writes logs for TensorBoard.

The format is safetensors, but the package safetensors is not used: it has no checksums of blocks and reads no verified
rows, and `dark` needs NumPy alone (`tests/storage/test_library.py` compares the two, `test_foreign.py` reads files of
other programs). Of tensorboard, only messages and records are used: `SummaryWriter` of PyTorch would need PyTorch, and
a resumed run would not replace the values after its checkpoint.
"""

from dark.storage.array_file import ArrayFile
from dark.storage.event_files.summary_writer import SummaryWriter
from dark.storage.files import load_file, open_file, save_file

__all__ = ["ArrayFile", "SummaryWriter", "load_file", "open_file", "save_file"]
