"""The modules of a page as plain data: what is directly in each, and its box when it is closed."""

from typing import Any

from dark.draw.graph.graph_record import GraphRecord
from dark.draw.graph.module_folding import group_box
from dark.draw.layered.box_content import SIZE, Content, content_of
from dark.draw.layered.frames import Frame
from dark.draw.text_width import text_width


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
        "lines": lines_of(content),
        "size": list(content.size),
    }


def lines_of(content: Content) -> list[list[str]]:
    """Return the lines of a box, each as a role and a string."""
    return [[line.role, line.text] for line in content.lines]
