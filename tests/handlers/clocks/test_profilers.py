"""Profilers: the time that each part of a run takes, with a clock that only the test advances."""

import csv
from types import SimpleNamespace

import pytest

from dark.engine import Engine, Events
from dark.errors import ValueTypeError
from dark.handlers import BasicTimeProfiler, HandlersTimeProfiler

both = pytest.mark.parametrize("kind", [BasicTimeProfiler, HandlersTimeProfiler])


@pytest.fixture
def time():
    return SimpleNamespace(now=0.0)


def profiled(kind, time, fetch=3.0, step=5.0):
    """Make an engine and its data, which take these seconds, and a profiler of it."""

    def data(count):
        for batch in range(count):
            time.now += fetch
            yield batch

    engine = Engine(lambda engine, batch: setattr(time, "now", time.now + step))
    profiler = kind(clock=lambda: time.now)
    profiler.attach(engine)
    return engine, profiler, data


def takes(time, seconds):
    def handler():
        time.now += seconds

    return handler


@both
def test_fetching_and_processing_are_measured_without_handlers(kind, time):
    engine, profiler, data = profiled(kind, time)
    for event in Events:
        if event is not Events.EXCEPTION_RAISED:
            engine.add_event_handler(event, takes(time, 100.0))
    engine.run(data(2), epoch_length=2)
    assert profiler.dataflow_times == [3.0, 3.0] and profiler.processing_times == [5.0, 5.0]


@both
def test_each_run_is_measured_separately(kind, time):
    engine, profiler, data = profiled(kind, time)
    engine.run(data(4))
    engine.state.max_epochs = None
    engine.run(data(2), epoch_length=2)
    assert profiler.processing_times == [5.0, 5.0]


