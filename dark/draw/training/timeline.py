"""`timeline`: the events of a recorded run from top to bottom, a lane for each engine, repetitions folded."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from dark.draw.labels import one_line
from dark.draw.training.figure_picture import FigurePicture, empty_figure
from dark.errors import DrawingError

LONGEST = 60  # the largest number of events in a repeated sequence
MOST_ROWS = 150
STYLES = (("o", "#0b4f8a"), ("s", "#9a3412"), ("^", "#3d5a45"), ("D", "#52606d"))
STEP, ROW = 0.25, 0.27  # inches: an indentation, the height of a row
FONT = 10.5  # points; a page shows a wide figure smaller


@dataclass(frozen=True, repr=False)
class TimelinePicture(FigurePicture):
    """A timeline as a figure; `text` is its content as lines. See `FigurePicture`."""

    title: str = "Timeline of a run"
    text: str = ""


@dataclass(frozen=True)
class Fold:
    """A repeated sequence of events: the first repetition, their number, and the last event of the first engine."""

    first: tuple
    times: int
    last: Any
    key: tuple


@dataclass(frozen=True)
class Row:
    """One line of the picture; `engine` is None for the heading of a fold."""

    depth: int
    engine: object
    text: str


def timeline(recording: object, *, title: str | None = None, leave_out: str | Iterable[str] = ()) -> TimelinePicture:
    """Draw the events of a recorded run in order, each with its handlers, in the lane of its engine.

    Parameters
    ----------
    recording : Record or Engine
        The result of `dark.engine.record`, or an engine that was recorded. Any object can be drawn that has
        `moments` with `engine`, `event`, `epoch`, `iteration` and `handlers`.
    title : str, optional
    leave_out : str or iterable of str, optional
        Beginnings of the names of events that are not drawn, such as "GET_BATCH".

    Returns
    -------
    TimelinePicture
        Its `text` is the content as lines. A repeated sequence, such as an iteration, is shown once, with the number
        of repetitions.

    Examples
    --------
    >>> from dark.engine import Engine, Events, record
    >>> def log(engine):
    ...     pass
    >>> trainer = Engine(lambda engine, batch: None)
    >>> handle = trainer.add_event_handler(Events.EPOCH_COMPLETED, log)
    >>> with record(trainer, names=["trainer"]) as recording:
    ...     state = trainer.run([1, 2, 3])
    >>> print(timeline(recording).text)
    trainer  STARTED
    trainer  EPOCH_STARTED, epoch 1
    3 times, to iteration 3 of trainer:
      trainer  GET_BATCH_STARTED
      trainer  GET_BATCH_COMPLETED
      trainer  ITERATION_STARTED, iteration 1
      trainer  ITERATION_COMPLETED, iteration 1
    trainer  EPOCH_COMPLETED, epoch 1: log
    trainer  COMPLETED
    """
    moments = _moments(recording, (leave_out,) if isinstance(leave_out, str) else tuple(map(str, leave_out)))
    rows, lanes = rows_of(fold_repetitions(moments)), list(dict.fromkeys(moment.engine for moment in moments))
    shown, more = rows[:MOST_ROWS], max(0, len(rows) - MOST_ROWS)
    lines = ["  " * row.depth + (f"{row.engine}  {row.text}" if row.engine is not None else row.text) for row in shown]
    if more:
        lines.append(f"and {more} more lines")
    head = f"{one_line(str(title))}. " if title else ""
    alt = f"{head}Timeline of {', '.join(lanes)}: {len(moments)} events. {'; '.join(line.strip() for line in lines)}."
    figure = _figure(shown, lanes, more, title)
    return TimelinePicture(figure, alt, title or TimelinePicture.title, "\n".join(lines))


def _moments(recording, leave_out):
    """Return the moments of a record, or of an engine's record, without those that are left out."""
    record = recording if hasattr(recording, "moments") else getattr(recording, "recording", None)
    moments = list(getattr(record, "moments", ()))
    shown = [moment for moment in moments if not moment.event.startswith(leave_out)]
    if moments and not shown:
        raise DrawingError(
            f"timeline: leave_out must not leave out all {len(moments)} events, got {leave_out}.",
            "beginnings of the names of some events.",
            'leave_out=["GET_BATCH"]',
        )
    if not moments:
        raise DrawingError(
            f"timeline: {type(recording).__name__} has no recorded events.",
            "a record of a run, or an engine that was recorded.",
            "with record(trainer) as recording: trainer.run(loader)",
        )
    return shown


def fold_repetitions(items):
    """Fold repeated sequences, short ones first, until nothing changes."""
    items, before = list(items), None
    ranks = {engine: k for k, engine in enumerate(dict.fromkeys(item.engine for item in items))}
    while before != len(items):
        before = len(items)
        for size in range(1, LONGEST + 1):
            items = _fold(items, size, ranks)
    return items


