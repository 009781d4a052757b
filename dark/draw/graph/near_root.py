"""The part of a graph near its root; nodes further away become one box, and their values are not read."""

from typing import Any

from dark.checks import integer
from dark.draw.graph.boxes import Box, boxes_from
from dark.draw.graph.traverse import check_node, inputs_of, is_node, topological_order
from dark.errors import DrawingError

MOST_NEAR = 100_000  # the largest number of nodes that is read for a picture
MOST_COUNTED = 10_000  # nodes further away are counted up to this number


def checked_depth(depth):
    """Return a depth as an `int`, 1 or more."""
    return integer(depth, "draw", "depth", 1, advice="draw(node, depth=5)")


def near_root(root: Any, depth: int) -> tuple[tuple[Box, ...], tuple[Any, ...]]:
    """Return the boxes at most `depth` edges from the root, and their nodes; none if a first box stands for others."""
    check_node(root)
    read = _Reader()
    levels, beyond, numbers = _levels(root, checked_depth(depth), read)

    def is_near(node, below):
        return id(below) in levels if is_node(below) else levels[id(node)] < depth

    nodes, links = topological_order(root, keep=is_near, read=read)
    if not beyond and not numbers:
        return boxes_from(nodes, links), tuple(nodes)
    boxes = boxes_from(nodes, [_shifted(inputs) for inputs in links])
    return (Box("folded", None, f"… {_count(beyond, numbers, levels, read)} more"), *boxes), ()


class _Reader:
    """Reads the inputs of each node once: the property of a student's class may create new ones on each access."""

    def __init__(self):
        self.known = {}

    def __call__(self, node):
        if id(node) not in self.known:
            self.known[id(node)] = node, inputs_of(node)  # keeps the node alive, so that its id stays unique
        return self.known[id(node)][1]


def _levels(root, depth, read):
    """Return the distance of each node from the root, the first nodes beyond `depth`, and a count of plain numbers."""
    levels, level, count = {id(root): 0}, [root], 1
    for distance in range(1, depth + 2):
        below, numbers = [], 0
        for n in (n for node in level for n in read(node)):
            if not is_node(n):
                numbers += 1
            elif id(n) not in levels:
                levels[id(n)] = distance
                below.append(n)
        if distance > depth:
            for n in below:
                del levels[id(n)]
            return levels, below, numbers
        count += len(below) + numbers
        if count > MOST_NEAR:
            nearer = f"draw(node, depth={min(5, distance - 1)})"
            raise DrawingError(
                f"draw: at most {MOST_NEAR} nodes can be within {distance} edge{'s' * (distance > 1)} of the root.",
                "a graph small enough for a readable picture.",
                nearer if distance > 1 else "draw the same function with fewer inputs",
            )
        if not below:
            return levels, [], 0
        level = below


def _count(beyond, numbers, levels, read):
    """Return the number of nodes that are not drawn, as a string."""
    seen, waiting, count = {id(n) for n in beyond}, list(beyond), len(beyond) + numbers
    while waiting and count <= MOST_COUNTED:
        for n in read(waiting.pop()):
            if not is_node(n):
                count += 1
            elif id(n) not in seen and id(n) not in levels:
                seen.add(id(n))
                waiting.append(n)
                count += 1
    return f"over {MOST_COUNTED}" if count > MOST_COUNTED else str(count)


def _shifted(inputs):
    """Shift the indices of inputs by the box of the rest, which replaces all inputs that are not drawn."""
    shifted = [i + 1 for i in inputs]
    first = shifted.index(0) if 0 in shifted else len(shifted)
    return tuple(i for k, i in enumerate(shifted) if i or k == first)
