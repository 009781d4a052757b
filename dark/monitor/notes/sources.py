"""Sources of notes: objects from which `Note.attach` reads scalars and arrays.

A source is an object with ``scalars() -> dict`` and ``tensors() -> dict`` (one may be missing), or a function without
arguments that returns both.
"""

from collections.abc import Callable, Iterator, Mapping
from numbers import Real
from typing import Any

from dark.checks import callable_with, describe, is_bool
from dark.errors import ValueTypeError
from dark.monitor.monitor import Monitor
from dark.monitor.watch import are_finite, framework_name, stop_observing, watch_for

METHODS = ("scalars", "tensors")


class Outputs:
    """The numbers that an engine has: its output, its metrics, and a trainer's results on validation data.

    The results of a trainer's last measurement have names that end in ``/validation``.
    """

    def __init__(self, engine: Any, trainer: Any = None) -> None:
        self._engine, self._trainer = engine, trainer

    def output(self) -> dict[str, float]:
        """Return the numbers of the engine's output; a number alone is the loss. Step 0 has no output."""
        output = self._engine.state.output if self._engine.state.iteration else None
        return dict(_numbers("", output) if isinstance(output, Mapping) else _numbers("loss", output))

    def scalars(self) -> dict[str, float]:
        """Return all numbers by name."""
        validation = getattr(self._trainer, "validation", None) or {}
        measured = {f"{name}/validation": value for name, value in validation.items()}
        return {**self.output(), **dict(_numbers("", {**self._engine.state.metrics, **measured}))}


def _numbers(name, value) -> Iterator[tuple[str, float]]:
    """Yield the numbers in a value, with names joined by slashes; everything else is left out."""
    value = getattr(value, "value", value)  # of a node
    if getattr(value, "ndim", None) == 0:
        value = value.item()
    if isinstance(value, Real) and not is_bool(value):
        yield name, float(value)
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from _numbers(f"{name}/{key}" if name else str(key), item)


class MonitorSource:
    """A `Monitor` as a source: it has a record of the present step, or makes it when a note asks for it."""

    def __init__(self, monitor: Any) -> None:
        self._monitor = monitor

    @property
    def framework(self) -> str:
        """The name of the network's framework in a note."""
        return framework_name(self._monitor)

    @property
    def record(self) -> int:
        """The number of the record that is read."""
        return int(self._monitor.records)

    def engine_at(self, engine: Any, trainer: Any, is_urgent: bool) -> Any:
        """Return the engine of whose present step there is a record; None without one."""
        watch = watch_for(self._monitor, engine, trainer)
        of_record = watch.engine()
        return of_record if watch.ask(of_record, is_urgent) else None

    def observe(self, engine: Any, trainer: Any) -> None:
        """Observe the step that starts."""
        watch = watch_for(self._monitor, engine, trainer)
        if watch.engine() is engine:
            watch.start(engine)

    def end(self) -> None:
        """Stop observing."""
        stop_observing(self._monitor)

    def is_finite(self) -> bool:
        """Return whether all weights are finite now, and their gradients."""
        return are_finite(self._monitor)

    def read(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the scalars and the arrays of the record."""
        return self._monitor.scalars(), self._monitor.tensors()


class Values:
    """Any other source: it is read as it is."""

    record, framework = None, ""

    def __init__(self, read: Callable[[], tuple[Any, Any]]) -> None:
        self.read = read

    def engine_at(self, engine: Any, trainer: Any, is_urgent: bool) -> Any:
        """Return the engine: the values belong to its present step."""
        return engine

    def is_finite(self) -> bool:
        """Return True: whether arrays are finite is not looked at."""
        return True


def source_of(source: Any) -> MonitorSource | Values:
    """Return a user's source as a `MonitorSource` or as `Values`."""
    return MonitorSource(source) if isinstance(source, Monitor) else Values(reading_of(source))


def reading_of(source: Any) -> Callable[[], tuple[Any, Any]]:
    """Return a function that reads a source: it returns its scalars and its arrays."""
    methods = [] if isinstance(source, type) else [getattr(source, name, None) for name in METHODS]
    if any(map(callable, methods)):
        return lambda: tuple([method() if callable(method) else {} for method in methods])
    if not callable(source) or isinstance(source, type):
        message = f"attach: source must have `scalars` and `tensors`, or be callable, got {describe(source)}."
        wanted = "an object with `scalars` and `tensors`, such as a Monitor, or a function that returns both."
        raise ValueTypeError(message, wanted, 'lambda: ({"loss": loss}, {"weight": weight})')
    function = callable_with(source, "attach", "source", ())

    def read():
        found = function()
        if not isinstance(found, tuple) or len(found) != 2:
            message = f"attach: the source must return a pair of mappings, got {describe(found)}."
            raise ValueTypeError(message, "a pair of mappings.", "return scalars, tensors")
        return found

    return read
