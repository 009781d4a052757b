"""Removable handles: `add_event_handler` and `around_events` return them, to undo the call."""

import weakref
from collections.abc import Callable, Iterable
from typing import Any

from dark.hooks import Handles, RemovableHandle


class RemovableEventHandle(Handles):
    """A handle that removes what one call of `add_event_handler` attached, and nothing else.

    It keeps neither the engine nor the handler alive. `handles` has one for each event.

    Examples
    --------
    >>> from dark.engine import Engine, Events
    >>> engine = Engine(lambda engine, batch: None)
    >>> with engine.add_event_handler(Events.COMPLETED, lambda: print("once")):
    ...     state = engine.run([1])
    once
    >>> state = engine.run([1])
    """

    handles: tuple[RemovableHandle, ...]

    def __init__(self, event_name: Any, handles: Iterable[RemovableHandle], engine: Any) -> None:
        super().__init__(handles)
        self.engine = weakref.ref(engine)
        self.event_name = event_name

    def handler(self) -> Callable[..., Any] | None:
        """Return the attached function, or None if it is no longer attached anywhere."""
        return next((hook.function for handle in self.handles if (hook := handle.hook())), None)


class RemovableHookHandle(RemovableHandle):
    """A handle that removes what one call of `around_events` added; an event that is being fired still ends there."""

    def __init__(self, handle: RemovableHandle, engine: Any) -> None:
        super().__init__(engine.event_hooks, handle.key)
        self.engine = weakref.ref(engine)
