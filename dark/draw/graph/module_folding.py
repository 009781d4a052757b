"""Fold the modules of a graph that are not open: each is a box, and of blocks that repeat one is drawn."""

from collections import Counter
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from math import prod
from numbers import Integral
from typing import Any

from dark.checks import describe, integer
from dark.draw.arrays.array_summary import summarize
from dark.draw.graph.boxes import Box
from dark.draw.graph.graph_record import GraphRecord
from dark.draw.graph.numbered_calls import plain_name, plain_path
from dark.draw.graph.quotient import acyclic_groups
from dark.draw.graph.repeated_blocks import Repeats, distance, equal_siblings, repeated_blocks
from dark.draw.labels import shape_words, value_text
from dark.errors import UsageError, ValueTypeError, near_misses

MOST_BOXES = 60  # in a picture for which nothing is asked
MOST_FRAMES = 2  # around a layer
MOST_RESULTS = 8  # lines about the results of an operation
MOST_HEAT_MAPS = 40  # boxes in a picture with heat maps


def checked_open(open: Any) -> bool | int | tuple[str, ...] | None:
    """Return the argument `open` of `draw`, if it is valid: None, a bool, a number of levels, or names."""
    if open is None or isinstance(open, bool):
        return open
    if isinstance(open, str):
        return (open,)
    if isinstance(open, Integral):
        return integer(open, "draw", "open", 0, advice="open=0, to fold all modules, or open=True")
    if isinstance(open, (list, tuple, set)) and all(isinstance(name, str) for name in open):
        return tuple(open)
    raise ValueTypeError(
        f"draw: open must be a bool, a number of levels or names, got {describe(open)}.",
        "True, False, a number of levels, or names of modules.",
        'open="features.0", or open=["features.*", "head"]',
    )


def opened(open: Any, paths: list[tuple[str, ...]], operations: list[bool]) -> set[tuple[str, ...]]:
    """Return the paths of the modules that are open.

    `open` is as `checked_open` returns it: a name may contain `*`, and the modules around it are open, too. `paths` are
    those of the nodes that are drawn, and `operations` tells whether each of them is a result. A module of one result
    is always open: it needs no frame.
    """
    results = Counter(path[:k] for path, is_result in zip(paths, operations) if is_result for k in _lengths(path))
    modules = prefixes_of(paths)
    single = {module for module in modules if results[module] <= 1}
    if isinstance(open, tuple):
        return single | _named(open, modules)
    if open is None:
        open = _levels(modules, single, paths, operations)
    return single | {module for module in modules if open is True or len(module) <= open}


def _lengths(path):
    return range(1, len(path) + 1)


def prefixes_of(paths):
    """Return the paths of all modules around some nodes."""
    return {path[:k]: None for path in paths for k in _lengths(path)}


def _named(names, modules):
    dotted = {".".join(module): module for module in modules}
    found = set()
    for pattern in names:
        spellings = [(module, (name, ".".join(plain_path(module)))) for name, module in dotted.items()]
        matching = [module for module, both in spellings if any(fnmatchcase(name, pattern) for name in both)]
        if not matching:
            raise UsageError(
                f"draw: the graph has no module {pattern!r} to open.",
                f"the names of its modules: {', '.join(list(dotted)[:8])}{', …' * (len(dotted) > 8)}."
                if dotted
                else "a graph whose modules are known.",
                near_misses(pattern, list(dotted)) if dotted else "draw(loss, model=network)",
            )
        found |= prefixes_of(matching).keys()
    return found


def _levels(modules, single, paths, operations):
    """Return the largest number of levels at which the picture has at most 60 boxes."""
    deepest = max(map(len, modules), default=0)
    for levels in range(1, deepest + 1):
        shown = set()
        for i, (path, is_result) in enumerate(zip(paths, operations)):
            if is_result:
                closed = next((path[:k] for k in _lengths(path) if k > levels and path[:k] not in single), None)
                shown.add(closed or i)
        if len(shown) > MOST_BOXES:
            return levels - 1
    return deepest


@dataclass(frozen=True)
class FoldedGraph:
    """The boxes of a picture of modules, in topological order; the path of a box lists the open modules around it."""

    boxes: tuple[Box, ...]
    titles: dict[tuple[str, ...], str]  # of each open module, by its path
    indices: tuple[int, ...]  # the node of each box; empty if some are folded
    folded: int  # the number of nodes that are not drawn
    # The nodes that each box stands for, with those of modules that repeat.
    members: tuple[tuple[int, ...], ...] = ()


def fold_modules(
    record: GraphRecord, open: bool | int | tuple[str, ...] | None = None, layers: bool = False
) -> FoldedGraph:
    """Fold the modules of a graph that are not open (see `checked_open`), and blocks that repeat unless it is True.

    With `layers`, modules without modules in them are closed, too, and constants are left out.
    """
    record = _without_constants(record) if layers else record
    nodes, links = record.nodes, record.links
    named = [tuple(name.split(".")) for name in open if "*" not in name] if isinstance(open, tuple) else []
    stand_in, runs, counts = (
        repeated_blocks(nodes, links, named) if open is not True else Repeats(list(range(len(nodes))), {}, {})
    )
    kept = [i for i, k in enumerate(stand_in) if i == k]
    place = {i: k for k, i in enumerate(kept)}
    below = ([place[stand_in[k]] for k in links[i]] for i in kept)
    inputs = [tuple([k for k in places if k < j]) for j, places in enumerate(below)]
    paths = [nodes[i].path for i in kept]
    is_open = opened(open, paths, [bool(nodes[i].operation) for i in kept])
    if layers:
        is_open &= {path[:k] for path in (nodes[i].path for i in kept if nodes[i].operation) for k in range(len(path))}
    closed = [next((path[:k] for k in _lengths(path) if path[:k] not in is_open), None) for path in paths]
    ids = [path or k for k, path in enumerate(closed)]
    if open is not True:
        ids = equal_siblings([nodes[i] for i in kept], inputs, ids)
    groups, order = acyclic_groups(ids, inputs)
    root = groups[place[stand_in[len(nodes) - 1]]]
    order = [group for group in order if group != root] + [root]
    titles = {path: title_of_module(path, record.modules, runs) for path in prefixes_of(paths)}
    members: dict[Any, list[int]] = {group: [] for group in order}
    for k, group in enumerate(groups):
        members[group].append(k)
    box_of_group = layer_box if layers else group_box
    boxes = _boxes(record, kept, inputs, groups, members, titles, counts, box_of_group)
    whole = len(boxes) == len(nodes) and not layers  # else some boxes stand for several nodes
    indices = tuple([kept[group[0]] for group in order]) if whole else ()
    position = {group: k for k, group in enumerate(order)}
    shown: list[list[int]] = [[] for _ in order]
    for i, k in enumerate(stand_in):
        shown[position[groups[place[k]]]].append(i)
    return FoldedGraph(boxes, titles, indices, len(nodes) - len(boxes), tuple(map(tuple, shown)))


