"""Hooks around events: two functions called before the first and after the last handler of every event."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dark.engine.events.registry import name_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from dark.engine.engine import Engine
    from dark.engine.events.events import Event


@dataclass(frozen=True, eq=False)
class EventHook:
    """Two functions of (engine, event name), called around the handlers of every event of an engine."""

    before: Callable[[Any, str], Any]
    after: Callable[[Any, str], Any]


def _log(engine: Engine, name: str) -> None:
    engine.logger.debug("%s | %s, firing %s", engine.state.epoch, engine.state.iteration, engine.last_event_name)


LOGGING = EventHook(_log, lambda engine, name: None)


def update_logging(engine: Engine) -> None:
    """Log every event of an engine from now on if its logger is enabled for DEBUG, else no event."""
    is_wanted = engine.logger.isEnabledFor(logging.DEBUG)
    if is_wanted != (LOGGING in engine.event_hooks):
        others = tuple(hook for hook in engine.event_hooks if hook is not LOGGING)
        engine.event_hooks = (*others, LOGGING) if is_wanted else others


def fire_within(
    hooks: Sequence[EventHook], engine: Engine, event: Event, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> None:
    """Call the handlers of an event within hooks, the first hook outermost.

    Parameters
    ----------
    hooks : tuple of EventHook
    engine : Engine
    event : event or str
    args, kwargs : tuple, dict
        What the event passes to its handlers in addition to the engine.
    """
    name = name_of(event)
    if not hooks:
        for handler in engine.registry.handlers.get(name, ()):
            if args or kwargs:
                handler.call_with(engine, args, kwargs)
            else:
                handler.call(engine)
        return
    hook, *inner = hooks
    hook.before(engine, name)
    try:
        fire_within(inner, engine, event, args, kwargs)
    finally:
        hook.after(engine, name)
