"""Records: every event with its position and its times, nested runs included."""

import itertools
import weakref

import pytest

from dark.engine import Engine, Events, record
from dark.errors import UsageError
from dark.handlers import BasicTimeProfiler
from tests.engine.traces import Traced


def test_a_record_has_every_event_in_order_on_one_clock():
    ticks = itertools.count()
    engine = Traced()
    with record(engine, clock=lambda: next(ticks)) as recording:
        engine.run([1, 2])
    assert [(m.event, m.epoch, m.iteration) for m in recording.moments] == engine.trace
    times = [time for m in recording.moments for time in (m.start_seconds, m.end_seconds)]
    assert times == list(range(1, len(times) + 1))
    assert {m.engine for m in recording.moments} == {"engine"}
    assert repr(recording) == f"Record({len(engine.trace)} moments of engine)" and recording.left_out == 0


def test_a_record_names_handlers_and_nests_the_runs_that_they_start():
    trainer, evaluator = Engine(lambda engine, batch: None), Engine(lambda engine, batch: None)

    @trainer.on(Events.EPOCH_COMPLETED)
    def evaluate():
        evaluator.run([1])

    with record(trainer, evaluator, names=["trainer", "evaluator"]) as recording:
        trainer.run([1])
    outer = next(m for m in recording.moments if m.handlers)
    assert outer.engine == "trainer" and outer.handlers == ("evaluate",)
    inner = [m for m in recording.moments if m.engine == "evaluator"]
    assert all(outer.start_seconds < m.start_seconds <= m.end_seconds < outer.end_seconds for m in inner)
    starts = [m.start_seconds for m in recording.moments]
    assert starts == sorted(starts)
    assert trainer.recording is evaluator.recording is recording


def test_a_record_ends_with_its_block_and_does_not_hold_the_engine():
    engine = Engine(lambda engine, batch: None)
    assert engine.recording is None
    with record(engine) as recording:
        engine.run([1])
        whole = len(recording.moments)
    engine.run([1])
    assert len(recording.moments) == whole
    with pytest.raises(ZeroDivisionError), record(engine):
        engine.add_event_handler(Events.STARTED, lambda: 1 / 0)
        engine.run([1])
    assert [m.event for m in engine.recording.moments] == ["STARTED"]
    gone = weakref.ref(engine)
    del engine
    assert gone() is None


def test_a_record_can_be_read_while_an_event_is_being_fired():
    engine, shown, lengths = Engine(lambda engine, batch: None), [], []
    with record(engine) as recording:
        engine.add_event_handler(Events.STARTED, lambda: shown.append(repr(recording)))
        engine.add_event_handler(
            Events.STARTED, lambda: lengths.extend(m.end_seconds - m.start_seconds for m in recording.moments)
        )
        engine.run([1])
    assert shown == ["Record(1 moments of engine)"] and lengths == [0.0]
    assert recording.moments[0].end_seconds > recording.moments[0].start_seconds


@pytest.mark.parametrize("is_first", [True, False])
def test_a_record_and_a_profiler_work_at_the_same_time(is_first):
    engine, profiler = Engine(lambda engine, batch: None), BasicTimeProfiler()
    if is_first:
        profiler.attach(engine)
    with record(engine) as recording:
        if not is_first:
            profiler.attach(engine)
        engine.run([1, 2])
        whole = len(recording.moments)
    assert whole > 10 and len(profiler.processing_times) == 2
    engine.run([1, 2, 3], max_epochs=1, epoch_length=3)
    assert len(recording.moments) == whole and len(profiler.processing_times) == 3
    with record(engine) as another:
        engine.run([1])
    assert another.moments and len(recording.moments) == whole and len(profiler.processing_times) == 1


def test_a_record_keeps_no_more_than_its_limit():
    engine = Engine(lambda engine, batch: None)
    with record(engine, limit=3) as recording:
        engine.run([1])
    assert len(recording.moments) == 3 and recording.left_out == 5


def test_a_record_needs_a_name_per_engine_and_one_block_at_a_time():
    engine, other = Engine(lambda engine, batch: None), Engine(lambda engine, batch: None)
    with pytest.raises(UsageError, match="one name for each of 2 engines, got 1"):
        record(engine, other, names=["one"])
    with record(engine), pytest.raises(UsageError, match="recorded twice at once"), record(other, engine):
        pass
    assert other.event_hooks.ordered == ()
    with record(engine, other) as recording:
        other.run([1])
    assert {m.engine for m in recording.moments} == {"engine 2"}
