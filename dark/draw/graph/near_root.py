"""The part of a graph near its root; what is further away becomes one box, and is not read."""

from numbers import Integral

from dark.draw.graph.boxes import Box, boxes_from
from dark.draw.graph.traverse import inputs_of, is_node, order_of, refuse_no_node
from dark.errors import DrawingError

MOST_NEAR = 100_000  # more nodes than these are read for no picture
MOST_COUNTED = 10_000  # the nodes further away are counted up to here


def checked_depth(depth):
    """Return a depth that is a positive whole number.

    Raises
    ------
    DrawingError
        For anything else.
    """
    if isinstance(depth, bool) or not isinstance(depth, Integral) or depth < 1:
        raise DrawingError(f"draw: depth is {depth!r}.", "a whole number, 1 or more.", "draw(node, depth=5)")
    return int(depth)


def near_root(root, depth):
    """Read the nodes at most `depth` edges from the root; one more box counts the rest.

    Parameters
    ----------
    root : object
        A node.
    depth : int
        How many edges to go down from the root, 1 or more.

    Returns
    -------
    boxes : tuple of Box
        In topological order; the box of the rest stands first, where there is one.
    nodes : tuple of object
        The nodes behind the boxes, if all of them are there; else none.

    Raises
    ------
    DrawingError
        If `depth` is no positive whole number, or far too many nodes are as near as that.

    Examples
    --------
    >>> from types import SimpleNamespace as Thing
    >>> node = Thing(inputs=(), value=1.0)
    >>> for _ in range(5):
    ...     node = Thing(inputs=(node,), value=1.0)
    >>> [box.value for box in near_root(node, 1)[0]]
    ['… 4 more', 1.0, 1.0]
    """
    refuse_no_node(root)
    read = _Reader()
    levels, beyond, bare = _levels(root, checked_depth(depth), read)

    def is_near(node, below):
        return id(below) in levels if is_node(below) else levels[id(node)] < depth

    nodes, links = order_of(root, keep=is_near, read=read)
    if not beyond and not bare:
        return boxes_from(nodes, links), tuple(nodes)
    boxes = boxes_from(nodes, [_moved(inputs) for inputs in links])
    return (Box("folded", None, f"… {_count(beyond, bare, levels, read)} more"), *boxes), ()


class _Reader:
    """Reads the inputs of each node once: a student's class may make new ones whenever it is asked."""

    def __init__(self):
        self.known = {}

    def __call__(self, node):
        if id(node) not in self.known:
            self.known[id(node)] = node, inputs_of(node)  # the node too, so that its id stays its own
        return self.known[id(node)][1]


def _levels(root, depth, read):
    """Return how far each node is from the root, and what lies beyond: nodes, and a count of bare numbers."""
    levels, level, count = {id(root): 0}, [root], 1
    for distance in range(1, depth + 2):
        below, bare = [], 0
        for n in (n for node in level for n in read(node)):
            if not is_node(n):
                bare += 1
            elif id(n) not in levels:
                levels[id(n)] = distance
                below.append(n)
        if distance > depth:
            for n in below:
                del levels[id(n)]
            return levels, below, bare
        count += len(below) + bare
        if count > MOST_NEAR:
            raise _too_many(distance)
        if not below:
            return levels, [], 0
        level = below


def _count(beyond, bare, levels, read):
    """Count the nodes that are not drawn, in words."""
    seen, waiting, count = {id(n) for n in beyond}, list(beyond), len(beyond) + bare
    while waiting and count <= MOST_COUNTED:
        for n in read(waiting.pop()):
            if not is_node(n):
                count += 1
            elif id(n) not in seen and id(n) not in levels:
                seen.add(id(n))
                waiting.append(n)
                count += 1
    return f"over {MOST_COUNTED}" if count > MOST_COUNTED else str(count)


def _moved(inputs):
    """Renumber inputs behind the box of the rest; all that are not drawn become one input, that box."""
    moved = [i + 1 for i in inputs]
    first = moved.index(0) if 0 in moved else len(moved)
    return tuple(i for k, i in enumerate(moved) if i or k == first)


def _too_many(depth):
    return DrawingError(
        f"draw: more than {MOST_NEAR} nodes are within {depth} edge{'s' * (depth > 1)} of the root.",
        "a graph of which a picture can be read.",
        f"draw(node, depth={min(5, depth - 1)})" if depth > 1 else "draw the same function of fewer numbers",
    )
