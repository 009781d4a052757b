"""The sketch pad as an anywidget: the page sends pixels, the kernel answers with readings."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from dark.draw.labels import one_line
from dark.draw.sketch.sketch_picture import SketchPicture, readings_of

SCRIPT = Path(__file__).with_name("sketch_pad.js")
WIDEST = 120  # characters of an error


@cache
def widget_class() -> Any:
    """Define the widget class on first use; None if anywidget, an optional dependency, is not installed."""
    try:
        import traitlets
        from anywidget import AnyWidget
    except ImportError:
        return None

    class SketchPad(AnyWidget):
        """A pad of pixels, and what is read on it; its trait `pixels` is the image, as a list of rows."""

        _esm = SCRIPT.read_text(encoding="utf-8")
        title: Any = traitlets.Unicode().tag(sync=True)
        pixels: Any = traitlets.List().tag(sync=True)
        start: Any = traitlets.List().tag(sync=True)
        readings: Any = traitlets.List().tag(sync=True)

        def __init__(self, read: Callable[[np.ndarray], Any], still: SketchPicture) -> None:
            rows = still.image.tolist()
            super().__init__(title=still.title, pixels=rows, start=rows, readings=still.readings)
            self.read, self.still = read, still
            self.observe(self._read_again, "pixels")

        def _read_again(self, change: Any) -> None:
            try:
                self.readings = readings_of(self.read, np.array(self.pixels, dtype=float))
            except Exception as error:  # it would be lost in the log of the kernel
                words = f"read raised {type(error).__name__}: {error}"
                self.readings = [{"name": "", "text": one_line(words, WIDEST), "bars": []}]

        def __repr__(self) -> str:
            return self.still.text

        def _repr_mimebundle_(self, **kwargs: Any) -> Any:
            # Without a kernel, for example in a web book, the picture of the beginning is displayed instead.
            bundle, metadata = super()._repr_mimebundle_(**kwargs) or ({}, {})
            still = self.still._repr_mimebundle_()
            return bundle | {"text/html": still["text/html"], "text/plain": repr(self)}, metadata

    return SketchPad
