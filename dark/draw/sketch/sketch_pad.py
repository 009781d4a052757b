"""`sketch_pad`: draw an image in a notebook, move it, and see the readings of functions at once."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from dark.checks import callable_with
from dark.draw.labels import one_line
from dark.draw.sketch.sketch_picture import WIDEST, SketchPicture, readings_of
from dark.errors import DrawingError

if TYPE_CHECKING:
    from anywidget import AnyWidget

SCRIPT = Path(__file__).with_name("sketch_pad.js")
LARGEST = 64  # pixels of a side


@cache
def widget_class() -> Any:
    """Define the widget class on first use; None if anywidget, an optional dependency, is not installed."""
    try:
        import traitlets
        from anywidget import AnyWidget
    except ImportError:
        return None

    class SketchPad(AnyWidget):
        """A pad of pixels, and the readings of its image; its trait `pixels` is the image, as a list of rows."""

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


def sketch_pad(
    read: Callable[[np.ndarray], Any], image: ArrayLike | None = None, *, title: str = "Sketch pad"
) -> AnyWidget | SketchPicture:
    """Return a pad to draw on, which shows what a function reads on it.

    One draws with the mouse, or with the keys: arrows move the drawing by a pixel; Shift and arrows move a cursor, the
    space bar draws there, and Delete erases.

    Parameters
    ----------
    read : callable
        Called with the image, an array of shape (height, width), from 0 for white to 1 for ink. Returns a
        probability for each class, or any object that can be printed; or a dict of such answers, by name.
    image : array, shape (height, width), optional
        What is on the pad at first, which also sets its size; by default 8 × 8 white pixels.
    title : str, default "Sketch pad"
        The title above the pad.

    Returns
    -------
    anywidget.AnyWidget or SketchPicture
        Where anywidget is not installed, the picture of the image and of what is read on it; the widget displays
        that, too, where there is no kernel.

    Notes
    -----
    An exception of `read` propagates when the pad is made; later, the pad shows it.

    Examples
    --------
    >>> pad = sketch_pad(lambda image: {"ink": image.sum()}, [[0, 1], [1, 1]])
    >>> pad
    Sketch pad
      @@
    @@@@
    ink: 3.0
    """
    callable_with(read, "sketch_pad", "read", ("image",))
    pixels = checked(np.zeros((8, 8)) if image is None else image)
    try:
        still = SketchPicture(pixels, readings_of(read, pixels), str(title))
    except Exception as error:
        error.add_note(f"sketch_pad: read raised it for an image of shape {pixels.shape}.")
        raise
    widget = widget_class()
    return still if widget is None else widget(read, still)


def checked(image: ArrayLike) -> np.ndarray:
    """Return an image as a new array of floats, or raise a DrawingError."""
    try:
        pixels = np.array(getattr(image, "value", image), dtype=float)
    except (TypeError, ValueError):
        pixels = np.array(np.nan)
    expected = f"an array (height, width) of 1 to {LARGEST} rows and columns, with numbers from 0 (white) to 1 (ink)."
    if pixels.ndim != 2 or not 1 <= min(pixels.shape) <= max(pixels.shape) <= LARGEST:
        raise DrawingError(
            f"sketch_pad: an image cannot have the shape {pixels.shape}.", expected, "image.reshape(8, 8)"
        )
    if not (np.all(pixels >= 0) and np.all(pixels <= 1)):
        raise DrawingError(
            f"sketch_pad: the numbers of an image must be from 0 to 1, got {pixels.min():g} to {pixels.max():g}.",
            expected,
            "divide by the largest number: image / 16 for the digits of scikit-learn",
        )
    return pixels
