"""`Watch`: a monitor on one engine, with one record for each `Step`; `Attachment`: its handlers at events."""

import weakref
from collections.abc import Callable
from time import perf_counter
from typing import Any

from dark.checks import describe
from dark.engine import CallableEventWithFilter, Engine, Events
from dark.errors import ValueTypeError
from dark.hooks import Every, Handle, Once
from dark.monitor import results
from dark.monitor.budget import Budget
from dark.monitor.foreign import ignite_events
from dark.monitor.foreign.tensors import comes_from


class Step:
    """A step of a run."""

    def __init__(self, engine: Any) -> None:
        self._engine, self._key = weakref.ref(engine), _key_of(engine)

    @property
    def iteration(self) -> int:
        """The iteration, counted from 1; 0 before the first."""
        return self._key[1]

    def is_of(self, engine: Any) -> bool:
        """Return whether this is the present step of an engine."""
        return self._engine() is engine and self.is_current()

    def is_current(self) -> bool:
        """Return whether the engine is still in this step, and in the same run."""
        engine = self._engine()
        return engine is not None and _key_of(engine) == self._key


def _key_of(engine):
    return getattr(getattr(engine, "current_run", None), "number", 0), engine.state.iteration


class Watch:
    """A monitor on one engine: it observes a step once, and records it at its own events or when a note asks for it.

    `engine` and `trainer` return them, and do not keep them alive; `attachments` counts the events of the monitor.
    """

    def __init__(self, monitor: Any, engine: Any, trainer: Any) -> None:
        self.engine, self.trainer = weakref.ref(engine), weakly(trainer)
        self.attachments = 0
        self._monitor = monitor
        self._has_time = True
        self._started: Step | None = None  # the last step at whose start it was decided whether there is time
        self._asked: Step | None = None  # the last step that was recorded because a note asked for it
        self._counted = 0  # the iteration up to which steps are counted

    def start(self, engine: Any) -> None:
        """Observe the step that starts, if there is time."""
        if self._started is not None and self._started.is_current():
            return
        self._started, budget = Step(engine), self._count_steps(engine)
        self._has_time = budget.milliseconds is None or budget.has_time()
        if self._has_time:
            start = perf_counter()
            self._monitor.begin(engine)
            budget.spend(start)

    def record(self, engine: Any) -> None:
        """Record the step, if there is time, unless a note has asked for that before."""
        budget = self._count_steps(engine)
        if self._asked is not None and self._asked.is_current():
            self._asked = None
            self._read_scalars(engine)
            return
        budget.count_observation(is_skipped=not self._has_time)
        if self._has_time:
            self._record(engine, budget)

    def ask(self, engine: Any, is_urgent: bool) -> bool:
        """Return whether there is a record of this step; make one if there is time, or if it is urgent."""
        recorded = self._monitor.recorded
        if recorded is not None and recorded.is_current():
            self._read_scalars(engine)
            return True
        budget = self._count_steps(engine)
        is_decided = self._started is not None and self._started.is_current()
        if not (is_urgent or (self._has_time if is_decided else budget.has_time())):
            return False
        self._record(engine, budget)
        self._asked = self._monitor.recorded
        return True

    def forget(self, engine: Any = None) -> None:
        """Forget which steps were observed and recorded: another run starts, or the observations were dropped."""
        self._started = self._asked = None
        if engine is not None and self._monitor.recorded is not None:
            self._monitor.recorded = None

    def end(self, engine: Any = None) -> None:
        """Stop observing at the end of a run; the observations of its last step can still be recorded."""
        start = perf_counter()
        stop_observing(self._monitor)
        self._monitor.budget.spend(start)

    def _record(self, engine, budget):
        start = perf_counter()
        self._monitor.record(engine, self.trainer())
        budget.spend(start, is_last=True)

    def _read_scalars(self, engine):
        """Read metrics that were computed after the record, in the same step."""
        found = results.of_engines(engine, self.trainer(), self._monitor._metrics)
        if self._monitor._loss is not None:  # it was computed for the record
            found.pop("loss", None)
        self._monitor._scalars |= found

    def _count_steps(self, engine) -> Budget:
        """Count the steps since the last call, also if a new run has started meanwhile; return the budget."""
        now, before, budget = engine.state.iteration, self._counted, self._monitor.budget
        budget.steps += now - before if now >= before else now
        self._counted = now
        return budget


def weakly(trainer: Any) -> Callable[[], Any]:
    """Return a function that returns a trainer, and does not keep it alive, unless its class allows nothing else."""
    try:
        return weakref.ref(trainer)
    except TypeError:  # types.SimpleNamespace, for example
        return lambda: trainer


def stop_observing(monitor: Any) -> None:
    """Stop observing calls of modules; the observations of the last step can still be recorded."""
    monitor._calls.end()


def framework_name(monitor: Any, engine: Any = None) -> str:
    """Return the name of a network's framework in a note, by its monitor; without one, by the engine, "" for `dark`.

    The arrays that a monitor without a network is given may be of any framework.
    """
    if monitor is None:
        return "torch" if comes_from("ignite", engine) else ""
    return str(monitor._framework.name) if monitor.models else "arrays"


