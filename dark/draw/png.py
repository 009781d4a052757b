"""PNG from SVG, with resvg: no program of the system is needed, and a font of the system or of Matplotlib is used."""

import re
from importlib.util import find_spec
from pathlib import Path

from dark.errors import DrawingError, missing_extra

ZOOM = 2.0  # pixels per point
MOST_PIXELS = 16_000  # along each side
DARK = re.compile(r"light-dark\(([^,()]*),[^()]*\)")  # resvg would draw nothing in a color that it does not know
TEXT = '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20">{}</svg>'
LETTER = "<text y='15' font-family=\"Arial, 'Liberation Sans', Helvetica, 'DejaVu Sans', sans-serif\">M</text>"


def to_png(svg: str) -> bytes:
    """Convert a picture to PNG, in the colors of the light theme."""
    try:
        import resvg_py
    except ImportError:
        raise missing_extra("resvg-py", "lab") from None
    fonts = _fonts_of_matplotlib()

    def render(svg, zoom=1.0):
        settings = {"dpi": 72, "background": "white", "font_dirs": fonts, "sans_serif_family": "DejaVu Sans"}
        return bytes(resvg_py.svg_to_bytes(svg_string=svg, zoom=zoom, **settings))

    if not _draws_text(render):
        raise DrawingError(
            "save: no font is installed for the texts of a PNG picture.",
            "a font such as Arial, Liberation Sans or DejaVu Sans.",
            "pip install matplotlib, which has one; or save as .svg or .pdf",
        )
    sides = map(float, svg.partition('viewBox="')[2].partition('"')[0].split()[2:])
    try:
        return render(DARK.sub(r"\1", svg), min(ZOOM, MOST_PIXELS / max(sides)))
    except ValueError as error:
        raise DrawingError(
            f"save: the picture cannot be converted to PNG: {error}", "a picture of moderate size.", "save it as .svg"
        ) from None


def _fonts_of_matplotlib():
    """Return the folder of its fonts, if Matplotlib is installed; it is not imported."""
    found = find_spec("matplotlib")
    folder = Path(found.origin).parent / "mpl-data" / "fonts" / "ttf" if found and found.origin else None
    return [str(folder)] if folder and folder.is_dir() else None


def _draws_text(render):
    return render(TEXT.format(LETTER)) != render(TEXT.format(""))
