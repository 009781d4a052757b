"""The page of a graph: its data, and one file with the scripts and styles of the explorer."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from dark.draw.color_themes import BOXES, DARK, EDGE_COLOR, MODULE_COLOR, TEXT_COLOR
from dark.draw.explore.graph_data import graph_data
from dark.draw.graph.graph_record import GraphRecord
from dark.draw.graph.grouping import named_groups
from dark.draw.graph.module_folding import box_of_record
from dark.errors import DrawingError
from dark.pages import bundle, page_file
from dark.pages.page_file import Page, data_element

FOLDER = Path(__file__).with_name("page")
ENTRY = FOLDER / "homes.js"
MOST_NODES_IN_PAGE = 50_000
OTHERS = {"text": TEXT_COLOR, "edge": EDGE_COLOR, "module": MODULE_COLOR}
MOST_APART = 300  # the largest graph without modules that has no groups


def script() -> str:
    """Return all scripts as one module, without its exports."""
    return bundle.joined(ENTRY)


def style() -> str:
    """Return all styles."""
    return "\n".join(map(bundle.source, (bundle.PARTS / "base.css", FOLDER / "style.css")))


def page_data(
    record: GraphRecord,
    title: str,
    gradients: bool = True,
    open: set[tuple[str, ...]] | None = None,
    limit_mb: float = 20.0,
    steps: list[dict[str, Any]] | None = None,
) -> dict[str, Any]:
    """Return what the page of a graph holds, as plain data; see `graph_data` and, for `steps`, `step_data`.

    The arrays take at most `limit_mb` megabytes (10**6 bytes).
    """
    if len(record) > MOST_NODES_IN_PAGE:
        raise DrawingError(
            f"explore: the graph has {len(record)} nodes.",
            f"at most {MOST_NODES_IN_PAGE}.",
            "draw(node, depth=100), the part near the root",
        )
    shown = with_groups(record)
    data = graph_data(shown, title=title, gradients=gradients, open=open, most_bytes=limit_mb * 1e6)
    return data | {"groups": shown is not record, "steps": steps or [], "colors": colors()}


def colors() -> dict[str, dict[str, Any]]:
    """Return the colors of boxes in both themes: fill and border by kind, and single ones by name."""
    light: dict[str, Any] = {kind: list(pair) for kind, pair in BOXES.items()} | OTHERS
    dark = {name: DARK[c] if isinstance(c, str) else [DARK[one] for one in c] for name, c in light.items()}
    return {"light": light, "dark": dark}


def page_of_graph(data: dict[str, Any]) -> Page:
    """Return the page of a graph from its data."""
    content = data_element("graph", json.dumps(data, allow_nan=False, separators=(",", ":")))
    text = page_file.html(data["title"], f"{script()}\nstartFile();", style(), content)
    return Page(data["title"], text, tuple(data["leftOut"]))


def with_groups(record: GraphRecord) -> GraphRecord:
    """Return a record in which every large graph has something to open: its modules, or groups.

    Examples
    --------
    >>> from dark.draw.graph.graph_record import GraphNode
    >>> chain = [GraphNode(0, role="parameter")] + [GraphNode(k, "exp", inputs=(k - 1,)) for k in range(1, 400)]
    >>> with_groups(GraphRecord(chain)).nodes[0].path
    ('depth 374 to 398',)
    """
    nodes = record.nodes
    if len(nodes) <= MOST_APART or any(node.path and node.operation for node in nodes):
        return record
    outlines = tuple([box_of_record(node, inputs, full=False) for node, inputs in zip(nodes, record.links)])
    names = named_groups(outlines)
    return GraphRecord(tuple([replace(node, path=(name,) if name else ()) for node, name in zip(nodes, names)]))
