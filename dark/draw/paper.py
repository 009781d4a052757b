"""PNG and PDF, which the program `dot` makes: heat maps travel as small boxes between the others.

Graphviz draws no free shapes, so the graph is laid out once, and drawn again with every box where it
was and one more box for each cell.
"""

from dark.draw import layout, svg
from dark.draw.fields import room_of
from dark.draw.heat import FRAME, INK, corner_of, side, sign_of, tone


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
    with_room = [i for i, box in enumerate(boxes) if room_of(box)]
    if not with_room:
        return layout.run_dot(dot, format)
    placed = layout.run_dot(dot, "dot").decode("utf-8")
    root = svg.parse(layout.run_dot(placed, "svg", placed=True))
    cells = [line for i in with_room for line in _cells(i, boxes[i], svg.place_of_heat_map(root, i, boxes[i]))]
    return layout.run_dot(placed.rstrip().removesuffix("}") + "\n".join(cells) + "\n}\n", format, placed=True)


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
