"""`FigurePicture`: a matplotlib figure with an alternative text, which displays itself in a notebook."""

from dataclasses import dataclass
from functools import cached_property
from io import BytesIO

from dark.draw import svg
from dark.draw.saving import save
from dark.errors import missing_extra


@dataclass(frozen=True)
class FigurePicture:
    """A matplotlib figure with an alternative text, which displays itself in a notebook.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
    alt : str
        The alternative text: what the picture shows, in sentences.
    title : str
        The title of the picture.
    """

    figure: object
    alt: str
    title: str = "Picture"

    @cached_property
    def svg(self):
        """The figure as SVG; the same numbers always give the same string."""
        return svg.finish(self._written("svg").decode("utf-8"), self.title, self.alt)

    def save(self, path):
        """Save the figure to a .svg, .png or .pdf file, and return its path."""
        writers = {f".{kind}": lambda kind=kind: self._written(kind) for kind in ("png", "pdf")}
        return save(path, {".svg": lambda: self.svg + "\n"} | writers)

    def _written(self, kind):
        from matplotlib import rc_context

        dates = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}
        file = BytesIO()
        with rc_context({"svg.hashsalt": "dark"}):
            self.figure.savefig(file, format=kind, metadata=dates.get(kind), dpi=150)
        return file.getvalue()

    def __repr__(self):
        return self.alt

    def _repr_mimebundle_(self, include=None, exclude=None):
        return {"text/html": svg.as_image(self.svg, self.alt), "text/plain": self.alt}


def empty_figure(wide=6.4, tall=4.0):
    """Return a matplotlib figure without axes.

    Parameters
    ----------
    wide, tall : float
        The size in inches.

    Returns
    -------
    matplotlib.figure.Figure

    Raises
    ------
    MissingExtraError
        If matplotlib is not installed.

    Examples
    --------
    >>> empty_figure(3, 2)
    <Figure size 300x200 with 0 Axes>
    """
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise missing_extra("matplotlib", "lab") from None
    # Not with pyplot, which would keep the figure alive and display it twice in a notebook.
    return Figure(figsize=(wide, tall), layout="constrained")
