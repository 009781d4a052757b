"""`FigurePicture`: a matplotlib figure with an alternative text, which displays itself in a notebook."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from io import BytesIO
from typing import TYPE_CHECKING

from dark.draw import svg
from dark.draw.saving import save
from dark.errors import missing_extra

if TYPE_CHECKING:
    import pathlib
    from typing import Any

    from matplotlib.figure import Figure

    from dark.typing import Path


@dataclass(frozen=True)
class FigurePicture:
    """A matplotlib figure with an alternative text in sentences, which displays itself in a notebook."""

    figure: Figure
    alt: str
    title: str = "Picture"

    @cached_property
    def svg(self) -> str:
        """The figure as SVG; the same numbers always give the same string."""
        return svg.add_alternative_text(self._written("svg").decode("utf-8"), self.title, self.alt)

    def save(self, path: Path) -> pathlib.Path:
        """Save the figure to a .svg, .png or .pdf file, and return its path."""
        png, pdf = lambda: self._written("png"), lambda: self._written("pdf")
        return save(path, {".svg": lambda: self.svg + "\n", ".png": png, ".pdf": pdf})

    def _written(self, kind):
        from matplotlib import rc_context

        dates = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}
        file = BytesIO()
        with rc_context({"svg.hashsalt": "dark"}):
            self.figure.savefig(file, format=kind, metadata=dates.get(kind), dpi=150)
        return file.getvalue()

    def __repr__(self) -> str:
        return self.alt

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return {"text/html": svg.as_image(self.svg, self.alt, is_themed=False), "text/plain": self.alt}


def empty_figure(width: float = 6.4, height: float = 4.0) -> Figure:
    """Return a matplotlib figure without axes, of this size in inches."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise missing_extra("matplotlib", "lab") from None
    # Not with pyplot, which would keep the figure alive and display it twice in a notebook.
    return Figure(figsize=(width, height), layout="constrained")
