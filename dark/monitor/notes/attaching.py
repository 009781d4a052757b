"""Taking notes at the events of an engine, at a cadence of each series, when NaN appears, and on a new best value."""

import math
import warnings
from collections.abc import Callable, Mapping
from fnmatch import fnmatchcase
from functools import partial
from typing import Any

from dark.checks import callable_with, describe, integer, one_of
from dark.engine import Events
from dark.errors import EngineError, ValueTypeError, near_misses
from dark.hooks import Every, Handle, Handles, Once, When
from dark.monitor.notes.sources import MonitorSource, Outputs, source_of
from dark.monitor.notes.taken import direction_of
from dark.monitor.watch import add_handler, engine_of, framework_name, starts_of


class WhenNan:
    """A handler that calls a function when a NaN or infinity appears, and again after it had disappeared."""

    def __init__(self, function: Callable[[Any], None], is_nan: Callable[[], bool]) -> None:
        self._function, self._is_nan, self._before = function, is_nan, False

    def __call__(self, engine: Any) -> None:
        """Look whether there is one."""
        found = bool(self._is_nan())
        if found and not self._before:
            self._function(engine)
        self._before = found


class OnBest:
    """A handler that calls a function when a value is better than all before."""

    def __init__(self, function: Callable[[Any], None], value: Callable[[], float | None], better: str) -> None:
        self._function, self._value = function, value
        self._sign, self._best = (1 if better == "higher" else -1), -math.inf
        self.has_value = False

    def __call__(self, engine: Any) -> None:
        """Compare the value with the best one."""
        value = self._value()
        if value is None:
            return
        self.has_value = True
        if self._sign * value > self._best:
            self._best = self._sign * value
            self._function(engine)


STEPS = ("iteration", "epoch")
ARRAY = "array"  # stands for an array that was taken


class Cadence:
    """How often each series is taken: every n-th time, by the first pattern that matches; every time without a match.

    A pattern may have ``*``, which stands for any characters; 0 is never.
    """

    def __init__(self, every: int | Mapping[str, int] = 1) -> None:
        rules = every if isinstance(every, Mapping) else {"*": every}
        for pattern in rules:
            if not isinstance(pattern, str):
                message = f"attach: the keys of every must be strings, got {describe(pattern)}."
                raise ValueTypeError(message, "a pattern.", '"weights/*"')
        self._rules = [(pattern, integer(n, "attach", f"every[{pattern!r}]", 0)) for pattern, n in rules.items()]
        self._known: dict[str, When] = {}

    def of_turn(self, k: int, values: Mapping[str, Any] | None) -> dict[str, Any]:
        """Return the values that are taken at the k-th time, counted from 1."""
        return {name: value for name, value in (values or {}).items() if self._when(name)(None, k)}

    def _when(self, name):
        if name not in self._known:
            matching = (n for pattern, n in self._rules if fnmatchcase(str(name), pattern))
            n = next(matching, 1)
            self._known[name] = Every(n) if n else Once(())
        return self._known[name]


