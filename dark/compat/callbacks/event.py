"""The seven moments of a training as events of its engine."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from dark.engine import EventEnum, Events

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

    Examples
    --------
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
