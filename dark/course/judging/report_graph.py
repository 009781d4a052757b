"""The student's own graph in a report: its boxes, its table as text, its picture."""

from dark.course.exams.plain import class_name, encode, show
from dark.course.judging.outcome import same_shape, wrong_field
from dark.draw import Box, draw_boxes
from dark.draw.graph.node_table import table_of
from dark.draw.labels import operation_text
from dark.errors import DrawingError

NODES = 12  # a text of at most some 25 lines has room for no more
KINDS = ("parameter", "constant", "result")
WIDTH = 40  # characters of an array in a sentence; of a larger one its shape is said


def boxes_from_trace(graph, wrong=None):
    """Make boxes out of what `trace` gave.

    Parameters
    ----------
    graph : dict
        Decoded.
    wrong : int, optional
        The box to mark.

    Returns
    -------
    tuple of Box

    Examples
    --------
    >>> node = {"kind": "parameter", "op": None, "value": 3.0, "grad": 1.0, "name": "x", "inputs": []}
    >>> boxes_from_trace({"nodes": [node]}, wrong=0)[0].mark
    'wrong'
    """
    return tuple(
        Box(
            kind=node.get("kind") if node.get("kind") in KINDS else "result",
            operation=_operation(node.get("op")),
            value=_shown(node.get("value")),
            grad=_shown(node.get("grad")),
            name=_text(node.get("name")),
            inputs=tuple(node["inputs"]),
            mark="wrong" if k == wrong else None,
        )
        for k, node in enumerate(graph["nodes"])
    )


def graph_note(finding):
    """Say what to look at in the graph of a finding.

    Parameters
    ----------
    finding : Finding
        With a graph of the student's.

    Returns
    -------
    str
    """
    yours, expected = finding.yours_graph, finding.expected_graph
    if finding.wrong_node is not None:
        wrong = _wrong(finding)
        if wrong is None:
            return "Your graph; the node in question is marked."
        return f"Your graph; the first box that is wrong is marked: {wrong}."
    if expected is None or same_shape(yours, expected):
        return "Your graph:"
    counts = len(yours["nodes"]), len(expected["nodes"])
    if counts[0] != counts[1]:
        nodes = "1 node" if counts[0] == 1 else f"{counts[0]} nodes"
        return f"Your graph has {nodes}; {counts[1]} are expected."
    return "Your graph has the right number of nodes, but not the right inputs."


def graph_lines(finding):
    """Write the graph of a finding as text, the first wrong node marked."""
    boxes = boxes_from_trace(finding.yours_graph, finding.wrong_node)
    lines = repr(table_of(boxes)).splitlines()
    wrong = finding.wrong_node
    signs = ["  "] + ["✗ " if k == wrong else "  " for k in range(len(boxes))]
    start = 1 + max(0, min((wrong or 0) - NODES // 2, len(boxes) - NODES))
    chosen = [0, *range(start, min(start + NODES, len(lines)))]
    left_out = len(lines) - len(chosen)
    more = [f"  and {left_out} more nodes"] if left_out else []
    return [graph_note(finding), *(signs[k] + lines[k] for k in chosen), *more]


def drawing_of(finding):
    """Draw the graph of a finding as SVG; None where no picture can be made here."""
    try:
        return draw_boxes(boxes_from_trace(finding.yours_graph, finding.wrong_node)).svg
    except DrawingError:
        return None


def _wrong(finding):
    """Say what is wrong there, with the node's name where it has one; None where nothing differs."""
    yours, expected = finding.yours_graph, finding.expected_graph
    if not same_shape(yours, expected):
        return None
    mine, theirs = (graph["nodes"][finding.wrong_node] for graph in (yours, expected))
    field = wrong_field(mine, theirs)
    if field is None:
        return None
    name = _text(mine.get("name"))
    return (f"{name}, " if name else "") + _difference(field, mine, theirs)


def _difference(field, mine, theirs):
    if field == "kind":
        return f"a {_text(mine.get('kind'))} where a {theirs['kind']} is expected"
    if field == "op":
        missing = mine.get("op") is None
        return "no operation where one is expected" if missing else "an operation where none is expected"
    if field == "no grad":
        return f"gradient {_number(_shown(mine['grad']))} where none is expected"
    word = "value" if field == "value" else "gradient"
    found = _shown(mine.get(field))
    return f"{f'no {word}' if found is None else f'{word} {_number(found)}'} where {_number(theirs[field])} is expected"


def _number(value):
    if class_name(value) == "ndarray":
        text = show(encode(value.tolist()))
        return text if len(text) <= WIDTH else f"an array of shape {value.shape}"
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _shown(value):
    return value if value is None or class_name(value) in ("int", "float", "ndarray") else _text(value)


def _operation(value):
    return None if value is None else operation_text(str(value))


def _text(value):
    return None if value is None else str(value)[:40]
