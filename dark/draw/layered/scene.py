"""A graph with the positions of all its boxes, frames and edges."""

from dataclasses import dataclass
from typing import Any

from dark.draw.arrays.array_summary import Summary
from dark.draw.graph.boxes import Box
from dark.draw.layered.box_content import Content, content_of
from dark.draw.layered.frames import Frame, Placed, frames_of, place

ORDERED = ("-", "/", "**", "@", "%")  # operations that tell their inputs apart
MOST_LEAVES = 6  # drawn in the box of the operation that uses them


@dataclass(frozen=True)
class Scene:
    """A picture of a graph in layers."""

    boxes: tuple[Box, ...]
    contents: dict[int, Content]  # of each box that is drawn by itself; the others are leaves in one of these
    placed: Placed
    has_modules: bool = False  # whether boxes that hold several nodes are modules


@dataclass(frozen=True)
class Parts:
    """What is placed in a picture."""

    contents: dict[int, Content]  # what stands in each box that is drawn by itself
    links: dict[int, list[int]]  # the inputs of each of them, without the leaves that stand in it
    frame: Frame  # the modules, nested
    ordered: set[int]  # the boxes that tell their inputs apart


def scene_of(boxes: tuple[Box, ...], titles: dict[tuple[str, ...], str] | None = None, gradients: bool = True) -> Scene:
    """Lay out boxes in topological order; `titles` are those of the modules, by their paths."""
    parts = parts_of(boxes, titles or {}, gradients)
    sizes = {i: content.size for i, content in parts.contents.items()}
    placed = place(parts.frame, sizes, parts.links, parts.ordered)
    return Scene(boxes, parts.contents, placed, bool(titles))


def parts_of(boxes: tuple[Box, ...], titles: dict[tuple[str, ...], str], gradients: bool = True) -> Parts:
    """Return what is placed in a picture of boxes."""
    holders = leaf_holders(boxes)
    leaves: dict[int, list[Any]] = {}
    for i, holder in holders.items():
        leaves.setdefault(holder, []).append(content_of(boxes[i], i, (), gradients))
    drawn = [i for i in range(len(boxes)) if i not in holders]
    single = _single_results(boxes, drawn, titles)
    contents = {i: content_of(boxes[i], i, leaves.get(i, ()), gradients, single.get(i, "")) for i in drawn}
    links = {i: [k for k in boxes[i].inputs if k not in holders] for i in drawn}
    paths = {i: boxes[i].path for i in drawn}
    ordered = {i for i in drawn if boxes[i].operation in ORDERED}
    return Parts(contents, links, frames_of(paths, links, titles), ordered)


def leaf_holders(boxes):
    """Return for each leaf that is drawn in the box of the operation that uses it the index of that box.

    A parameter or a constant that a single operation uses is drawn in its box. If the operation has leaves only, an
    array among them that is not a parameter, its input, is drawn above it.
    """
    users: dict[int, set[int]] = {}
    for i, box in enumerate(boxes):
        for k in box.inputs:
            users.setdefault(k, set()).add(i)
    held: dict[int, list[int]] = {}
    for k, box in enumerate(boxes):
        if not box.inputs and box.kind in ("parameter", "constant") and len(users.get(k, ())) == 1:
            (user,) = users[k]
            if boxes[user].kind == "result":
                held.setdefault(user, []).append(k)
    holders = {}
    for user, leaves in held.items():
        if set(boxes[user].inputs) <= set(leaves):
            data = [k for k in leaves if boxes[k].kind == "constant" and isinstance(boxes[k].value, Summary)]
            leaves = [k for k in leaves if k not in data[:1]]
        if len(leaves) <= MOST_LEAVES:
            holders.update(dict.fromkeys(leaves, user))
    return holders


def _single_results(boxes, drawn, titles):
    """Return the title of each module that has one box, for that box."""
    inside: dict[tuple[str, ...], list[int]] = {}
    for i in drawn:
        for k in range(1, len(boxes[i].path) + 1):
            inside.setdefault(boxes[i].path[:k], []).append(i)
    return {
        i: titles.get(path, ".".join(path))
        for path, (i, *others) in sorted(inside.items(), key=lambda item: len(item[0]))
        if not others and boxes[i].kind == "result"
    }