class Taking(Handle):
    """A handler that records the values of a source, at the step of the engine to which they belong."""

    def __init__(self, take_down: Callable[..., None], source: Any, trainer: Any, cadence: Cadence, step: Any) -> None:
        self._take_down, self._source, self._trainer = take_down, source, trainer
        self._cadence, self._step = cadence, step
        self._turn, self._complete = 0, None  # the step at which everything was taken
        self._record: Any = None  # the last record that was taken from, and what was taken, by name
        self._taken: dict[str, Any] = {}
        self._has_warned = False

    def __call__(self, engine: Any) -> None:
        """Record the series whose turn it is."""
        self._turn += 1
        self._take(engine, lambda values: self._cadence.of_turn(self._turn, values))

    def everything(self, engine: Any, is_urgent: bool = False) -> None:
        """Record all series, if that has not been done at this step; if it is urgent, whatever time it takes."""
        if self._source.record is not None or self._step_of(engine) != self._complete:
            self._take(engine, lambda values: values or {}, is_urgent)

    def observe(self, engine: Any) -> None:
        """Let the source observe the step that starts."""
        self._source.observe(engine, self._trainer)

    def remove(self) -> None:
        """Let the source observe no longer."""
        self._source.end()

    def _take(self, engine, choose, is_urgent=False):
        engine = self._source.engine_at(engine, self._trainer, is_urgent)
        if engine is None:
            self._warn()
            return
        scalars, tensors = self._source.read()
        chosen = [choose(scalars), choose(tensors)]
        step = self._step_of(engine)
        if list(map(len, chosen)) == [len(scalars or {}), len(tensors or {})]:
            self._complete = step
        scalars, tensors = chosen if self._source.record is None else map(self._new, chosen)
        epoch = None if callable(self._step) else _epoch_of(engine.state)  # steps may be those of another engine
        self._take_down(step, scalars, tensors, epoch)

    def _new(self, values):
        """Return the values that have not been taken from this record."""
        if self._record != self._source.record:
            self._record, self._taken = self._source.record, {}
        new = {name: value for name, value in values.items() if not self._was_taken(name, value)}
        self._taken |= {name: repr(value) if isinstance(value, float) else ARRAY for name, value in new.items()}
        return new

    def _was_taken(self, name, value):
        """Return whether a series was taken with the same value; the arrays of a record do not change."""
        before = self._taken.get(name)
        return before is not None and (before is ARRAY or before == repr(value))

    def _warn(self):
        if not self._has_warned:
            self._has_warned = True
            warnings.warn(
                "Note.attach: the monitor has no record of a step at which notes are taken, to keep to its budget_ms; "
                "the note has nothing of this step. Try: a larger budget_ms, or a rarer event. Further steps are not "
                "reported; `monitor.dropped` counts them.",
                UserWarning,
                stacklevel=2,
            )

    def _step_of(self, engine):
        state = engine.state
        if self._step == "iteration":
            return state.iteration
        if self._step != "epoch":
            return self._step()
        epoch = _epoch_of(state)
        if epoch is None:
            message = "Note.attach: the number of iterations per epoch is not known, so the step cannot be an epoch."
            raise EngineError(message, "an epoch length.", 'engine.run(data, epoch_length=…), or step="iteration".')
        return epoch


def _epoch_of(state):
    """Return the epoch as a float, None if the number of iterations in it is not known."""
    return state.iteration / state.epoch_length if state.epoch_length else None


def attach(
    note: Any, owner: Any, event: Any, source: Any, every: Any, when_nan: Any, on_best: Any,
    better: str, step: Any,
) -> Handles:  # fmt: skip
    """Attach the handlers of `Note.attach`; the note gets a step, scalars, arrays and the epoch."""
    engine: Any = engine_of(owner) or (owner if hasattr(owner, "add_event_handler") else getattr(owner, "engine", None))
    if not hasattr(engine, "add_event_handler"):
        message = f"attach: expected an engine or a trainer, got {describe(owner)}."
        raise ValueTypeError(message, "an engine or a trainer.", "note.attach(trainer, …)")
    if not callable(step):
        one_of(step, "attach", "step", STEPS)
    direction = direction_of(better, "attach") or "higher"
    outputs = Outputs(engine, owner if owner is not engine else None)
    read = source_of(outputs if source is None else source)
    note.put_down_framework(read.framework or framework_name(None, engine))
    taking = Taking(note.take_down_scalars_and_tensors, read, owner, Cadence(every), step)
    found: list[tuple[Any, Callable[..., Any]]] = [(event, taking)]
    if when_nan is not False:
        nan = _has_nan(outputs, read) if when_nan is True else callable_with(when_nan, "attach", "when_nan", ())
        found.append((Events.ITERATION_COMPLETED, WhenNan(partial(taking.everything, is_urgent=True), nan)))
    if on_best is not None:
        best = OnBest(taking.everything, _value_of(on_best, outputs), direction)
        found.append((Events.ITERATION_COMPLETED | Events.EPOCH_COMPLETED, best))
        found.append((Events.COMPLETED, lambda engine: best.has_value or _warn_of_name(on_best, outputs)))
    if isinstance(read, MonitorSource):
        is_numbered = when_nan is False and on_best is None  # else any step may be taken
        found += [(start, taking.observe) for start in starts_of(event if is_numbered else Events.EPOCH_COMPLETED)]
        found.append((Events.COMPLETED, lambda engine: taking.remove()))
    handles = [add_handler(engine, moment, handler) for moment, handler in found]
    return Handles([*handles, taking] if isinstance(read, MonitorSource) else handles)


def _has_nan(outputs, source):
    return lambda: not (all(map(math.isfinite, outputs.output().values())) and source.is_finite())


def _value_of(on_best, outputs):
    """Return a function that returns the value that is compared, None before the first."""
    if not isinstance(on_best, str):
        return callable_with(on_best, "attach", "on_best", ())
    return lambda: outputs.scalars().get(on_best)


def _warn_of_name(name, outputs):
    known = outputs.scalars()
    advice = f" Try: {near_misses(name, known)}." if known else ""
    warnings.warn(f"Note.attach: the run had no value {name!r} for on_best.{advice}", UserWarning, stacklevel=2)
