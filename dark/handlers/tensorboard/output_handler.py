"""Log outputs, metrics and attributes of the state of an engine as scalars."""

from __future__ import annotations

from collections.abc import Callable
from numbers import Real
from typing import TYPE_CHECKING, Any

from dark.checks import is_integer
from dark.errors import UsageError, ValueTypeError
from dark.handlers.selected_values import SelectedValues, flat
from dark.handlers.tensorboard.log_handler import LogHandler, prefix

if TYPE_CHECKING:
    from dark.engine import Engine


class OutputHandler(LogHandler):
    """Log an engine's output, metrics and attributes of its state as scalars.

    Values are numbers, nodes and arrays with one element, one-dimensional arrays, and lists, tuples and mappings of
    them, whose tags are joined by slashes: ``tag/name/0``. Other values give a warning and are left out.

    Parameters
    ----------
    tag : str
        The group of the curves, such as "training"; a curve's tag is ``tag/name``.
    metric_names, state_attributes : list of str, optional
        The metrics to log, or "all"; the attributes of the state to log.
    output_transform : callable, optional
        Of `state.output`; returns a dict of values, or a single value, which is named "output".
    global_step_transform : callable, optional
        Returns the step, an int, from the engine and the event; if not given, the counter of the event. For the
        evaluator of a trainer: ``global_step_from_engine(trainer)``.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> from dark.engine import Engine, Events
    >>> log = SimpleNamespace(writer=SimpleNamespace(add_scalar=print))
    >>> trainer = Engine(lambda engine, batch: batch / 4)
    >>> handler = OutputHandler("training", output_transform=lambda loss: {"loss": loss})
    >>> handle = trainer.add_event_handler(Events.ITERATION_COMPLETED, handler, log, Events.ITERATION_COMPLETED)
    >>> state = trainer.run([2, 1])
    training/loss 0.5 1
    training/loss 0.25 2
    """

    def __init__(
        self,
        tag: str,
        metric_names: list[str] | str | None = None,
        output_transform: Callable[[Any], Any] | None = None,
        global_step_transform: Callable[[Engine, Any], int] | None = None,
        state_attributes: list[str] | None = None,
    ) -> None:
        if metric_names is None and output_transform is None and state_attributes is None:
            raise UsageError(
                "Either metric_names, output_transform or state_attributes should be defined: OutputHandler would log "
                "nothing.",
                "a selection of values.",
                f'OutputHandler({tag!r}, metric_names="all")',
            )
        if global_step_transform is not None and not callable(global_step_transform):
            raise ValueTypeError(
                f"global_step_transform should be a function, got {global_step_transform!r} instead.",
                "a function of the engine and the event.",
                "global_step_from_engine(trainer)",
            )
        self.tag, self.global_step_transform = tag, global_step_transform
        self._selected = SelectedValues(metric_names, output_transform, state_attributes)

    def __call__(self, engine: Engine, logger: Any, event_name: Any) -> None:
        """Write the values as scalars."""
        writer, transform = self._writer_of(logger), self.global_step_transform
        if transform is None:
            step = engine.state.get_event_attrib_value(event_name)
        elif not is_integer(step := transform(engine, event_name)):
            raise ValueTypeError(
                f"global_step must be int, got {step!r}. Please check the output of global_step_transform.",
                "an integer.",
                "global_step_from_engine(trainer)",
            )
        values = flat(self._selected.of(engine), "OutputHandler", "/", (Real,))
        for name, value in values.items():
            writer.add_scalar(f"{prefix(self.tag)}{name}", value, step)
