"""Functions around every event of an engine, and the one that logs events; handles that remove them and handlers."""

from __future__ import annotations

import logging
import weakref
from collections.abc import Callable, Iterable, Iterator
from inspect import isgeneratorfunction
from typing import TYPE_CHECKING, Any

from dark.checks import callable_with, describe
from dark.engine.events.registry import name_of
from dark.errors import ValueTypeError
from dark.hooks import Handles, RemovableHandle, within

if TYPE_CHECKING:
    from dark.engine.engine import Engine
    from dark.hooks import Around


ARGUMENTS = ("engine", "event_name")


def around_event(before: Callable[..., Any], after: Callable[..., Any] | None) -> Around:
    """Return the generator function of `Engine.around_events`: the given one, or one that calls two functions."""
    callable_with(before, "around_events", "before", ARGUMENTS)
    if after is None:
        if not (isgeneratorfunction(before) or isgeneratorfunction(type(before).__call__)):
            raise ValueTypeError(
                f"around_events: without `after`, {describe(before)} is not a generator function.",
                "a function with one `yield`, between its parts before and after an event; or two functions.",
                "around_events(before, after)",
            )
        return before
    callable_with(after, "around_events", "after", ARGUMENTS)

    def around(engine: Engine, name: str) -> Iterator[None]:
        before(engine, name)
        yield
        after(engine, name)

    return around


def log_event(engine: Engine, name: str) -> Iterator[None]:
    """Log an event before its handlers are called."""
    engine.logger.debug("%s | %s, firing %s", engine.state.epoch, engine.state.iteration, engine.last_event_name)
    yield


def update_logging(engine: Engine) -> None:
    """Log every event of an engine from now on if its logger is enabled for DEBUG, else no event."""
    is_wanted = engine.logger.isEnabledFor(logging.DEBUG)
    if is_wanted != (log_event in engine.event_hooks):
        if is_wanted:
            engine.event_hooks.add(log_event)
        else:
            engine.event_hooks.discard(log_event)


def fire_within(engine: Engine, event: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """Call the handlers of an event within the functions around it; `args` and `kwargs` go to the handlers."""
    name = name_of(event)

    def fire() -> None:
        for handler in engine.registry.handlers.get(name, ()):
            if args or kwargs:
                handler.call_with(engine, args, kwargs)
            else:
                handler.call(engine)

    within(engine.event_hooks.ordered, fire, engine, name)


class RemovableEventHandle(Handles):
    """A handle that removes what one call of `add_event_handler` attached, and nothing else.

    It keeps neither the engine nor the handler alive. `handles` has one for each event.
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