def title_of_module(path, modules, runs):
    """Return the title of a module: its dotted name, its class, and how often it repeats or which call it is."""
    run, kind = runs.get(path, ()), modules.get(path)
    plain, call = plain_name(path[-1])
    name = ".".join((*path[:-1], plain))
    if run and not call:
        middle = f", {run[1]}" if distance(*run[:2]) != 1 else ""  # 0, 2 … 8
        name += f"{middle} … {run[-1]}"
    count = f" ×{len(run)}" if run else f" ({call})" if call else ""
    return name + (f": {kind}" if kind and kind != name else "") + count


def _boxes(record, kept, inputs, groups, members, titles, counts, box_of_group):
    position = {group: k for k, group in enumerate(members)}
    maps = len(members) <= MOST_HEAT_MAPS
    boxes = []
    for group, inside in members.items():
        nodes = [record.nodes[kept[k]] for k in inside]
        if isinstance(group[0], int):
            below = tuple([position[groups[j]] for j in inputs[inside[0]]])
            box = box_of_record(nodes[0], below, box_of_group is group_box, maps)
            many = len(inside) * counts.get(kept[inside[0]], 1)
            count = f"×{many}" * (many > 1)
            boxes.append(replace(box, name=" ".join(filter(None, (box.name, count)))) if count else box)
            continue
        below = sorted({position[groups[j]] for k in inside for j in inputs[k]} - {position[group]})
        name = titles[group[0]] + (f" ({group[1] + 1})" if group[1] else "")
        before = [record.nodes[kept[j]] for k in inside for j in inputs[k] if groups[j] != group]
        boxes.append(box_of_group(nodes, name, tuple(below), group[0][:-1], before))
    return tuple(boxes)


def _without_constants(record):
    """Return a record without its constants, which a picture of layers leaves out."""
    left_out = {node.id for node in record.nodes[:-1] if node.role == "constant"}
    nodes = [node for node in record.nodes if node.id not in left_out]
    nodes = [replace(node, inputs=tuple([i for i in node.inputs if i not in left_out]), labels=()) for node in nodes]
    return GraphRecord(tuple(nodes), record.modules)


def layer_box(nodes, name, inputs=(), path=(), before=()):
    """Return the box of a layer: its name, the shapes of its input and its result, and the number of its parameters."""
    given = next((node for node in before if node.shape is not None and node.role != "parameter"), None)
    shapes = [shape_words(node.shape) for node in (given, nodes[-1]) if node is not None and node.shape is not None]
    size = sum(prod(node.shape or ()) for node in nodes if node.role == "parameter")
    words = f", {size:,} parameters" if size else ""
    return replace(Box("group", None, " → ".join(shapes) + words, None, name, inputs), path=path[:MOST_FRAMES])


def box_of_record(node, inputs, full=True, maps=True):
    """Return the box of a node of a record."""
    value, grad = (summarize(node.read(field), maps) if full else None for field in ("value", "grad"))
    if value is None and node.shape:
        value = f"{node.dtype} {shape_words(node.shape)}".strip()
    labels = node.labels if len(node.labels) == len(inputs) else ()
    results = [result_words(k, result) for k, result in enumerate(node.results)]
    if len(results) > MOST_RESULTS:
        results[MOST_RESULTS - 2 : -1] = [f"… {len(results) - MOST_RESULTS + 1} more"]
    box = Box(node.role, node.operation or None, value, grad, node.name, inputs, node.mark, node.path)
    brief = str(node.extras.get("brief", ""))
    if not (labels or results or brief):
        return box
    return replace(box, labels=labels, results=tuple(results), settings=brief)


def result_words(k, result):
    """Return a line about one of several results: its name or number, dtype and shape, and a number if it is one."""
    shape = "" if result.shape is None else shape_words(result.shape)
    number = f"= {value_text(result.value)}" if result.value is not None and result.shape == () else ""
    return " ".join(filter(None, (result.name or f"[{k}]", result.dtype, shape, number)))


def group_box(nodes, name, inputs=(), path=(), before=()):
    """Return the box of a closed module: its name, how much is in it, and the shape of its result."""
    size = sum(prod(node.shape or ()) for node in nodes if node.role == "parameter")
    words = f"{len(nodes)} node{'s' * (len(nodes) > 1)}" + (f", {size:,} parameters" if size else "")
    last = nodes[-1]
    result = f"→ {last.dtype} {shape_words(last.shape)}" if last.operation and last.shape else None
    return replace(Box("group", result, words, None, name, inputs), path=path)
