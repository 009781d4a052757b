"""A bar that shows how far a run is, by tqdm: in a terminal and in a notebook."""

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Number
from typing import Any

from dark.engine import Events
from dark.errors import UsageError, ValueTypeError, missing_extra

BAR = "{desc}[{n_fmt}/{total_fmt}] {percentage:3.0f}%|{bar}{postfix} [{elapsed}<{remaining}]"
ORDER = (
    Events.STARTED, Events.EPOCH_STARTED, Events.ITERATION_STARTED, Events.ITERATION_COMPLETED,
    Events.EPOCH_COMPLETED, Events.COMPLETED,
)  # fmt: skip
OF_ITERATIONS = (Events.ITERATION_STARTED, Events.ITERATION_COMPLETED)
OF_EPOCHS = (Events.EPOCH_STARTED, Events.EPOCH_COMPLETED)


@dataclass(frozen=True)
class Shown:
    """What a bar shows beside its length.

    Attributes
    ----------
    event, closing_event : event
        Those that move and end the bar.
    metric_names : list of str, or "all"
    output_transform : callable or None
    state_attributes : list of str
    """

    event: Any
    closing_event: Any
    metric_names: Any
    output_transform: Any
    state_attributes: Any

    def values(self, engine):
        """Return the numbers and texts to show, by name."""
        state, found = engine.state, {}
        names = state.metrics if self.metric_names == "all" else self.metric_names
        for name in names:
            if name in state.metrics:
                found[name] = state.metrics[name]
            else:
                warnings.warn(
                    f"Provided metric name '{name}' is missing in engine's state metrics: {list(state.metrics)}",
                    UserWarning,
                    stacklevel=2,
                )
        if self.output_transform is not None:
            output = self.output_transform(state.output)
            found.update(output if isinstance(output, dict) else {"output": output})
        found.update({name: getattr(state, name, None) for name in self.state_attributes})
        return dict(_flat("", found))


class ProgressBar:
    """A bar for each epoch of an engine, or one for the whole run.

    Parameters
    ----------
    persist : bool, default False
        Leave the bar there when it is full.
    bar_format : str, optional
        As for tqdm.
    **tqdm_kwargs
        Any keyword of tqdm: ``desc="Validation"``, ``ncols=80``, ``file=…``, ``disable=True``.

    Attributes
    ----------
    pbar : tqdm or None
        The bar at hand.

    Raises
    ------
    MissingExtraError
        If tqdm is not installed.

    Notes
    -----
    A run that is terminated closes its bar where it is; it is filled up only when what it stands for is complete.

    Examples
    --------
    >>> import io
    >>> from dark.engine import Engine
    >>> trainer, screen = Engine(lambda engine, batch: batch / 4), io.StringIO()
    >>> bar = ProgressBar(persist=True, bar_format="{desc}{n_fmt}/{total_fmt}{postfix}", file=screen, ncols=40)
    >>> bar.attach(trainer, output_transform=lambda output: {"loss": output})
    >>> state = trainer.run([1, 2, 3])
    >>> screen.getvalue().split("\\r")[-1].strip()
    'Iteration: 3/3, loss=0.75'
    """

    def __init__(self, persist=False, bar_format=BAR, **tqdm_kwargs):
        self.pbar_cls, self.pbar = _tqdm(), None
        self.persist, self.bar_format, self.tqdm_kwargs = persist, bar_format, tqdm_kwargs

    def attach(
        self, engine, metric_names=None, output_transform=None, event_name=Events.ITERATION_COMPLETED,
        closing_event_name=Events.EPOCH_COMPLETED, state_attributes=None,
    ):  # fmt: skip
        """Show how far an engine is.

        Parameters
        ----------
        engine : Engine
        metric_names : list of str or "all", optional
            Metrics shown beside the bar: attach them before the bar, or it shows their old values.
        output_transform : callable, optional
            Of `state.output`; returns a dict of what is shown, or one thing.
        event_name : event, default ITERATION_COMPLETED
            Moves the bar; a filter makes it move more seldom.
        closing_event_name : event, default EPOCH_COMPLETED
            Ends the bar; it comes after the other one in a run, and has no filter.
        state_attributes : list of str, optional
            Attributes of the state shown beside the bar.

        Raises
        ------
        UsageError
            If an event is not known, they come in the wrong order, or the closing one has a filter.
        ValueTypeError
            If `metric_names` is no list, or `output_transform` no function.
        """
        _check_events(engine, event_name, closing_event_name)
        _check_shown(metric_names, output_transform)
        shown = Shown(event_name, closing_event_name, metric_names or [], output_transform, state_attributes or [])
        engine.add_event_handler(Events.STARTED, self._forget)
        engine.add_event_handler(event_name, self._move, shown)
        engine.add_event_handler(closing_event_name, self._close)
        engine.add_event_handler(Events.TERMINATE, self._forget)

    def log_message(self, message):
        """Print a line above the bar."""
        self.pbar_cls.write(message, file=self.tqdm_kwargs.get("file"))

    def _move(self, engine, shown):
        total = _length(shown.event, engine.state)
        if self.pbar is None:
            self.pbar = self.pbar_cls(
                total=total, leave=self.persist, bar_format=self.bar_format, initial=1, **self.tqdm_kwargs
            )
        self.pbar.set_description(self._description(engine.state, shown.closing_event))
        if values := shown.values(engine):
            self.pbar.set_postfix(values)
        step = engine.state.get_event_attrib_value(shown.event)
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
            self.pbar.n = self.pbar.total  # the last moves may not have been drawn
        self._forget()

    def _forget(self):
        """End a bar as it is: of a run that was terminated, or left by an exception."""
        if self.pbar is not None:
            self.pbar.close()
        self.pbar = None


