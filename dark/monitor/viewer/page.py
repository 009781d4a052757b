"""The page of the viewer: its scripts and styles, put together."""

from pathlib import Path

from dark.pages import bundle, page_file

FOLDER = Path(__file__).with_name("page")
ENTRY = FOLDER / "homes.js"


def script() -> str:
    """Return all scripts as one module, without its exports."""
    return bundle.joined(ENTRY)


def style() -> str:
    """Return all styles."""
    return "\n".join(map(bundle.source, (FOLDER / "uplot.css", bundle.PARTS / "base.css", FOLDER / "style.css")))


def html(title: str, start: str, data: str = "", connect: str = "'none'") -> str:
    """Return a page that starts the viewer.

    Parameters
    ----------
    title : str
    start : str
        The function of `homes.js` that starts it.
    data : str
        Elements with the answers that the page holds.
    connect : str
        What the page may ask, as a source of a content security policy.
    """
    return page_file.html(title, f"{script()}\n{start}();", style(), data, connect)
