"""The choice of a layout: Graphviz where it is installed, otherwise the layout of this package."""

from dark.draw.diagram import graphviz_layout
from dark.draw.diagram.diagram import Diagram
from dark.draw.diagram.layered_layout import layered_positions, tree_positions
from dark.draw.diagram.positions import Positions
from dark.errors import DrawingError, UsageError

LAYOUTS = ("graphviz", "layered")


def positions_of(diagram: Diagram, layout: str | None = None) -> Positions:
    """Lay out a diagram: with Graphviz by default; a tree, or where Graphviz is missing or fails, with our layout."""
    own = tree_positions if diagram.is_tree else layered_positions
    if layout == "layered" or (layout is None and (diagram.is_tree or not graphviz_layout.is_installed())):
        return own(diagram)
    try:
        return graphviz_layout.positions_from_graphviz(diagram)
    except DrawingError:
        if layout is not None:
            raise
        return own(diagram)


def checked_layout(layout: str | None) -> str | None:
    """Return a layout that is known, and installed if it is Graphviz."""
    if layout is not None and layout not in LAYOUTS:
        raise UsageError(
            f"draw: layout={layout!r} is not a layout.",
            'None, "graphviz" or "layered".',
            "dark.draw(node), which uses Graphviz where it is installed",
        )
    if layout == "graphviz" and not graphviz_layout.is_installed():
        raise graphviz_layout.missing()
    return layout
