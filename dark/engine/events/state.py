"""The state of a run: counters, limits, the current batch and output, and whatever users add."""

from __future__ import annotations

from collections.abc import Iterable
from numbers import Number
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from dark.engine.events.events import Events
from dark.errors import EngineError, near_misses

if TYPE_CHECKING:
    from dark.engine.events.events import Event

COUNTERS = MappingProxyType(
    {
        Events.STARTED: "epoch",
        Events.EPOCH_STARTED: "epoch",
        Events.EPOCH_COMPLETED: "epoch",
        Events.COMPLETED: "epoch",
        Events.GET_BATCH_STARTED: "iteration",
        Events.GET_BATCH_COMPLETED: "iteration",
        Events.ITERATION_STARTED: "iteration",
        Events.ITERATION_COMPLETED: "iteration",
    }
)


class State:
    """The state of an engine's run; handlers share values of their own through further attributes.

    >>> state = State(loss_scale=2.0)
    >>> state.iteration, state.loss_scale, state.get_event_attrib_value(Events.EPOCH_STARTED)
    (0, 2.0, 0)
    """

    event_to_attr: Any = COUNTERS

    if TYPE_CHECKING:  # users and handlers add attributes

        def __getattr__(self, name: str) -> Any: ...

        def __setattr__(self, name: str, value: Any) -> None: ...

    def __init__(self, **attributes: Any) -> None:
        self.iteration: int = 0  # the current or last one, counted from 1; 0 before the first
        self.epoch: int = 0  # likewise
        self.epoch_length: int | None = None  # iterations; None while unknown
        self.max_epochs: int | None = None  # the limit of the run; the user sets at most one of them
        self.max_iters: int | None = None
        self.output: Any = None  # the last result of the process function
        self.batch: Any = None  # its argument
        self.metrics: dict[str, Any] = {}  # by name; not cleared between runs: the last result of a metric stays
        self.dataloader: Iterable[Any] | None = None  # the data
        self.seed: int | None = None  # of the run, see `DeterministicEngine`
        # Seconds of the last epoch, and of the run
        self.times: dict[str, float | None] = {Events.EPOCH_COMPLETED.name: None, Events.COMPLETED.name: None}
        self.event_to_attr = dict(COUNTERS)  # the attribute that counts each event, in this state alone
        for name, value in attributes.items():
            setattr(self, name, value)

    def get_event_attrib_value(self, event_name: Event) -> int:
        """Return the number by which an event is filtered: the epoch, the iteration, or its own counter."""
        number: int = getattr(self, counter_of(self, event_name))
        return number

    def __repr__(self) -> str:
        lines = ("\t{}: {}".format(*pair) for pair in map(_shown, vars(self).items()))
        return "State:\n" + "\n".join(lines) + "\n"


def counter_of(state: State, event: Event) -> str:
    """Return the name of the attribute that counts an event."""
    if event not in state.event_to_attr:
        name = getattr(event, "name", event)
        counted = [getattr(known, "name", known) for known in state.event_to_attr]
        raise EngineError(
            f"Event '{name}' is not counted: no attribute of the state counts it, so it cannot be filtered.",
            f"an event with a counter: {near_misses(name, counted)}.",
            f"register_events({name!r}, event_to_attr={{{name!r}: 'an attribute that you increment'}}).",
        )
    attribute: str = state.event_to_attr[event]
    return attribute


def count(state: State, event: Event, attribute: str) -> None:
    """Count an event in an attribute of a state; a new attribute starts at 0."""
    state.event_to_attr[event] = attribute
    if not hasattr(state, attribute):
        setattr(state, attribute, 0)


def _shown(pair: tuple[str, Any]) -> tuple[str, Any]:
    name, value = pair
    return name, value if isinstance(value, (Number, str)) else type(value)
