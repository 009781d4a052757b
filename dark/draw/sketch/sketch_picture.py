"""`SketchPicture`, a pad without a kernel: an image and its readings, as plain data that a page can show, too."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from dark.draw.color_themes import EDGE_COLOR
from dark.draw.displayed import Displayed
from dark.draw.labels import one_line
from dark.draw.svg import page, text

MOST = 3  # classes of a reading
WIDEST = 120  # characters of an answer that is not a list of numbers
SIDE = 160.0  # of the image, in points
INKS = " .:-=+*#%@"  # from white to black, in a terminal
WIDE = 200.0  # of the longest bar


def readings_of(read: Callable[[np.ndarray], Any], image: np.ndarray) -> list[dict[str, Any]]:
    """Ask a function about a copy of an image, of shape (height, width).

    It returns a list of numbers, one for each class, or any other object; or a dict of such answers by name. Each
    answer becomes a dict of its `name`, its `text`, and `bars`: pairs of a label and a share from 0 to 1.
    """
    answers = read(np.array(image))
    named = answers if isinstance(answers, dict) else {"": answers}
    return [{"name": str(name), **_reading(answer)} for name, answer in named.items()]


def _reading(answer):
    answer = getattr(answer, "value", answer)
    numbers = _numbers_in(answer)
    if numbers is None:
        words = str(answer)
        return {"text": one_line(words, WIDEST), "bars": []}
    best = [int(k) for k in np.argsort(-numbers, kind="stable")[:MOST]]
    if numbers.min() < 0 or abs(numbers.sum() - 1) > 1e-3:  # scores, which have no shares
        return {"text": ", ".join(f"{k} ({numbers[k]:.3g})" for k in best), "bars": []}
    shares = {str(k): round(float(numbers[k]), 4) for k in best}
    text = ", ".join(f"{label} ({100 * share:.0f} %)" for label, share in shares.items())
    return {"text": text, "bars": [[label, share] for label, share in shares.items()]}


def _numbers_in(answer):
    """Return an answer as a list of two finite numbers or more; None if it is something else."""
    if not isinstance(answer, (list, tuple, np.ndarray)):
        return None
    try:
        numbers = np.asarray(answer, dtype=float).squeeze()
    except (TypeError, ValueError):
        return None
    return numbers if numbers.ndim == 1 and numbers.size > 1 and np.all(np.isfinite(numbers)) else None


def sentence(readings: list[dict[str, Any]]) -> str:
    """Return readings as one line."""
    return "; ".join(f"{each['name']}: {each['text']}" if each["name"] else each["text"] for each in readings)


@dataclass(frozen=True)
class SketchPicture(Displayed):
    """An image of shape (height, width), from 0 (white) to 1 (ink), with its readings (see `readings_of`)."""

    image: np.ndarray
    readings: list[dict[str, Any]]
    title: str

    @cached_property
    def alt(self) -> str:
        """The content of the picture, in sentences."""
        height, width = self.image.shape
        return f"{self.title}: an image of {height} × {width} pixels. {sentence(self.readings)}."

    @cached_property
    def text(self) -> str:
        """The image in characters, and the readings."""
        rows = ["".join(INKS[round(ink * (len(INKS) - 1))] * 2 for ink in row) for row in self.image]
        return "\n".join([self.title, *rows, *(sentence([each]) for each in self.readings)])

    @cached_property
    def svg(self) -> str:
        """The picture."""
        lines, y = [], 44.0
        for each in self.readings:
            if each["name"]:
                lines.append(text(each["name"], SIDE + 30, y, anchor="start", bold=True))
                y += 18
            for label, share in each["bars"]:
                lines.append(text(f"{label} ({100 * share:.0f} %)", SIDE + 30, y, anchor="start"))
                bar = f'x="{SIDE + 100:g}" y="{y - 9:g}" width="{max(1, WIDE * share):.4g}" height="9"'
                lines.append(f'<rect fill="{EDGE_COLOR}" {bar}/>')
                y += 18
            if not each["bars"]:
                lines.append(text(each["text"], SIDE + 30, y, anchor="start"))
                y += 18
            y += 8
        width = SIDE + 110 + WIDE + max([0, *(6 * len(each["text"]) - WIDE for each in self.readings)])
        title = text(self.title, 10, 20, anchor="start", size=14, bold=True)
        return page(width, max(y, SIDE + 50), self.title, self.alt, [title, self._pixels(), *lines])

    def _pixels(self):
        height, width = self.image.shape
        side = SIDE / max(height, width)
        parts = [f'<g class="dark-heat" transform="translate(10,34)" stroke="{EDGE_COLOR}" stroke-width="0.5">']
        for i, row in enumerate(self.image):
            for j, ink in enumerate(row):
                tone = f"{round(255 * (1 - ink)):02x}" * 3
                place = f'x="{j * side:.4g}" y="{i * side:.4g}" width="{side:.4g}" height="{side:.4g}"'
                parts.append(f'<rect fill="#{tone}" {place}/>')
        return "".join([*parts, "</g>"])
