"""The backward pass as a sequence of frames: the contributions of each node, and the gradients accumulated so far."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import isfinite
from numbers import Real
from typing import Any

import numpy as np

from dark.draw.arrays.array_summary import Summary, caption_text, summarize
from dark.draw.graph.boxes import Box, gradient_text, visible_edges
from dark.draw.graph.contributions import fit_shape, is_close
from dark.draw.graph.descriptions import title_of
from dark.draw.graph.traverse import NOT_KEPT
from dark.draw.labels import value_text
from dark.errors import DrawingError
from dark.nodes.memory import KEEP_GRAD_UP_TO

FOR_A_CONSTANT = "compute the node from a Parameter, outside no_grad(), and call backward() on it"
MOST_LISTED = 8  # the largest number of contributions in a caption


@dataclass(frozen=True)
class Frame:
    """One frame of a backward pass."""

    now: int  # the index of the box whose node sends contributions
    # For each box, the gradient accumulated so far; None for a box that never receives one. The gradient of an array
    # has several lines, the same number in every frame.
    grads: tuple[str | None, ...]
    edges: tuple[str, ...]  # the ids of the edges along which they are sent
    caption: str  # what happens, in a sentence
    maps: tuple[Summary | None, ...]  # for each box, the summary of this gradient, if it has a heat map


def frames_of(boxes: tuple[Box, ...], sent: Sequence[tuple[Any, ...] | None]) -> tuple[Frame, ...]:
    """Return the frames of a backward pass: the start, then one for each operation that received a gradient.

    The boxes are in topological order, the root last, with their gradients after the pass. `sent` is for each box what
    it sends to each of its inputs, or None if that is unknown: a box that receives an unknown contribution shows its
    final gradient once all contributions have arrived.
    """
    root = len(boxes) - 1
    if boxes[root].grad is None or _is_zero(boxes[root].grad):
        found = "no gradient" if boxes[root].grad is None else "a gradient of 0"
        raise DrawingError(
            f"steps: the root {title_of(boxes[root])} has {found}, so there is nothing to show.",
            "a graph whose backward pass has been run.",
            "call backward() on this node first" if boxes[root].kind != "constant" else FOR_A_CONSTANT,
        )
    for box in boxes:
        if isinstance(box.grad, str) and box.grad == NOT_KEPT:
            raise DrawingError(
                f"steps: the gradient of {title_of(box)} was not kept, because it is large.",
                f"results with a name, or with at most {KEEP_GRAD_UP_TO} elements.",
                "name the result before backward(), or draw a smaller example",
            )
    walk = _Walk(boxes, sent)
    start = f"The pass starts at {title_of(boxes[root])} with gradient {walk.caption_text(root)}."
    if any(box.kind == "folded" for box in boxes):
        start += (
            " A part of the graph is not drawn, so the numbers of the contributions are not known,"
            " and a sum is shown once it is complete."
        )
    frames = [walk.frame(root, (), start)]
    frames += [walk.step(i) for i in range(root, -1, -1) if _sends(boxes[i])]
    frames[-1] = replace(frames[-1], caption=walk.last(frames[-1]))
    return _of_equal_lines(frames)


class _Walk:
    """The gradients accumulated while the boxes are visited in reverse topological order."""

    def __init__(self, boxes, sent):
        self.boxes, self.sent = boxes, sent
        self.sums = {len(boxes) - 1: getattr(boxes[-1].grad, "value", boxes[-1].grad)}
        self.waiting = [0] * len(boxes)  # contributions still to arrive
        self.exact = [True] * len(boxes)
        for box, given in zip(boxes, sent, strict=True):
            for i in box.inputs if _sends(box) else ():
                self.waiting[i] += 1
                self.exact[i] = self.exact[i] and given is not None

    def caption_text(self, i):
        return caption_text(self.sums.get(i))

    def frame(self, now, edges, caption):
        there = [summarize(self.sums.get(i)) if _receives(box) else None for i, box in enumerate(self.boxes)]
        grads = tuple(gradient_text(g) if _receives(box) else None for g, box in zip(there, self.boxes))
        maps = tuple(g if isinstance(g, Summary) and g.cells else None for g in there)
        return Frame(now, grads, edges, caption, maps)

    def step(self, now):
        box, given = self.boxes[now], self.sent[now]
        words, edges = [], []
        drawn = {k for k, _, _ in visible_edges(box)}
        for k, i in enumerate(box.inputs):
            part = given[k] if given is not None and k < len(given) else None
            self.waiting[i] -= 1
            if _receives(self.boxes[i]) and (given is None or part is not None):
                words.append(self._send(i, part))
                edges += [f"edge-{now}-{k}"] if k in drawn else []
        if len(words) > MOST_LISTED:
            words[MOST_LISTED - 1 :] = [f"{len(words) - MOST_LISTED + 1} more contributions"]
        sends = "It sends " + ", and ".join(words) if words else "None of its inputs in the picture requires grad"
        caption = f"{title_of(box)} has gradient {self.caption_text(now)}. {sends}."
        return self.frame(now, tuple(edges), caption)

    def _send(self, i, part):
        target = title_of(self.boxes[i])
        if self.exact[i]:
            sent, part = part, fit_shape(part, self.boxes[i].value)
            if part is None:
                return f"{caption_text(sent)} to {target}, whose shape differs"
            own, shape = (tuple(getattr(array, "shape", ())) for array in (sent, part))
            how = "" if own == shape else f" (summed from shape {own})" if own else " (a scalar, repeated)"
            words = caption_text(part) + how
            before = self.sums.get(i)
            with np.errstate(all="ignore"):
                self.sums[i] = part if before is None else before + part
            if before is None:
                return f"{words} to {target}"
            addition = f"{caption_text(before)} + {caption_text(part)} = {self.caption_text(i)}"
            return f"{words} to {target}, which now has {addition}"
        if not self.waiting[i]:
            self.sums[i] = getattr(self.boxes[i].grad, "value", self.boxes[i].grad)
        return f"its contribution to {target}"

    def last(self, frame):
        """Return the last caption, which names the nodes whose `grad` differs from what this pass has sent."""
        other = [
            f" {title_of(box)} has received {self.caption_text(i)} in this pass; its grad is {caption_text(box.grad)}."
            for i, box in enumerate(self.boxes)
            if i in self.sums and not _same(self.sums[i], box.grad)
        ]
        return frame.caption + "".join(other)


def _of_equal_lines(frames):
    """Pad the texts of a box to the same number of lines in every frame, so that lines keep their positions."""
    lines = [max((text or "").count("\n") for text in texts) for texts in zip(*(frame.grads for frame in frames))]
    return tuple(
        replace(frame, grads=tuple(t and t + "\n" * (n - t.count("\n")) for t, n in zip(frame.grads, lines)))
        for frame in frames
    )


def _sends(box):
    return bool(box.inputs) and box.kind == "result" and box.grad is not None


def _receives(box):
    return box.kind in ("parameter", "result")


def _is_zero(grad):
    if isinstance(grad, Summary):
        return grad.low == grad.high == grad.nans == 0
    value = getattr(grad, "value", grad)
    return isinstance(value, Real) and not isinstance(value, np.timedelta64) and value == 0


def _same(a, b):
    b = getattr(b, "value", b)
    if isinstance(a, Real) and isinstance(b, Real):
        return is_close(a, b)
    a, b = summarize(a), summarize(b)
    if isinstance(a, Summary) and isinstance(b, Summary) and None not in (a.low, b.low):
        every = ((a.low, b.low), (a.high, b.high), (a.mean, b.mean))
        pairs = [(x, y) for x, y in every if x is not None and y is not None]
        near = 1e-5 * max((abs(n) for pair in pairs[:2] for n in pair if isfinite(n)), default=0.0)  # float32
        return a.shape == b.shape and all(x == y or abs(x - y) <= near or (x != x and y != y) for x, y in pairs)
    return value_text(a) == value_text(b)
