"""The colors of comparisons and findings, in the light and the dark theme."""

import pytest

from dark.draw.color_themes import DARK, PAPER, TEXT_COLOR
from dark.draw.svg import SHAPES, TEXTS
from tests.draw.test_theme import contrast


@pytest.mark.parametrize("theme", [dict(zip(DARK, DARK)), DARK], ids=["light", "dark"])
def test_texts_are_readable_in_every_box_and_on_the_page(theme):
    assert all(contrast(theme[TEXT_COLOR], theme[fill]) > 7 for fill, _ in SHAPES.values())
    assert all(contrast(theme[color], theme[PAPER]) > 4.5 for color in TEXTS.values())
    assert all(contrast(theme[border], theme[PAPER]) > 3 for _, border in SHAPES.values())
