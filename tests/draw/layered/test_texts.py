"""The texts of pictures: within their boxes and frames in the widest font, and no two names alike in a frame."""

import re
from collections import Counter
from pathlib import Path

import matplotlib
import numpy as np
import pytest
from PIL import ImageFont

import dark
from dark import nn
from dark.draw import Box, draw, draw_boxes, svg

FOLDER = Path(matplotlib.get_data_path(), "fonts", "ttf")
FONTS = {end: ImageFont.truetype(str(FOLDER / f"DejaVuSans{end}.ttf"), 100) for end in ("", "-Bold")}


def long_names():
    """Return a network of dark whose modules and parameters have long names."""
    network = nn.Module()
    network.transformer_encoder_of_the_left_hand_side = nn.TransformerEncoderLayer(4, 2, 8, batch_first=True, seed=0)
    network.a_head_with_a_name_that_is_long_enough_to_be_cut = nn.Sequential(nn.Linear(4, 3, seed=0), nn.Softmax(-1))
    network.forward = lambda x: network.a_head_with_a_name_that_is_long_enough_to_be_cut(
        network.transformer_encoder_of_the_left_hand_side(x)
    )
    return network


def scalar():
    x = dark.Parameter(2.0, name="a parameter with a name of several words")
    y = x * -3.14159265e-12 + dark.exp(x)
    y.backward()
    return y


def words(title):
    boxes = [Box("parameter", None, 1.0, 2.0, title), Box("result", title.replace(" ", "_"), 1e-300, 5.0, title, (0,))]
    return draw_boxes([*boxes, *[Box("result", "+", 1.0, inputs=(k, k)) for k in range(1, 70)]])


PICTURES = {
    "scalar": lambda: draw(scalar()),
    "strip": lambda: draw(scalar()).steps(),
    "network": lambda: draw(long_names(), np.ones((2, 3, 4))),
    "open": lambda: draw(long_names(), np.ones((2, 3, 4)), open=True, title="wider than the picture " * 5),
    "closed": lambda: draw(long_names(), np.ones((2, 3, 4)), open=0),
    "tree": lambda: draw(long_names()),
    "wide letters": lambda: words("WWWW mmmm WWWW MMMM"),
    "narrow letters": lambda: words("iiii llll iiii llll jjjj"),
    "other scripts": lambda: words("層の重み Вес слоя"),
    "many": lambda: draw(nn.Sequential(*[nn.Linear(4, 4, seed=k) for k in range(20)]), np.ones((2, 4))),
}  # fmt: skip


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


@pytest.mark.parametrize("name", PICTURES)
def test_no_text_crosses_a_border(name):
    checked = 0
    for group in svg.parse(PICTURES[name]().svg).iter("g"):
        outline = outline_of(group) if group.get("class", "").split(" ")[0] == "node" else None
        for element in group.findall("text") if outline is not None else ():
            left, top, right, bottom = outline
            size, is_bold = float(element.get("font-size")), element.get("font-weight") == "bold"
            half, x, y = width_of(element.text, size, is_bold) / 2, float(element.get("x")), float(element.get("y"))
            if element.text.isascii():  # other scripts are drawn in other fonts
                assert left <= x - half and x + half <= right, element.text
            assert top <= y - size * 0.7 and y <= bottom, element.text
            checked += 1
    assert checked > 2


@pytest.mark.parametrize("name", ["network", "open", "closed", "many"])
def test_the_title_of_a_frame_fits_into_it(name):
    for frame, _, _, width, _ in PICTURES[name]().scene.parts.placed().frames:
        assert 20 + width_of(frame.title, 12.0, True) <= width


@pytest.mark.parametrize("name", ["network", "open", "closed"])
def test_no_two_names_in_a_frame_are_equal(name):
    parts = PICTURES[name]().scene.parts
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
        assert not [each for each in titles if frame.path and each.startswith(".".join(frame.path))]


def test_a_name_is_relative_to_its_frame():
    network = nn.Sequential(nn.Sequential(nn.Linear(2, 2, seed=0), nn.ReLU()), nn.Linear(2, 1, seed=1))
    picture = draw(network, np.ones((3, 2))).svg
    assert ">0: Sequential<" in picture and ">0: Linear<" in picture and ">weight<" in picture
    assert ">0.0.weight<" not in picture and "0.0.weight" in repr(draw(network, np.ones((3, 2))).table())
