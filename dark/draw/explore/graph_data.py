"""A graph as plain data for its page: nodes with the texts of their boxes, modules, arrays."""

import base64
import math
from typing import Any

import numpy as np

from dark.draw.arrays.array_summary import Summary
from dark.draw.arrays.heat_map import side
from dark.draw.explore.stored_arrays import ArrayStore, numbers_of
from dark.draw.graph.graph_record import GraphNode, GraphRecord
from dark.draw.graph.module_folding import box_of_record, group_box, opened, prefixes_of, result_words, title_of_module
from dark.draw.labels import one_line, shape_of, value_in, value_text
from dark.draw.layered.contents import SIZE, Content, Parts, content_of, leaf_holders, parts_of
from dark.draw.layered.frames import Frame
from dark.draw.text_width import text_width

MOST_WITH_MAPS = 2_000  # nodes of a graph whose boxes have heat maps
LEVELS = 100  # of the magnitudes of a cell
NOT_FINITE = {"nan": 255, "inf": 254, "-inf": 253}
NAMES = {"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}  # how JavaScript spells them


def graph_data(
    record: GraphRecord, *, title: str, gradients: bool, open: set[tuple[str, ...]] | None, most_bytes: float
) -> dict[str, Any]:
    """Return the contents of the page as data for JSON.

    `open` are the paths of the modules that are open at first; by default as many levels as 60 boxes hold. The elements
    of all arrays take at most `most_bytes`.
    """
    maps = len(record) <= MOST_WITH_MAPS
    boxes = tuple([box_of_record(node, inputs, True, maps) for node, inputs in zip(record.nodes, record.links)])
    paths = [node.path for node in record.nodes]
    parts = parts_of(boxes, {path: title_of_module(path, record.modules, {}) for path in prefixes_of(paths)}, gradients)
    held: dict[int, list[int]] = {}
    for leaf, holder in leaf_holders(boxes).items():
        held.setdefault(holder, []).append(leaf)
    if open is None:
        open = opened(None, paths, [bool(node.operation) for node in record.nodes])
    store = ArrayStore(most_bytes)
    nodes = [_node(record, k, gradients, store) for k in range(len(record))]
    _add_boxes(nodes, parts)
    arrays, left_out = store.data()
    return {
        "title": title,
        "nodes": nodes,
        "modules": frame_data(parts.frame, record, held, open),
        "arrays": arrays,
        "leftOut": left_out,
    }


def _node(record: GraphRecord, k: int, gradients: bool, store: ArrayStore) -> dict[str, Any]:
    node = record.nodes[k]
    data: dict[str, Any] = {"operation": node.operation, "role": node.role, "inputs": list(record.links[k])}
    if node.name:
        data["name"] = one_line(node.name, 200)
    if node.path:
        data["path"] = ".".join(node.path)
    if node.shape is not None:
        data["shape"] = [size if isinstance(size, str) else int(size) for size in node.shape]
    if node.dtype:
        data["dtype"] = node.dtype
    fields = ("value", "grad") if gradients and node.role in ("parameter", "result") else ("value",)
    for field in fields:
        data |= _field(node, field, store)
    if node.results:
        data["results"] = [one_line(result_words(k, part), 200) for k, part in enumerate(node.results)]
    if node.mark:
        data["mark"] = node.mark
    extras = _extras(node)
    return data | ({"extras": extras} if extras else {})


def _field(node: GraphNode, field: str, store: ArrayStore) -> dict[str, Any]:
    """Return a value or gradient: a number or a string as it is, the number of an array, or only its statistics."""
    found = node.read(field)
    array = numbers_of(found)
    if array is not None:
        known = {"shape": list(array.shape), "dtype": str(array.dtype)} if field == "value" else {}
        return {f"{field}Array": store.add(array), **known}
    found = value_in(found)
    if found is None:
        return {}
    if isinstance(found, Summary):
        shape = {"shape": list(found.shape), "dtype": found.dtype} if field == "value" else {}
        limits = {"low": found.low, "high": found.high, "mean": found.mean}
        numbers = {key: number_of(x) for key, x in limits.items() if x is not None}
        return {f"{field}Statistics": {**numbers, "nan": found.nans, "infinite": found.infinite}, **shape}
    is_number = isinstance(found, (bool, int, float, np.generic)) or (shape_of(found) == () and hasattr(found, "dtype"))
    if is_number and np.asarray(found).dtype.kind in "fiub":
        return {field: number_of(float(found))}
    return {field: one_line(found if isinstance(found, str) else value_text(found), 200)}


def number_of(x: float) -> float | str:
    """Return a number as JSON can hold it."""
    return x if math.isfinite(x) else NAMES[str(float(x))]


def _extras(node: GraphNode) -> dict[str, str]:
    """Return the further facts about a node, as strings."""
    found: dict[str, str] = {}
    for key, thing in node.extras.items():
        if key in ("node", "brief") or thing is None:
            continue
        if isinstance(thing, dict):
            found |= {one_line(name): one_line(repr(value), 120) for name, value in thing.items()}
        elif key.startswith("seconds") and isinstance(thing, float):
            found[key.replace("seconds_", "time ")] = f"{thing * 1e3:.3g} ms"
        else:
            found[key.replace("_", " ")] = f"{thing:,}" if isinstance(thing, int) else one_line(thing, 120)
    return found


def _add_boxes(nodes: list[dict[str, Any]], parts: Parts) -> None:
    """Add to each node the contents of its box, with sizes in points."""
    for i, content in parts.contents.items():
        nodes[i] |= _box(content)
        if i in parts.ordered:
            nodes[i]["ordered"] = True
        for leaf in content.leaves:
            nodes[leaf.index] |= _box(leaf) | {"holder": i}
    for (source, target), text in parts.labels.items():
        if target is not None:
            nodes[target].setdefault("edgeLabels", {})[source] = text


def _box(content: Content) -> dict[str, Any]:
    data: dict[str, Any] = {"lines": [[line.role, line.text] for line in content.lines], "size": list(content.size)}
    if content.leaves:
        data |= {"leaves": [leaf.index for leaf in content.leaves], "own": list(content.own_size)}
    if content.maps:
        data["maps"] = [[len(s.cells), len(s.cells[0]), side(s), cells_of(s)] for s in content.maps]
    return data


def cells_of(summary: Summary) -> str:
    """Return the cells of a heat map, one byte each, in base64: 0 to 200 for -1 to 1; see `NOT_FINITE` for others."""
    cells = np.array(summary.cells)
    with np.errstate(invalid="ignore"):
        levels = np.round(np.clip(np.nan_to_num(cells, nan=0.0), -1, 1) * LEVELS + LEVELS).astype(np.uint8)
    levels[np.isnan(cells)] = NOT_FINITE["nan"]
    levels[cells == np.inf] = NOT_FINITE["inf"]
    levels[cells == -np.inf] = NOT_FINITE["-inf"]
    return base64.b64encode(levels.tobytes()).decode("ascii")


def frame_data(
    frame: Frame, record: GraphRecord, held: dict[int, list[int]], is_open: set[tuple[str, ...]]
) -> list[dict[str, Any]]:
    """Return the modules, each before those in it; the first is the whole picture.

    `held` are the leaves that stand in the box of a node, `is_open` the paths of the modules that are open at first.
    The ``items`` of a module are numbers of nodes, and ``-k`` for the module number k of the list.
    """
    found: list[dict[str, Any]] = []
    waiting: list[tuple[Frame, dict[str, Any] | None, int]] = [(frame, None, 0)]
    while waiting:
        one, above, place = waiting.pop()
        data = _module(one, record, held, is_open)
        found.append(data)
        if above is not None:
            above["items"][place] = -(len(found) - 1)
        inner = [(item, data, k) for k, item in enumerate(one.items) if isinstance(item, Frame)]
        waiting += reversed(inner)
    return found


def _module(frame, record, held, is_open):
    inside = sorted(k for i in frame.inside for k in (i, *held.get(i, ())))
    nodes = [record.nodes[k] for k in inside]
    box = group_box(nodes, frame.title)
    content = content_of(box, -1)
    return {
        "path": ".".join(frame.path),
        "title": frame.title,
        "titleWidth": text_width(frame.title, SIZE, bold=True),
        "items": list(frame.items),
        "count": len(inside),
        "open": not frame.path or frame.path in is_open,
        "lines": [[line.role, line.text] for line in content.lines],
        "size": list(content.size),
    }
