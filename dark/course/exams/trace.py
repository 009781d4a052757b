"""Trace: the graph below a node as plain data, whatever classes it is made of."""

from dark.course.exams.plain import class_name

NODES = 2000


def trace(root):
    """Read a graph of any implementation, asking only for `op`, `inputs`, `value`, `grad`, `name`.

    Parameters
    ----------
    root : object
        The node where the graph ends.

    Returns
    -------
    dict
        ``{"nodes": [{"kind", "op", "value", "grad", "name", "inputs"}, ...], "root": i}``,
        inputs before what uses them; what is missing is None; at most 2000 nodes; a circle is
        cut where it closes.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> x = SimpleNamespace(value=3.0)
    >>> graph = trace(SimpleNamespace(op="add", inputs=(x, x), value=6.0))
    >>> [node["inputs"] for node in graph["nodes"]], graph["root"]
    ([[], [0, 0]], 1)
    """
    order, place = _order(root)
    nodes = [_describe(node, place) for node in order]
    return {"nodes": nodes, "root": place.get(id(root))}


def _order(root):
    """Topological order, first inputs first, and each node's place by identity."""
    order, place, entered = [], {}, set()
    stack = [(root, False)]
    while stack and len(order) < NODES:
        node, is_done = stack.pop()
        if is_done:
            place[id(node)] = len(order)
            order.append(node)
        elif id(node) not in entered and len(entered) < NODES:
            entered.add(id(node))
            stack.append((node, True))
            stack.extend((item, False) for item in reversed(_inputs(node)))
    return order, place


def _get(node, name):
    try:
        return getattr(node, name, None)
    except Exception:  # a property of the student's may fail
        return None


def _inputs(node):
    inputs = _get(node, "inputs")
    return inputs[:NODES] if type(inputs) is tuple or type(inputs) is list else ()


def _describe(node, place):
    op = _get(node, "op")
    inputs = [place[id(item)] for item in _inputs(node) if place.get(id(item), NODES) < place[id(node)]]
    return {
        "kind": _kind(node, inputs),
        "op": _operation(op),
        "value": _get(node, "value"),
        "grad": _get(node, "grad"),
        "name": _get(node, "name"),
        "inputs": inputs,
    }


def _operation(op):
    if op is None or type(op) is str:
        return op
    if isinstance(op, type):
        return type.__dict__["__name__"].__get__(op)
    return class_name(op)


def _kind(node, inputs):
    name = class_name(node).lower()
    for kind in ("parameter", "constant"):
        if kind in name:
            return kind
    return "result" if inputs else "parameter"
