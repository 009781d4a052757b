"""The page of a graph in a cell of a notebook: an anywidget, or a frame where that is not installed."""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING, Any

from dark.draw.explore.explorer_page import page_of_graph, script, style

if TYPE_CHECKING:
    from anywidget import AnyWidget

    from dark.pages.page_file import Page

MOST_IN_NOTEBOOK = 3_000_000  # bytes of a page that the notebook keeps for readers without a kernel


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
