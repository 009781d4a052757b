"""The choice of a layout: Graphviz where it is installed, otherwise the layout of this package."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dark.draw.diagram import graphviz_layout
from dark.draw.diagram.layered_layout import layered_positions
from dark.errors import DrawingError, UsageError

if TYPE_CHECKING:
    from dark.draw.diagram.diagram import Diagram
    from dark.draw.diagram.positions import Positions

LAYOUTS = ("graphviz", "layered")


def positions_of(diagram: Diagram, layout: str | None = None) -> Positions:
    """Lay out a diagram.

    Parameters
    ----------
    diagram : Diagram
    layout : {"graphviz", "layered"}, optional
        By default Graphviz, and the layout in layers where Graphviz is missing or fails.

    Raises
    ------
    DrawingError
        If Graphviz is asked for, and missing, or fails.
    """
    if layout == "layered" or (layout is None and not graphviz_layout.is_installed()):
        return layered_positions(diagram)
    try:
        return graphviz_layout.positions_from_graphviz(diagram)
    except DrawingError:
        if layout is not None:
            raise
        return layered_positions(diagram)


def checked_layout(layout: str | None) -> str | None:
    """Return a layout that is known, and installed if it is named.

    Raises
    ------
    UsageError
        If it is not one of `LAYOUTS`.
    DrawingError
        If it is "graphviz", and Graphviz is not installed.
    """
    if layout is not None and layout not in LAYOUTS:
        raise UsageError(
            f"draw: layout={layout!r} is not a layout.",
            'None, "graphviz" or "layered".',
            "dark.draw(node), which uses Graphviz where it is installed",
        )
    if layout == "graphviz" and not graphviz_layout.is_installed():
        raise graphviz_layout.missing()
    return layout
