"""The backward pass as a row of moments: which node sends what, and which sums have arrived."""

from dataclasses import dataclass, replace
from math import isfinite
from numbers import Real

import numpy as np

from dark.draw.arrays.array_summary import Summary, condensed
from dark.draw.arrays.array_text import brief
from dark.draw.graph.box_fields import gradient_text
from dark.draw.graph.boxes import NOT_KEPT, drawn_edges
from dark.draw.graph.contributions import fitted, same
from dark.draw.graph.descriptions import title_of
from dark.draw.labels import value_text
from dark.errors import DrawingError
from dark.nodes.sending import SHOWN

FOR_A_CONSTANT = "compute the node from a Parameter, outside no_grad(), and call backward() on it"
MOST_SAID = 8  # so many shares of one node are named in a caption


@dataclass(frozen=True)
class Frame:
    """One moment of a backward pass.

    Parameters
    ----------
    now : int
        The box that sends.
    grads : tuple of str or None
        For each box, the gradient that has arrived so far; None where none ever arrives. That of an
        array has several lines, in every frame equally many.
    edges : tuple of str
        The ids of the edges on which something is sent.
    caption : str
        What happens, in words.
    maps : tuple of Summary or None
        For each box, the gradient that has arrived so far where it has a heat map.
    """

    now: int
    grads: tuple[str | None, ...]
    edges: tuple[str, ...]
    caption: str
    maps: tuple[Summary | None, ...]


def frames_of(boxes, sent):
    """Walk the boxes in reverse topological order and note every moment.

    Parameters
    ----------
    boxes : tuple of Box
        In topological order, the root last, with their gradients after the pass.
    sent : sequence
        For each box, what it sends to each of its inputs; None where that is not known. A box
        fed by such a one shows its final gradient once all that feed it have sent.

    Returns
    -------
    tuple of Frame
        The start, then one for each operation that a gradient has reached.

    Raises
    ------
    DrawingError
        If no gradient has come back yet, or one on the way was not kept.

    Examples
    --------
    >>> from dark.draw.graph.boxes import Box
    >>> a = Box("parameter", None, 1.0, 3.0, "a")
    >>> y = Box("result", "+", 2.0, 1.0, "y", (0, 0))
    >>> for frame in frames_of((a, y), [None, (1.0, 2.0)]):
    ...     print(frame.grads, frame.caption)
    ('–', '1') The pass starts at y with gradient 1.
    ('3', '1') y has gradient 1. It sends 1 to a, and 2 to a, which now has 1 + 2 = 3.
    """
    root = len(boxes) - 1
    if boxes[root].grad is None or _is_zero(boxes[root].grad):
        found = "no gradient" if boxes[root].grad is None else "a gradient of 0"
        raise DrawingError(
            f"steps: {found} has come back from {title_of(boxes[root])}; nothing travels.",
            "a graph whose backward pass has been run.",
            "call backward() on this node first" if boxes[root].kind != "constant" else FOR_A_CONSTANT,
        )
    for box in boxes:
        if isinstance(box.grad, str) and box.grad == NOT_KEPT:
            raise DrawingError(
                f"steps: the gradient of {title_of(box)} was not kept, for it is large.",
                f"results with a name, or of at most {SHOWN} numbers.",
                "give the result a name before backward(), or draw a smaller example",
            )
    walk = _Walk(boxes, sent)
    start = f"The pass starts at {title_of(boxes[root])} with gradient {walk.brief(root)}."
    if any(box.kind == "folded" for box in boxes):
        start += " A part of the graph is folded, so shares have no numbers, and a sum shows once it is complete."
    frames = [walk.frame(root, (), start)]
    frames += [walk.step(i) for i in range(root, -1, -1) if _sends(boxes[i])]
    frames[-1] = replace(frames[-1], caption=walk.last(frames[-1]))
    return _of_equal_lines(frames)


