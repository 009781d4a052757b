"""A progress bar by tqdm, in a terminal and in a notebook."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from dark.checks import check_engine
from dark.engine import Events
from dark.errors import UsageError, missing_extra
from dark.handlers.selected_values import SelectedValues, flat

if TYPE_CHECKING:
    from dark.engine import Engine

BAR = "{desc}[{n_fmt}/{total_fmt}] {percentage:3.0f}%|{bar}{postfix} [{elapsed}<{remaining}]"
ORDER = (
    Events.STARTED, Events.EPOCH_STARTED, Events.ITERATION_STARTED, Events.ITERATION_COMPLETED,
    Events.EPOCH_COMPLETED, Events.COMPLETED,
)  # fmt: skip
OF_ITERATIONS = (Events.ITERATION_STARTED, Events.ITERATION_COMPLETED)
OF_EPOCHS = (Events.EPOCH_STARTED, Events.EPOCH_COMPLETED)


class ProgressBar:
    """A progress bar by tqdm for each epoch of an engine, or one for the whole run: `pbar`, None outside of a run.

    A terminated run closes its bar where it is; only a complete epoch or run fills its bar.

    With `persist`, the bar stays on the screen when it is closed. Further keyword arguments are passed to tqdm:
    ``desc="Validation"``, ``ncols=80``, ``file=…``, ``disable=True``.

    >>> import io
    >>> from dark.engine import Engine
    >>> trainer, screen = Engine(lambda engine, batch: batch / 4), io.StringIO()
    >>> bar = ProgressBar(persist=True, bar_format="{desc}{n_fmt}/{total_fmt}{postfix}", file=screen, ncols=40)
    >>> bar.attach(trainer, output_transform=lambda output: {"loss": output})
    >>> state = trainer.run([1, 2, 3])
    >>> screen.getvalue().split("\\r")[-1].strip()
    'Iteration: 3/3, loss=0.75'
    """

    def __init__(self, persist: bool = False, bar_format: str = BAR, **tqdm_kwargs: Any) -> None:
        self.pbar_cls = _tqdm()
        self.pbar: Any = None
        self.persist, self.bar_format, self.tqdm_kwargs = persist, bar_format, tqdm_kwargs

    def attach(
        self, engine: Engine, metric_names: list[str] | str | None = None,
        output_transform: Callable[[Any], Any] | None = None, event_name: Any = Events.ITERATION_COMPLETED,
        closing_event_name: Any = Events.EPOCH_COMPLETED, state_attributes: list[str] | None = None,
    ) -> None:  # fmt: skip
        """Show the progress of an engine: metrics (attach them before the bar), its output, attributes of its state.

        Parameters
        ----------
        output_transform : callable, optional
            Of `state.output`; returns a dict of values to show, or a single value.
        event_name, closing_event_name : event
            What advances the bar, with a filter less often; and what closes it, which follows the other event in a run,
            and has no filter.
        """
        check_engine(self, engine)
        _check_events(engine, event_name, closing_event_name)
        shown = SelectedValues(metric_names, output_transform, state_attributes)
        engine.add_event_handler(Events.STARTED, self._forget)
        engine.add_event_handler(event_name, self._move, event_name, closing_event_name, shown)
        engine.add_event_handler(closing_event_name, self._close)
        engine.add_event_handler(Events.TERMINATE, self._forget)

    def log_message(self, message: str) -> None:
        """Print a line above the bar."""
        self.pbar_cls.write(message, file=self.tqdm_kwargs.get("file"))

    def _move(self, engine, event, closing_event, shown):
        total = _length(event, engine.state)
        if self.pbar is None:
            self.pbar = self.pbar_cls(
                total=total, leave=self.persist, bar_format=self.bar_format, initial=1, **self.tqdm_kwargs
            )
        self.pbar.set_description(self._description(engine.state, closing_event))
        if values := flat(shown.of(engine), "ProgressBar"):
            self.pbar.set_postfix(values)
        step = engine.state.get_event_attrib_value(event)
        position = step if total is None else (step - 1) % total + 1
        self.pbar.update(position - self.pbar.n)

    def _description(self, state, closing_event):
        text = self.tqdm_kwargs.get("desc") or ("Iteration" if state.max_epochs == 1 else "Epoch")
        bars = _length(closing_event, state)
        if bars is None or bars < 2:
            return text
        return f"{text} [{state.get_event_attrib_value(closing_event)}/{bars}]"

    def _close(self, engine):
        if self.pbar is not None and self.pbar.total is not None and not engine.should_terminate_single_epoch:
            self.pbar.n = self.pbar.total  # the last updates may not have been drawn
        self._forget()

    def _forget(self):
        """Close the bar of a run that was terminated or raised, as it is."""
        if self.pbar is not None:
            self.pbar.close()
        self.pbar = None


def _tqdm():
    """Return a bar of widgets in a notebook, else of text; `tqdm.auto` alone asks whether ipykernel is imported."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    try:
        if shell is None:
            from tqdm import tqdm
        else:
            from tqdm.auto import tqdm
    except ImportError:
        raise missing_extra("tqdm", "lab") from None
    return tqdm


def _length(event, state):
    """Return the number of firings of an event after which the bar is full; None if unknown."""
    if event in OF_ITERATIONS:
        return state.epoch_length
    return state.max_epochs if event in OF_EPOCHS else 1


def _check_events(engine, event, closing_event):
    name = getattr(event, "name", event)
    if not isinstance(name, str) or not engine.has_registered_events(name):
        raise UsageError(
            f"Logging event {name} is not in allowed events for this engine.",
            "a registered event.",
            "Events.ITERATION_COMPLETED",
        )
    if getattr(closing_event, "filter", None) is not None:
        raise UsageError(
            f"Closing Event should not be a filtered event: {closing_event!r}.",
            "the event without a filter.",
            "Events.EPOCH_COMPLETED",
        )
    if event in ORDER and closing_event in ORDER and ORDER.index(event) >= ORDER.index(closing_event):
        raise UsageError(
            f"Logging event {event} should be called before closing event {closing_event}.",
            f"two of these, in this order: {', '.join(known.name for known in ORDER)}.",
            "event_name=Events.ITERATION_COMPLETED, closing_event_name=Events.EPOCH_COMPLETED",
        )
    engine.state.get_event_attrib_value(event)