def _tqdm():
    try:
        from tqdm.auto import tqdm
    except ImportError:
        raise missing_extra("tqdm", "lab") from None
    return tqdm


def _length(event, state):
    """Return how many times an event is fired before the bar is full; None if nobody knows."""
    if event in OF_ITERATIONS:
        return state.epoch_length
    return state.max_epochs if event in OF_EPOCHS else 1


def _flat(name, value):
    """Go through the numbers and texts in a value, with their names joined."""
    value = getattr(value, "value", value)
    dimensions = getattr(value, "ndim", None)
    if dimensions in (0, 1):
        value = value.tolist()
    if isinstance(value, (Number, str)):
        yield name, value
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from _flat(f"{name}_{key}" if name else str(key), item)
    elif isinstance(value, (tuple, list)):
        for index, item in enumerate(value):
            yield from _flat(f"{name}_{index}", item)
    else:
        what = f"an array of {dimensions} dimensions" if dimensions else type(value).__name__
        warnings.warn(
            f"ProgressBar cannot show {name}, which is {what}: numbers, texts, arrays of one dimension, and tuples, "
            "lists and mappings of them.",
            UserWarning,
            stacklevel=2,
        )


def _check_events(engine, event, closing_event):
    name = getattr(event, "name", event)
    if not isinstance(name, str) or not engine.has_registered_events(name):
        raise UsageError(
            f"Logging event {name} is not in allowed events for this engine.",
            "an event that was registered.",
            "Events.ITERATION_COMPLETED",
        )
    if getattr(closing_event, "filter", None) is not None:
        raise UsageError(
            f"Closing Event should not be a filtered event: {closing_event!r}.", "the plain event.", "leave every out."
        )
    if event in ORDER and closing_event in ORDER and ORDER.index(event) >= ORDER.index(closing_event):
        raise UsageError(
            f"Logging event {event} should be called before closing event {closing_event}.",
            f"two of these, in this order: {', '.join(known.name for known in ORDER)}.",
            "event_name=Events.ITERATION_COMPLETED, closing_event_name=Events.EPOCH_COMPLETED",
        )
    engine.state.get_event_attrib_value(event)


def _check_shown(metric_names, output_transform):
    if not (metric_names is None or isinstance(metric_names, list) or metric_names == "all"):
        raise ValueTypeError(
            f"metric_names should be either a list or equal 'all', got {metric_names!r} instead.",
            "names of metrics.",
            f"[{metric_names!r}]",
        )
    if output_transform is not None and not callable(output_transform):
        raise ValueTypeError(
            f"output_transform should be a function, got {output_transform!r} instead.",
            "a function of the output.",
            'lambda output: {"loss": output}',
        )
