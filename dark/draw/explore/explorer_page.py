"""The page of a graph: its data, one file with the scripts and styles of the explorer, and a widget with them."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dark.draw.color_themes import BOXES, DARK, EDGE_COLOR, MODULE_COLOR, TEXT_COLOR
from dark.draw.explore.graph_data import graph_data
from dark.draw.graph.boxes import LEGEND
from dark.draw.graph.graph_record import GraphRecord
from dark.draw.graph.grouping import named_groups
from dark.draw.graph.module_folding import box_of_record
from dark.errors import DrawingError
from dark.pages import bundle, page_file
from dark.pages.page_file import Page, data_element

if TYPE_CHECKING:
    from anywidget import AnyWidget

FOLDER = Path(__file__).with_name("page")
ENTRY, WORKER = FOLDER / "homes.js", FOLDER / "layout" / "layout_worker.js"
WORKER_LINE = 'const LAYOUT_WORKER = "";'
MOST_NODES_IN_PAGE = 50_000
OTHERS = {"text": TEXT_COLOR, "edge": EDGE_COLOR, "module": MODULE_COLOR}
MOST_APART = 300  # the largest graph without modules that has no groups

MOST_IN_NOTEBOOK = 3_000_000  # bytes of a page that the notebook keeps for readers without a kernel


def script() -> str:
    """Return all scripts as one module, without its exports; the worker's script is a string in it."""
    return bundle.joined(ENTRY).replace(WORKER_LINE, f"const LAYOUT_WORKER = {_quoted(worker_script())};")


def worker_script() -> str:
    """Return the script of the worker that lays out large graphs."""
    return f"{bundle.joined(WORKER)}\nanswerLayouts(self);\n"


def _quoted(text: str) -> str:
    """Return a text as a string of JavaScript, in which nothing ends the element of the script."""
    return json.dumps(text).replace("<", "\\u003c")


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
    """Return the data of a page, see `graph_data` and `step_data`; its arrays take at most `limit_mb` (10**6 bytes)."""
    if len(record) > MOST_NODES_IN_PAGE:
        raise DrawingError(
            f"explore: a graph of {len(record)} nodes is too large for a page.",
            f"at most {MOST_NODES_IN_PAGE}.",
            "draw(node, depth=100), the part near the root",
        )
    shown = with_groups(record)
    data = graph_data(shown, title=title, gradients=gradients, open=open, most_bytes=limit_mb * 1e6)
    return data | {"groups": shown is not record, "steps": steps or [], "colors": colors(), "legend": LEGEND}


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
    """Return a record in which every large graph has something to open: its modules, or groups."""
    nodes = record.nodes
    if len(nodes) <= MOST_APART or any(node.path and node.operation for node in nodes):
        return record
    outlines = tuple([box_of_record(node, inputs, full=False) for node, inputs in zip(nodes, record.links)])
    names = named_groups(outlines)
    return GraphRecord(tuple([replace(node, path=(name,) if name else ()) for node, name in zip(nodes, names)]))


def explorer_of(data: dict[str, Any]) -> AnyWidget | Page:
    """Return the widget of a graph; its page if anywidget is not installed."""
    widget = widget_class()
    return page_of_graph(data) if widget is None else widget(data)


@cache
def widget_class() -> Any:
    """Define the widget class on first use; None if anywidget, an optional dependency, is not installed."""
    try:
        import traitlets
        from anywidget import AnyWidget
    except ImportError:
        return None

    class GraphExplorer(AnyWidget):
        """The explorer of a graph; its trait `graph` is the data of the page."""

        _esm = script() + "\nexport default { render };\n"
        _css = style()
        graph: Any = traitlets.Unicode().tag(sync=True)

        def __init__(self, data: dict[str, Any]) -> None:
            super().__init__(graph=json.dumps(data, allow_nan=False, separators=(",", ":")))
            self.page = page_of_graph(data)

        def __repr__(self) -> str:
            return f"GraphExplorer({self.page.title!r})"

        def _repr_mimebundle_(self, **kwargs: Any) -> Any:
            # Without a kernel, for example in a web book, the page is displayed instead.
            bundle, metadata = super()._repr_mimebundle_(**kwargs) or ({}, {})
            still = {"text/html": self.page._repr_html_()} if len(self.page.html) <= MOST_IN_NOTEBOOK else {}
            return bundle | still | {"text/plain": repr(self)}, metadata

    return GraphExplorer
