"""`view` and `page`: a run in the notebook, and a run as one file."""

from os import PathLike
from typing import Any

from dark.checks import number
from dark.monitor.notes.note import Note
from dark.monitor.viewer.answers import Answers
from dark.monitor.viewer.exported import Page, page_of
from dark.monitor.viewer.opening import openers_of
from dark.monitor.viewer.widget import widget_class


def view(run: Note | str | PathLike[str], other: Note | str | PathLike[str] | None = None) -> Any:
    """Open the viewer of a run in a notebook: scalars over time, and every tensor at every step; press ? for the keys.

    The viewer follows a run that is still being written. ``dark notes view RUN`` does the same in a browser.

    A run is the folder of a note, a file that `Note.save` wrote, or a `Note`, which may still be written. The other run
    is shown beside the first, with their difference. The result is an ``anywidget.AnyWidget``.
    """
    widget = widget_class()
    openers, shown = openers_of([run] if other is None else [run, other], "view")
    return widget(Answers(openers, shown))


def page(
    run: Note | str | PathLike[str], other: Note | str | PathLike[str] | None = None, limit_mb: float = 20
) -> Page:
    """Return the viewer of a run as a single HTML page, which works without a server or a network.

    In a notebook the page displays itself, also without a kernel, as in a web book.

    The runs are as in `view`. The data may take about `limit_mb` megabytes: of a larger run, steps are left out evenly,
    and then the largest tensors; the page and its attribute `left_out` list them.

    Examples
    --------
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
    openers, _ = openers_of([run] if other is None else [run, other], "page", beside=False)
    return page_of({name: opener() for name, opener in openers.items()}, limit)
