"""What is in the files of pictures."""

import zlib
from io import BytesIO

from PIL import Image


def colors_of(path):
    """Return the colors of a PNG picture, as (red, green, blue)."""
    picture = Image.open(BytesIO(path.read_bytes())).convert("RGB")
    return {color for _, color in picture.getcolors(picture.width * picture.height)}


def size_of(path):
    """Return width and height of a PNG picture."""
    with Image.open(path) as picture:
        return picture.size


def content_of(path):
    """Return the drawing steps of a PDF."""
    data = path.read_bytes()
    start = data.index(b"stream\n") + len(b"stream\n")
    return zlib.decompress(data[start : data.index(b"\nendstream")]).decode("latin-1")
