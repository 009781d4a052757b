"""The light and the dark theme: colors for each color, readable, chosen by the page."""

import re

import numpy as np
import pytest

import dark
from dark import nn
from dark.draw import broadcasting, draw
from dark.draw.color_themes import DARK, STYLE_SHEET, TEXT_COLOR
from dark.draw.diagram.diagram import FRAME, STYLES, WRONG
from tests.draw.student import shared


def brightness(color):
    """Return the relative luminance of a color, from 0 to 1 (WCAG 2.2)."""
    parts = [int(color[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a, b):
    low, high = sorted((brightness(a), brightness(b)))
    return (high + 0.05) / (low + 0.05)


def test_every_color_of_a_box_has_a_dark_one():
    styles = [*STYLES.values(), WRONG, FRAME]
    used = {style[key] for style in styles for key in ("color", "fillcolor") if key in style}
    assert used <= DARK.keys()


@pytest.mark.parametrize("theme", [dict(zip(DARK, DARK)), DARK], ids=["light", "dark"])
def test_texts_are_readable_on_every_box(theme):
    for style in [*STYLES.values(), FRAME]:
        fill = style.get("fillcolor", "#ffffff")
        for text in (TEXT_COLOR, "#9a3412", "#3d5a45"):
            assert contrast(theme[text], theme[fill]) > 4.5, (text, fill)
        assert contrast(theme[style["color"]], theme["#ffffff"]) > 3


def test_all_pictures_of_graphs_and_arrays_have_the_theme():
    network = nn.Sequential(nn.Linear(2, 2), nn.ReLU())
    pictures = [
        draw(shared()).svg,
        broadcasting((3, 1), (1, 4)).svg,
        draw(network).svg,
        draw(network(np.ones((1, 2)))).svg,
    ]
    for svg in pictures:
        assert svg.count("light-dark(#ffffff,#14181d)") == STYLE_SHEET.count("light-dark(#ffffff,#14181d)")
        assert re.search(r"<svg[^>]* class=\"dark-picture\"", svg) and "background:white" in svg


def test_a_film_strip_has_the_theme_once():
    assert draw(shared()).steps().svg.count("[data-theme=") == 2


@pytest.mark.long
@pytest.mark.browser
@pytest.mark.parametrize(
    ("attributes", "system", "dark_page"),
    [
        ("", "light", False), ("", "dark", True),
        ('data-theme="dark"', "light", True), ('data-theme="light"', "dark", False),
        ('data-jp-theme-light="false"', "light", True), ('data-jp-theme-light="true"', "dark", False),
    ],
)  # fmt: skip
def test_the_page_chooses_the_theme(chromium, attributes, system, dark_page):
    drawing = draw(dark.Parameter(2.0, name="x") * 3.0)
    page = chromium.new_page(color_scheme=system)
    page.set_content(f"<html><body {attributes}>{drawing.svg}</body></html>")
    color = page.evaluate("getComputedStyle(document.querySelector('.dark-picture')).backgroundColor")
    page.close()
    assert color == ("rgb(20, 24, 29)" if dark_page else "rgb(255, 255, 255)")
