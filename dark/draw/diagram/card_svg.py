"""The inside of a card, the title of a frame, and the legend, as elements of SVG."""

from math import fsum
from xml.etree.ElementTree import Element, SubElement

from dark.draw.arrays.heat_map import heat_map
from dark.draw.arrays.heat_map import width as map_width
from dark.draw.color_themes import BOXES, GRADIENT_COLOR, MODULE_COLOR, PAPER, SHADES, TEXT_COLOR, shade
from dark.draw.diagram.node_shapes import add_shape, short
from dark.draw.diagram.positions import Place
from dark.draw.layered import contents
from dark.draw.layered.contents import SIZE, SMALL, Content
from dark.draw.text_width import text_width

INKS = {"grad": GRADIENT_COLOR, "module": MODULE_COLOR}
SWATCH, SWATCH_HEIGHT, BETWEEN = 22.0, 14.0, 16.0  # points, of a sample of the legend, and between two entries
Legend = dict[str, tuple[dict[str, str], str]]


def leaf_places(card: Content, place: Place) -> list[Place]:
    """Return where the leaves of a card are: in a column at its left."""
    column, height = card.leaves_size
    x, top = place.edges[0] + contents.LEAF_SIDE + column / 2, place.y - height / 2
    places = []
    for leaf in card.leaves:
        places.append(Place(x, top + leaf.size[1] / 2, *leaf.size))
        top += leaf.size[1] + contents.LEAF_GAP
    return places


def add_card(group: Element, card: Content, place: Place) -> None:
    """Add the lines, the bar of a cost and the heat maps of a card, below each other."""
    wide, high = card.own_size
    left = place.edges[0] + (card.leaves_size[0] + contents.LEAF_SIDE if card.leaves else 0.0)
    x, top = left + wide / 2, place.y - high / 2 + contents.PAD_Y
    inks, ink = (INKS, TEXT_COLOR) if card.cost is None else ({}, shade(card.cost)[1])
    if card.cost is not None:
        group.set("class", "node dark-heat")  # its colors are the same in both themes
    for line in card.lines:
        is_bold = line.role in ("title", "module")
        _add_text(group, line.text, x, top + 0.76 * contents.LINE, inks.get(line.role, ink), is_bold)
        top += contents.LINE
    if card.cost is not None:
        length = wide - 2 * contents.PAD_X
        _add_bar(group, x - length / 2, top + 2, length, contents.BAR, PAPER)
        _add_bar(group, x - length / 2, top + 2, length * card.cost, contents.BAR, TEXT_COLOR)
    left = x - (fsum(map(map_width, card.maps)) + contents.GAP * (len(card.maps) - 1)) / 2
    for summary in card.maps:
        group.append(heat_map(summary, left + map_width(summary) / 2, top + contents.MAP_GAP))
        left += map_width(summary) + contents.GAP


def add_frame_title(parent: Element, title: str, place: Place) -> None:
    """Add the title of a frame, with a ground that hides the edges below it."""
    left, top, *_ = place.edges
    size = {"width": short(text_width(title, SIZE, bold=True) + 8), "height": "16"}
    SubElement(parent, "rect", {"x": short(left + 6), "y": short(top + 3), "fill": BOXES["frame"][0]} | size)
    _add_text(parent, title, left + 10, top + 15, MODULE_COLOR, bold=True, anchor="start")


def legend_width(legend: Legend) -> float:
    """Return the width of a legend in points; 0 if it is empty."""
    return fsum(_sample_width(kind) + 6 + text_width(words, SMALL) + BETWEEN for kind, (_, words) in legend.items())


def add_legend(parent: Element, legend: Legend, x: float, y: float) -> None:
    """Add a legend with its upper left corner at (x, y): a sample of each kind of node, and words."""
    whole = SubElement(parent, "g", {"class": "dark-legend"})
    for kind, (look, words) in legend.items():
        if kind == "cost":
            shades = SubElement(whole, "g", {"class": "dark-heat"})
            for k, fill in enumerate(SHADES):
                _add_bar(shades, x + 10 * k, y, 10.0, SWATCH_HEIGHT, fill)
        else:
            add_shape(whole, look, Place(x + SWATCH / 2, y + SWATCH_HEIGHT / 2, SWATCH, SWATCH_HEIGHT))
        x += _sample_width(kind) + 6
        _add_text(whole, words, x, y + 11, TEXT_COLOR, anchor="start")
        x += text_width(words, SMALL) + BETWEEN


def _sample_width(kind):
    return 10.0 * len(SHADES) if kind == "cost" else SWATCH


def _add_bar(group, x, y, width, height, fill):
    place = {"x": short(x), "y": short(y), "width": short(width), "height": short(height)}
    SubElement(group, "rect", place | {"fill": fill, "stroke": TEXT_COLOR, "stroke-width": "0.6"})


def _add_text(group, words, x, y, ink, bold=False, anchor="middle"):
    where = {"x": short(x), "y": short(y), "text-anchor": anchor, "font-size": f"{SIZE if bold else SMALL:g}"}
    SubElement(group, "text", where | {"fill": ink} | ({"font-weight": "bold"} if bold else {})).text = words
