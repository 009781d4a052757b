"""Events of PyTorch-Ignite: handlers of monitors and notes on an engine of Ignite."""

from collections.abc import Callable
from typing import Any

from dark.hooks import Handle, Handles


class IgniteHandle(Handle):
    """A function on an event of an engine of Ignite; the engine has weak references only to what it attached."""

    def __init__(self, engine: Any, event: Any, handler: Callable[[Any], Any]) -> None:
        self._call = lambda engine: handler(engine)
        self._handle = engine.add_event_handler(event, self._call)

    def remove(self) -> None:
        """Remove the function."""
        self._handle.remove()


def of_ignite(event: Any) -> Any:
    """Return an event of `dark`, with its filter, as one of Ignite; those of Ignite as they are."""
    from ignite.engine import Events

    name = event if isinstance(event, str) else event.name
    if type(event).__module__.startswith("ignite.") or name not in Events.__members__:
        return event
    found, chosen = Events[name], getattr(event, "filter", None)
    return found if chosen is None else found(event_filter=lambda engine, number: chosen(engine, number))


def add_handler(engine: Any, events: list[Any], handler: Callable[[Any], Any]) -> Handle:
    """Call a function at events of an engine of Ignite."""
    return Handles([IgniteHandle(engine, of_ignite(event), handler) for event in events])
