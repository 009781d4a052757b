"""Taking notes at the events of an engine, at a cadence of each series, when NaN appears, and on a new best value."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Mapping
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

from dark.checks import callable_with, describe, integer, one_of
from dark.engine import Events
from dark.errors import EngineError, ValueTypeError, near_misses
from dark.hooks import Handles
from dark.monitor.notes.sources import Outputs, reading_of
from dark.monitor.notes.taken import direction_of

if TYPE_CHECKING:
    pass

STEPS = ("iteration", "epoch")


class Cadence:
    """How often each series is taken: every n-th time, by the first pattern that matches; every time without a match.

    Parameters
    ----------
    every : int or mapping of str to int
        For all series, or by patterns of names in which ``*`` stands for any characters; 0 is never.

    Raises
    ------
    ValueTypeError, UsageError
        If a number is not an integer of at least 0, or a pattern not a str.

    Examples
    --------
    >>> cadence = Cadence({"weights/*": 2, "samples/*": 0})
    >>> [cadence.of_turn(k, {"weights/a": 1, "loss": 2, "samples/b": 3}) for k in (1, 2)]
    [{'loss': 2}, {'weights/a': 1, 'loss': 2}]
    """

    def __init__(self, every: int | Mapping[str, int] = 1) -> None:
        rules = every if isinstance(every, Mapping) else {"*": every}
        for pattern in rules:
            if not isinstance(pattern, str):
                raise ValueTypeError(f"attach: every has the key {describe(pattern)}.", "a pattern.", '"weights/*"')
        self._rules = [(pattern, integer(n, "attach", f"every[{pattern!r}]", 0)) for pattern, n in rules.items()]
        self._known: dict[str, int] = {}

    def of_turn(self, k: int, values: Mapping[str, Any] | None) -> dict[str, Any]:
        """Return the values that are taken at the k-th time, counted from 1."""
        return {name: value for name, value in (values or {}).items() if (n := self._every(name)) and k % n == 0}

    def _every(self, name):
        if name not in self._known:
            matching = (n for pattern, n in self._rules if fnmatchcase(str(name), pattern))
            self._known[name] = next(matching, 1)
        return self._known[name]


class Taking:
    """A handler that takes down what a source gives, at the step of the engine.

    Parameters
    ----------
    take_down : callable
        Called with a step, scalars and arrays.
    read : callable
        Returns scalars and arrays.
    cadence : Cadence
    step : {"iteration", "epoch"} or callable
    """

    def __init__(
        self, take_down: Callable[..., None], read: Callable[[], tuple[Any, Any]], cadence: Cadence, step: Any
    ) -> None:
        self._take_down, self._read, self._cadence, self._step = take_down, read, cadence, step
        self._turn, self._complete = 0, None  # the step at which everything was taken

    def __call__(self, engine: Any) -> None:
        """Take down the series whose turn it is."""
        self._turn += 1
        scalars, tensors = self._read()
        chosen = [self._cadence.of_turn(self._turn, values) for values in (scalars, tensors)]
        step = self._step_of(engine)
        if list(map(len, chosen)) == [len(scalars or {}), len(tensors or {})]:
            self._complete = step
        self._take_down(step, *chosen)

    def everything(self, engine: Any) -> None:
        """Take down all series, if that has not been done at this step."""
        step = self._step_of(engine)
        if step != self._complete:
            self._complete = step
            self._take_down(step, *self._read())

    def _step_of(self, engine):
        state = engine.state
        if self._step == "iteration":
            return state.iteration
        if self._step != "epoch":
            return self._step()
        if not state.epoch_length:
            raise EngineError(
                "Note.attach: the number of iterations per epoch is not known, so the step cannot be an epoch.",
                "an epoch length.",
                'engine.run(data, epoch_length=…), or step="iteration".',
            )
        return state.iteration / state.epoch_length


class WhenNan:
    """A handler that calls a function when a NaN or infinity appears, and again after it had disappeared.

    Parameters
    ----------
    function : callable
        Called with the engine.
    is_nan : callable
        Returns whether there is one.
    """

    def __init__(self, function: Callable[[Any], None], is_nan: Callable[[], bool]) -> None:
        self._function, self._is_nan, self._before = function, is_nan, False

    def __call__(self, engine: Any) -> None:
        """Look whether there is one."""
        found = bool(self._is_nan())
        if found and not self._before:
            self._function(engine)
        self._before = found


class OnBest:
    """A handler that calls a function when a value is better than all before.

    Parameters
    ----------
    function : callable
        Called with the engine.
    value : callable
        Returns the value, or None before there is one.
    better : {"higher", "lower"}
    """

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


def attach(
    take_down: Callable[..., None], owner: Any, event: Any, source: Any, every: Any, when_nan: Any, on_best: Any,
    better: str, step: Any,
) -> Handles:  # fmt: skip
    """Attach the handlers of `Note.attach`; `take_down` is called with a step, scalars and arrays."""
    engine: Any = owner if hasattr(owner, "add_event_handler") else getattr(owner, "engine", None)
    if not hasattr(engine, "add_event_handler"):
        raise ValueTypeError(f"attach: {describe(owner)}.", "an engine or a trainer.", "note.attach(trainer, …)")
    if not callable(step):
        one_of(step, "attach", "step", STEPS)
    direction = direction_of(better, "attach") or "higher"
    outputs = Outputs(engine, owner if owner is not engine else None)
    taking = Taking(take_down, reading_of(outputs if source is None else source), Cadence(every), step)
    found: list[tuple[Any, Callable[..., Any]]] = [(event, taking)]
    if when_nan is not False:
        nan = _has_nan(outputs) if when_nan is True else callable_with(when_nan, "attach", "when_nan", ())
        found.append((Events.ITERATION_COMPLETED, WhenNan(taking.everything, nan)))
    if on_best is not None:
        best = OnBest(taking.everything, _value_of(on_best, outputs), direction)
        found.append((Events.ITERATION_COMPLETED | Events.EPOCH_COMPLETED, best))
        found.append((Events.COMPLETED, lambda: best.has_value or _warn_of_name(on_best, outputs)))
    return Handles([engine.add_event_handler(moment, handler) for moment, handler in found])


def _has_nan(outputs):
    return lambda: not all(map(math.isfinite, outputs.output().values()))


def _value_of(on_best, outputs):
    """Return a function that returns the value that is compared, None before the first."""
    if not isinstance(on_best, str):
        return callable_with(on_best, "attach", "on_best", ())
    return lambda: outputs.scalars().get(on_best)


def _warn_of_name(name, outputs):
    known = outputs.scalars()
    advice = f" Try: {near_misses(name, known)}." if known else ""
    warnings.warn(f"Note.attach: the run had no value {name!r} for on_best.{advice}", UserWarning, stacklevel=2)
