"""`Step`: one picture of a film strip."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from dark.draw.displayed import Displayed

if TYPE_CHECKING:
    from collections.abc import Callable

    from dark.draw.picture.film_strip import FilmStrip


@dataclass(frozen=True, repr=False)
class Step(Displayed):
    """One step of the backward pass: the picture of the graph after it; printed, it is its caption.

    Saved, it has the caption below the picture.

    Examples
    --------
    >>> import dark
    >>> from dark.draw import draw
    >>> a = dark.Parameter(1, name="a")
    >>> y = dark.mul(2, a)
    >>> y.backward()
    >>> draw(y).steps()[1]
    2/2: 2 (*) has gradient 1. It sends 2 to a.
    """

    strip: FilmStrip  # with this picture alone

    @property
    def title(self) -> str:
        """The name of the picture: its caption."""
        return self.caption

    @property
    def caption(self) -> str:
        """The description of this step, with its number."""
        return self.strip.captions[0]

    @property
    def text(self) -> str:
        """The caption."""
        return self.caption

    @property
    def svg(self) -> str:
        """The picture, without its caption."""
        return self.strip.pictures[0]

    @property
    def alt(self) -> str:
        """The content of the picture: its caption, and the gradients so far."""
        return self.strip.alts[0]

    def _writers(self) -> dict[str, Callable[[], str | bytes]]:
        writers = {**super()._writers(), ".html": lambda: self.strip.html + "\n"}
        del writers[".pdf"]  # which knows no style sheets, by which the pictures of a pass differ
        return writers