def are_finite(monitor: Any) -> bool:
    """Return whether all weights of a monitor are finite now, and their gradients."""
    return bool(monitor._weights.are_finite())


def watch_of(monitor: Any, engine: Any, trainer: Any) -> Watch:
    """Return the watch of a monitor on an engine; a new one the first time."""
    for watch in monitor._watches:
        if watch.engine() is engine:
            return watch
    watch = Watch(monitor, engine, trainer)
    monitor._watches.append(watch)
    if not isinstance(engine, Engine):  # it does not count its runs
        add_handler(engine, Events.STARTED, watch.forget)
    return watch


def engine_of(trainer: Any) -> Any:
    """Return an engine, also one of Ignite, or the engine that a trainer has; None if there is none."""
    owner = (
        trainer if isinstance(trainer, Engine) or comes_from("ignite", trainer) else getattr(trainer, "engine", None)
    )
    return owner if isinstance(owner, Engine) or (comes_from("ignite", owner) and hasattr(owner, "state")) else None


def add_handler(engine: Any, event: Any, handler: Callable[[Any], Any]) -> Any:
    """Call a function at an event of an engine, also of one of Ignite; return the handle that removes it."""
    if not comes_from("ignite", engine):
        return engine.add_event_handler(event, handler)
    return ignite_events.add_handler(engine, events_in(event), handler)


def watch_for(monitor: Any, engine: Any, trainer: Any) -> Watch:
    """Return the watch whose records a note takes at an event of an engine.

    That is the one on this engine, unless the monitor is attached to others only, as where the event is one of an
    engine that evaluates within a step of the training.
    """
    attached = [watch for watch in monitor._watches if watch.attachments and watch.engine() is not None]
    if not attached or any(watch.engine() is engine for watch in attached):
        return watch_of(monitor, engine, trainer)
    return attached[-1]


OUTSIDE = {"STARTED", "EPOCH_STARTED", "GET_BATCH_STARTED", "GET_BATCH_COMPLETED"}  # events before a step


class Attachment(Handle):
    """The handlers of a monitor on an engine; `remove` detaches them."""

    def __init__(self, monitor: Any, trainer: Any, event: Any) -> None:
        engine = engine_of(trainer)
        if engine is None:
            wanted = "an engine, also of Ignite; a trainer that has one; an optimizer of PyTorch; or nothing."
            advice = "create_supervised_trainer(…), or trainer.engine."
            raise ValueTypeError(f"Monitor.attach: {describe(trainer)} is not a trainer.", wanted, advice)
        self._watch, self._monitor = watch_of(monitor, engine, trainer), monitor
        self._watch.trainer = weakly(trainer)
        self._watch.attachments += 1
        self._handles = [add_handler(engine, event, self._watch.record)]
        for start in starts_of(event):
            self.add(add_handler(engine, start, self._watch.start))
        self.add(add_handler(engine, Events.COMPLETED, self._watch.end))

    def add(self, handle: Any) -> None:
        """Add a handle that is removed with the others."""
        self._handles.append(handle)

    def remove(self) -> None:
        """Remove the handlers."""
        for handle in self._handles:
            handle.remove()
        self._watch.attachments -= bool(self._handles)
        self._handles = []
        self._watch.forget()
        self._monitor.end()


def events_in(event: Any) -> list[Any]:
    """Return one event, or several that were joined by `|`, as a list."""
    return [event] if isinstance(event, str) or hasattr(event, "filter") else list(event)


def starts_of(event: Any) -> list[Any]:
    """Return the events at which the steps start in which, or after which, an event may fire.

    A filter by numbers selects the same iterations at their start. A filter by a function of the user is not asked
    beforehand, since the function may count its calls: every step may be one.

    >>> starts_of(Events.ITERATION_COMPLETED(every=20)), starts_of(Events.EPOCH_COMPLETED), starts_of(Events.STARTED)
    ([Events.ITERATION_STARTED(every=20)], [Events.ITERATION_STARTED], [])
    """
    events = [one for one in events_in(event) if (one if isinstance(one, str) else one.name) not in OUTSIDE]
    if all(_is_numbered(one) for one in events):
        start = Events.ITERATION_STARTED
        return [CallableEventWithFilter(start.value, one.filter, start.name) for one in events]
    return [Events.ITERATION_STARTED]


def _is_numbered(event):
    """Return whether an event is the end of iterations that a filter selects by their numbers."""
    is_end = not isinstance(event, str) and event.name == "ITERATION_COMPLETED"
    return is_end and (isinstance(event.filter, (Once, Every)) or _is_made_by_ignite(event.filter))


def _is_made_by_ignite(chosen):
    """Return whether a filter is one that Ignite makes of `every`, `once`, `before` or `after`."""
    return getattr(chosen, "__module__", None) == "ignite.engine.events"
