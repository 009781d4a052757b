"""An anywidget with a slider that steps through the backward pass."""

from functools import cache
from pathlib import Path
from typing import Any

from dark.draw import svg
from dark.draw.picture.base_picture import gradient_heat_map, place_of
from dark.draw.picture.film_strip import MOST_PICTURES, FilmStrip, boxes_and_frames
from dark.errors import missing_extra

SCRIPT = Path(__file__).with_name("widget.js")


def step_widget(drawing):
    """Return the widget of a drawing; its trait `step`, counted from 0, is the frame that is shown."""
    boxes, frames = boxes_and_frames(drawing)
    strip = FilmStrip(boxes, frames, drawing.title, layout=drawing.layout)
    maps, indices = _maps_of(strip)
    shown = [
        {"now": f.now, "grads": f.grads, "edges": f.edges, "caption": caption, "maps": indices_of_frame}
        for f, caption, indices_of_frame in zip(strip.frames, strip.captions, indices, strict=True)
    ]
    return _widget_class()(svg=strip.base_picture, frames=shown, maps=maps, strip=strip)


def _maps_of(strip):
    """Return the distinct heat maps of gradients, and for each frame and box the index of its heat map."""
    root, drawn = svg.parse(strip.base_picture), {"": 0}
    indices = []
    for frame in strip.frames:
        maps = [svg.write(gradient_heat_map(place_of(root, i), m)) if m else "" for i, m in enumerate(frame.maps)]
        indices.append([drawn.setdefault(text, len(drawn)) for text in maps])
    return list(drawn), indices


@cache
def _widget_class():
    """Define the widget class on first use: anywidget is an optional dependency."""
    try:
        import traitlets
        from anywidget import AnyWidget
    except ImportError:
        raise missing_extra("anywidget", "lab") from None

    class Stepper(AnyWidget):
        """A picture, a slider, two buttons, and a caption announced by screen readers when it changes."""

        _esm = SCRIPT.read_text(encoding="utf-8")
        svg = traitlets.Unicode().tag(sync=True)
        frames: Any = traitlets.List().tag(sync=True)
        maps: Any = traitlets.List().tag(sync=True)
        step = traitlets.Int(0).tag(sync=True)
        strip = traitlets.Any()

        def _repr_mimebundle_(self, **kwargs):
            # Without a kernel, for example in a web book, the film strip is displayed instead.
            bundle, metadata = super()._repr_mimebundle_(**kwargs) or ({}, {})
            still = self.strip if len(self.strip) <= MOST_PICTURES else None
            html = {"text/html": still.html} if still else {}
            return bundle | html | {"text/plain": repr(self.strip)}, metadata

    return Stepper
