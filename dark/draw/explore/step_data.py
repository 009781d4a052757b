"""The steps of a backward pass as plain data: a caption, and the gradients of numbers that change."""

from collections.abc import Sequence
from typing import Any

from dark.draw.graph.backward_steps import Frame


def step_data(frames: Sequence[Frame], places: Sequence[int]) -> list[dict[str, Any]]:
    """Return the steps of a backward pass; `places` are the numbers of the nodes of the boxes.

    Examples
    --------
    >>> frames = [Frame(1, ("–", "1"), (), "It starts.", ()), Frame(1, ("3", "1"), (), "It sends 3.", ())]
    >>> step_data(frames, (0, 1))
    [{'caption': 'It starts.', 'grads': {0: '–', 1: '1'}}, {'caption': 'It sends 3.', 'grads': {0: '3'}}]
    """
    found: list[dict[str, Any]] = []
    shown: dict[int, str] = {}
    for frame in frames:
        texts = {places[k]: text for k, text in enumerate(frame.grads) if text is not None and "\n" not in text}
        found.append({"caption": frame.caption, "grads": {i: t for i, t in texts.items() if shown.get(i) != t}})
        shown |= texts
    return found
