"""Fold a large graph into boxes for its parts: by the names of its parameters, else by depth.

A parameter `layer1.weight` belongs to the part `layer1`, and so does what is computed with it, until
a parameter of a later part comes in. Without such names the parts are bands of equal depth.
"""

from collections import Counter
from dataclasses import replace
from graphlib import TopologicalSorter

from dark.draw.graph.boxes import Box
from dark.draw.labels import operation_text

FEWEST_PARTS, MOST_PARTS = 4, 120
BANDS = 12
MOST_ALONE = 20  # so many boxes with a plain name, or a mark, stay as they are
MOST_SIGNS = 4


def grouped(boxes, whole=None):
    """Fold boxes into parts.

    Parameters
    ----------
    boxes : tuple of Box
        In topological order, the root last.
    whole : function, optional
        Returns the box at a position with its value and gradient, if `boxes` are without; asked only
        for those that are not folded.

    Returns
    -------
    tuple of Box
        In topological order, the root last. A part is a box of kind "group", which says how many nodes
        it holds; the root, boxes with a mark, and a few with a plain name such as `x` stay.

    Examples
    --------
    >>> chain = [Box("parameter", None, 1.0)]
    >>> chain += [Box("result", "exp", 1.0, inputs=(i,)) for i in range(400)]
    >>> [(box.name, box.value, box.operation) for box in grouped(tuple(chain))[:2]]
    [('depth 374 to 399', '27 nodes, 1 parameter', 'exp'), ('depth 340 to 373', '34 nodes', 'exp')]
    """
    depths = _depths(boxes)
    whole = whole or boxes.__getitem__
    longest = max((len(_parts(box)) for box in boxes), default=0)
    for length in range(longest, 0, -1):
        groups = _by_name(boxes, depths, length)
        clusters = _clusters(boxes, groups)
        unnamed = sum(group is None for group in groups)
        if FEWEST_PARTS <= len(set(clusters)) <= MOST_PARTS and unnamed <= len(boxes) / 2:
            return _fold(boxes, clusters, depths, whole)
    band = -(-(max(depths) + 1) // BANDS)
    alone = _alone(boxes, plain_names=False)
    groups = [("alone", i) if i in alone else ("band", depth // band) for i, depth in enumerate(depths)]
    return _fold(boxes, _clusters(boxes, groups), depths, whole)


def _depths(boxes):
    """Return for each box the number of edges on its longest way to the root."""
    depths = [0] * len(boxes)
    for i in range(len(boxes) - 1, -1, -1):
        for k in boxes[i].inputs:
            depths[k] = max(depths[k], depths[i] + 1)
    return depths


def _parts(box):
    """Return what stands before the last dot of a name: `net.layer1.weight` is in net, layer1."""
    return tuple((box.name or "").split(".")[:-1])


def _alone(boxes, plain_names):
    """Return the places of the boxes that are not folded."""
    marked = [i for i, box in enumerate(boxes) if box.mark or box.kind == "folded"]
    named = [i for i, box in enumerate(boxes) if box.name and not _parts(box)]
    few = plain_names and len(named) <= MOST_ALONE
    return {len(boxes) - 1, *marked[:MOST_ALONE], *(named if few else ())}


def _by_name(boxes, depths, length):
    """Give each box the part its name says, else the latest part among those of its inputs."""
    own = [".".join(_parts(box)[:length]) or None for box in boxes]
    nearest = {}  # how near to the root a part comes: the nearest is the latest
    for group, depth in zip(own, depths):
        nearest[group] = min(depth, nearest.get(group, depth))
    alone = _alone(boxes, plain_names=True)
    groups, parts = [], []
    for i, box in enumerate(boxes):
        below = [parts[k] for k in box.inputs if parts[k] is not None]
        parts.append(own[i] or min(below, key=nearest.get, default=None))
        groups.append(("alone", i) if i in alone else parts[i])
    return groups


def _clusters(boxes, groups):
    """Split the groups so that no two need each other: a box is above another if its level is higher.

    The level counts the changes of group on the way from the leaves. A leaf goes where it is used;
    one that is used in several places stays outside. Many leaves of a box that stays are one part.
    """
    levels, used = [0] * len(boxes), [set() for _ in boxes]
    for i, box in enumerate(boxes):
        results = [k for k in box.inputs if boxes[k].inputs]
        levels[i] = max((levels[k] + (groups[k] != groups[i]) for k in results), default=0)
        for k in box.inputs:
            used[k].add((groups[i], levels[i]))
    leaves = [i for i, box in enumerate(boxes) if not box.inputs and not _stays(groups[i])]
    crowds = Counter(cluster for i in leaves if len(used[i]) == 1 for cluster in used[i])
    clusters = list(zip(groups, levels))
    for i in leaves:
        clusters[i] = _cluster_of_leaf(i, groups[i], used[i], crowds)
    return clusters


def _cluster_of_leaf(i, group, used, crowds):
    if len(used) != 1:
        return group, "leaves"
    (cluster,) = used
    if _stays(cluster[0]):
        return (cluster[0], "leaves") if crowds[cluster] > MOST_ALONE else (("alone", i), 0)
    return cluster


def _stays(group):
    return isinstance(group, tuple) and group[0] == "alone"


def _fold(boxes, clusters, depths, whole):
    """Make one box of each cluster; a cluster of one stays the box it is."""
    members, before = {}, {}
    for i, cluster in enumerate(clusters):
        members.setdefault(cluster, []).append(i)
        below = {clusters[k]: None for k in boxes[i].inputs if clusters[k] != cluster}
        before.setdefault(cluster, {}).update(below)
    order = [cluster for cluster in TopologicalSorter(before).static_order() if cluster != clusters[-1]]
    order.append(clusters[-1])
    place, names, folded = {cluster: i for i, cluster in enumerate(order)}, Counter(), []
    for cluster in order:
        inside = members[cluster]
        if len(inside) == 1:  # the same input twice stays twice
            box = whole(inside[0])
            folded.append(replace(box, inputs=tuple(place[clusters[k]] for k in box.inputs)))
            continue
        name = _name(cluster[0], [depths[i] for i in inside if boxes[i].inputs] or [depths[i] for i in inside])
        names[name] += 1
        box = _group([boxes[i] for i in inside], f"{name} ({names[name]})" if name and names[name] > 1 else name)
        folded.append(replace(box, inputs=tuple(sorted(place[c] for c in before[cluster]))))
    return tuple(folded)


def _name(group, depths):
    if isinstance(group, tuple):
        return f"depth {min(depths)} to {max(depths)}" if min(depths) < max(depths) else f"depth {min(depths)}"
    return group


def _group(boxes, name):
    """Describe what is folded: how many nodes, how many of them parameters, and their operations."""
    parameters = sum(box.kind == "parameter" for box in boxes)
    words = f"{len(boxes)} nodes"
    if parameters:
        words += f", {parameters} parameter{'s' if parameters > 1 else ''}"
    signs = list(dict.fromkeys(operation_text(box.operation) for box in boxes if box.operation is not None))
    signs = signs if len(signs) <= MOST_SIGNS else [*signs[:MOST_SIGNS], "…"]
    return Box("group", " ".join(signs) or None, words, None, name)
