"""Hooks around events: nested, in pairs, and removed in any order without a trace."""

import weakref

import pytest

from dark.engine import Engine, Events


def make(*names):
    """Make an engine with hooks that record their calls, and the handles that remove them."""
    engine, calls = Engine(lambda engine, batch: calls.append("step")), []
    handles = [
        engine.around_events(
            lambda engine, event, name=name: calls.append(f"{name}<{event}"),
            lambda engine, event, name=name: calls.append(f"{name}>{event}"),
        )
        for name in names
    ]
    return engine, calls, handles


def test_hooks_are_nested_around_the_handlers_of_an_event():
    engine, calls, _ = make("a", "b")
    engine.register_events("mine")
    engine.add_event_handler("mine", lambda: calls.append("handler"))
    engine.fire_event("mine")
    assert calls == ["a<mine", "b<mine", "handler", "b>mine", "a>mine"]


def test_hooks_see_every_event_of_a_run():
    engine, calls, _ = make("a")
    engine.run([1])
    events = ["STARTED", "EPOCH_STARTED", "GET_BATCH_STARTED", "GET_BATCH_COMPLETED", "ITERATION_STARTED"]
    assert [call for call in calls if call[1:2] in "<"][:5] == [f"a<{event}" for event in events]
    assert calls.index("a>ITERATION_STARTED") < calls.index("step") < calls.index("a<ITERATION_COMPLETED")
    assert calls[-1] == "a>COMPLETED"


@pytest.mark.parametrize("first", [0, 1])
def test_hooks_are_removed_in_any_order(first):
    engine, calls, handles = make("a", "b")
    for handle, left in ((handles[first], ["ba"[first]]), (handles[1 - first], [])):
        handle.remove()
        calls.clear()
        engine.fire_event(Events.STARTED)
        assert calls == [f"{name}{sign}STARTED" for name in left for sign in "<>"]
    handles[0].remove()
    assert engine.event_hooks.ordered == ()


def test_an_event_with_arguments_passes_them_on_within_hooks():
    engine, calls, _ = make("a")
    engine.add_event_handler(Events.ITERATION_COMPLETED(once=1), engine.terminate_epoch)
    engine.add_event_handler(Events.TERMINATE_SINGLE_EPOCH, lambda engine, iter_counter: calls.append(iter_counter))
    engine.add_event_handler(Events.EXCEPTION_RAISED, lambda engine, error: calls.append(type(error)))
    engine.add_event_handler(Events.EPOCH_COMPLETED, lambda: 1 / 0)
    engine.run([1, 2])
    assert calls[calls.index("a<TERMINATE_SINGLE_EPOCH") + 1] == 1
    assert calls[calls.index("a<EXCEPTION_RAISED") + 1] is ZeroDivisionError


def test_every_before_has_its_after_when_handlers_or_hooks_raise():
    engine, calls, _ = make("a")
    engine.add_event_handler(Events.STARTED, lambda: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        engine.fire_event(Events.STARTED)
    assert calls == ["a<STARTED", "a>STARTED"]
    engine.around_events(lambda engine, event: 1 / 0, lambda engine, event: calls.append("never"))
    calls.clear()
    with pytest.raises(ZeroDivisionError):
        engine.fire_event(Events.COMPLETED)
    assert calls == ["a<COMPLETED", "a>COMPLETED"]


def test_a_hook_that_is_added_or_removed_while_an_event_is_fired_counts_from_the_next_event_on():
    engine, calls, handles = make("a")
    engine.add_event_handler(Events.STARTED, handles[0].remove)
    nothing = lambda engine, event: None
    engine.add_event_handler(
        Events.STARTED, lambda: engine.around_events(lambda engine, event: calls.append(f"b<{event}"), nothing)
    )
    engine.fire_event(Events.STARTED)
    engine.fire_event(Events.COMPLETED)
    assert calls == ["a<STARTED", "a>STARTED", "b<COMPLETED"]


def test_a_hook_ends_with_its_block_and_does_not_keep_the_engine_alive():
    engine, calls, _ = make()
    hook = lambda engine, event: calls.append(event)
    with engine.around_events(hook, hook):
        engine.fire_event(Events.STARTED)
    engine.fire_event(Events.STARTED)
    assert calls == ["STARTED", "STARTED"]
    handle, gone = engine.around_events(hook, hook), weakref.ref(engine)
    engine.run([1])
    del engine
    assert gone() is handle.engine() is None
    handle.remove()
