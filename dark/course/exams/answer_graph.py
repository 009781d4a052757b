"""The graph in an answer, if `trace` can have made it: a forged graph is ignored, and the judge does not fail."""

from dark.course.exams.plain import ITEMS, class_name, decode
from dark.course.exams.trace import NODES

TEXT = 40  # characters of a name


def graph_in(data):
    """Return the decoded graph in the encoded data of an answer; None if it has no valid one.

    A node has its inputs, all before it; a value and a gradient that are None, a number or an array; and texts.

    Examples
    --------
    >>> node = {"dict": {"kind": "parameter", "value": 3.0, "inputs": []}}
    >>> graph_in({"dict": {"nodes": [node]}})["nodes"][0]["value"]
    3.0
    >>> graph_in({"dict": {"nodes": [node | {"dict": {"inputs": [7]}}]}}) is None
    True
    """
    try:
        graph = decode(data)
    except (ValueError, TypeError, OverflowError, RecursionError):  # arrays that cannot be
        return None
    nodes = graph.get("nodes") if isinstance(graph, dict) else None
    if not isinstance(nodes, list) or len(nodes) > NODES:
        return None
    if not all(_is_node(node, k) for k, node in enumerate(nodes)):
        return None
    found = [{name: _field(name, value) for name, value in node.items()} for node in nodes]
    return graph | {"nodes": found} if sum(map(_size, found)) <= ITEMS else None


def _is_node(node, index):
    inputs = node.get("inputs") if isinstance(node, dict) else None
    return isinstance(inputs, list) and all(type(k) is int and 0 <= k < index for k in inputs)


def _field(name, value):
    """Return a field of a node as it is compared and drawn: numbers and arrays unchanged, anything else as a string."""
    is_number = name in ("value", "grad") and class_name(value) in ("int", "float", "ndarray")
    return value if name == "inputs" or value is None or is_number else str(value)[:TEXT]


def _size(node):
    arrays = (node.get("value"), node.get("grad"))
    return len(node["inputs"]) + sum(each.size for each in arrays if class_name(each) == "ndarray")
