"""Readings: what a function says of an image, as plain data that a page can show."""

from collections.abc import Callable
from typing import Any

import numpy as np

from dark.draw.labels import one_line

MOST = 3  # classes of a reading
WIDEST = 120  # characters of an answer that is not a list of numbers


def readings_of(read: Callable[[np.ndarray], Any], image: np.ndarray) -> list[dict[str, Any]]:
    """Ask a function about a copy of an image, of shape (height, width).

    It returns a list of numbers, one for each class, or any other object; or a dict of such answers by name. Each
    answer becomes a dict of its `name`, its `text`, and `bars`: pairs of a label and a share from 0 to 1.

    Examples
    --------
    >>> readings_of(lambda image: {"mine": [0.1, 0.9]}, np.zeros((2, 2)))
    [{'name': 'mine', 'text': '1 (90 %), 0 (10 %)', 'bars': [['1', 0.9], ['0', 0.1]]}]
    >>> readings_of(lambda image: image.sum(), np.ones((2, 2)))
    [{'name': '', 'text': '4.0', 'bars': []}]
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
