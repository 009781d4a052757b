"""Callbacks that act at each n-th occurrence of an event; `CounterCallback` calls a function."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from dark.checks import callable_with, describe, integer
from dark.compat.callbacks.callback import Callback, Event
from dark.engine.resume.serializable import check_keys
from dark.errors import ValueTypeError
from dark.hooks import Every

if TYPE_CHECKING:
    from dark.compat.callbacks.callback import Event


class CountingCallback(Callback, ABC):
    """A callback that counts one event, and acts at each `event_freq`-th occurrence: subclasses define `act`.

    The `count` is part of the state: a resumed training continues it.
    """

    _state_dict_all_req_keys: tuple[str, ...] = ("count",)

    def __init__(self, event: Event, name: str, event_freq: int = 1) -> None:
        super().__init__(name)
        who = type(self).__name__
        if not isinstance(event, Event):
            raise ValueTypeError(
                f"{who}: event must be a single member of Event, got {describe(event)}.",
                f"one of {', '.join(f'Event.{event.name}' for event in Event)}.",
                "event=Event.ON_EPOCH_END; for several events, one callback each.",
            )
        self.event = event
        self.event_freq = integer(event_freq, who, "event_freq", 1, advice="event_freq=1, for each occurrence.")
        self.count = 0

    @abstractmethod
    def act(self, context: Any) -> None:
        """Act at an occurrence that is due."""

    def on_event(self, event: Event, context: Any) -> None:
        """Count the event, and act if it is due."""
        if event is self.event:
            self.count += 1
            if Every(self.event_freq)(context, self.count):
                self.act(context)

    def state_dict(self) -> dict[str, Any]:
        """Return the count."""
        return {"count": self.count}

    def load_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Load a state from `state_dict`."""
        check_keys(self, state_dict)
        self.count = integer(state_dict["count"], type(self).__name__, "count", 0)


class CounterCallback(CountingCallback):
    """A callback that calls a function of the context at each `event_freq`-th occurrence of an event.

    >>> from dark.trainers import Event
    >>> callback = CounterCallback(Event.ON_BATCH_END, print, name="print", event_freq=2)
    >>> for step in (1, 2, 3, 4):
    ...     callback.on_batch_end(step)
    2
    4
    """

    def __init__(self, event: Event, fn: Callable[[Any], Any], name: str, event_freq: int = 1) -> None:
        super().__init__(event, name, event_freq)
        self.fn = callable_with(fn, type(self).__name__, "fn", ("context",))

    def act(self, context: Any) -> None:
        """Call the function."""
        self.fn(context)
