"""Handlers as an engine holds them: checked and prepared when attached, so that firing an event decides nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import partial
from types import MethodType
from typing import TYPE_CHECKING, Any, TypeAlias
from weakref import ref

from dark.engine.events.signatures import fits, refusal, signature_of
from dark.engine.events.state import counter_of
from dark.hooks import Every, Hooks, within

if TYPE_CHECKING:
    from dark.engine.engine import Engine
    from dark.engine.events.events import Event, Filter
    from dark.engine.events.state import State
    from dark.hooks import Around

Function: TypeAlias = Callable[..., Any]
Call: TypeAlias = "Callable[[Engine], Any]"  # of a handler, for one firing
Names: TypeAlias = tuple[str, ...]

# What an event passes to its handlers in addition to the engine: names of positional and of keyword arguments.
EVENT_ARGUMENTS: dict[str, tuple[Names, Names]] = {
    "EXCEPTION_RAISED": (("exception",), ()),
    "TERMINATE_SINGLE_EPOCH": ((), ("iter_counter",)),
}


@dataclass(slots=True, weakref_slot=True, eq=False)
class Handler:
    """One registration of a function for an event."""

    function: Function
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    takes_engine: bool
    takes_keywords: bool  # the event's keyword arguments
    event_filter: Filter | None
    counter: str  # the attribute of the state that the filter gets; empty without a filter
    call: Call = field(init=False)  # handles one firing, in the fastest form
    around: Hooks[Around] = field(init=False, default_factory=Hooks)  # the calls that the filter selects, see `wrap`

    def __post_init__(self) -> None:
        self._prepare()

    def _prepare(self) -> None:
        call = _fastest_call(self.function, self.takes_engine, self.args, self.kwargs)
        if len(self.around):
            call = partial(_call_within, self.around.ordered, call)
        self.call = call if self.event_filter is None else _filtered(call, self.event_filter, self.counter)

    def wrap(self, around: Around) -> None:
        """Call a generator function of the engine around each call, see `dark.hooks.within`, until `unwrap`."""
        self.around.add(around)
        self._prepare()

    def unwrap(self, around: Around) -> None:
        """Remove such a function."""
        self.around.discard(around)
        self._prepare()

    def __reduce__(self) -> tuple[Any, ...]:  # `call` is made again: a copy of an engine calls copies of its handlers
        return Handler, tuple(getattr(self, known.name) for known in fields(self) if known.init)

    def call_with(self, engine: Engine, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """Call the handler with the event's arguments, positional and keyword."""
        if self.event_filter is not None and not self.event_filter(engine, getattr(engine.state, self.counter)):
            return
        first = (engine, *args) if self.takes_engine else args
        keywords = kwargs if self.takes_keywords else {}
        self.function(*first, *self.args, **{**self.kwargs, **keywords})


class OwnMethod:
    """A method of an engine as a handler of that engine, which it does not hold; equal to the method."""

    def __init__(self, method: Any) -> None:
        self._engine, self._function = ref(method.__self__), method.__func__
        self.__name__, self.__qualname__ = method.__name__, method.__qualname__

    def method(self) -> MethodType:
        """Return the method itself."""
        return MethodType(self._function, self._engine())

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the method."""
        return self._function(self._engine(), *args, **kwargs)

    def __eq__(self, other: object) -> bool:
        return self.method() == other

    def __hash__(self) -> int:
        return hash(self.method())

    def __reduce__(self) -> tuple[Any, ...]:
        return OwnMethod, (self.method(),)

    def __repr__(self) -> str:
        return repr(self.method())


def _fastest_call(function: Function, takes_engine: bool, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Call:
    if takes_engine:
        return function if not args and not kwargs else lambda engine: function(engine, *args, **kwargs)
    return (lambda engine: function()) if not args and not kwargs else lambda engine: function(*args, **kwargs)


def _call_within(arounds: Sequence[Around], call: Call, engine: Engine) -> None:
    within(arounds, lambda: call(engine), engine)


def _filtered(call: Call, event_filter: Filter, counter: str) -> Call:
    if type(event_filter) is Every:  # most firings are not selected: decided here, they cost no further call
        return _windowed(call, event_filter, counter)

    def call_if_selected(engine: Engine) -> None:
        if event_filter(engine, getattr(engine.state, counter)):
            call(engine)

    return call_if_selected


def _windowed(call: Call, window: Every, counter: str) -> Call:
    low, high, every, first = window.bounds

    def call_if_selected(engine: Engine) -> None:
        number = getattr(engine.state, counter)
        if (number - first) % every == 0 and low < number < high:
            call(engine)

    return call_if_selected


def make_handler(
    state: State, event: Event, function: Function, args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> Handler:
    """Check that a function can be a handler of an event, and prepare it.

    The engine is passed if the function can be called with the engine before all other arguments. That includes a
    parameter with a default value: ``lambda i=i: …`` gets the engine as `i`; pass such values as arguments of
    `add_event_handler`.
    """
    signature = signature_of(function, "handler")
    positional, named = EVENT_ARGUMENTS.get(event if isinstance(event, str) else event.name, ((), ()))
    calls = [(engine, names) for names in ([named, ()] if named else [()]) for engine in (True, False)]
    for takes_engine, names in calls:
        first = ("engine",) * takes_engine
        if fits(signature, (*first, *positional, *args), {**kwargs, **dict.fromkeys(names)}):
            event_filter = getattr(event, "filter", None)
            counter = "" if event_filter is None else counter_of(state, event)
            takes_keywords = bool(names) or not named
            if getattr(getattr(function, "__self__", None), "state", None) is state:
                function = OwnMethod(function)
            return Handler(function, args, dict(kwargs), takes_engine, takes_keywords, event_filter, counter)
    written = [_written((*("engine",) * engine, *positional, *args), kwargs, names) for engine, names in calls]
    raise refusal(function, "handler", signature, *written)


def _written(args: Iterable[object], kwargs: Iterable[str], names: Iterable[str]) -> str:
    shown = [arg if isinstance(arg, str) else repr(arg) for arg in args]
    return "(" + ", ".join([*shown, *(f"{name}=…" for name in (*kwargs, *names))]) + ")"
