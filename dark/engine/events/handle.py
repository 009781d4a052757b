"""Removable handles: what `add_event_handler` and `around_events` return, to undo them."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any

from dark.hooks import Handle


class RemovableEventHandle(Handle):
    """A handle that removes what one call of `add_event_handler` attached, and nothing else.

    It keeps neither the engine nor the handler alive.

    Parameters
    ----------
    event_name : event, str or EventsList
        The event, or events, of the call.
    handlers : list of Handler
        What the call attached.
    engine : Engine

    Examples
    --------
    >>> from dark.engine import Engine, Events
    >>> engine = Engine(lambda engine, batch: None)
    >>> with engine.add_event_handler(Events.COMPLETED, lambda: print("once")):
    ...     state = engine.run([1])
    once
    >>> state = engine.run([1])
    """

    def __init__(self, event_name: Any, handlers: Any, engine: Any) -> None:
        self.engine = weakref.ref(engine)
        self.event_name = event_name
        self._handlers = [weakref.ref(handler) for handler in handlers]

    def handler(self) -> Callable[..., Any] | None:
        """Return the attached function, or None if it is no longer attached anywhere."""
        alive = self._alive()
        return alive[0].function if alive else None

    def remove(self) -> None:
        """Remove the handlers that the call attached."""
        engine, alive = self.engine(), self._alive()
        if engine is not None and alive:
            engine.registry.remove(set(alive))

    def _alive(self) -> list[Any]:
        return [handler for ref in self._handlers if (handler := ref()) is not None]


class RemovableHookHandle(Handle):
    """A handle that removes what one call of `around_events` added.

    Parameters
    ----------
    hook : EventHook
    engine : Engine
    """

    def __init__(self, hook: Any, engine: Any) -> None:
        self.engine = weakref.ref(engine)
        self._hook = hook

    def remove(self) -> None:
        """Remove the two functions; an event that is being fired still calls the second one."""
        engine = self.engine()
        if engine is not None:
            engine.event_hooks = tuple(hook for hook in engine.event_hooks if hook is not self._hook)
