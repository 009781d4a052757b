"""`CounterCallback`: call a function at each n-th occurrence of an event."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from dark.checks import callable_with
from dark.compat.callbacks.counting import CountingCallback

if TYPE_CHECKING:
    from dark.compat.callbacks.event import Event


class CounterCallback(CountingCallback):
    """A callback that calls a function of the context at each `event_freq`-th occurrence of an event.

    Examples
    --------
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
