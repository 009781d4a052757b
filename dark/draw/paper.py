"""PNG and PDF, which the program `dot` makes: heat maps and the colour of gradients travel as further boxes.

Graphviz draws no free shapes, and a record in one colour, so the graph is laid out once, and drawn again
with every box where it was, one more box for each cell, and one over each gradient.
"""

from dark.draw import layout, svg
from dark.draw.dot import escaped
from dark.draw.fields import room_of
from dark.draw.heat import FRAME, INK, corner_of, side, sign_of, tone

INSIDE = 6.0  # points between a border, which may be round at the corners, and what covers the field in it


def to_paper(dot, boxes, format):
    """Draw a graph with its heat maps.

    Parameters
    ----------
    dot : str
        The graph in the DOT language, box number i as the node i.
    boxes : tuple of Box
    format : {"png", "pdf"}

    Returns
    -------
    bytes

    Raises
    ------
    DrawingError
        If the program `dot` is not installed.
    """
    layout.find_dot(format)
    if not boxes:
        return layout.run_dot(dot, format)
    placed = layout.run_dot(dot, "dot").decode("utf-8")
    root = svg.parse(layout.run_dot(dot, "svg"))
    more = [line for i in range(len(boxes)) for line in _gradient(i, root)]
    for i, box in enumerate(boxes):
        if room_of(box):
            more += _cells(i, box, svg.place_of_heat_map(root, i, box))
    return layout.run_dot(placed.rstrip().removesuffix("}") + "\n".join(more) + "\n}\n", format, placed=True)


def _gradient(i, root):
    """Write the last field of a record as a node over it, in the colour of gradients."""
    record = root.find(f".//g[@id='node-{i}']")
    texts = svg.gradient_texts(record.findall("text"))
    if not texts or record.find("polyline") is None:
        return
    outline = svg.outline_of(record)
    _, top, right, bottom = svg.bounds(outline)
    left = max(svg.bounds(line)[2] for line in record.findall("polyline"))
    label = r"\n".join(escaped(text.text).replace('"', '\\"') for text in texts)
    look = {"label": label, "style": "filled", "penwidth": "0", "fontcolor": svg.GRADIENT_INK}
    look |= {"fillcolor": outline.get("fill"), "fontsize": texts[0].get("font-size")}
    wide, tall = right - left - 2 * INSIDE, bottom - top - 2 * INSIDE
    yield _node(f"gradient {i}", (left + right) / 2, -(top + bottom) / 2, wide, tall, look)


def _cells(i, box, place):
    """Write each cell as a node without a border, then the frame round all of them."""
    cells, size, (left, top) = box.value.cells, side(box.value), corner_of(box.value, *place)
    for r, row in enumerate(cells):
        for c, value in enumerate(row):
            yield _cell(f"cell {i} {r} {c}", value, left + (c + 0.5) * size, -(top + (r + 0.5) * size), size)
    wide, tall = size * len(cells[0]), size * len(cells)
    frame = {"style": "solid", "color": FRAME, "penwidth": "0.7", "label": ""}
    yield _node(f"frame {i}", left + wide / 2, -(top + tall / 2), wide, tall, frame)


def _cell(name, value, x, y, size):
    fill, dark = tone(value)
    sign = {"label": sign_of(value), "fontsize": f"{size:.1f}", "fontcolor": "white" if dark else INK}
    return _node(name, x, y, size, size, {"style": "filled", "penwidth": "0", "fillcolor": fill} | sign)


def _node(name, x, y, wide, tall, look):
    place = {"pos": f"{x:.2f},{y:.2f}!", "width": f"{wide / 72:.4f}", "height": f"{tall / 72:.4f}", "fixedsize": "true"}
    words = place | {"shape": "box", "margin": "0"} | look
    return f'"{name}" [' + " ".join(f'{key}="{text}"' for key, text in words.items()) + "]"
