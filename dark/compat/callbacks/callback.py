"""`Callback`: an object that is called at the moments of a training, with the context; `Event`: these seven moments."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from dark.checks import describe
from dark.engine import EventEnum, Events
from dark.errors import ValueTypeError

if TYPE_CHECKING:
    from dark.engine import Engine


class Event(EventEnum):
    """The moments at which the callbacks of a trainer are called, the same for every trainer.

    ================  ====================================  ============================  =========
    event             when                                  right after                   filter by
    ================  ====================================  ============================  =========
    ON_TRAIN_START    a run starts                          Events.STARTED                epoch
    ON_TRAIN_END      a run ends, but not by an exception   Events.COMPLETED              epoch
    ON_EPOCH_START    an epoch starts                       Events.EPOCH_STARTED          epoch
    ON_EPOCH_END      an epoch ends, after validation       Events.EPOCH_COMPLETED        epoch
    ON_BATCH_START    before a step                         Events.ITERATION_STARTED      iteration
    ON_BATCH_END      after a step                          Events.ITERATION_COMPLETED    iteration
    ON_EXCEPTION      an exception was raised               Events.EXCEPTION_RAISED       no filter
    ================  ====================================  ============================  =========

    >>> Event.ON_BATCH_END(every=10)
    Events.ON_BATCH_END(every=10)
    """

    ON_TRAIN_START = "on_train_start"
    ON_TRAIN_END = "on_train_end"
    ON_EPOCH_START = "on_epoch_start"
    ON_EPOCH_END = "on_epoch_end"
    ON_BATCH_START = "on_batch_start"
    ON_BATCH_END = "on_batch_end"
    ON_EXCEPTION = "on_exception"


MOMENTS = MappingProxyType(
    {
        Events.STARTED: Event.ON_TRAIN_START,
        Events.EPOCH_STARTED: Event.ON_EPOCH_START,
        Events.ITERATION_STARTED: Event.ON_BATCH_START,
        Events.ITERATION_COMPLETED: Event.ON_BATCH_END,
        Events.EPOCH_COMPLETED: Event.ON_EPOCH_END,
        Events.COMPLETED: Event.ON_TRAIN_END,
    }
)


def fire_moments(engine: Engine) -> None:
    """Let an engine fire the events of `Event`, each at the event of the engine that the table names.

    Handlers of the engine's event that are attached earlier are called before it, those attached later after it.
    """
    counters = {moment: engine.state.event_to_attr[event] for event, moment in MOMENTS.items()}
    engine.register_events(*Event, event_to_attr=counters)
    for event, moment in MOMENTS.items():
        engine.add_event_handler(event, fire, moment)


def fire(engine: Engine, moment: Event) -> None:
    """Fire an event within another one, which remains the one that is being fired."""
    event = engine.last_event_name
    engine.fire_event(moment)
    engine.last_event_name = event


class Callback:
    """Base class of callbacks, which are called at the seven moments of a training with its context.

    A subclass overrides the methods of the moments it needs, or `on_event`, which all others call. One with a state
    also overrides `state_dict` and `load_state_dict`: a trainer saves its callbacks by their names, which are unique.

    >>> class Announce(Callback):
    ...     def on_epoch_end(self, context):
    ...         print("step", context)
    >>> from dark.engine import Engine
    >>> from dark.compat.callbacks.callback import fire_moments
    >>> engine = Engine(lambda engine, batch: None)
    >>> fire_moments(engine)
    >>> Announce("announce").attach(engine, context=7)
    >>> state = engine.run([0])
    step 7
    """

    def __init__(self, name: str) -> None:
        if not isinstance(name, str) or not name:
            raise ValueTypeError(
                f"{type(self).__name__}: name must be a nonempty string, got {describe(name)}.",
                "a string, not empty.",
                'name="save"',
            )
        self.name = name

    def on_event(self, event: Event, context: Any) -> None:
        """Handle any event; the methods below call it."""

    def on_train_start(self, context: Any) -> None:
        """Handle the start of a run."""
        self.on_event(Event.ON_TRAIN_START, context)

    def on_train_end(self, context: Any) -> None:
        """Handle the end of a run."""
        self.on_event(Event.ON_TRAIN_END, context)

    def on_epoch_start(self, context: Any) -> None:
        """Handle the start of an epoch."""
        self.on_event(Event.ON_EPOCH_START, context)

    def on_epoch_end(self, context: Any) -> None:
        """Handle the end of an epoch."""
        self.on_event(Event.ON_EPOCH_END, context)

    def on_batch_start(self, context: Any) -> None:
        """Handle the moment before a step; `context.current_batch` is its batch."""
        self.on_event(Event.ON_BATCH_START, context)

    def on_batch_end(self, context: Any) -> None:
        """Handle the moment after a step, which `context.global_step` counts already."""
        self.on_event(Event.ON_BATCH_END, context)

    def on_exception(self, context: Any) -> None:
        """Handle an exception, `context.exception`, before it is raised."""
        self.on_event(Event.ON_EXCEPTION, context)

    def attach(self, engine: Engine, context: Any) -> None:
        """Call the methods at the events of an engine that fires them; a trainer does this with its callbacks."""
        for event in Event:
            engine.add_event_handler(event, _Call(getattr(self, event.value), context))

    def state_dict(self) -> dict[str, Any]:
        """Return the state: none, unless a subclass has one."""
        return {}

    def load_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Load a state from `state_dict`."""


class _Call:
    """A method of a callback as a handler, whose signature decides nothing."""

    def __init__(self, method, context):
        self.method, self.context = method, context

    def __call__(self):
        self.method(self.context)