class _Walk:
    """The sums that have arrived while the boxes are visited from the root down."""

    def __init__(self, boxes, sent):
        self.boxes, self.sent = boxes, sent
        self.sums = {len(boxes) - 1: getattr(boxes[-1].grad, "value", boxes[-1].grad)}
        self.waiting = [0] * len(boxes)  # edges that have still to bring something
        self.exact = [True] * len(boxes)
        for box, given in zip(boxes, sent, strict=True):
            for i in box.inputs if _sends(box) else ():
                self.waiting[i] += 1
                self.exact[i] = self.exact[i] and given is not None

    def brief(self, i):
        return brief(self.sums.get(i))

    def frame(self, now, edges, caption):
        there = [condensed(self.sums.get(i)) if _receives(box) else None for i, box in enumerate(self.boxes)]
        grads = tuple(gradient_text(g) if _receives(box) else None for g, box in zip(there, self.boxes))
        maps = tuple(g if isinstance(g, Summary) and g.cells else None for g in there)
        return Frame(now, grads, edges, caption, maps)

    def step(self, now):
        box, given = self.boxes[now], self.sent[now]
        words, edges = [], []
        drawn = {k for k, _, _ in drawn_edges(box)}
        for k, i in enumerate(box.inputs):
            part = given[k] if given is not None and k < len(given) else None
            self.waiting[i] -= 1
            if _receives(self.boxes[i]) and (given is None or part is not None):
                words.append(self._send(i, part))
                edges += [f"edge-{now}-{k}"] if k in drawn else []
        if len(words) > MOST_SAID:
            words[MOST_SAID - 1 :] = [f"{len(words) - MOST_SAID + 1} more shares"]
        said = "It sends " + ", and ".join(words) if words else "Nothing drawn below takes a gradient"
        caption = f"{title_of(box)} has gradient {self.brief(now)}. {said}."
        return self.frame(now, tuple(edges), caption)

    def _send(self, i, part):
        target = title_of(self.boxes[i])
        if self.exact[i]:
            sent, part = part, fitted(part, self.boxes[i].value)
            if part is None:
                return f"{brief(sent)} to {target}, where it does not fit"
            said = _said(sent, part)
            before = self.sums.get(i)
            with np.errstate(all="ignore"):
                self.sums[i] = part if before is None else before + part
            if before is None:
                return f"{said} to {target}"
            return f"{said} to {target}, which now has {brief(before)} + {brief(part)} = {self.brief(i)}"
        if not self.waiting[i]:
            self.sums[i] = getattr(self.boxes[i].grad, "value", self.boxes[i].grad)
        return f"its share to {target}"

    def last(self, frame):
        """Add to the last caption where a node holds something else than this pass has brought."""
        other = [
            f" {title_of(box)} has received {self.brief(i)} in this pass; its grad is {brief(box.grad)}."
            for i, box in enumerate(self.boxes)
            if i in self.sums and not _same(self.sums[i], box.grad)
        ]
        return frame.caption + "".join(other)


def _of_equal_lines(frames):
    """Give the texts of a box the same number of lines in every frame, so that each line has its place."""
    lines = [max((text or "").count("\n") for text in texts) for texts in zip(*(frame.grads for frame in frames))]
    return tuple(
        replace(frame, grads=tuple(t and t + "\n" * (n - t.count("\n")) for t, n in zip(frame.grads, lines)))
        for frame in frames
    )


def _said(sent, part):
    """Say what is sent, and how it got the shape of the input it is for."""
    own, shape = (tuple(getattr(thing, "shape", ())) for thing in (sent, part))
    how = "" if own == shape else f" (summed from shape {own})" if own else " (one number, repeated)"
    return brief(part) + how


def _sends(box):
    return bool(box.inputs) and box.kind == "result" and box.grad is not None


def _receives(box):
    return box.kind in ("parameter", "result")


def _is_zero(grad):
    if isinstance(grad, Summary):
        return grad.low == grad.high == grad.nans == 0
    return isinstance(getattr(grad, "value", grad), Real) and getattr(grad, "value", grad) == 0


def _same(a, b):
    b = getattr(b, "value", b)
    if isinstance(a, Real) and isinstance(b, Real):
        return same(a, b)
    a, b = condensed(a), condensed(b)
    if isinstance(a, Summary) and isinstance(b, Summary) and None not in (a.low, b.low):
        near = 1e-5 * max((abs(n) for n in (a.low, a.high, b.low, b.high) if isfinite(n)), default=0.0)  # float32
        pairs = ((a.low, b.low), (a.mean, b.mean), (a.high, b.high))
        return a.shape == b.shape and all(x == y or abs(x - y) <= near or (x != x and y != y) for x, y in pairs)
    return value_text(a) == value_text(b)
