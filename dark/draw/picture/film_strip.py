"""`FilmStrip`: the backward pass as a sequence of pictures with captions."""

from __future__ import annotations

import pathlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from html import escape
from textwrap import wrap
from typing import Any, overload
from xml.etree.ElementTree import SubElement

from dark.checks import is_integer
from dark.draw import svg
from dark.draw.color_themes import TEXT_COLOR
from dark.draw.graph.backward_steps import Frame, frames_of
from dark.draw.graph.boxes import Box
from dark.draw.graph.contributions import trace_contributions
from dark.draw.graph.descriptions import title_of
from dark.draw.picture.base_picture import base_picture_of, picture_of
from dark.draw.picture.one_step import Step
from dark.draw.picture.pytorch_pass import is_loss_of_pytorch, pass_of_pytorch
from dark.draw.png import to_png
from dark.draw.saving import save
from dark.errors import DrawingError, IndexingError
from dark.typing import Path

MOST_PICTURES = 40
PAGE_WIDTH = 900.0  # points; the largest width of a row
LETTER_WIDTH, LINE_HEIGHT, GAP = 5.6, 14.0, 12.0


@dataclass(frozen=True, repr=False)
class FilmStrip(Sequence[Step]):
    """The backward pass as a sequence of pictures, each with its caption.

    It displays itself in a notebook, and prints as its captions. ``strip[0]`` is one picture, a `Step`, and
    ``strip[1:3]`` a strip of some of them; all have the layout of the whole.

    Examples
    --------
    >>> import dark
    >>> from dark.draw import draw
    >>> a = dark.Parameter(1, name="a")
    >>> y = dark.add(dark.mul(2, a), a)
    >>> y.backward()
    >>> draw(y).steps()
    1/3: The pass starts at 3 (+) with gradient 1.
    2/3: 3 (+) has gradient 1. It sends 1 to 2 (*), and 1 to a.
    3/3: 2 (*) has gradient 1. It sends 2 to a, which now has 1 + 2 = 3.
    >>> strip = draw(y).steps()
    >>> len(strip), len(strip[1:]), strip[-1].caption
    (3, 2, '3/3: 2 (*) has gradient 1. It sends 2 to a, which now has 1 + 2 = 3.')
    """

    boxes: tuple[Box, ...]
    frames: tuple[Frame, ...]  # of the whole pass
    title: str
    shown: tuple[int, ...] | None = None  # the indices of the frames that the strip shows; by default all
    layout: str | None = None  # as in `Drawing`

    def __len__(self) -> int:
        return len(self._indices)

    @overload
    def __getitem__(self, index: int) -> Step: ...
    @overload
    def __getitem__(self, index: slice) -> FilmStrip: ...
    def __getitem__(self, index):
        if isinstance(index, slice):
            return replace(self, shown=tuple(self._indices[index]))
        if not is_integer(index, -len(self)) or index >= len(self):
            raise IndexingError(
                f"steps: {index!r} is not the index of one of {len(self)} pictures.",
                f"an integer from {-len(self)} to {len(self) - 1}, or a slice." if len(self) else "a strip of some.",
                "len(strip), or `for step in strip`.",
            )
        return Step(self[index:][:1])

    @property
    def _indices(self):
        return range(len(self.frames)) if self.shown is None else self.shown

    @property
    def captions(self) -> tuple[str, ...]:
        """The numbered caption of each picture."""
        return tuple(f"{k + 1}/{len(self.frames)}: {self.frames[k].caption}" for k in self._indices)

    @property
    def alts(self) -> tuple[str, ...]:
        """The alternative text of each picture."""
        pairs = zip(self.captions, self._indices, strict=True)
        return tuple(f"{caption} {_gradients(self.boxes, self.frames[k])}" for caption, k in pairs)

    @property
    def alt(self) -> str:
        """The alternative text of the strip."""
        return f"{self.title}, backward pass in {len(self)} pictures. " + " ".join(self.captions)

    @cached_property
    def base_picture(self) -> str:
        """The layout that all pictures share, as SVG."""
        return base_picture_of(self.boxes, self.frames, self.title, self.alt, self.layout)

    @cached_property
    def pictures(self) -> tuple[str, ...]:
        """The picture of each frame, as SVG."""
        return tuple(
            picture_of(self.base_picture, self.frames[k], alt, f"step-{k + 1}-")
            for k, alt in zip(self._indices, self.alts, strict=True)
        )

    @property
    def html(self) -> str:
        """The strip as HTML: figures that wrap at the width of the page."""
        style = "display:inline-block;vertical-align:top;margin:0 12px 12px 0;max-width:300px"
        figures = (
            f'<figure style="{style}">{svg.as_image(picture, alt)}<figcaption>{escape(caption)}</figcaption></figure>'
            for picture, alt, caption in zip(self.pictures, self.alts, self.captions, strict=True)
        )
        return f'<div role="group" aria-label="{escape(self.title)}">{"".join(figures)}</div>'

    @cached_property
    def svg(self) -> str:
        """The strip as one SVG: the pictures in rows, each with its caption below."""
        if not len(self):
            raise DrawingError("steps: this strip has no pictures.", "at least one.", "another slice: strip[:1]")
        sheets = [svg.parse(picture) for picture in self.pictures]
        width, height = (float(n) for n in sheets[0].get("viewBox").split()[2:])
        cell = max(width, 220.0)
        lines = [wrap(caption, int(cell / LETTER_WIDTH)) for caption in self.captions]
        row_height = height + LINE_HEIGHT * (max(map(len, lines)) + 1)
        columns = max(1, min(len(sheets), int(PAGE_WIDTH // (cell + GAP))))
        height_of_all = -(-len(sheets) // columns) * (row_height + GAP)
        root = svg.empty_page(columns * (cell + GAP), height_of_all, self.title, self.alt)
        SubElement(root, "rect", {"width": "100%", "height": "100%", "fill": "white"})
        for k, (sheet, text) in enumerate(zip(sheets, lines, strict=True)):
            x, y = (k % columns) * (cell + GAP), (k // columns) * (row_height + GAP)
            sheet.attrib.pop("style")
            sheet.remove(sheet.find("style"))  # the colors of the page, which the strip has itself
            sheet.attrib |= {"x": f"{x:g}", "y": f"{y:g}", "width": f"{width:g}", "height": f"{height:g}"}
            root.append(sheet)
            for n, line in enumerate(text, 1):
                position = {"x": f"{x + GAP:g}", "y": f"{y + height + n * LINE_HEIGHT:g}", "font-size": "11"}
                SubElement(root, "text", position | {"fill": TEXT_COLOR}).text = line
        return svg.write(root)

    def save(self, path: Path) -> pathlib.Path:
        """Save the strip, and return the path: .svg, .png, .html for a page, .txt for the captions."""
        writers: dict[str, Callable[[], str | bytes]] = {
            ".svg": lambda: self.svg + "\n",
            ".png": lambda: to_png(self.svg),
            ".html": lambda: self.html + "\n",
            ".txt": lambda: f"{self!r}\n",
        }
        return save(path, writers)

    def __repr__(self) -> str:
        return "\n".join(self.captions)

    def _repr_html_(self) -> str:
        return self.html

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return {"text/html": self.html, "text/plain": repr(self)}


def film_strip_of(drawing):
    """Return the film strip of a drawing, which has at most 40 pictures."""
    boxes, frames = boxes_and_frames(drawing)
    if len(frames) > MOST_PICTURES:
        raise DrawingError(
            f"steps: the film strip would have too many pictures, {len(frames)}.",
            f"at most {MOST_PICTURES}.",
            ".widget(), which shows one at a time, or draw(node, depth=5).steps()",
        )
    return FilmStrip(boxes, frames, drawing.title, layout=drawing.layout)


def boxes_and_frames(drawing):
    """Return the boxes of a drawing, of a loss of PyTorch in the order of its record, and its frames."""
    if not drawing.boxes:
        raise DrawingError(
            "steps: this picture has no backward pass.",
            "a drawing of a computational graph.",
            "draw(node).steps()",
        )
    if drawing.note:
        raise DrawingError(
            "steps: some nodes of this picture are folded, so their contributions are unknown.",
            "a graph drawn without folding.",
            "draw(node, depth=5).steps()",
        )
    boxes, nodes = drawing.boxes, drawing.nodes
    if not nodes and len(boxes) == len(drawing.record or ()) and is_loss_of_pytorch(drawing.record):
        boxes, sent = pass_of_pytorch(drawing.record)
    else:
        sent = trace_contributions(boxes, nodes, drawing.grads) if nodes else [None] * len(boxes)
    return boxes, frames_of(boxes, sent)


def _gradients(boxes, frame):
    """List the gradients accumulated so far; only the first twelve, to keep the alternative text short."""
    pairs = zip(boxes, frame.grads, strict=True)
    arrived = [f"{title_of(box)} {' '.join(text.split())}" for box, text in pairs if text and text.strip() != "–"]
    return "Gradients so far: " + ", ".join(arrived[:12]) + ("." if len(arrived) <= 12 else ", ….")
