"""Timers, time limits and output stores, with clocks that a test advances."""

import pytest

from dark.engine import Engine, Events
from dark.errors import UsageError, ValueTypeError
from dark.handlers import EpochOutputStore, TimeLimit, Timer, global_step_from_engine


class Clock:
    """A clock that a test advances."""

    def __init__(self):
        self.seconds = 100.0

    def __call__(self):
        return self.seconds


@pytest.fixture
def clock():
    return Clock()


def takes(clock, seconds):
    def step(engine, batch):
        clock.seconds += seconds

    return step


def test_a_timer_runs_from_its_construction(clock):
    timer = Timer(clock=clock)
    clock.seconds += 3
    assert timer.value() == 3 and timer.running


def test_a_timer_counts_only_while_it_runs(clock):
    timer = Timer(clock=clock)
    for seconds, then in (1, timer.pause), (10, timer.pause), (100, timer.resume), (1000, timer.resume):
        clock.seconds += seconds
        then()
    assert timer.value() == 1001 and timer.total == 1


def test_an_average_is_over_the_steps_and_over_one_without_steps(clock):
    timer = Timer(average=True, clock=clock)
    clock.seconds += 6
    assert timer.value() == 6
    for _ in range(3):
        timer.step()
    assert timer.value() == 2


def test_the_start_of_a_run_resets_a_timer_and_its_end_pauses_it(clock):
    engine = Engine(takes(clock, 1))
    timer = Timer(clock=clock)
    assert timer.attach(engine) is timer
    clock.seconds += 50
    engine.run([0] * 4)
    clock.seconds += 50
    assert timer.value() == 4 and not timer.running


def test_a_timer_measures_the_batches_alone(clock):
    engine = Engine(takes(clock, 2))
    done = Events.ITERATION_COMPLETED
    timer = Timer(average=True, clock=clock).attach(engine, pause=done, resume=Events.ITERATION_STARTED, step=done)
    engine.add_event_handler(Events.GET_BATCH_STARTED, lambda: setattr(clock, "seconds", clock.seconds + 7))
    engine.run([0] * 4)
    assert timer.value() == 2 + 7 / 4  # the first fetch is after the start


def test_a_time_limit_ends_the_run_after_the_iteration_that_passes_it(clock):
    engine = Engine(takes(clock, 2))
    engine.add_event_handler(Events.ITERATION_COMPLETED, TimeLimit(6, clock=clock))
    assert engine.run([0] * 20).iteration == 4


def test_the_clock_of_a_time_limit_starts_with_it(clock):
    limit, engine = TimeLimit(6, clock=clock), Engine(takes(clock, 2))
    clock.seconds += 100
    engine.add_event_handler(Events.ITERATION_COMPLETED, limit)
    assert engine.run([0] * 20).iteration == 1


def test_a_time_limit_is_a_positive_integer():
    with pytest.raises(ValueTypeError, match="limit_sec should be an integer"):
        TimeLimit("8 hours")
    with pytest.raises(UsageError, match="limit_sec should be a positive integer"):
        TimeLimit(0)


def test_a_store_holds_the_outputs_of_the_last_epoch():
    engine, store = Engine(lambda engine, batch: (engine.state.epoch, batch)), EpochOutputStore()
    store.attach(engine)
    engine.run([5, 6], max_epochs=3)
    assert store.data == [(3, 5), (3, 6)]
    store.reset()
    assert store.data == []


def test_one_store_serves_engines_under_different_names():
    store = EpochOutputStore(lambda output: -output)
    engines = [Engine(lambda engine, batch: batch) for _ in range(2)]
    for engine, name in zip(engines, ("train", "test")):
        store.attach(engine, name)
    assert engines[0].run([1, 2]).train == [-1, -2]
    assert engines[1].run([3]).test == [-3]
    assert engines[0].state.train == [-1, -2] and not hasattr(engines[0].state, "test")


def test_the_step_is_that_of_the_other_engine():
    trainer = Engine(lambda engine, batch: None)
    trainer.register_events("mine", event_to_attr={"mine": "my_count"})
    trainer.run([0] * 3, max_epochs=2)
    trainer.state.my_count = 77
    assert global_step_from_engine(trainer)(None, Events.EPOCH_COMPLETED) == 2
    assert global_step_from_engine(trainer)(None, Events.GET_BATCH_STARTED) == 6
    assert global_step_from_engine(trainer)(None, "mine") == 77
    assert global_step_from_engine(trainer, Events.ITERATION_COMPLETED)(None, Events.EPOCH_COMPLETED) == 6


def test_an_event_without_a_counter_falls_back_to_an_attribute():
    trainer = Engine(lambda engine, batch: None)
    trainer.run([0] * 3, max_epochs=2)
    assert global_step_from_engine(trainer)(None, Events.TERMINATE) == 2
    assert global_step_from_engine(trainer, fallback_attr="iteration")(None, Events.TERMINATE) == 6
