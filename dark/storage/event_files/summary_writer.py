"""Write scalars, histograms, images and texts to a folder that TensorBoard shows."""

import os
import socket
import time
from datetime import datetime
from pathlib import Path
from typing import Any, Self

from dark.checks import brief, integer, number
from dark.errors import ShapeError, ValueTypeError
from dark.storage.event_files.event_file import EarlierEvents, EventFile, tensorboard_protocol
from dark.storage.event_files.summaries import as_array, histogram, image


class SummaryWriter:
    """Write the log of a run to a folder, with PyTorch's names.

    Without a `log_dir`, the folder is a new one in ``runs``, named after the time and the machine, and `comment` at its
    end. In all methods, `tag` is the name of the values, of which a part before a slash makes groups; `global_step` is
    0 if not given; `walltime` is in seconds since the epoch, the current time if not given.

    Notes
    -----
    Values are written at once, so that an interrupted or killed process loses none. If the folder holds a log already,
    it is continued: the first value of a tag replaces the earlier values of this tag at its step and later. So does a
    step that is lower than the one before. Two writers must not use one folder at the same time.
    """

    def __init__(
        self, log_dir: str | os.PathLike[str] | None = None, comment: str = "", filename_suffix: str = ""
    ) -> None:
        if log_dir is None:
            log_dir = Path("runs", f"{datetime.now():%b%d_%H-%M-%S}_{socket.gethostname()}{comment}")
        if not isinstance(log_dir, (str, os.PathLike)):
            raise ValueTypeError(
                f"SummaryWriter: log_dir must be the name of a folder, got {brief(log_dir)}.",
                "the name of a folder.",
                '"runs/first"',
            )
        self.log_dir = os.fspath(log_dir)
        tensorboard_protocol()
        self._suffix = filename_suffix
        self._last: dict[str, int] = {}  # steps in the current file
        self._earlier = EarlierEvents(Path(log_dir))
        self._file: EventFile | None = self._new_file()

    def add_scalar(
        self, tag: str, scalar_value: Any, global_step: int | None = None, walltime: float | None = None
    ) -> None:
        """Write a number."""
        found = as_array(scalar_value)
        if found.size != 1 or found.dtype.kind not in "fiub":
            raise ShapeError(
                f"add_scalar: the value of {tag!r} must be one real number, got shape {found.shape} and dtype "
                f"{found.dtype}.",
                "one real number.",
                "add_histogram, for the values of an array.",
            )
        self._add(tag, global_step, walltime, simple_value=float(found.item()))

    def add_histogram(
        self, tag: str, values: Any, global_step: int | None = None, bins: int | str = 30,
        walltime: float | None = None,
    ) -> None:  # fmt: skip
        """Write a histogram of the finite values of an array; nothing if no value is finite.

        `bins` is the number of bins of equal width, or the name of a rule of `numpy.histogram_bin_edges`.
        """
        found = as_array(values)
        if found.dtype.kind not in "fiub":
            raise ValueTypeError(
                f"add_histogram: the values of {tag!r} must be real, got dtype {found.dtype}.",
                "real numbers.",
                "abs(values)",
            )
        summary = histogram(found, bins if isinstance(bins, str) else integer(bins, "add_histogram", "bins", 1))
        if summary is not None:
            self._add(tag, global_step, walltime, histo=summary)

    def add_image(
        self, tag: str, img_tensor: Any, global_step: int | None = None, walltime: float | None = None,
        dataformats: str = "CHW",
    ) -> None:  # fmt: skip
        """Write an image.

        Pixels are bytes, or floats from 0 to 1, with 1, 3 or 4 channels; `dataformats`, the meaning of the axes, is
        "CHW", "HWC", "HW", "NCHW" or "NHWC". Several images (N) are written as one, in rows of 8.
        """
        self._add(tag, global_step, walltime, image=image(as_array(img_tensor), dataformats))

    def add_images(
        self, tag: str, img_tensor: Any, global_step: int | None = None, walltime: float | None = None,
        dataformats: str = "NCHW",
    ) -> None:  # fmt: skip
        """Write several images as one, see `add_image`."""
        self.add_image(tag, img_tensor, global_step, walltime, dataformats)

    def add_text(
        self, tag: str, text_string: str, global_step: int | None = None, walltime: float | None = None
    ) -> None:
        """Write Markdown, such as ``dark.draw(loss).alt``; the tag gets ``/text_summary``, as in PyTorch."""
        if not isinstance(text_string, str):
            raise ValueTypeError(
                f"add_text: the text of {tag!r} must be a string, got a {type(text_string).__name__}.",
                "a str.",
                "str(value)",
            )
        protocol = tensorboard_protocol()
        size = {"dim": [{"size": 1}]}
        tensor = protocol.TensorProto(dtype="DT_STRING", string_val=[text_string.encode()], tensor_shape=size)
        self._add(f"{tag}/text_summary", global_step, walltime, tensor=tensor, metadata=protocol.text_metadata)

    def _add(self, tag, step, wall_time, **value):
        if not isinstance(tag, str) or not tag:
            raise ValueTypeError(
                f"SummaryWriter: the tag must be a nonempty string, got {tag!r}.",
                "the name of the values, a str.",
                '"loss"',
            )
        step = 0 if step is None else integer(step, "SummaryWriter", "global_step", 0)
        seconds = time.time() if wall_time is None else number(wall_time, "SummaryWriter", "walltime")
        protocol = tensorboard_protocol()
        summary = protocol.Summary(value=[protocol.Summary.Value(tag=tag, **value)])
        if step < self._last.get(tag, step):  # a run that was resumed in this process
            self.close()
            self._earlier, self._last = EarlierEvents(Path(self.log_dir)), {}
        self._earlier.replace(tag, step)
        self._last[tag] = step
        if self._file is None:
            self._file = self._new_file()
        self._file.add(protocol.Event(wall_time=seconds, step=step, summary=summary))

    def flush(self) -> None:
        """Do nothing, since all values are written at once; for programs written for PyTorch."""

    def close(self) -> None:
        """Close the file; a value that is added afterwards opens another one, as in PyTorch."""
        if self._file is not None:
            self._file.close()
        self._file = None

    def _new_file(self):
        return EventFile(Path(self.log_dir), self._suffix)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: Any) -> None:
        self.close()
