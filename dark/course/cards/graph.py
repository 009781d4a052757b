"""The student's computational graph in a card: boxes, a table as text, a picture, and the expected graph beside it."""

from html import escape

import numpy as np

from dark.course.exams.plain import class_name, encode, show
from dark.course.judging.outcome import agree, same_shape, wrong_field
from dark.draw import Box, GraphNode, GraphRecord, compare, draw_boxes
from dark.draw.graph.node_table import table_of
from dark.draw.labels import operation_text
from dark.draw.svg import as_image
from dark.errors import DrawingError

NODES = 12  # rows of the table, so that a card has at most about 25 lines
KINDS = ("parameter", "constant", "result")
WIDTH = 40  # characters of an array in a sentence; a larger one is described by its shape
ROW = 160  # characters of a row of the table
MOST_EDGES, EDGES_OF_A_NODE = 300, 2  # of a picture, or if that is more, for each of its nodes
MOST_BYTES = 500_000  # of a picture, as it stands in a page
HEADING = "Your graph next to the expected one"
LARGEST = 60  # nodes


def boxes_from_trace(graph, wrong=None):
    """Convert a decoded trace to boxes; the one with the index `wrong` is marked."""
    return tuple(
        Box(
            kind=kind_in(node),
            operation=operation_in(node.get("op")),
            name=text_in(node.get("name")),
            mark="wrong" if k == wrong else None,
            **_values(node),
        )
        for k, node in enumerate(graph["nodes"])
    )


def _values(node):
    return {"value": shown(node.get("value")), "grad": shown(node.get("grad")), "inputs": tuple(node["inputs"])}


def graph_note(finding):
    """Return the caption of the graph of a finding."""
    yours, expected = finding.yours_graph, finding.expected_graph
    if finding.wrong_node is not None:
        wrong = _wrong(finding)
        return f"Your graph; the {f'first wrong node is marked: {wrong}' if wrong else 'wrong node is marked'}."
    if expected is None or same_shape(yours, expected):
        return "Your graph:"
    counts = len(yours["nodes"]), len(expected["nodes"])
    if counts[0] != counts[1]:
        nodes = "1 node" if counts[0] == 1 else f"{counts[0]} nodes"
        return f"Your graph has {nodes}; expected {counts[1]}."
    return "Your graph has the right number of nodes, but not the right inputs."


