"""The record of a graph as JSON, and as a graph of networkx."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np

from dark.draw.labels import value_in
from dark.errors import MissingExtraError

if TYPE_CHECKING:
    from networkx import MultiDiGraph

    from dark.draw.graph.graph_record import GraphNode, GraphRecord

FORMAT = "dark-graph-1"
MOST_ELEMENTS = 16  # of a value that is written


def data_of(record: GraphRecord) -> dict[str, Any]:
    """Return the record as dicts and lists of strings, numbers, booleans and None; see `GraphRecord.as_json`."""
    nodes = [_node(k, node, links) for k, (node, links) in enumerate(zip(record.nodes, record.links))]
    modules = {".".join(path): kind for path, kind in record.modules.items()}
    return {"format": FORMAT, "root": len(record) - 1, "nodes": nodes, "modules": modules}


def _node(k: int, node: GraphNode, links: tuple[int, ...]) -> dict[str, Any]:
    data: dict[str, Any] = {"id": k, "role": node.role}
    fields = {"operation": node.operation, "name": node.name, "dtype": node.dtype, "module": ".".join(node.path)}
    data |= {key: value for key, value in fields.items() if value}
    if node.shape is not None:
        data["shape"] = list(node.shape)
    inputs = []
    for place, i in enumerate(links):
        label = node.labels[place] if place < len(node.labels) else ""
        inputs.append({"node": i, "label": label} if label else {"node": i})
    data["inputs"] = inputs
    for field in ("value", "grad"):
        small = _small(node.read(field))
        data |= {field: small} if small is not None else {}
    if node.results:
        data["results"] = [
            {"name": result.name, "shape": None if result.shape is None else list(result.shape), "dtype": result.dtype}
            for result in node.results
        ]
    settings = {str(key): _plain(value) for key, value in node.extras.get("settings", {}).items()}
    return data | ({"settings": settings} if settings else {}) | ({"mark": node.mark} if node.mark else {})


def _small(thing: Any) -> Any:
    """Return a number, or the elements of a small array as nested lists; None for a larger or unknown array."""
    thing = value_in(thing)
    if thing is None or isinstance(thing, str):
        return None
    array = np.asarray(thing)
    return _plain(array.tolist()) if array.dtype.kind in "biuf" and array.size <= MOST_ELEMENTS else None


def _plain(thing: Any) -> Any:
    """Return a value as JSON can hold it: NaN and infinities are strings, as are values of types that JSON lacks."""
    if isinstance(thing, (list, tuple)):
        return [_plain(part) for part in thing]
    if isinstance(thing, float) and not np.isfinite(thing):
        return str(thing)
    return thing if thing is None or isinstance(thing, (bool, int, float, str)) else str(thing)


def to_json(record: GraphRecord) -> str:
    """Return the record as a JSON document."""
    return json.dumps(data_of(record), ensure_ascii=False, indent=1)


def to_networkx(record: GraphRecord) -> MultiDiGraph:
    """Return the record as a graph of networkx; see `GraphRecord.to_networkx`."""
    try:
        import networkx
    except ImportError:
        raise MissingExtraError(
            "networkx is not installed.", "the package that holds the graph.", "pip install networkx"
        ) from None
    graph = networkx.MultiDiGraph()
    for data in data_of(record)["nodes"]:
        edges, k = data.pop("inputs"), data.pop("id")
        graph.add_node(k, **data)
        for place, edge in enumerate(edges):
            graph.add_edge(edge["node"], k, place=place, label=edge.get("label", ""))
    return graph
