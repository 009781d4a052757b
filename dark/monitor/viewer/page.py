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
    """Return a page with answers as `data`, whose scripts call `start`; `connect` is its policy for connections."""
    return page_file.html(title, f"{script()}\n{start}();", style(), data, connect)
