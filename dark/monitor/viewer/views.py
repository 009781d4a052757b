"""`view` and `page`: a run in the notebook, and as one file; and which runs they can open."""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from os import PathLike
from pathlib import Path
from typing import Any

from dark.checks import describe, number
from dark.errors import UsageError, ValueTypeError
from dark.monitor.notes.finding import packed_runs
from dark.monitor.notes.note import Note
from dark.monitor.notes.packing import archive_of, files_of
from dark.monitor.viewer.answers import Answers
from dark.monitor.viewer.exported import Page, page_of
from dark.monitor.viewer.widget import widget_class

MOST_BESIDE = 200  # runs that are offered
MOST_SHOWN = 12  # runs that are shown together, as in the page


def place_of(run: Note | str | PathLike[str], who: str) -> Path:
    """Return the folder or file of a run."""
    if isinstance(run, Note):
        return Path(run.folder)
    if not isinstance(run, (str, Path)):
        raise ValueTypeError(f"{who}: {describe(run)} is not a run.", "a Note, or the folder of a run.", '"runs/first"')
    return Path(run).expanduser()


def openers_of(
    runs: list[Note | str | PathLike[str]], who: str, beside: bool = True
) -> tuple[dict[str, Callable[[], Note]], list[str]]:
    """Return functions that open given runs, and those `beside` them, by name; and the names of the given ones."""
    places = [place_of(run, who).resolve() for run in runs]
    if beside and len(places) == 1 and len(inside := packed_runs(places[0])) > 1:
        places = inside[:1]  # the others are beside it
    if len(set(places)) < len(places):
        twice = next(place for place in places if places.count(place) > 1)
        raise UsageError(f"{who}: the runs must differ; two are {twice}.", "different runs.", "give each run once")
    if len(places) > MOST_SHOWN:
        raise UsageError(f"{who}: {len(places)} runs are too many.", f"at most {MOST_SHOWN}.", "dark notes compare")
    opened = {place: Note.load(place) for place in places}
    openers: dict[str, Callable[[], Note]] = {}
    for place, note in opened.items():
        openers[place.name if place.name not in openers else str(place)] = partial(_given, note)
    shown = list(openers)
    for place in runs_beside(places[0]) if beside else ():
        if place not in opened and place.name not in openers:
            openers[place.name] = partial(Note.load, place)
    return openers, shown


def _given(note: Note) -> Note:
    return note


def runs_beside(place: Path) -> Iterator[Path]:
    """Yield the runs in the folder of a run, sorted by name, but none of their subfolders; or those in its archive."""
    archive = archive_of(place)
    found = packed_runs(archive) if archive else _runs_in(place.parent)
    yield from islice(found, MOST_BESIDE)


def _runs_in(folder):
    for path in sorted(folder.iterdir()):
        if path.is_file():
            yield from packed_runs(path)
        elif path.is_dir() and files_of(path):
            yield path


def view(run: Note | str | PathLike[str], *others: Note | str | PathLike[str] | None) -> Any:
    """Open the viewer of a run in a notebook: scalars over time, and every tensor at every step; press ? for the keys.

    Above the charts are the findings of the doctor (`diagnose`).

    The viewer follows a run that is still being written. ``dark notes view RUN`` does the same in a browser.

    A run is the folder of a note, a file that `Note.save` wrote, or a `Note`, which may still be written. Up to 11
    `others` are shown beside the first; of two runs, also the difference of their tensors. None is left out. The result
    is an ``anywidget.AnyWidget``.
    """
    widget = widget_class()
    openers, shown = openers_of([run, *(other for other in others if other is not None)], "view")
    return widget(Answers(openers, shown))


def page(run: Note | str | PathLike[str], *others: Note | str | PathLike[str] | None, limit_mb: float = 20) -> Page:
    """Return the viewer of a run as a single HTML page, which works without a server or a network.

    In a notebook the page displays itself, also without a kernel, as in a web book.

    The runs are as in `view`. The data may take about `limit_mb` megabytes: of a larger run, steps are left out evenly,
    and then the largest tensors; the page and its attribute `left_out` list them.

    >>> import tempfile
    >>> from dark.monitor import Note, page
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with Note(f"{folder}/first") as note:
    ...         note.take_down_scalars_and_tensors(1, {"loss": 0.5}, {"w": [[1.0, -2.0]]})
    ...     first = page(note)
    ...     first.save(f"{folder}/first.html")
    >>> first.left_out
    ()
    """
    limit = number(limit_mb, "page", "limit_mb", above=0)
    openers, _ = openers_of([run, *(other for other in others if other is not None)], "page", beside=False)
    return page_of({name: opener() for name, opener in openers.items()}, limit)