@both
def test_after_an_exception_the_next_run_is_measured_as_usual(kind, time):
    engine, profiler, data = profiled(kind, time)
    handle = engine.add_event_handler(Events.ITERATION_STARTED, lambda: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        engine.run(data(2), epoch_length=2)
    handle.remove()
    calls = [handler.call for handlers in engine.registry.handlers.values() for handler in handlers]
    engine.state.max_epochs = None
    engine.run(data(2), epoch_length=2)
    assert profiler.processing_times == [5.0, 5.0]
    assert calls == [handler.call for handlers in engine.registry.handlers.values() for handler in handlers]


@both
def test_attaching_twice_measures_once(kind, time):
    engine, profiler, data = profiled(kind, time)
    profiler.attach(engine)
    engine.run(data(3))
    assert len(profiler.processing_times) == 3


@both
def test_only_engines_can_be_measured(kind):
    with pytest.raises(ValueTypeError, match="engine should be an Engine, but given NoneType"):
        kind().attach(None)


def test_two_profilers_see_the_same_run(time):
    engine, basic, data = profiled(BasicTimeProfiler, time)
    handlers = HandlersTimeProfiler(clock=lambda: time.now)
    handlers.attach(engine)
    engine.run(data(3))
    assert basic.processing_times == handlers.processing_times == [5.0] * 3


def test_the_handlers_of_an_event_are_measured_together(time):
    engine, profiler, data = profiled(BasicTimeProfiler, time)
    for seconds in (1.0, 2.0):
        engine.add_event_handler(Events.EPOCH_COMPLETED, takes(time, seconds * 1.0))
    engine.add_event_handler(Events.STARTED, takes(time, 7.0))
    engine.run([0, 0], max_epochs=3)
    results = profiler.get_results()
    stats = results["event_handlers_stats"]
    assert stats["EPOCH_COMPLETED"] == {
        "total": 9.0, "min/index": (3.0, 0), "max/index": (3.0, 0), "mean": 3.0, "std": 0.0, "count": 3,
    }  # fmt: skip
    assert stats["STARTED"] == {"total": 7.0, "count": 1} and stats["total_time"] == 16.0
    assert results["event_handlers_names"]["STARTED_names"] == ["takes.<locals>.handler"]
    assert results["dataflow_stats"]["count"] == 6


def test_a_run_without_data_has_no_dataflow(time):
    engine, profiler, _ = profiled(BasicTimeProfiler, time)
    engine.run(epoch_length=3)
    assert profiler.get_results()["dataflow_stats"] == {"total": "not yet triggered"}


def test_results_can_be_read_and_printed_during_a_run(time, capsys):
    engine, profiler, data = profiled(BasicTimeProfiler, time)
    seen = []
    engine.add_event_handler(
        Events.ITERATION_COMPLETED(once=2), lambda: seen.append(profiler.print_results(profiler.get_results()))
    )
    engine.run(data(5))
    assert seen[0] + "\n" == capsys.readouterr().out
    assert "Processing function:\n    10.00000 | 5.00000/0 | 5.00000/0 | 5.00000 | 0.00000 | 2" in seen[0]
    assert "Events.COMPLETED (no handlers):\n    not yet triggered" in seen[0]


def rows(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.reader(file))


def test_the_table_of_a_run_has_one_row_per_iteration(time, tmp_path):
    engine, profiler, data = profiled(BasicTimeProfiler, time)
    engine.add_event_handler(Events.EPOCH_STARTED, lambda engine: takes(time, engine.state.epoch)())
    engine.run([0, 0], max_epochs=2)
    profiler.write_results(tmp_path / "times.csv")
    head, *table = rows(tmp_path / "times.csv")
    assert [row[:3] for row in table] == [["1", "1", "5.0"], ["1", "2", "5.0"], ["2", "3", "5.0"], ["2", "4", "5.0"]]
    assert [row[head.index("Event_EPOCH_STARTED")] for row in table] == ["1.0", "1.0", "2.0", "2.0"]
    assert [row[head.index("Event_STARTED")] for row in table] == ["0.0"] * 4


def test_each_registration_is_measured_by_itself(time):
    engine, profiler, data = profiled(HandlersTimeProfiler, time)
    for seconds in (1.0, 2.0):
        engine.add_event_handler(Events.EPOCH_COMPLETED, takes(time, seconds))
    engine.register_events("mine")
    engine.add_event_handler("mine", takes(time, 9.0))
    engine.add_event_handler(Events.COMPLETED, type(engine).fire_event, "mine")
    engine.run([0], max_epochs=2)
    name = "takes.<locals>.handler"
    assert profiler.get_results() == [
        [name, "EPOCH_COMPLETED", 2.0, (1.0, 0), (1.0, 0), 1.0, 0.0],
        [name, "EPOCH_COMPLETED", 4.0, (2.0, 0), (2.0, 0), 2.0, 0.0],
        ["Engine.fire_event", "COMPLETED", 9.0, (9.0, 0), (9.0, 0), 9.0, "None"],
        [name, "mine", 9.0, (9.0, 0), (9.0, 0), 9.0, "None"],
        ["Total", "", 24.0, "", "", "", ""],
        ["Processing", "None", 10.0, (5.0, 0), (5.0, 0), 5.0, 0.0],
        ["Dataflow", "None", 0.0, (0.0, 0), (0.0, 0), 0.0, 0.0],
    ]  # fmt: skip


def test_a_filter_is_called_once_and_skipped_calls_are_not_measured(time):
    engine, profiler, data = profiled(HandlersTimeProfiler, time)
    asked, called = [], []
    event = Events.ITERATION_COMPLETED(event_filter=lambda engine, k: asked.append(k) or k == 3)
    engine.add_event_handler(event, lambda engine, word: called.append(word), "word")
    engine.add_event_handler(Events.COMPLETED(once=9), takes(time, 1.0))
    engine.run([0] * 4)
    assert asked == [1, 2, 3, 4] and called == ["word"]
    assert [len(seconds) for _, _, seconds in profiler.times] == [1, 0]
    assert profiler.get_results()[1][2] == "not triggered"


def test_handlers_can_be_removed_while_they_are_measured(time):
    engine, profiler, data = profiled(HandlersTimeProfiler, time)
    handle = engine.add_event_handler(Events.ITERATION_COMPLETED, takes(time, 1.0))
    engine.add_event_handler(Events.ITERATION_COMPLETED(once=2), handle.remove)
    engine.run([0] * 4)
    assert [len(seconds) for _, _, seconds in profiler.times] == [2, 1]


def test_the_tables_of_handlers_are_printed_and_written(time, tmp_path, capsys):
    engine, profiler, data = profiled(HandlersTimeProfiler, time)
    engine.add_event_handler(Events.EPOCH_COMPLETED, takes(time, 1.0))
    engine.run(data(3))
    results = profiler.get_results()
    HandlersTimeProfiler.print_results(results)
    shown = capsys.readouterr().out
    assert "takes.<locals>.handler  EPOCH_COMPLETED  1.0" in shown and "Processing" in shown
    assert results == profiler.get_results()
    profiler.write_results(tmp_path / "times.csv")
    head, *table = rows(tmp_path / "times.csv")
    assert head == ["#", "processing_stats", "dataflow_stats", "takes.<locals>.handler (EPOCH_COMPLETED)"]
    assert table == [["1", "5.0", "3.0", "1.0"], ["2", "5.0", "3.0", ""], ["3", "5.0", "3.0", ""]]


def test_a_profiled_engine_is_freed_at_once():
    import weakref

    engine = Engine(lambda engine, batch: None)
    for profiler in BasicTimeProfiler(), HandlersTimeProfiler():
        profiler.attach(engine)
    engine.run([1, 2])
    gone = weakref.ref(engine)
    del engine
    assert gone() is None


def test_two_profilers_of_handlers_measure_the_same_calls(time):
    engine, first, data = profiled(HandlersTimeProfiler, time)
    second = HandlersTimeProfiler(clock=lambda: time.now)
    second.attach(engine)
    engine.add_event_handler(Events.ITERATION_COMPLETED(every=2), takes(time, 1.0))
    engine.run(data(4))
    assert [seconds for *_, seconds in first.times] == [seconds for *_, seconds in second.times] == [[1.0, 1.0]]
    assert not any(handler.around.ordered for handlers in engine.registry.handlers.values() for handler in handlers)
