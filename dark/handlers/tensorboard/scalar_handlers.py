"""Log scalars: an engine's outputs, metrics and state, and parameters of an optimizer; the base class of these."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from numbers import Real
from typing import TYPE_CHECKING, Any

from dark.checks import is_integer
from dark.errors import UsageError, ValueTypeError, near_misses
from dark.handlers.selected_values import SelectedValues, flat

if TYPE_CHECKING:
    from dark.engine import Engine


class LogHandler(ABC):
    """The base class of handlers that write to a logger; they are attached by `TensorBoardLogger.attach`."""

    @abstractmethod
    def __call__(self, engine: Engine, logger: Any, event_name: Any) -> None:
        """Write values to `logger.writer`, at the step of the event."""

    def _writer_of(self, logger):
        if not hasattr(logger, "writer"):
            raise ValueTypeError(
                f"Handler {type(self).__name__} works only with TensorBoardLogger, got {type(logger).__name__}.",
                "a logger with a `writer`.",
                "TensorBoardLogger(log_dir).attach(engine, handler, Events.EPOCH_COMPLETED)",
            )
        return logger.writer


def prefix(tag):
    """Return the prefix that a tag gives to the names of values; empty for None."""
    return f"{tag}/" if tag else ""


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


class OptimizerParamsHandler(LogHandler):
    """Log a parameter of each group of an optimizer as ``tag/lr/group_0``; `tag` is the group of the curves."""

    def __init__(self, optimizer: Any, param_name: str = "lr", tag: str | None = None) -> None:
        groups = getattr(optimizer, "param_groups", None)
        if not isinstance(groups, Sequence):
            raise ValueTypeError(
                "Argument optimizer should be an Optimizer or have the attribute 'param_groups' as list/tuple, but "
                f"given {type(optimizer).__name__}.",
                "an optimizer.",
                "OptimizerParamsHandler(optimizer)",
            )
        for index, group in enumerate(groups):
            if param_name not in group:
                raise UsageError(
                    f"OptimizerParamsHandler: group {index} of the optimizer has no parameter {param_name!r}.",
                    f"one of {', '.join(sorted(set(group) - {'params'}))}.",
                    f"param_name={near_misses(param_name, set(group) - {'params'})}",
                )
        self.optimizer, self.param_name, self.tag = optimizer, param_name, tag

    def __call__(self, engine: Engine, logger: Any, event_name: Any) -> None:
        """Write the parameter of each group."""
        writer, step = self._writer_of(logger), engine.state.get_event_attrib_value(event_name)
        for index, group in enumerate(self.optimizer.param_groups):
            writer.add_scalar(f"{prefix(self.tag)}{self.param_name}/group_{index}", group[self.param_name], step)