def _fold(items, size, ranks):
    """Fold repeated sequences of length `size`; return moments and folds."""
    made, k = [], 0
    keys = [i.key if isinstance(i, Fold) else (i.engine, i.event, tuple(i.handlers)) for i in items]
    while k < len(items):
        times = 1
        if k + 2 * size <= len(items) and keys[k] == keys[k + size] and _may_start(items, k, size, ranks):
            while keys[k + size * times : k + size * (times + 1)] == keys[k : k + size]:
                times += 1
        if times > 1:
            end = k + size * times
            moments = [item.last if isinstance(item, Fold) else item for item in items[end - size : end]]
            last = [moment for moment in moments if moment.engine == moments[0].engine][-1]
            made.append(Fold(tuple(items[k : k + size]), times, last, (times, *keys[k : k + size])))
        else:
            made.append(items[k])
        k += size * times if times > 1 else 1
    return made


def _may_start(items, k, size, ranks):
    """Return whether a sequence may start here: an iteration starts by fetching its batch, if it has one.

    A sequence of several engines starts in the first of them, which runs the others in its handlers.
    """
    if size == 1:
        return True
    first, engines = items[k], {engine for item in items[k : k + size] for engine in _engines(item)}
    if isinstance(first, Fold) or not first.event.endswith("STARTED"):
        return False
    if ranks[first.engine] > min(map(ranks.get, engines)):
        return False
    return k == 0 or getattr(items[k - 1], "event", None) != "GET_BATCH_COMPLETED"


def _engines(item):
    return {engine for part in item.first for engine in _engines(part)} if isinstance(item, Fold) else {item.engine}


def rows_of(items, depth=0):
    """Return the lines of moments and folds."""
    rows = []
    for item in items:
        if isinstance(item, Fold):
            where = f"iteration {item.last.iteration}" if item.last.iteration else f"epoch {item.last.epoch}"
            rows.append(Row(depth, None, f"{item.times} times, to {where} of {item.last.engine}:"))
            rows += rows_of(item.first, depth + 1)
        else:
            rows.append(Row(depth, item.engine, _moment_text(item)))
    return rows


def _moment_text(moment):
    """Return the event with its epoch or iteration, and the names of its handlers."""
    when = ""
    if moment.event.startswith("EPOCH_"):
        when = f", epoch {moment.epoch}"
    elif moment.event.startswith("ITERATION_"):
        when = f", iteration {moment.iteration}"
    return moment.event + when + (f": {', '.join(moment.handlers)}" if moment.handlers else "")


def _width(text):
    """Return the width of a line in inches."""
    from matplotlib.textpath import TextPath

    return TextPath((0, 0), one_line(text, 200) or " ", size=FONT).get_extents().x1 / 72


def _figure(rows, lanes, more, title):
    """Draw the lines; lanes also differ in their markers, and folds in indentation and a bracket."""
    lefts, left = {}, 0.4
    for lane in lanes:
        ends = [STEP * (0.6 + row.depth) + _width(row.text) for row in rows if row.engine == lane]
        lefts[lane], left = left, left + max([_width(lane), *ends]) + 0.5
    height = ROW * (len(rows) + 4)
    figure = empty_figure(left, height)
    figure.set_layout_engine("none")  # the axes fill it: a unit of x is an inch
    axes = figure.add_axes((0, 0, 1, 1 - 1.5 * ROW / height))
    axes.set(xlim=(0, left), ylim=(len(rows) + bool(more), -1.5), title=title or "")
    axes.axis("off")
    for k, lane in enumerate(lanes):
        mark, color = STYLES[k % len(STYLES)]
        own_rows = [n for n, row in enumerate(rows) if row.engine == lane]
        axes.text(lefts[lane], -1, one_line(lane), weight="bold", va="center", color=color)
        axes.plot([lefts[lane]] * 2, [-0.5, len(rows) - 0.5], color=color, linewidth=0.6)
        axes.plot([lefts[lane]] * len(own_rows), own_rows, mark, color=color, markersize=5)
        for n in own_rows:
            left_of_text = lefts[lane] + STEP * (0.6 + rows[n].depth)
            axes.text(left_of_text, n, one_line(rows[n].text, 200), fontsize=FONT, va="center")
    for n, row in enumerate(rows):
        if row.engine is None:
            end = next((m for m in range(n + 1, len(rows)) if rows[m].depth <= row.depth), len(rows))
            at = 0.1 + STEP * row.depth
            axes.plot([at + 0.1, at, at, at + 0.1], [n, n, end - 0.6, end - 0.6], color="#52606d", linewidth=1.2)
            look = {"fontsize": FONT, "va": "center", "style": "italic", "backgroundcolor": "white"}
            axes.text(at + 0.15, n, one_line(row.text, 200), look)
    if more:
        axes.text(0.1, len(rows), f"and {more} more lines", fontsize=FONT, va="center")
    return figure
