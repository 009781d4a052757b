"""Events: names, filters, lists, and custom events."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dark.engine import CallableEventWithFilter, Engine, EventEnum, Events, EventsList, State
from dark.errors import EngineError, UsageError, ValueTypeError

NUMBERS = st.integers(0, 40)


class Own(EventEnum):
    HAPPENED = "happened"


def heard(event, iterations=30):
    """List the iterations at which a handler of an event is called."""
    engine, numbers = Engine(lambda engine, batch: None), []
    engine.add_event_handler(event, lambda: numbers.append(engine.state.iteration))
    engine.run(range(iterations))
    return numbers


def test_the_engine_fires_thirteen_events():
    assert [event.name for event in Events] == [
        "STARTED", "EPOCH_STARTED", "GET_BATCH_STARTED", "GET_BATCH_COMPLETED", "ITERATION_STARTED",
        "ITERATION_COMPLETED", "EPOCH_COMPLETED", "COMPLETED", "DATALOADER_STOP_ITERATION", "EXCEPTION_RAISED",
        "TERMINATE_SINGLE_EPOCH", "TERMINATE", "INTERRUPT",
    ]  # fmt: skip


@given(every=st.integers(1, 12))
def test_every_n_th_is_counted_over_the_whole_run(every):
    assert heard(Events.ITERATION_COMPLETED(every=every)) == [i for i in range(1, 31) if i % every == 0]


@given(every=st.integers(2, 12))
def test_get_batch_started_of_the_first_iteration_has_number_0_which_is_a_multiple_of_every(every):
    assert heard(Events.GET_BATCH_STARTED(every=every)) == [i for i in range(30) if i % every == 0]
    assert heard(Events.STARTED(every=every)) == [0]


@given(before=st.none() | NUMBERS, after=st.none() | NUMBERS)
def test_before_and_after_exclude_their_own_number(before, after):
    if before is None and after is None:
        return
    low, high = after or 0, 99 if before is None else before
    assert heard(Events.ITERATION_COMPLETED(before=before, after=after)) == [i for i in range(1, 31) if low < i < high]


@given(every=st.integers(1, 12), after=NUMBERS)
def test_every_with_after_starts_with_the_next_number(every, after):
    expected = list(range(after + 1, 31, every))
    assert heard(Events.ITERATION_COMPLETED(every=every, after=after)) == expected


@given(numbers=st.lists(st.integers(1, 40), min_size=1))
def test_once_accepts_one_number_or_several(numbers):
    assert heard(Events.ITERATION_COMPLETED(once=numbers)) == sorted({i for i in numbers if i <= 30})
    assert heard(Events.ITERATION_COMPLETED(once=numbers[0])) == [i for i in numbers[:1] if i <= 30]


def test_a_function_filters_by_engine_and_number():
    seen = []
    event = Events.EPOCH_STARTED(lambda engine, event: seen.append((type(engine).__name__, event)) or event == 2)
    engine, epochs = Engine(lambda engine, batch: None), []
    engine.add_event_handler(event, lambda e: epochs.append(e.state.epoch))
    engine.run([1], max_epochs=3)
    assert seen == [("Engine", 1), ("Engine", 2), ("Engine", 3)] and epochs == [2]


def test_a_filter_does_not_modify_the_event():
    filtered = Events.STARTED(once=3)
    assert Events.STARTED.filter is None and filtered.filter is not None
    assert isinstance(filtered, CallableEventWithFilter) and filtered.value == "started"
    assert Events.STARTED(every=1).filter is None


@pytest.mark.parametrize(
    "arguments",
    [{}, {"every": 2, "once": 1}, {"once": 1, "before": 3}, {"every": 2, "event_filter": lambda engine, event: True}],
)
def test_a_filter_has_exactly_one_description(arguments):
    with pytest.raises(UsageError, match="Only one of the input arguments should be specified"):
        Events.STARTED(**arguments)


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"every": 0}, "every should be integer and greater than zero, got 0"),
        ({"every": 2.5}, "every should be integer and greater than zero, got 2.5"),
        ({"before": -1}, "before should be integer and greater or equal to zero"),
        ({"after": -1}, "after should be integer and greater or equal to zero"),
        ({"once": 0}, "once should either be a positive integer or a list"),
        ({"once": [1, 2.0]}, "once should either be a positive integer or a list"),
        ({"once": []}, "once should either be a positive integer or a list"),
        ({"once": "abc"}, "once should either be a positive integer or a list"),
        ({"event_filter": lambda engine: True}, "will be called with \\(engine, event\\)"),
    ],
)
def test_invalid_filters_are_refused(arguments, text):
    with pytest.raises(UsageError, match=text):
        Events.ITERATION_STARTED(**arguments)


def test_a_filter_that_is_not_callable_is_refused():
    with pytest.raises(ValueTypeError, match="event_filter should be a callable, got 'even'"):
        Events.ITERATION_STARTED(event_filter="even")


def test_events_are_equal_by_their_name_alone():
    assert Events.STARTED == Events.STARTED(every=2) == "STARTED" != "started"
    assert Events.STARTED != Events.COMPLETED and Events.STARTED != 1
    assert {Events.STARTED: 1}["STARTED"] == {"STARTED": 1}[Events.STARTED(once=4)] == 1


def test_an_event_shows_its_filter():
    assert repr(Events.STARTED) == "Events.STARTED"
    assert repr(Events.STARTED(every=5, before=25, after=8)) == "Events.STARTED(every=5, before=25, after=8)"
    assert repr(Events.STARTED(once=3) | Events.COMPLETED(once=[1, 2])) == (
        "Events.STARTED(once=3) | Events.COMPLETED(once=[1, 2])"
    )


def test_lists_of_events_do_not_change_their_operands():
    first = Events.STARTED | Events.COMPLETED
    second = first | Events.ITERATION_COMPLETED(every=2)
    assert [len(first), len(second), len(first | second), len(Events.STARTED | first)] == [2, 3, 5, 3]
    assert second[2].filter(None, 4) and list(first) == ["STARTED", "COMPLETED"]
    first |= Events.TERMINATE
    assert len(first) == 3


@pytest.mark.parametrize("other", ["STARTED", 3, None])
def test_only_events_are_accepted_in_lists(other):
    with pytest.raises(ValueTypeError, match="should be Events or CallableEventWithFilter, got"):
        Events.STARTED | other
    with pytest.raises(ValueTypeError, match="should be Events or CallableEventWithFilter, got"):
        EventsList(other)


def test_a_handler_of_a_list_is_called_for_each_entry():
    assert heard(Events.ITERATION_STARTED(once=1) | Events.ITERATION_COMPLETED(once=[1, 2])) == [1, 1, 2]
    assert heard(Events.ITERATION_STARTED(once=1) | Events.ITERATION_STARTED(once=1)) == [1, 1]


@pytest.mark.parametrize("event", [Own.HAPPENED, "happened by name"])
def test_custom_events_are_registered_and_fired(event):
    engine, calls = Engine(lambda engine, batch: engine.fire_event(event)), []
    assert not engine.has_registered_events(event)
    engine.register_events(event)
    assert engine.has_registered_events(event)
    engine.add_event_handler(event, calls.append, 1)
    engine.run([1, 2, 3])
    assert len(calls) == 3 and engine.last_event_name == Events.COMPLETED


def test_an_event_that_is_not_registered_is_refused():
    engine = Engine(lambda engine, batch: None)
    for use in (engine.fire_event, lambda event: engine.add_event_handler(event, print)):
        with pytest.raises(
            UsageError, match="(?s)Event HAPPENED is not a valid event for this Engine.*register_events"
        ):
            use(Own.HAPPENED)
    with pytest.raises(UsageError, match="Try: STARTED"):
        engine.on("STARTET")(print)
    with pytest.raises(UsageError, match=r"(?s)not a valid event.*joined by \|"):
        engine.on([Events.STARTED, Events.COMPLETED])(print)


def test_only_events_and_strings_can_be_registered():
    engine = Engine(lambda engine, batch: None)
    with pytest.raises(ValueTypeError, match="Value at 1 of event_names should be a str or EventEnum, but given 3"):
        engine.register_events("a", 3)
    assert not engine.has_registered_events("a")
    with pytest.raises(UsageError, match="Expected event_to_attr to be dictionary. Got str"):
        engine.register_events("a", event_to_attr="a")


def test_a_custom_event_is_filtered_by_an_attribute_of_the_state():
    def step(engine, batch):
        engine.state.happened += 1
        engine.fire_event(Own.HAPPENED)

    engine, numbers = Engine(step), []
    engine.register_events(*Own, event_to_attr={Own.HAPPENED: "happened"})
    assert engine.state.happened == engine.state.get_event_attrib_value(Own.HAPPENED) == 0
    engine.add_event_handler(Own.HAPPENED(every=3), lambda e: numbers.append(e.state.happened))
    engine.run(range(10))
    assert numbers == [3, 6, 9]


def test_counters_of_one_engine_are_not_those_of_another():
    engine = Engine(lambda engine, batch: None)
    engine.register_events(*Own, event_to_attr={Own.HAPPENED: "happened"})
    assert not hasattr(State(), "happened") and not hasattr(Engine(lambda engine, batch: None).state, "happened")
    with pytest.raises(EngineError, match="Event 'HAPPENED' is not counted: no attribute of the state counts it"):
        State().get_event_attrib_value(Own.HAPPENED)


@pytest.mark.parametrize("event", [Events.TERMINATE, Events.EXCEPTION_RAISED, Events.INTERRUPT, Own.HAPPENED])
def test_a_filter_of_an_event_without_a_counter_is_refused_when_attached(event):
    engine = Engine(lambda engine, batch: None)
    engine.register_events(*Own)
    with pytest.raises(EngineError) as caught:
        engine.add_event_handler(event(every=2), lambda *arguments: None)
    first, expected, advice = str(caught.value).split("\n")
    assert first == (
        f"Event '{event.name}' is not counted: no attribute of the state counts it, so it cannot be filtered."
    )
    assert expected.startswith("  Expected: an event with a counter: ") and "nknown" not in str(caught.value)
    eval("engine." + advice.removeprefix("  Try: ").rstrip("."), {"engine": engine})  # the advice works
    engine.add_event_handler(event(every=2), lambda *arguments: None)


def test_a_state_accepts_attributes_and_shows_its_values():
    state = State(epoch=3, title="first", model=[1])
    assert (state.epoch, state.iteration, state.title, state.metrics) == (3, 0, "first", {})
    assert state.times == {"EPOCH_COMPLETED": None, "COMPLETED": None}
    shown = repr(state)
    assert "\tepoch: 3\n" in shown and "\ttitle: first\n" in shown and "\tmodel: <class 'list'>\n" in shown
    assert State().metrics is not State().metrics
