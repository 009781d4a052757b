"""The seven moments of a training, the same for every trainer; exceptions are kept, shown and raised."""

from collections import Counter

import pytest

from dark.engine import Events
from dark.trainers import Callback, CounterCallback, Event
from tests.trainers.adversaries import TRAININGS

EVERY = pytest.mark.parametrize("kind", TRAININGS)


class Trace(Callback):
    """A callback that records each event with the step."""

    def __init__(self):
        super().__init__("trace")
        self.seen = []

    def on_event(self, event, context):
        self.seen.append((event.name, context.global_step))


class Boom(RuntimeError):
    """An exception of a test."""


def trained(kind, callbacks, handlers=(), **limits):
    make, data = TRAININGS[kind]
    trainer = make(callbacks=callbacks)
    for event, handler in handlers:
        trainer.engine.add_event_handler(event, handler)
    trainer.run(data(n=1, size=2), **limits)
    return trainer


@EVERY
def test_the_trace_of_two_epochs_is_the_same_for_every_trainer(kind):
    trace = Trace()
    trained(kind, [trace], max_epochs=2)
    epochs = [
        [("ON_EPOCH_START", k), ("ON_BATCH_START", k), ("ON_BATCH_END", k + 1), ("ON_EPOCH_END", k + 1)] for k in (0, 1)
    ]
    assert trace.seen == [("ON_TRAIN_START", 0), *epochs[0], *epochs[1], ("ON_TRAIN_END", 2)]
    counts = Counter(name for name, _ in trace.seen)
    assert [counts[event.name] for event in Event] == [1, 1, 2, 2, 2, 2, 0]


@EVERY
def test_an_exception_is_kept_in_the_context_shown_to_the_callbacks_and_raised(kind):
    def fail():
        raise Boom("no")

    trace, kept = Trace(), []
    keep = CounterCallback(Event.ON_EXCEPTION, lambda context: kept.append(context.exception), "keep")
    swallow = (Events.EXCEPTION_RAISED, lambda engine, error: kept.append(error))
    with pytest.raises(Boom) as raised:
        trained(kind, [trace, keep], [swallow, (Event.ON_BATCH_END, fail)])
    assert kept == [raised.value, raised.value]  # the callback, and the handler that does not suppress it
    assert Counter(name for name, _ in trace.seen)["ON_EXCEPTION"] == 1
    assert [name for name, _ in trace.seen][-2:] == ["ON_BATCH_END", "ON_EXCEPTION"]


@EVERY
@pytest.mark.parametrize("event", [e for e in Event if e is not Event.ON_EXCEPTION], ids=lambda event: event.name)
def test_an_exception_at_any_moment_is_raised_and_the_next_run_starts_without_it(kind, event):
    make, data = TRAININGS[kind]
    failing = [True]

    def fail(context):
        if failing[0]:
            raise Boom(event.name)

    trace = Trace()
    trainer = make(callbacks=[CounterCallback(event, fail, "fail"), trace])
    with pytest.raises(Boom, match=event.name) as raised:
        trainer.run(data(n=1))
    assert trainer.context.exception is raised.value
    assert Counter(name for name, _ in trace.seen)["ON_EXCEPTION"] == 1
    failing[0] = False
    trainer.run(data(n=1), max_epochs=5)
    assert trainer.context.exception is None


def test_an_interrupt_from_the_keyboard_is_kept_and_raised():
    def interrupt(context):
        raise KeyboardInterrupt

    trace, make = Trace(), TRAININGS["classifier"][0]
    trainer = make(callbacks=[CounterCallback(Event.ON_BATCH_START, interrupt, "interrupt"), trace])
    with pytest.raises(KeyboardInterrupt):
        trainer.run(TRAININGS["classifier"][1]())
    assert isinstance(trainer.context.exception, KeyboardInterrupt)
    assert trace.seen[-1][0] == "ON_EXCEPTION"


def test_a_callback_that_fails_while_it_handles_an_exception_does_not_hide_it():
    def fail(context):
        raise Boom("first")

    def fail_again(context):
        raise KeyError("second")

    callbacks = [
        CounterCallback(Event.ON_BATCH_END, fail, "fail"), CounterCallback(Event.ON_EXCEPTION, fail_again, "again"),
    ]  # fmt: skip
    with pytest.raises(Boom, match="first") as raised:
        trained("classifier", callbacks)
    assert "KeyError: 'second'" in raised.value.__notes__[-1]


def test_the_moments_can_be_filtered_and_see_the_batch_and_the_output():
    make, data = TRAININGS["adversarial"]
    trainer, seen, batches = make(), [], data(n=4)

    @trainer.engine.on(Event.ON_BATCH_END(every=2))
    def look(engine):
        seen.append((engine.state.iteration, trainer.context.current_batch is batches[engine.state.iteration - 1]))
        assert list(engine.state.output) == ["discriminator_loss", "generator_loss"]

    trainer.run(batches)
    assert seen == [(2, True), (4, True)]


def test_a_run_that_is_terminated_ends_with_on_train_end():
    trace = Trace()
    trained("classifier", [trace], [(Events.ITERATION_COMPLETED, lambda engine: engine.terminate())], max_epochs=3)
    assert [name for name, _ in trace.seen] == [
        "ON_TRAIN_START", "ON_EPOCH_START", "ON_BATCH_START", "ON_BATCH_END", "ON_TRAIN_END",
    ]  # fmt: skip


def test_steps_are_counted_as_batches_are():
    make, _ = TRAININGS["classifier"]
    trainer, data = make(), TRAININGS["classifier"][1](n=500, size=2)
    data[-1] = tuple(part[:1] for part in data[-1])  # 999 examples
    trainer.run(data)
    assert trainer.context.global_step == 500
    trainer.run(data, max_epochs=2)
    assert trainer.context.global_step == 1000 and trainer.engine.state.epoch == 2
