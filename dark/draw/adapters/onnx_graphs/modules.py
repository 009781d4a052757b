"""The modules of the nodes of an ONNX file, as PyTorch's exporters write them."""

from ast import literal_eval
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from dark.draw.adapters.module_paths import shared
from dark.draw.graph.graph_record import GraphNode, path_of

SCOPES, CLASSES = "pkg.torch.onnx.name_scopes", "pkg.torch.onnx.class_hierarchy"


def modules_around(name: str, node: Any = None) -> tuple[str, ...]:
    """Return the path of the modules of a node, or of a parameter, by its name.

    The scopes that an exporter wrote beside a node come first.

    Examples
    --------
    >>> modules_around("/layers.1/layers.1.norm/Add"), modules_around("features.0.weight")
    (('layers', '1', 'norm'), ('features', '0'))
    """
    scopes = _entry(node, SCOPES)
    if scopes is not None:
        return path_of(scopes[-2]) if len(scopes) > 1 else ()
    if not name.startswith("/"):
        return path_of(name)[:-1] if node is None else ()
    parts = name.split("/")[1:-1]
    shorter = [part.removeprefix(f"{before}.") for before, part in zip(["", *parts], parts)]
    return path_of(".".join(shorter))


def classes_of(nodes: Any) -> dict[tuple[str, ...], str]:
    """Return the class of each module that an exporter wrote beside the nodes, by its path."""
    found: dict[tuple[str, ...], str] = {}
    for node in nodes:
        scopes, classes = _entry(node, SCOPES), _entry(node, CLASSES)
        if scopes and classes and len(scopes) == len(classes):
            pairs = zip(scopes[:-1], classes[:-1])  # the last are the node itself
            found |= {path_of(scope): kind.rsplit(".", 1)[-1] for scope, kind in pairs}
    return found


def weights_in_modules(nodes: Sequence[GraphNode]) -> list[GraphNode]:
    """Give weights without a module, and values computed from weights alone, the modules in which they are used.

    A weight that several modules share is in that of its own name; a copy of it (`Identity`) is where it is used. Each
    is moved to the node that uses it first.
    """
    by_id = {node.id: node for node in nodes}
    users: dict[Any, list[GraphNode]] = {}
    found, late = [], set()
    for node in reversed(nodes):
        of_weights = node.role in ("parameter", "constant") and not node.operation
        if node.operation and node.inputs:
            of_weights = all(by_id[i].role in ("parameter", "constant") for i in node.inputs)
            is_copy = node.operation == "Identity" or not any(by_id[i].path for i in node.inputs)
            late |= {node.id} if of_weights and node.id in users else set()
            of_weights = of_weights and is_copy
        if of_weights and not node.path and node.id in users:
            others = [user.path for user in users[node.id] if user.operation != "Identity"]
            path = modules_around(str(node.id)) if node.operation else ()
            node = replace(node, path=path or shared(others or [user.path for user in users[node.id]]))
        for i in node.inputs:
            users.setdefault(i, []).append(node)
        found.append(node)
    late |= {node.id for node in found if node.role in ("parameter", "constant") and node.id in users}
    return _moved(found[::-1], late)


def _moved(nodes, late):
    """Return nodes in an order in which those in `late` come just before their first use."""
    by_id, placed = {node.id: node for node in nodes}, {}
    for node in nodes:
        if node.id not in late:
            waiting = [node]
            while waiting:
                last = waiting[-1]
                below = [by_id[i] for i in reversed(last.inputs) if i in late and i not in placed]
                waiting += below
                if not below:
                    placed[waiting.pop().id] = last
    return list(placed.values())


def _entry(node, key):
    text = next((entry.value for entry in getattr(node, "metadata_props", ()) if entry.key == key), None)
    try:
        return None if text is None else literal_eval(text)
    except (ValueError, SyntaxError):
        return None
