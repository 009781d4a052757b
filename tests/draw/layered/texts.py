"""What must hold of the texts of each picture: they are within their boxes and frames, and no two names are alike."""

import re
from collections import Counter
from pathlib import Path

import matplotlib
from PIL import ImageFont

from dark.draw import svg

FOLDER = Path(matplotlib.get_data_path(), "fonts", "ttf")
FONTS = {end: ImageFont.truetype(str(FOLDER / f"DejaVuSans{end}.ttf"), 100) for end in ("", "-Bold")}


def width_of(text, size, is_bold):
    return FONTS["-Bold" if is_bold else ""].getlength(text) * size / 100


def outline_of(group):
    """Return left, top, right and bottom of the outline of a node or a frame, if it has one."""
    for element in group:
        if element.tag == "ellipse":
            x, y, rx, ry = (float(element.get(key)) for key in ("cx", "cy", "rx", "ry"))
            return x - rx, y - ry, x + rx, y + ry
        numbers = element.get("points") or element.get("d")
        if element.tag in ("polygon", "path") and numbers:
            found = [float(number) for number in re.findall(r"-?[\d.]+", numbers)]
            return min(found[::2]), min(found[1::2]), max(found[::2]), max(found[1::2])
    return None


def assert_texts_fit(picture):
    """Return the number of texts in the boxes of a picture, none of which crosses a border."""
    checked = 0
    for group in svg.parse(picture).iter("g"):
        outline = outline_of(group) if group.get("class", "").split(" ")[0] == "node" else None
        for element in group.findall("text") if outline is not None else ():
            left, top, right, bottom = outline
            size, is_bold = float(element.get("font-size")), element.get("font-weight") == "bold"
            half, x, y = width_of(element.text, size, is_bold) / 2, float(element.get("x")), float(element.get("y"))
            if element.text.isascii():  # other scripts are drawn in other fonts
                assert left <= x - half and x + half <= right, element.text
            assert top <= y - size * 0.7 and y <= bottom, element.text
            checked += 1
    return checked


def assert_titles_fit(parts):
    for frame, _, _, width, _ in parts.placed().frames:
        assert 20 + width_of(frame.title, 12.0, True) <= width


def assert_names_differ(parts):
    frames = [parts.frame]
    while frames:
        frame = frames.pop()
        frames += [item for item in frame.items if not isinstance(item, int)]
        here = [parts.contents[i] for i in frame.items if isinstance(i, int)]
        for leaves in [
            [leaf for content in here for leaf in content.leaves if len(here) == 1],
            *[c.leaves for c in here],
        ]:
            names = Counter(leaf.lines[0].text for leaf in leaves if leaf.lines[0].role == "title")
            assert not [each for each, count in names.items() if count > 1]
        titles = Counter(item.title for item in frame.items if not isinstance(item, int))
        assert not [each for each, count in titles.items() if count > 1]
        assert not [each for each in titles if frame.path and each.startswith(".".join(frame.path) + ".")]
