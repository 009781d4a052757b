"""The computational graph below a node as plain data, for any implementation."""

from typing import Any

from dark.course.exams.plain import class_name

NODES = 2000


def trace(root: object) -> dict[str, Any]:
    """Read the computational graph of an output node; only `op`, `inputs`, `value`, `grad` and `name` are accessed.

    Returns ``{"nodes": [{"kind", "op", "value", "grad", "name", "inputs"}, ...], "root": i}``, in topological order; a
    missing attribute is None; at most 2000 nodes; cycles are cut.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> x = SimpleNamespace(value=3.0)
    >>> graph = trace(SimpleNamespace(op="add", inputs=(x, x), value=6.0))
    >>> [node["inputs"] for node in graph["nodes"]], graph["root"]
    ([[], [0, 0]], 1)
    """
    order, index = _order(root)
    return {"nodes": [_describe(node, index) for node in order], "root": index.get(id(root))}


def _order(root):
    """Return the nodes in topological order, and the index of each by its identity."""
    order: list[Any] = []
    index: dict[int, int] = {}
    entered: set[int] = set()
    stack = [(root, False)]
    while stack and len(order) < NODES:
        node, is_done = stack.pop()
        if is_done:
            index[id(node)] = len(order)
            order.append(node)
        elif id(node) not in entered and len(entered) < NODES:
            entered.add(id(node))
            stack.append((node, True))
            stack.extend((item, False) for item in reversed(_inputs(node)))
    return order, index


def _get(node, name):
    try:
        return getattr(node, name, None)
    except Exception:  # a property of the student's class may raise
        return None


def _inputs(node):
    inputs = _get(node, "inputs")
    return inputs[:NODES] if type(inputs) is tuple or type(inputs) is list else ()


def _describe(node, index):
    op = _get(node, "op")
    inputs = [index[id(item)] for item in _inputs(node) if index.get(id(item), NODES) < index[id(node)]]
    if op is not None and type(op) is not str:
        op = type.__dict__["__name__"].__get__(op) if isinstance(op, type) else class_name(op)
    name = class_name(node).lower()
    kind = next((kind for kind in ("parameter", "constant") if kind in name), "result" if inputs else "parameter")
    fields = {name: _get(node, name) for name in ("value", "grad", "name")}
    return {"kind": kind, "op": op, **fields, "inputs": inputs}
