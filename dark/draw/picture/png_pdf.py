"""PNG and PDF, made by the program `dot`: heat maps and colored gradients are drawn as further boxes.

Graphviz cannot draw free shapes, and draws a record in one color. So the graph is laid out first, then drawn
again with every box at its position, one more box per cell of a heat map, and one over each gradient.
"""

from dark.draw import svg
from dark.draw.arrays.heat_map import FRAME, TEXT_COLOR, cell_color, corner_of, side, sign_of
from dark.draw.graph.box_fields import fields_of
from dark.draw.picture import layout
from dark.draw.picture.dot import escaped, heat_map_spaces
from dark.draw.picture.heat_map_placement import gradient_texts, heat_maps

PADDING = 6.0  # points between a border, whose corners may be rounded, and the box drawn over the field


def to_png_or_pdf(dot, boxes, format, gradients=True):
    """Draw a graph with its heat maps as PNG or PDF.

    Parameters
    ----------
    dot : str
        The graph in the DOT language, box number i as the node i.
    boxes : tuple of Box
    format : {"png", "pdf"}
    gradients : bool
        Whether the boxes show their gradients.

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
    more = []
    for i, box in enumerate(boxes):
        node = svg.node_of(root, i)
        more += _gradient(i, box, node, gradients)
        for k, (summary, middle, top) in enumerate(heat_maps(node, box, gradients)):
            more += _cells(f"{i}{'ab'[k]}", summary, middle, top)
    return layout.run_dot(placed.rstrip().removesuffix("}") + "\n".join(more) + "\n}\n", format, placed=True)


def _gradient(i, box, record, gradients):
    """Yield the last field of a record as a node drawn over it, in the color of gradients."""
    texts = gradient_texts(record, box, gradients)
    if not texts:
        return
    outline = svg.outline_of(record)
    _, top, right, bottom = svg.bounds(outline)
    left = max(svg.bounds(line)[2] for line in record.findall("polyline"))
    label = r"\n".join(escaped(text.text).replace('"', '\\"') for text in texts)
    fields = fields_of(box, gradients)
    lines, width = heat_map_spaces(box, fields, gradients).get(len(fields) - 1, (0, 0.0))
    label += r"\n" * (lines + 2) if width else ""
    style = {"label": label, "style": "filled", "penwidth": "0", "fontcolor": svg.GRADIENT_COLOR}
    style |= {"fillcolor": outline.get("fill"), "fontsize": texts[0].get("font-size")}
    width, height = right - left - 2 * PADDING, bottom - top - 2 * PADDING
    yield _node(f"gradient {i}", (left + right) / 2, -(top + bottom) / 2, width, height, style)


def _cells(name, summary, middle, top):
    """Yield each cell as a node without a border, then the frame around all of them."""
    cells, size, left = summary.cells, side(summary), corner_of(summary, middle, top)[0]
    for r, row in enumerate(cells):
        for c, value in enumerate(row):
            yield _cell(f"cell {name} {r} {c}", value, left + (c + 0.5) * size, -(top + (r + 0.5) * size), size)
    width, height = size * len(cells[0]), size * len(cells)
    frame = {"style": "solid", "color": FRAME, "penwidth": "0.7", "label": ""}
    yield _node(f"frame {name}", left + width / 2, -(top + height / 2), width, height, frame)


def _cell(name, value, x, y, size):
    fill, dark = cell_color(value)
    sign = {"label": sign_of(value), "fontsize": f"{size:.1f}", "fontcolor": "white" if dark else TEXT_COLOR}
    return _node(name, x, y, size, size, {"style": "filled", "penwidth": "0", "fillcolor": fill} | sign)


def _node(name, x, y, width, height, style):
    size = {"width": f"{width / 72:.4f}", "height": f"{height / 72:.4f}", "fixedsize": "true"}
    attributes = {"pos": f"{x:.2f},{y:.2f}!"} | size | {"shape": "box", "margin": "0"} | style
    return f'"{name}" [' + " ".join(f'{key}="{text}"' for key, text in attributes.items()) + "]"
