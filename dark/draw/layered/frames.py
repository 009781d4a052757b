"""Lay out a graph with its modules: each is a level of its own, and a box of the level around it."""

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

from dark.draw.graph.quotient import acyclic_groups
from dark.draw.layered.level import GAP_Y, Edge, lay_out
from dark.draw.text_width import text_width

MARGIN, TITLE = 14.0, 22.0  # points between a frame and what is inside it, and for its title


@dataclass
class Frame:
    """A module, or the whole picture: the boxes and frames directly in it."""

    path: tuple[str, ...]
    title: str = ""
    items: list[Any] = field(default_factory=list)  # indices of boxes, and frames
    inside: set[int] = field(default_factory=set)  # all boxes in it
    leaving: set[int] = field(default_factory=set)  # the boxes in it that are used outside


@dataclass
class Placed:
    """The picture: centers of boxes, rectangles of frames, and the points of edges, all in points."""

    size: tuple[float, float]
    boxes: dict[int, tuple[float, float]]
    frames: list[tuple[Frame, float, float, float, float]]  # with x, y, width and height
    # The index of the source, and of the target or None where the edge enters a frame, and the route; see `Level`.
    edges: list[tuple[int, int | None, list[tuple[float, float]]]]
    entries: dict[int, float] = field(default_factory=dict)
    exits: dict[int, float] = field(default_factory=dict)

    def swapped(self):
        """Return the same picture with its axes exchanged: from left to right instead of downward."""
        return Placed(
            self.size[::-1],
            {i: point[::-1] for i, point in self.boxes.items()},
            [(frame, b, a, height, width) for frame, a, b, width, height in self.frames],
            [(u, v, [point[::-1] for point in route]) for u, v, route in self.edges],
        )

    def shifted(self, x, y):
        """Return the same picture, moved to the right and down."""
        return Placed(
            self.size,
            {i: (a + x, b + y) for i, (a, b) in self.boxes.items()},
            [(frame, a + x, b + y, width, height) for frame, a, b, width, height in self.frames],
            [(u, v, [(a + x, b + y) for a, b in route]) for u, v, route in self.edges],
        )


def frames_of(
    paths: dict[int, tuple[str, ...]], links: dict[int, list[int]], titles: dict[tuple[str, ...], str]
) -> Frame:
    """Return boxes, by their paths and inputs, as nested frames; one around a single box or frame is left out."""
    users: dict[int, set[int]] = {i: set() for i in paths}
    for i in paths:
        for k in links[i]:
            users[k].add(i)
    return _frame((), list(paths), paths, links, users, titles)


def _frame(path, inside, paths, links, users, titles, title=""):
    place = {i: k for k, i in enumerate(inside)}
    depth = len(path)
    groups = [paths[i][: depth + 1] if len(paths[i]) > depth else i for i in inside]
    below = [tuple([place[k] for k in links[i] if k in place]) for i in inside]
    parts, order = acyclic_groups(groups, below)
    members: dict[Any, list[int]] = {}
    for part, i in zip(parts, inside):
        members.setdefault(part, []).append(i)
    frame = Frame(path, title, [], set(inside))
    frame.leaving = {i for i in inside if not users[i] <= frame.inside}
    for part in order:
        if isinstance(part[0], int):
            frame.items.append(part[0])
            continue
        words = titles.get(part[0], ".".join(part[0])) + (f" ({part[1] + 1})" if part[1] else "")
        child = _frame(part[0], members[part], paths, links, users, titles, words)
        if len(child.items) > 1:
            frame.items.append(child)
        else:
            frame.items += child.items
    return frame


def place(
    frame: Frame,
    sizes: dict[int, tuple[float, float]],
    links: dict[int, list[int]],
    ordered: Collection[int] = (),
    is_swapped: bool = False,
    gap: float = GAP_Y,
) -> Placed:
    """Lay out a frame with all that is in it; inputs of `ordered` boxes arrive in order, wherever they come from.

    Where the axes will be exchanged (`is_swapped`), titles have their room at the left. `gap` is the distance of two
    ranks in points.
    """
    inner = {k: item for k, item in enumerate(frame.items) if isinstance(item, Frame)}
    children = {k: place(item, sizes, links, ordered, is_swapped, gap) for k, item in inner.items()}
    where = {i: k for k, item in enumerate(frame.items) for i in (item.inside if isinstance(item, Frame) else [item])}
    vertices = [children[k].size if k in children else sizes[item] for k, item in enumerate(frame.items)]
    entries, exits = {}, {}
    edges: dict[tuple[int, int], Edge] = {}
    for k, item in enumerate(frame.items):
        inside = item.inside if isinstance(item, Frame) else (item,)
        for v in sorted(inside):
            sources = list(dict.fromkeys(links[v]))
            for n, u in enumerate(sources):
                if u in inside:
                    continue
                if u not in where and u not in entries:
                    entries[u] = len(vertices)
                    vertices.append((0.0, 0.0))
                source = entries[u] if u not in where else where[u]
                spread = (n - (len(sources) - 1) / 2) * min(16.0, sizes[v][0] / (len(sources) + 1))
                to = children[k].entries[u] if k in children else spread
                start = children[source].exits[u] if source in children else 0.0
                edges.setdefault((u, k), Edge(source, k, start, to, k not in children and v not in ordered))
    for u in sorted(frame.leaving):
        exits[u] = len(vertices)
        vertices.append((0.0, 0.0))
        source = where[u]
        edges[u, exits[u]] = Edge(source, exits[u], children[source].exits[u] if source in children else 0.0)
    level = lay_out(vertices, list(edges.values()), set(entries.values()), set(exits.values()), gap)
    return _placed(frame, level, children, edges, entries, exits, is_swapped)


def _placed(frame, level, children, edges, entries, exits, is_swapped):
    least = text_width(frame.title, 12.0, bold=True) + 2 * MARGIN if frame.path else 0.0
    along, across = (1, 0) if is_swapped else (0, 1)  # the axes of a title, and of the room for it
    size, shift = [0.0, 0.0], [0.0, 0.0]
    size[along] = max(level.size[along] + 2 * MARGIN, least)
    shift[along] = (size[along] - level.size[along]) / 2
    shift[across] = TITLE + MARGIN / 2 if frame.path else MARGIN
    size[across] = level.size[across] + shift[across] + MARGIN
    (dx, dy), (width, height) = shift, size
    placed = Placed((width, height), {}, [(frame, 0.0, 0.0, width, height)] if frame.path else [], [])
    for k, item in enumerate(frame.items):
        x, y = level.centers[k][0] + dx, level.centers[k][1] + dy
        if k not in children:
            placed.boxes[item] = (x, y)
            continue
        below = children[k].shifted(x - children[k].size[0] / 2, y - children[k].size[1] / 2)
        placed.boxes.update(below.boxes)
        placed.frames += below.frames
        placed.edges += below.edges
    ends = set(exits.values())
    for (u, k), route in zip(edges, level.routes):
        points = [(x + dx, y + dy) for x, y in route]
        if u in entries:
            points = [(points[0][0], 0.0), *points[1:]]
        if k in ends:
            points = [*points[:-1], (points[-1][0], height)]
        target = None if k in ends or k in children else frame.items[k]
        placed.edges.append((u, target, points))
    placed.entries = {u: level.centers[k][0] + dx - width / 2 for u, k in entries.items()}
    placed.exits = {u: level.centers[k][0] + dx - width / 2 for u, k in exits.items()}
    return placed
