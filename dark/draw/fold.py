"""Fold what is far from the root into one box, so that a large graph still makes a picture."""

from dataclasses import replace

from dark.draw.boxes import Box
from dark.errors import DrawingError


def fold(boxes, depth):
    """Keep the boxes at most `depth` edges from the root; one more box counts the rest.

    Parameters
    ----------
    boxes : tuple of Box
        In topological order, the root last.
    depth : int
        How many edges to go down from the root.

    Returns
    -------
    tuple of Box
        The box of the rest stands first.

    Examples
    --------
    >>> chain = [Box("parameter", None, 1.0)]
    >>> chain += [Box("result", "exp", 1.0, inputs=(i,)) for i in range(5)]
    >>> [box.value for box in fold(tuple(chain), 1)]
    ['… 4 more', 1.0, 1.0]
    """
    if isinstance(depth, bool) or not isinstance(depth, int) or depth < 0:
        raise DrawingError(f"draw: depth is {depth!r}.", "a whole number, 0 or more.", "draw(node, depth=5)")
    kept = _within(boxes, depth)
    if len(kept) == len(boxes):
        return boxes
    rest = Box("folded", None, f"… {len(boxes) - len(kept)} more")
    place = {old: new for new, old in enumerate(kept, start=1)}
    folded = [replace(boxes[old], inputs=_moved(boxes[old].inputs, place)) for old in kept]
    return (rest, *folded)


def _within(boxes, depth):
    """Return the positions within `depth` edges of the root, level by level, then sorted."""
    level = reached = {len(boxes) - 1}
    for _ in range(depth):
        level = {i for k in level for i in boxes[k].inputs} - reached
        reached = reached | level
    return sorted(reached)


def _moved(inputs, place):
    """Renumber inputs; all that are folded away become one input, the box at 0."""
    kept = [place.get(i, 0) for i in inputs]
    first_folded = kept.index(0) if 0 in kept else len(kept)
    return tuple(i for k, i in enumerate(kept) if i or k == first_folded)
