"""Handlers: what can be attached, with which arguments and in which order they are called, and how to remove them."""

import copy
import functools
import weakref
from unittest.mock import MagicMock

import pytest

from dark.engine import Engine, Events
from dark.errors import UsageError, ValueTypeError


def make(process_function=lambda engine, batch: None):
    return Engine(process_function)


class Part:
    def __init__(self):
        self.calls = []

    def with_engine(self, engine):
        self.calls.append(engine)

    def without(self):
        self.calls.append(None)

    def __call__(self, engine, *rest):
        self.calls.append(engine)


@pytest.mark.parametrize("function", [None, lambda: 0, lambda batch: 0, lambda engine, batch, more: 0])
def test_a_process_function_accepts_the_engine_and_a_batch(function):
    text = "must be given a processing function" if function is None else "called with \\(engine, batch\\)"
    with pytest.raises(UsageError, match=text):
        Engine(function)


@pytest.mark.parametrize("function", [lambda *a: 0, lambda engine, batch=None, more=1: 0, MagicMock(), Part()])
def test_any_callable_of_two_arguments_is_a_process_function(function):
    assert Engine(function).run([1, 2]).iteration == 2


def test_a_handler_gets_the_engine_if_it_accepts_it():
    engine, part, got = make(), Part(), []
    for handler in (part.with_engine, part, lambda *a: got.append(a), lambda x=5: got.append((x,))):
        engine.add_event_handler(Events.STARTED, handler)
    engine.add_event_handler(Events.STARTED, part.without)
    engine.run([1])
    assert part.calls == [engine, engine, None] and got == [(engine,), (engine,)]


def test_arguments_follow_the_engine():
    engine, got = make(), []
    engine.add_event_handler(Events.STARTED, lambda e, a, *, b: got.append((e, a, b)), 1, b=2)
    engine.add_event_handler(Events.STARTED, lambda a, b: got.append((a, b)), 1, b=2)
    engine.add_event_handler(Events.STARTED, lambda a, b: got.append((a, b)), 1, 2)
    engine.add_event_handler(Events.STARTED(every=1), lambda **k: got.append(k), b=2)
    engine.run([1])
    assert got == [(engine, 1, 2), (1, 2), (1, 2), {"b": 2}]


@pytest.mark.parametrize(
    ("event", "handler", "text"),
    [
        (Events.STARTED, lambda a, b: 0, r"takes parameters \(a, b\) but will be called with \(engine\)"),
        (Events.STARTED(every=2), lambda a, b: 0, r"takes parameters \(a, b\)"),
        (Events.EXCEPTION_RAISED, lambda: 0, r"takes parameters \(\) but will be called with \(engine, exception\)"),
        (Events.TERMINATE_SINGLE_EPOCH, lambda a, b: 0, r"called with \(engine, iter_counter=…\)"),
        (Events.STARTED | Events.COMPLETED, lambda a, b: 0, r"takes parameters \(a, b\)"),
    ],
)
def test_a_handler_of_the_wrong_signature_is_refused_when_attached(event, handler, text):
    engine = make()
    with pytest.raises(UsageError, match=text):
        engine.add_event_handler(event, handler)
    assert not engine.has_event_handler(handler)


def test_the_error_shows_the_arguments_of_the_call():
    with pytest.raises(UsageError, match=r"called with \(engine, 1, b=…\)\.\n  Expected: .* or \(1, b=…\)"):
        make().add_event_handler(Events.STARTED, lambda: 0, 1, b=2)


def test_a_handler_that_is_not_callable_or_has_no_signature_is_refused():
    with pytest.raises(ValueTypeError, match="handler: 3 is not callable"):
        make().add_event_handler(Events.STARTED, 3)
    with pytest.raises(UsageError, match="has no signature"):
        make().add_event_handler(Events.STARTED, max)


def test_a_decorated_handler_is_checked_by_the_wrapped_function():
    def decorated(function):
        @functools.wraps(function)
        def wrapper(*args):
            return function(*args)

        return wrapper

    engine, part = make(), Part()
    engine.add_event_handler(Events.STARTED, decorated(part.without))
    engine.add_event_handler(Events.EPOCH_STARTED(every=1, after=0), decorated(part.with_engine))
    engine.run([1])
    assert part.calls == [None, engine]


def test_handlers_are_called_in_the_order_of_attachment_once_per_registration():
    engine, calls = make(), []

    def first():
        calls.append(1)

    @engine.on(Events.STARTED)
    @engine.on(Events.STARTED)
    def second():
        calls.append(2)
        return "ignored"

    engine.add_event_handler(Events.STARTED, first)
    engine.run([1])
    assert calls == [2, 2, 1] and second() == "ignored"


def test_a_handler_attached_while_its_event_is_fired_is_called():
    engine, calls = make(), []
    engine.add_event_handler(
        Events.ITERATION_STARTED(once=1),
        lambda: engine.add_event_handler(Events.ITERATION_STARTED, lambda: calls.append(engine.state.iteration)),
    )
    engine.run([1, 2])
    assert calls == [1, 2]


def test_a_handler_removed_while_its_event_is_fired_is_not_called_the_next_time():
    engine, calls = make(), []

    def late():
        calls.append(engine.state.iteration)

    engine.add_event_handler(Events.ITERATION_STARTED(once=2), lambda: handle.remove())
    handle = engine.add_event_handler(Events.ITERATION_STARTED, late)
    engine.run(range(4))
    assert calls == [1, 2]