def graph_lines(finding):
    """Format the graph of a finding as text, with the first wrong node marked."""
    boxes = boxes_from_trace(finding.yours_graph, finding.wrong_node)
    lines = repr(table_of(boxes)).splitlines()
    wrong = finding.wrong_node
    signs = ["  "] + ["✗ " if k == wrong else "  " for k in range(len(boxes))]
    start = 1 + max(0, min((wrong or 0) - NODES // 2, len(boxes) - NODES))
    chosen = [0, *range(start, min(start + NODES, len(lines)))]
    left_out = len(lines) - len(chosen)
    more = [f"  and {left_out} more nodes"] if left_out else []
    rows = [signs[k] + lines[k] for k in chosen]
    return [graph_note(finding), *(row if len(row) <= ROW else f"{row[: ROW - 1]}…" for row in rows), *more]


def image_of(finding):
    """Return the picture of the graph of a finding as HTML, and why there is none: one of both is empty."""
    nodes = finding.yours_graph["nodes"]
    if left_out := too_many_edges(nodes):
        return "", left_out
    drawing = drawing_of(finding)
    return within_bytes(as_image(drawing.svg, drawing.alt)) if drawing else ("", "")


def drawing_of(finding):
    """Draw the graph of a finding; None if it cannot be drawn."""
    try:
        drawing = draw_boxes(boxes_from_trace(finding.yours_graph, finding.wrong_node))
        return drawing if drawing.svg else None
    except DrawingError:
        return None


def too_many_edges(nodes):
    """Return why a graph has no picture, if it has too many edges for one; else ""."""
    count, most = sum(len(node["inputs"]) for node in nodes), max(MOST_EDGES, EDGES_OF_A_NODE * len(nodes))
    if count <= most:
        return ""
    return f"The picture is left out: {len(nodes):,} nodes with {count:,} edges; at most {most:,} are drawn."


def within_bytes(image):
    """Return the HTML of a picture and "", or "" and why it is left out."""
    if len(image) <= MOST_BYTES:
        return image, ""
    return "", f"The picture is left out: {len(image) // 1000:,} kB; at most {MOST_BYTES // 1000:,} kB are shown."


def _wrong(finding):
    """Describe the difference at the wrong node, with its name if it has one; None if nothing differs."""
    yours, expected = finding.yours_graph, finding.expected_graph
    if not same_shape(yours, expected):
        return None
    mine, theirs = (graph["nodes"][finding.wrong_node] for graph in (yours, expected))
    field = wrong_field(mine, theirs)
    if field is None:
        return None
    name = text_in(mine.get("name"))
    return (f"{name}, " if name else "") + _difference(field, mine, theirs)


def _difference(field, mine, theirs):
    if field == "kind":
        return f"a {text_in(mine.get('kind'))}, expected a {theirs['kind']}"
    if field == "op":
        missing = mine.get("op") is None
        return "no operation, expected one" if missing else "an operation, expected none"
    if field == "no grad":
        return f"gradient {_number(shown(mine['grad']))}, expected none"
    word = "value" if field == "value" else "gradient"
    found, expected = shown(mine.get(field)), theirs[field]
    if found is None:
        return f"no {word}, expected {_number(expected)}"
    entry, texts = _first_entry(found, expected), [_number(found), _number(expected)]
    if texts[0] == texts[1] and entry:  # both are described by their shape
        return "{} at {} is {:.6g}, expected {:.6g}".format(word, *entry)
    return f"{word} {texts[0]}, expected {texts[1]}"


def _first_entry(found, expected):
    """Return the index of the first entry in which two arrays differ, and both numbers; None without one."""
    if class_name(found) != "ndarray" or class_name(expected) != "ndarray" or found.shape != expected.shape:
        return None
    for index, (yours, theirs) in enumerate(zip(found.flat, expected.flat, strict=True)):
        if not agree(float(yours), float(theirs)):
            place = [int(k) for k in np.unravel_index(index, found.shape)]
            return place, float(yours), float(theirs)
    return None


def _number(value):
    if class_name(value) == "ndarray":
        text = show(encode(value.tolist()))
        return text if len(text) <= WIDTH else f"an array of shape {value.shape}"
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def shown(value):
    """Return a value of the student's as it is drawn: a number or an array as it is, anything else as a string."""
    return value if value is None or class_name(value) in ("int", "float", "ndarray") else text_in(value)


def kind_in(node):
    """Return the kind of a node of a trace; an unknown one is a result."""
    return node.get("kind") if node.get("kind") in KINDS else "result"


def operation_in(value):
    """Return the sign or name of an operation of a trace; None for a leaf."""
    return None if value is None else operation_text(str(value))


def text_in(value):
    """Return the beginning of a string of a trace; None without one."""
    return None if value is None else str(value)[:40]


def comparison_html(finding):
    """Return the two graphs of a finding, if alike in structure, as HTML that opens with a click; else ""."""
    yours, expected = finding.yours_graph, finding.expected_graph
    if not yours or not expected or not same_shape(yours, expected) or not 1 < len(yours["nodes"]) <= LARGEST:
        return ""
    theirs = expected["nodes"]
    if too_many_edges(theirs):  # which the picture above has said
        return ""
    records = _record(yours["nodes"], theirs), _record(theirs, theirs)
    comparison = compare(*records, names=("yours", "expected"), rtol=1e-9, atol=1e-9, title=HEADING)
    if comparison.same_values:
        return ""
    picture, left_out = within_bytes(as_image(comparison.svg, comparison.alt))
    return f"<details><summary>{escape(HEADING)}</summary>{picture or escape(left_out)}</details>"


def _record(nodes, theirs):
    """Return nodes as a record; the operations are called alike in both, since their names are not judged."""
    return GraphRecord(
        tuple(
            GraphNode(
                id=k,
                operation=_operation(node, other),
                name=text_in(node.get("name")) or text_in(other.get("name")),
                role=kind_in(node),
                shape=None,
                **_values(node),
            )
            for k, (node, other) in enumerate(zip(nodes, theirs, strict=True))
        )
    )


def _operation(node, other):
    names = (operation_in(each.get("op")) for each in (other, node))
    return next((name for name in names if name), "result") if node["inputs"] else ""
