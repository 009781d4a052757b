"""Callbacks that count: when they act, their state, and what they refuse."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dark.errors import UsageError, ValueTypeError
from dark.trainers import Callback, CounterCallback, Event
from tests.examples import examples
from tests.trainers.adversaries import classifier, labeled


@examples(25)
@given(freq=st.integers(1, 5), stop=st.integers(0, 12))
def test_a_callback_acts_at_each_nth_event_and_its_state_continues_the_count(freq, stop):
    whole, parts = [], []
    one = CounterCallback(Event.ON_BATCH_END, whole.append, "count", freq)
    first, second = (CounterCallback(Event.ON_BATCH_END, parts.append, "count", freq) for _ in "ab")
    for step in range(12):
        one.on_batch_end(step)
        if step == stop:
            second.load_state_dict(first.state_dict())
        (first if step < stop else second).on_batch_end(step)
    assert whole == parts == [step for step in range(12) if (step + 1) % freq == 0]


@pytest.mark.parametrize("event", list(Event), ids=lambda event: event.name)
def test_other_events_are_not_counted(event):
    callback = CounterCallback(event, lambda context: None, "count")
    for other in Event:
        getattr(callback, other.value)(None)
    assert callback.count == 1


@pytest.mark.parametrize(
    ("arguments", "error", "text"),
    [
        ((Event.ON_EPOCH_END, print, "a", 0), UsageError, "CounterCallback: event_freq must be 1 or more, got 0"),
        ((Event.ON_EPOCH_END, print, "a", 1.5), ValueTypeError, "event_freq must be an integer, got 1.5"),
        (([Event.ON_EPOCH_END], print, "a"), ValueTypeError, "CounterCallback: event must be a single .*, got \\["),
        (("ON_EPOCH_END", print, "a"), ValueTypeError, "event must be a single member of Event, got 'ON_EPOCH_END'"),
        ((Event.ON_EPOCH_END, lambda: None, "a"), ValueTypeError, "must accept 1 positional"),
        ((Event.ON_EPOCH_END, print, ""), ValueTypeError, "CounterCallback: name must be a nonempty string, got ''"),
        ((Event.ON_EPOCH_END, print, 3), ValueTypeError, "name must be a nonempty string, got 3"),
    ],
)
def test_invalid_arguments_are_refused(arguments, error, text):
    with pytest.raises(error, match=text):
        CounterCallback(*arguments)


@pytest.mark.parametrize("state", [{}, {"count": -1}, {"count": True}, None])
def test_a_state_that_is_not_one_is_refused_and_changes_nothing(state):
    callback = CounterCallback(Event.ON_EPOCH_END, print, "a")
    callback.count = 3
    with pytest.raises((UsageError, ValueTypeError)):
        callback.load_state_dict(state)
    assert callback.count == 3


def test_two_callbacks_of_one_name_are_refused_and_so_is_what_is_not_a_callback():
    with pytest.raises(UsageError, match="several callbacks have the name 'a'"):
        classifier(callbacks=[Callback("a"), Callback("a")])
    with pytest.raises(ValueTypeError, match="callbacks must be Callback objects, got <built-in function print>"):
        classifier(callbacks=[print])


def test_a_trainer_keeps_its_own_tuple_of_callbacks():
    given = [Callback("a")]
    trainer = classifier(callbacks=given)
    given.append(Callback("b"))
    assert [callback.name for callback in trainer.callbacks] == ["a"]
    trainer.run(labeled())
    assert trainer.callbacks[0].state_dict() == {}