def test_handlers_are_found_and_removed():
    engine, part = make(), Part()
    engine.add_event_handler(Events.STARTED(once=1) | Events.COMPLETED, part.without)
    engine.add_event_handler(Events.STARTED, part.without)
    assert engine.has_event_handler(part.without) and engine.has_event_handler(part.without, Events.STARTED)
    assert not engine.has_event_handler(part.without, Events.EPOCH_STARTED)
    assert not engine.has_event_handler(part.without, "never heard of")
    engine.remove_event_handler(part.without, Events.STARTED)  # both, with a filter or not
    assert not engine.has_event_handler(part.without, Events.STARTED)
    assert engine.has_event_handler(part.without, Events.COMPLETED)


def test_what_is_not_attached_cannot_be_removed():
    engine = make()
    engine.add_event_handler(Events.COMPLETED, print)
    with pytest.raises(UsageError, match="Input event name 'an event' does not exist"):
        engine.remove_event_handler(print, "an event")
    with pytest.raises(UsageError, match="(?s)Input handler .*print.* is not found .*it is attached to COMPLETED"):
        engine.remove_event_handler(print, Events.STARTED)


def test_a_handle_removes_its_own_registration_only():
    engine, part = make(), Part()
    first = engine.add_event_handler(Events.STARTED | Events.COMPLETED, part.without)
    second = engine.add_event_handler(Events.STARTED(every=1), part.without)
    assert first.handler() == part.without and first.engine() is engine
    first.remove()
    first.remove()
    assert first.handler() is None and second.handler() == part.without
    assert engine.has_event_handler(part.without, Events.STARTED)
    assert not engine.has_event_handler(part.without, Events.COMPLETED)


def test_a_handle_is_a_context_manager():
    engine, part = make(), Part()
    with engine.add_event_handler(Events.STARTED, part.without) as handle:
        with handle:
            engine.run([1])
        engine.run([1])
    assert part.calls == [None] and handle.event_name is Events.STARTED


def test_a_handle_keeps_neither_engine_nor_handler_alive():
    engine = make()
    handle = engine.add_event_handler(Events.STARTED, lambda: None)
    gone = weakref.ref(engine)
    del engine
    assert gone() is handle.engine() is handle.handler() is None
    handle.remove()


def test_methods_of_an_engine_are_its_handlers_without_keeping_it_alive():
    engine = make()
    handle = engine.add_event_handler(Events.ITERATION_COMPLETED(once=2), engine.terminate)
    assert engine.has_event_handler(engine.terminate, Events.ITERATION_COMPLETED)
    assert handle.handler() == engine.terminate and repr(handle.handler()) == repr(engine.terminate)
    assert engine.run([1, 2, 3]).iteration == 2
    twin = copy.deepcopy(engine)
    assert twin.has_event_handler(twin.terminate) and not twin.has_event_handler(engine.terminate)
    gone = weakref.ref(engine)
    del engine
    assert gone() is None
    twin.state.max_epochs = None
    assert twin.run([1, 2, 3]).iteration == 2
    twin.remove_event_handler(twin.terminate, Events.ITERATION_COMPLETED)
    twin.state.max_epochs = None
    assert twin.run([1, 2, 3]).iteration == 3


def test_keyword_arguments_of_handlers_are_not_modified():
    given, engine = {"b": 1}, make()
    engine.add_event_handler(
        Events.TERMINATE_SINGLE_EPOCH, lambda b, iter_counter: given.update(seen=iter_counter), **given
    )
    engine.add_event_handler(Events.ITERATION_COMPLETED(once=2), engine.terminate_epoch)
    engine.run(range(3))
    assert given == {"b": 1, "seen": 2}


def test_terminate_can_be_attached_as_it_is():
    engine, events = make(), []
    engine.add_event_handler(Events.ITERATION_COMPLETED(once=2), engine.terminate)
    engine.add_event_handler(Events.COMPLETED, lambda: events.append("completed"))
    assert engine.run(range(5)).iteration == 2
    assert events == ["completed"] and engine.should_terminate is True


def test_handlers_of_terminate_single_epoch_get_iter_counter_if_they_accept_it():
    engine, got = make(), []
    engine.add_event_handler(Events.ITERATION_COMPLETED(once=5), engine.terminate_epoch)
    for handler in (
        lambda iter_counter: got.append(iter_counter),
        lambda e, iter_counter: got.append((e, iter_counter)),
        lambda e: got.append(e),
        lambda: got.append("nothing"),
        lambda *a, **k: got.append((a, k)),
    ):
        engine.add_event_handler(Events.TERMINATE_SINGLE_EPOCH, handler)
    engine.run(range(3), max_epochs=3)
    assert got == [2, (engine, 2), engine, "nothing", ((engine,), {"iter_counter": 2})]


def test_events_that_a_handler_fires_are_known_once_it_is_attached():
    class Saver:
        fires = ("SAVED",)

        def __call__(self, engine):
            engine.fire_event("SAVED")

    engine, calls = make(), []
    assert not engine.has_registered_events("SAVED")
    engine.add_event_handler(Events.COMPLETED, Saver())
    engine.add_event_handler("SAVED", calls.append, 1)
    engine.run([1])
    assert calls == [1]
