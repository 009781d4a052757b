"""`curves`: learning curves, such as loss and accuracy per epoch, distinguished by line style and marker."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import isfinite, nan

from dark.draw.labels import one_line, value_in, value_text
from dark.draw.training.figure_picture import FigurePicture, empty_figure
from dark.errors import DrawingError
from dark.typing import ArrayLike

STYLES = (("-", "o", "#0b4f8a"), ("--", "s", "#9a3412"), ("-.", "^", "#3d5a45"), (":", "D", "#52606d"))
MARKERS = 8  # the approximate number of markers on a line
TIME = "epoch"


def curves(records: Iterable[Mapping[str, ArrayLike]], *, title: str | None = None) -> FigurePicture:
    """Draw learning curves: one panel for each quantity, one line for each part of the data.

    Parameters
    ----------
    records : sequence of mapping of str to number
        One mapping for each epoch. The last word of a key is the quantity, the words before it the part of the
        data: "train_loss" and "test_loss" are two lines in the panel "loss". "epoch" is the coordinate on the
        x axis; without it, epochs are counted from 1. A key may be missing in some epochs.
    title : str, optional

    Examples
    --------
    >>> curves([{"train_loss": 2.3, "test_loss": 2.4}, {"train_loss": 0.5, "test_loss": 0.75}])
    Curves of 2 epochs. loss: train from 2.3 to 0.5; test from 2.4 to 0.75.
    """
    numbers = as_records(records)
    panels = panels_of(numbers)
    figure = empty_figure(4.6 * len(panels) if len(panels) > 1 else 6.4, 3.6)
    if title:
        figure.suptitle(title)
    for k, (quantity, lines) in enumerate(panels.items(), 1):
        _draw(figure.add_subplot(1, len(panels), k, xlabel=TIME, ylabel=quantity), lines)
    return FigurePicture(figure, _alt(panels, len(numbers), title), title or "Training curves")


def as_records(records):
    """Return records as dicts of floats."""
    records = list(records) if isinstance(records, Iterable) and not isinstance(records, Mapping) else [records]
    made = [_numbers(record, k) for k, record in enumerate(records, 1)]
    if not any(set(record) - {TIME} for record in made):
        raise DrawingError(
            f"curves: at least one record must have a number to draw, got {len(made)} without any.",
            "at least one mapping of names to numbers.",
            'curves([{"epoch": 1, "train_loss": 2.3, "test_loss": 2.4}])',
        )
    return made


def _numbers(record, k):
    wrong = f"of type {type(record).__name__}, not a mapping"
    if isinstance(record, Mapping):
        try:
            return {TIME: float(k)} | {str(key): float(value_in(x)) for key, x in record.items()}
        except (TypeError, ValueError):
            wrong = one_line(repr(dict(record)), 80) + ", with a value that is not a number"
    raise DrawingError(
        f"curves: record {k} is {wrong}.",
        "a mapping of names to numbers.",
        '{"epoch": 1, "train_loss": 2.3, "test_loss": 2.4}',
    )


def panels_of(records: list[dict[str, float]]) -> dict[str, dict[str, list[tuple[float, float]]]]:
    """Return for each quantity (a panel) and each part of the data (a line) the points (epoch, value).

    >>> panels_of([{"epoch": 1.0, "train_loss": 2.0, "accuracy": 0.5}])
    {'loss': {'train': [(1.0, 2.0)]}, 'accuracy': {'': [(1.0, 0.5)]}}
    """
    panels: dict[str, dict[str, list[tuple[float, float]]]] = {}
    for record in records:
        for key, value in record.items():
            if key != TIME:
                *part, quantity = key.replace("_", " ").split() or [key]
                lines = panels.setdefault(quantity, {})
                lines.setdefault(" ".join(part), []).append((record[TIME], value if isfinite(value) else nan))
    return panels


def _draw(axes, lines):
    axes.xaxis.get_major_locator().set_params(integer=True)
    axes.grid(alpha=0.3)
    axes.spines[["top", "right"]].set_visible(False)
    for k, (part, points) in enumerate(lines.items()):
        dash, marker, color = STYLES[k % len(STYLES)]
        every = max(1, len(points) // MARKERS)
        markers = {"marker": marker, "markevery": (k % every, every), "markerfacecolor": "white"}
        axes.plot(*zip(*points), label=part, linestyle=dash, color=color, **markers)
    if any(lines):
        axes.legend(frameon=False)


def _alt(panels, count, title):
    head = f"{title}. " if title else ""
    sentences = [f"{head}Curves of {count} epoch{'s' * (count != 1)}."]
    for quantity, lines in panels.items():
        parts = [f"{part} {_described(points)}".strip() for part, points in lines.items()]
        sentences.append(f"{quantity}: {'; '.join(parts)}.")
    return " ".join(sentences)


def _described(points):
    """Describe a line by its first and last value, and its minimum and maximum in between."""
    values = [value for _, value in points if isfinite(value)]
    if not values:
        return "without a finite value"
    first, last = values[0], values[-1]
    words = [f"from {value_text(first)} to {value_text(last)}"] if len(values) > 1 else [value_text(first)]
    for name, end in (("lowest", min(values)), ("highest", max(values))):
        if end not in (first, last):
            epoch = next(epoch for epoch, value in points if value == end)
            words.append(f"{name} {value_text(end)} in epoch {value_text(epoch)}")
    return ", ".join(words)
