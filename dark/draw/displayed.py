"""`Displayed`: the base class of pictures that display themselves in a notebook and can be saved."""

from __future__ import annotations

import pathlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from dark.draw import svg
from dark.draw.pdf import to_pdf
from dark.draw.png import to_png
from dark.draw.saving import save
from dark.typing import Path


class Displayed:
    """The base class of pictures: they display themselves in a notebook, and print as text in a terminal."""

    if TYPE_CHECKING:  # each class has them as fields or as properties

        @property
        def title(self) -> str:
            """The name of the picture."""

        @property
        def svg(self) -> str:
            """The picture."""

        @property
        def alt(self) -> str:
            """The content of the picture, in sentences."""

        @property
        def text(self) -> str:
            """Its content for a terminal."""

    def save(self, path: Path) -> pathlib.Path:
        """Save the picture to a file, and return its path.

        The suffix is .svg, .png or .pdf, the last two in the colors of the light theme; of a graph also .dot, and .html
        for a page on which it is explored; of any other picture .txt for its content.
        """
        return save(path, self._writers())

    def _writers(self) -> dict[str, Callable[[], str | bytes]]:
        """Return the functions that write the picture, by the suffix of the file."""
        return {
            ".svg": lambda: self.svg + "\n",
            ".png": lambda: to_png(self.svg),
            ".pdf": lambda: to_pdf(self.svg, self.title),
            ".txt": lambda: self.text + "\n",
        }

    def __repr__(self) -> str:
        return self.text

    def _repr_svg_(self) -> str:
        return self.svg

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return {
            "text/html": svg.as_image(self.svg, self.alt),
            "image/svg+xml": self.svg,
            "text/plain": self.text,
        }
