"""Fold a large graph into groups of nodes: by the names of its parameters, else by depth.

A parameter `layer1.weight` belongs to the group `layer1`, and so do the results computed from it, up to
the first that uses a parameter of a later group. Without such names the groups are bands of equal depth.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from graphlib import TopologicalSorter
from typing import Any

from dark.draw.graph.boxes import Box
from dark.draw.labels import operation_text

FEWEST_GROUPS, MOST_GROUPS = 4, 120
BANDS = 12
MOST_NOT_FOLDED = 20  # the largest number of boxes with a name without dots, or a mark, that are not folded
MOST_SIGNS = 4


def fold_groups(boxes: tuple[Box, ...], full_box: Callable[[int], Box] | None = None) -> tuple[Box, ...]:
    """Fold boxes, in topological order, into groups.

    A group is a box of kind "group" with the number of its nodes. The root, boxes with a mark, and a few with a name
    without dots, such as `x`, are not folded; where `boxes` have no values, `full_box` returns those of them, by index.
    """
    clusters, depths = _best_clusters(boxes)
    return _fold(boxes, clusters, depths, full_box or boxes.__getitem__)


def named_groups(boxes):
    """Return the name of the group of each box, or None if it is not folded; see `fold_groups`."""
    clusters, depths = _best_clusters(boxes)
    names = {}
    taken: Counter[str] = Counter()
    members: dict[Any, list[int]] = {}
    for i, cluster in enumerate(clusters):
        members.setdefault(cluster, []).append(i)
    for cluster, inside in members.items():
        if len(inside) > 1:
            name = _name(cluster[0], _depths_of(inside, boxes, depths)) or "leaves"
            taken[name] += 1
            names[cluster] = f"{name} ({taken[name]})" if taken[name] > 1 else name
    return [names.get(cluster) for cluster in clusters]


def _best_clusters(boxes):
    """Return the cluster and the depth of each box."""
    depths = _depths(boxes)
    longest = max((len(_name_parts(box)) for box in boxes), default=0)
    for length in range(longest, 0, -1):
        groups = _by_name(boxes, depths, length)
        clusters = _clusters(boxes, groups)
        unnamed = sum(group is None for group in groups)
        if FEWEST_GROUPS <= len(set(clusters)) <= MOST_GROUPS and unnamed <= len(boxes) / 2:
            return clusters, depths
    band = -(-(max(depths) + 1) // BANDS)
    not_folded = _not_folded(boxes, plain_names=False)
    groups = [("alone", i) if i in not_folded else ("band", depth // band) for i, depth in enumerate(depths)]
    return _clusters(boxes, groups), depths


def _depths(boxes):
    """Return for each box the length of the longest path to the root, in edges."""
    depths = [0] * len(boxes)
    for i in range(len(boxes) - 1, -1, -1):
        for k in boxes[i].inputs:
            depths[k] = max(depths[k], depths[i] + 1)
    return depths


def _name_parts(box):
    """Return the parts of a name before the last dot: `net.layer1.weight` is in net, layer1."""
    return tuple((box.name or "").split(".")[:-1])


def _not_folded(boxes, plain_names):
    """Return the indices of the boxes that are not folded."""
    marked = [i for i, box in enumerate(boxes) if box.mark or box.kind == "folded"]
    named = [i for i, box in enumerate(boxes) if box.name and not _name_parts(box)]
    few = plain_names and len(named) <= MOST_NOT_FOLDED
    return {len(boxes) - 1, *marked[:MOST_NOT_FOLDED], *(named if few else ())}


def _by_name(boxes, depths, length):
    """Return the group of each box: the group of its name, else the latest one among its inputs."""
    own = [".".join(_name_parts(box)[:length]) or None for box in boxes]
    nearest: dict[str | None, int] = {}  # the smallest distance of each group from the root: the nearest is the latest
    for group, depth in zip(own, depths):
        nearest[group] = min(depth, nearest.get(group, depth))
    not_folded = _not_folded(boxes, plain_names=True)
    groups = []
    parts: list[str | None] = []
    for i, box in enumerate(boxes):
        below = [parts[k] for k in box.inputs if parts[k] is not None]
        parts.append(own[i] or min(below, key=nearest.__getitem__, default=None))
        groups.append(("alone", i) if i in not_folded else parts[i])
    return groups


def _clusters(boxes, groups):
    """Split the groups into clusters without cycles between them: by group and level.

    The level counts the changes of group on the path from the leaves. A leaf joins the cluster that uses it,
    or stays outside if several do. Many leaves of a box that is not folded become one cluster.
    """
    levels = [0] * len(boxes)
    used: list[set[int]] = [set() for _ in boxes]
    for i, box in enumerate(boxes):
        results = [k for k in box.inputs if boxes[k].inputs]
        levels[i] = max((levels[k] + (groups[k] != groups[i]) for k in results), default=0)
        for k in box.inputs:
            used[k].add((groups[i], levels[i]))
    leaves = [i for i, box in enumerate(boxes) if not box.inputs and not _is_not_folded(groups[i])]
    leaf_counts = Counter(cluster for i in leaves if len(used[i]) == 1 for cluster in used[i])
    clusters = list(zip(groups, levels))
    for i in leaves:
        clusters[i] = _cluster_of_leaf(i, groups[i], used[i], leaf_counts)
    return clusters


def _cluster_of_leaf(i, group, used, leaf_counts):
    if len(used) != 1:
        return group, "leaves"
    (cluster,) = used
    if _is_not_folded(cluster[0]):
        return (cluster[0], "leaves") if leaf_counts[cluster] > MOST_NOT_FOLDED else (("alone", i), 0)
    return cluster


def _is_not_folded(group):
    return isinstance(group, tuple) and group[0] == "alone"


def _fold(boxes, clusters, depths, full_box):
    """Return one box per cluster; a cluster of a single box is that box."""
    members: dict[Any, list[int]] = {}
    before: dict[Any, dict[Any, None]] = {}
    for i, cluster in enumerate(clusters):
        members.setdefault(cluster, []).append(i)
        below = {clusters[k]: None for k in boxes[i].inputs if clusters[k] != cluster}
        before.setdefault(cluster, {}).update(below)
    order = [cluster for cluster in TopologicalSorter(before).static_order() if cluster != clusters[-1]]
    order.append(clusters[-1])
    position, folded = {cluster: i for i, cluster in enumerate(order)}, []
    names: Counter[str] = Counter()
    for cluster in order:
        inside = members[cluster]
        if len(inside) == 1:  # keeps an input that occurs twice
            box = full_box(inside[0])
            folded.append(replace(box, inputs=tuple(position[clusters[k]] for k in box.inputs)))
            continue
        name = _name(cluster[0], _depths_of(inside, boxes, depths))
        names[name] += 1
        box = _group([boxes[i] for i in inside], f"{name} ({names[name]})" if name and names[name] > 1 else name)
        folded.append(replace(box, inputs=tuple(sorted(position[c] for c in before[cluster]))))
    return tuple(folded)


def _depths_of(inside, boxes, depths):
    """Return the depths of the results of a group; of all its boxes if it holds leaves only."""
    return [depths[i] for i in inside if boxes[i].inputs] or [depths[i] for i in inside]


def _name(group, depths):
    if isinstance(group, tuple):
        return f"depth {min(depths)} to {max(depths)}" if min(depths) < max(depths) else f"depth {min(depths)}"
    return group


def _group(boxes, name):
    """Return the box of a group: its number of nodes and parameters, and its operations."""
    parameters = sum(box.kind == "parameter" for box in boxes)
    words = f"{len(boxes)} nodes"
    if parameters:
        words += f", {parameters} parameter{'s' if parameters > 1 else ''}"
    signs = list(dict.fromkeys(operation_text(box.operation) for box in boxes if box.operation is not None))
    signs = signs if len(signs) <= MOST_SIGNS else [*signs[:MOST_SIGNS], "…"]
    return Box("group", " ".join(signs) or None, words, None, name)
