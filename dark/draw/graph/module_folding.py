"""Fold the modules of a graph: each closed one is a box, and of blocks that repeat one is drawn."""

from dataclasses import dataclass, replace
from math import prod
from typing import Any

from dark.draw.arrays.array_summary import summarize
from dark.draw.graph.boxes import Box
from dark.draw.graph.graph_record import GraphRecord
from dark.draw.graph.open_modules import opened
from dark.draw.graph.quotient import acyclic_groups
from dark.draw.graph.repeated_blocks import equal_siblings, repeated_blocks

MOST_HEAT_MAPS = 40  # boxes in a picture with heat maps


@dataclass(frozen=True)
class FoldedGraph:
    """The boxes of a picture of modules, in topological order; the path of a box lists the open modules around it."""

    boxes: tuple[Box, ...]
    titles: dict[tuple[str, ...], str]  # of each open module, by its path
    indices: tuple[int, ...]  # the node of each box; empty if some are folded
    folded: int  # the number of nodes that are not drawn
    # The nodes that each box shows; of modules that repeat, those of the first.
    members: tuple[tuple[int, ...], ...] = ()


def fold_modules(
    record: GraphRecord, open: bool | int | tuple[str, ...] | None = None, full: bool = True
) -> FoldedGraph:
    """Fold the modules of a graph that are not open; see `checked_open`.

    With ``open=True``, blocks that repeat are not folded either. `full` is whether to read values and gradients.

    Examples
    --------
    >>> from dark.draw.graph.graph_record import GraphNode, GraphRecord
    >>> nodes = [GraphNode("x", role="input"), GraphNode("y", "exp", inputs=("x",), path=("net",))]
    >>> nodes += [GraphNode("z", "log", inputs=("y",), path=("net",))]
    >>> [(box.kind, box.name, box.value) for box in fold_modules(GraphRecord(nodes), open=False).boxes]
    [('input', None, None), ('group', 'net', '2 nodes')]
    """
    nodes, links = record.nodes, record.links
    named = [tuple(name.split(".")) for name in open if "*" not in name] if isinstance(open, tuple) else []
    stand_in, runs = repeated_blocks(nodes, links, named) if open is not True else (list(range(len(nodes))), {})
    kept = [i for i, k in enumerate(stand_in) if i == k]
    place = {i: k for k, i in enumerate(kept)}
    below = ([place[stand_in[k]] for k in links[i]] for i in kept)
    inputs = [tuple([k for k in places if k < j]) for j, places in enumerate(below)]
    paths = [nodes[i].path for i in kept]
    is_open = opened(open, paths, [bool(nodes[i].operation) for i in kept])
    closed = [_closed(path, is_open) for path in paths]
    ids = [path or k for k, path in enumerate(closed)]
    if open is not True:
        ids = equal_siblings([nodes[i] for i in kept], inputs, ids)
    groups, order = acyclic_groups(ids, inputs)
    root = groups[place[stand_in[len(nodes) - 1]]]
    order = [group for group in order if group != root] + [root]
    titles = {path: title_of_module(path, record.modules, runs) for path in _prefixes(paths)}
    boxes = _boxes(record, kept, inputs, groups, order, titles, full)
    whole = len(boxes) == len(nodes)  # else some boxes stand for several nodes
    indices = tuple([kept[group[0]] for group in order]) if whole else ()
    members: dict[Any, list[int]] = {group: [] for group in order}
    for k, group in enumerate(groups):
        members[group].append(kept[k])
    return FoldedGraph(boxes, titles, indices, len(nodes) - len(boxes), tuple(map(tuple, members.values())))


def _prefixes(paths):
    return {path[:k]: None for path in paths for k in range(1, len(path) + 1)}


def _closed(path, is_open):
    """Return the path of the outermost closed module around a node; None if all are open."""
    return next((path[:k] for k in range(1, len(path) + 1) if path[:k] not in is_open), None)


def title_of_module(path, modules, runs):
    """Return the title of a module: its dotted name, its class, and how often it repeats."""
    run, kind = runs.get(path, ()), modules.get(path)
    name = ".".join(path) + (f" … {run[-1]}" if run else "")
    return name + (f": {kind}" if kind and kind != name else "") + (f" ×{len(run)}" if run else "")


def _boxes(record, kept, inputs, groups, order, titles, full):
    position = {group: k for k, group in enumerate(order)}
    members: dict[Any, list[int]] = {}
    for k, group in enumerate(groups):
        members.setdefault(group, []).append(k)
    maps = len(order) <= MOST_HEAT_MAPS
    boxes = []
    for group in order:
        inside = members[group]
        nodes = [record.nodes[kept[k]] for k in inside]
        if isinstance(group[0], int):
            below = tuple([position[groups[j]] for j in inputs[inside[0]]])
            box = box_of_record(nodes[0], below, full, maps)
            count = f"×{len(inside)}" * (len(inside) > 1)
            boxes.append(replace(box, name=" ".join(filter(None, (box.name, count)))) if count else box)
            continue
        below = sorted({position[groups[j]] for k in inside for j in inputs[k]} - {position[group]})
        name = titles[group[0]] + (f" ({group[1] + 1})" if group[1] else "")
        boxes.append(group_box(nodes, name, tuple(below), group[0][:-1]))
    return tuple(boxes)


def box_of_record(node, inputs, full=True, maps=True):
    """Return the box of one node of a record."""
    value, grad = (summarize(node.read(field), maps) if full else None for field in ("value", "grad"))
    if value is None and full and node.shape:
        value = f"{node.dtype} {node.shape}".strip()
    return Box(node.role, node.operation or None, value, grad, node.name, inputs, path=node.path)


def group_box(nodes, name, inputs=(), path=()):
    """Return the box of a closed module: its name, how much is in it, and the shape of its result."""
    size = sum(prod(node.shape or ()) for node in nodes if node.role == "parameter")
    words = f"{len(nodes)} node{'s' * (len(nodes) > 1)}" + (f", {size:,} parameters" if size else "")
    last = nodes[-1]
    result = f"→ {last.dtype} {last.shape}" if last.operation and last.shape else None
    return replace(Box("group", result, words, None, name, inputs), path=path)
