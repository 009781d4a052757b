"""The order of a run: events, counters, the end of the data, early ends, exceptions, pauses."""

import weakref

import pytest

from dark.engine import Engine, Events
from dark.errors import EngineError, UsageError
from tests.engine.traces import Traced, at

EPOCH = ["GET_BATCH_STARTED", "GET_BATCH_COMPLETED", "ITERATION_STARTED", "ITERATION_COMPLETED"]


def test_two_epochs_of_two_items():
    engine = Traced()
    engine.run([10, 20], max_epochs=2)
    assert engine.trace == [
        ("STARTED", 0, 0),
        ("EPOCH_STARTED", 1, 0),
        ("GET_BATCH_STARTED", 1, 0), ("GET_BATCH_COMPLETED", 1, 0),
        ("ITERATION_STARTED", 1, 1), ("ITERATION_COMPLETED", 1, 1),
        ("GET_BATCH_STARTED", 1, 1), ("GET_BATCH_COMPLETED", 1, 1),
        ("ITERATION_STARTED", 1, 2), ("ITERATION_COMPLETED", 1, 2),
        ("EPOCH_COMPLETED", 1, 2),
        ("EPOCH_STARTED", 2, 2),
        ("GET_BATCH_STARTED", 2, 2), ("DATALOADER_STOP_ITERATION", 2, 2), ("GET_BATCH_COMPLETED", 2, 2),
        ("ITERATION_STARTED", 2, 3), ("ITERATION_COMPLETED", 2, 3),
        ("GET_BATCH_STARTED", 2, 3), ("GET_BATCH_COMPLETED", 2, 3),
        ("ITERATION_STARTED", 2, 4), ("ITERATION_COMPLETED", 2, 4),
        ("EPOCH_COMPLETED", 2, 4),
        ("COMPLETED", 2, 4),
    ]  # fmt: skip


def test_without_data_there_are_no_events_of_data_and_no_batches():
    batches = []
    engine = Traced(lambda engine, batch: batches.append(batch))
    state = engine.run(max_epochs=2, epoch_length=2)
    assert batches == [None] * 4 and state.dataloader is None
    assert engine.names == ["STARTED"] + 2 * ["EPOCH_STARTED", *2 * EPOCH[2:], "EPOCH_COMPLETED"] + ["COMPLETED"]


@pytest.mark.parametrize(("length", "ends"), [(50, 2), (100, 4), (150, 7)])
def test_data_is_restarted_only_at_its_end(length, ends):
    batches = []
    engine = Traced(lambda engine, batch: batches.append(batch))
    engine.run(range(100), max_epochs=5, epoch_length=length)
    assert batches == [i % 100 for i in range(5 * length)]
    assert engine.names.count("DATALOADER_STOP_ITERATION") == ends


def test_a_handler_can_provide_new_data_at_the_end_of_the_old():
    batches = []
    engine = Engine(lambda engine, batch: batches.append(batch))

    @engine.on(Events.DATALOADER_STOP_ITERATION)
    def renew():
        engine.state.dataloader = iter([3, 4])

    engine.run(iter([1, 2]), max_epochs=3, epoch_length=2)
    assert batches == [1, 2, 3, 4, 3, 4]


@pytest.mark.parametrize("epochs", [1, 3])
def test_exhausted_data_ends_the_epochs_with_a_warning(epochs):
    engine = Traced()
    with pytest.warns(UserWarning, match="can not provide data anymore .* Current iteration: 5 vs Total iterations"):
        state = engine.run(iter(range(5)), max_epochs=epochs, epoch_length=10)
    assert (state.epoch, state.iteration) == (epochs, 5)
    assert engine.names.count("EPOCH_COMPLETED") == epochs and engine.names[-1] == "COMPLETED"


def test_the_first_end_of_data_of_unknown_length_is_the_end_of_the_epoch():
    engine = Traced()
    state = engine.run(iter([1, 2]))
    assert state.epoch_length == 2 and state.iteration == 2 and state.batch is None and state.output == 2
    assert "DATALOADER_STOP_ITERATION" not in engine.names
    assert engine.names[-3:] == ["GET_BATCH_STARTED", "EPOCH_COMPLETED", "COMPLETED"]


def test_empty_data_of_unknown_length_is_one_empty_epoch():
    state = Traced().run(iter([]))
    assert (state.epoch, state.iteration, state.epoch_length) == (1, 0, 0)
    state = Traced().run(iter([]), max_iters=3)
    assert state.iteration == 0


def test_the_run_ends_if_exhausted_data_cannot_reach_max_iters():
    engine = Traced()
    with pytest.warns(UserWarning, match="Current iteration: 5 vs Total iterations to run : 20"):
        engine.run(iter(range(5)), max_iters=20, epoch_length=5)
    assert engine.names[-3:] == ["EPOCH_COMPLETED", "TERMINATE", "COMPLETED"]
    assert engine.state.iteration == 5


def test_max_iters_cuts_an_epoch_short():
    engine = Traced()
    state = engine.run(range(3), max_iters=5)
    assert (state.epoch, state.iteration, engine.should_terminate) == (2, 5, True)
    assert engine.names[-3:] == ["ITERATION_COMPLETED", "TERMINATE", "COMPLETED"]


def test_max_iters_at_the_end_of_an_epoch_completes_it():
    engine = Traced()
    assert engine.run(range(3), max_iters=6).epoch == 2
    assert engine.names[-3:] == ["ITERATION_COMPLETED", "EPOCH_COMPLETED", "COMPLETED"]


def test_max_iters_over_data_of_unknown_length():
    engine = Engine(lambda engine, batch: None)
    at(engine, Events.DATALOADER_STOP_ITERATION, lambda e: setattr(e.state, "dataloader", iter(range(3))))
    state = engine.run(iter(range(3)), max_iters=7)
    assert (state.iteration, state.epoch_length, state.max_epochs) == (7, 3, 3)
    assert engine.run(iter(range(3)), max_iters=8).iteration == 8  # the limit of epochs only followed from it


def test_the_output_is_kept_until_the_next_batch_is_fetched():
    seen = []
    engine = Engine(lambda engine, batch: 10 * batch)
    for event in (Events.GET_BATCH_STARTED, Events.GET_BATCH_COMPLETED, Events.EPOCH_COMPLETED):
        engine.add_event_handler(event, lambda e, name: seen.append((name, e.state.batch, e.state.output)), event.name)
    engine.run(iter([1, 2]))
    assert seen == [
        ("GET_BATCH_STARTED", None, None), ("GET_BATCH_COMPLETED", 1, None),
        ("GET_BATCH_STARTED", None, 10), ("GET_BATCH_COMPLETED", 2, None),
        ("GET_BATCH_STARTED", None, 20), ("EPOCH_COMPLETED", None, 20),
    ]  # fmt: skip


def test_a_handler_may_replace_the_batch():
    engine = Engine(lambda engine, batch: batch)
    engine.add_event_handler(Events.ITERATION_STARTED, lambda e: setattr(e.state, "batch", e.state.batch + 1))
    assert engine.run([1]).output == 2


def test_times_are_set_before_the_handlers_and_updated_after_them():
    engine, seen = Engine(lambda engine, batch: None), []
    for event in (Events.EPOCH_COMPLETED, Events.COMPLETED):
        engine.add_event_handler(event, lambda e: seen.append(dict(e.state.times)))
    engine.add_event_handler(Events.STARTED, lambda e: seen.append(dict(e.state.times)))
    times = engine.run([1, 2]).times
    start, epoch, run = seen
    assert start == {"EPOCH_COMPLETED": 0.0, "COMPLETED": 0.0}
    assert 0 < epoch["EPOCH_COMPLETED"] < times["EPOCH_COMPLETED"] and epoch["COMPLETED"] == 0
    assert times["EPOCH_COMPLETED"] < run["COMPLETED"] < times["COMPLETED"]


@pytest.mark.parametrize("event", [e for e in Events if "ITERATION_" in e.name or "BATCH" in e.name])
@pytest.mark.parametrize(
    ("ask", "names"),
    [
        (lambda e: e.terminate(), ["TERMINATE", "COMPLETED"]),
        (lambda e: e.terminate(skip_completed=True), ["TERMINATE"]),
        (lambda e: e.terminate_epoch(), ["TERMINATE_SINGLE_EPOCH", "EPOCH_COMPLETED", "EPOCH_STARTED"]),
        (lambda e: e.terminate_epoch(skip_epoch_completed=True), ["TERMINATE_SINGLE_EPOCH", "EPOCH_STARTED"]),
        (lambda e: e.interrupt(), ["INTERRUPT"]),
    ],
)
def test_a_run_or_epoch_ends_after_the_event_at_which_that_was_requested(event, ask, names):
    engine = Traced()
    at(engine, event, ask, once=2)
    engine.run(range(4), max_epochs=2)
    first = engine.trace.index((event.name, 1, 2)) + 1
    assert engine.names[first : first + len(names)] == names
    assert len(engine.trace) == first + len(names) or names[-1] == "EPOCH_STARTED"


@pytest.mark.parametrize("event", [Events.STARTED, Events.EPOCH_STARTED, Events.EPOCH_COMPLETED])
def test_terminate_works_between_epochs(event):
    engine = Traced()
    at(engine, event, lambda e: e.terminate())
    engine.run([1], max_epochs=3)
    assert engine.names[-3:] == [event.name, "TERMINATE", "COMPLETED"]


def test_terminate_where_the_data_ends_and_in_the_process_function():
    engine = Traced()
    at(engine, Events.DATALOADER_STOP_ITERATION, lambda e: e.terminate())
    assert engine.run([1, 2], max_epochs=3).iteration == 2
    engine = Traced(lambda engine, batch: engine.terminate())
    engine.run([1, 2])
    assert engine.names[-3:] == ["ITERATION_COMPLETED", "TERMINATE", "COMPLETED"]


def test_on_iteration_started_the_process_function_is_skipped_though_the_iteration_counts():
    batches = []
    engine = Engine(lambda engine, batch: batches.append(batch))
    at(engine, Events.ITERATION_STARTED, lambda e: e.terminate(), once=2)
    assert engine.run([1, 2, 3]).iteration == 2 and batches == [1]


def test_at_completed_requests_only_leave_the_flags_set():
    engine = Traced()
    at(engine, Events.COMPLETED, lambda e: (e.terminate(), e.interrupt()))
    engine.run([1])
    assert engine.names[-1] == "COMPLETED" and engine.should_terminate and engine.should_interrupt
    assert engine.run([1]).iteration == 1  # cleared at the start, and nothing is pending


def test_terminate_precedes_terminate_epoch_and_that_precedes_interrupt():
    engine = Traced()
    at(engine, Events.ITERATION_COMPLETED, lambda e: (e.interrupt(), e.terminate_epoch(), e.terminate()))
    engine.run([1, 2])
    assert engine.names[-2:] == ["TERMINATE", "COMPLETED"]
    engine = Traced()
    at(engine, Events.ITERATION_COMPLETED, lambda e: (e.interrupt(), e.terminate_epoch()), once=1)
    engine.run([1, 2])
    assert "INTERRUPT" not in engine.names[: engine.names.index("TERMINATE_SINGLE_EPOCH")]


@pytest.mark.parametrize("event", [Events.STARTED, Events.EPOCH_STARTED])
def test_terminate_epoch_before_the_first_batch_is_an_error(event):
    engine = Engine(lambda engine, batch: None)
    with engine.add_event_handler(event, engine.terminate_epoch), pytest.raises(EngineError, match="not be called on"):
        engine.run([1])
    assert engine.run([1], max_epochs=2).epoch == 2  # it continues


def test_terminate_epoch_at_the_end_of_an_epoch_has_no_effect():
    engine = Traced()
    at(engine, Events.EPOCH_COMPLETED, lambda e: e.terminate_epoch())
    engine.run([1], max_epochs=2)
    assert "TERMINATE_SINGLE_EPOCH" not in engine.names and engine.should_terminate_single_epoch is False


def test_an_epoch_after_a_terminated_one_begins_with_the_first_item():
    batches = []
    engine = Engine(lambda engine, batch: batches.append(batch))
    at(engine, Events.ITERATION_COMPLETED, lambda e: e.terminate_epoch(), once=2)
    assert engine.run(range(4), max_epochs=2).iteration == 6
    assert batches == [0, 1, 0, 1, 2, 3]


@pytest.mark.parametrize("event", [Events.STARTED, Events.EPOCH_COMPLETED(once=2), Events.ITERATION_COMPLETED(once=4)])
def test_a_paused_run_resumes_where_it_was(event):
    straight, paused = Traced(), Traced()
    at(paused, event, lambda e: e.interrupt())
    straight.run(range(3), max_epochs=2)
    paused.run(range(3), max_epochs=2)
    assert paused.names[-1] == "INTERRUPT" and not paused.should_interrupt
    paused.run()
    assert [moment for moment in paused.trace if moment[0] != "INTERRUPT"] == straight.trace


def test_a_paused_run_ignores_new_data_and_can_be_started_again():
    batches = []
    engine = Engine(lambda engine, batch: batches.append(batch))
    at(engine, Events.ITERATION_COMPLETED, lambda e: e.interrupt(), once=2)
    engine.run([1, 2, 3])
    engine.run([7, 8, 9])
    assert batches == [1, 2, 3]
    engine.run([1, 2, 3])
    engine.state.max_epochs = None
    engine.run([7, 8])
    assert batches == [1, 2, 3, 1, 2, 7, 8]


def test_interrupt_can_be_switched_off(monkeypatch):
    monkeypatch.setattr(Engine, "interrupt_resume_enabled", False)
    with pytest.raises(EngineError, match="Engine 'interrupt/resume' feature is disabled"):
        Engine(lambda engine, batch: None).interrupt()


def failing(at_iteration, error):
    def step(engine, batch):
        if engine.state.iteration == at_iteration:
            raise error() if isinstance(error, type) else error

    return Traced(step)


@pytest.mark.parametrize("error", [ValueError("mine"), KeyboardInterrupt()])
def test_an_exception_leaves_the_run_unchanged_and_the_engine_usable(error):
    engine = failing(3, error)
    with pytest.raises(type(error)) as caught:
        engine.run(range(5), max_epochs=3)
    assert caught.value is error and engine.state.epoch == 1
    state = engine.run(range(5), max_epochs=3)  # with the next epoch, and the data from its start
    assert state is engine.state and (state.epoch, state.iteration) == (3, 13)


def test_a_swallowed_exception_ends_the_epoch_and_the_run_continues():
    error, caught = ValueError("mine"), []
    engine = failing(2, error)
    engine.add_event_handler(Events.EXCEPTION_RAISED, lambda e, exception: caught.append((e, exception)))
    engine.add_event_handler(Events.EXCEPTION_RAISED, lambda exception, more: caught.append((exception, more)), 1)
    state = engine.run(range(3), max_epochs=2)
    assert caught == [(engine, error), (error, 1)] and state.epoch == 2
    after = engine.names.index("EXCEPTION_RAISED") + 1
    assert engine.names[after : after + 2] == ["EPOCH_COMPLETED", "EPOCH_STARTED"]


def test_a_handler_of_exceptions_can_end_the_run():
    engine = failing(2, ValueError("mine"))
    engine.add_event_handler(Events.EXCEPTION_RAISED, lambda exception: engine.terminate())
    engine.run(range(3), max_epochs=2)
    assert engine.names[-4:] == ["EXCEPTION_RAISED", "EPOCH_COMPLETED", "TERMINATE", "COMPLETED"]


@pytest.mark.parametrize("event", [Events.STARTED, Events.EPOCH_STARTED, Events.EPOCH_COMPLETED, Events.COMPLETED])
def test_an_exception_between_epochs_ends_the_run_when_swallowed(event):
    engine, caught = Traced(), []
    engine.add_event_handler(event, lambda: 1 / 0)
    engine.add_event_handler(Events.EXCEPTION_RAISED, lambda exception: caught.append(type(exception)))
    engine.run([1], max_epochs=2)
    assert caught == [ZeroDivisionError] and engine.names[-2:] == [event.name, "EXCEPTION_RAISED"]


def test_a_swallowed_ctrl_c_ends_the_run_there():
    engine, caught = failing(2, KeyboardInterrupt), []
    engine.add_event_handler(Events.EXCEPTION_RAISED, lambda exception: caught.append(type(exception)))
    assert engine.run(range(3), max_epochs=3).epoch == 1
    assert caught == [KeyboardInterrupt] and engine.names[-1] == "EXCEPTION_RAISED"
    assert engine.run(range(3), max_epochs=3).epoch == 3


def test_an_exception_of_an_exception_handler_leaves_the_run_at_once():
    engine, calls = failing(1, ValueError("mine")), []

    @engine.on(Events.EXCEPTION_RAISED)
    def again(exception):
        calls.append(exception)
        raise exception

    with pytest.raises(ValueError, match="mine"):
        engine.run([1])
    assert len(calls) == 1


def test_without_its_last_handler_an_exception_is_not_swallowed():
    engine = failing(1, ValueError("mine"))
    engine.add_event_handler(Events.EXCEPTION_RAISED, lambda exception: None).remove()
    with pytest.raises(ValueError, match="mine"):
        engine.run([1])


def test_stop_iteration_from_the_process_function_is_an_error_not_the_end_of_the_data():
    engine = Engine(lambda engine, batch: next(iter([])))
    with pytest.raises(EngineError, match="must not raise StopIteration") as caught:
        engine.run([1])
    assert isinstance(caught.value.__cause__, StopIteration)
    engine = Engine(lambda engine, batch: None)
    engine.add_event_handler(Events.GET_BATCH_STARTED, lambda: next(iter([])))
    with pytest.raises(EngineError, match="must not raise StopIteration"):
        engine.run([1])


@pytest.mark.parametrize(
    "event", ["STARTED", "EPOCH_STARTED", "EPOCH_COMPLETED", "DATALOADER_STOP_ITERATION", "COMPLETED"]
)
def test_stop_iteration_from_a_handler_of_any_event_is_an_error(event):
    engine = Engine(lambda engine, batch: None)
    engine.add_event_handler(event, lambda: next(iter([])))
    with pytest.raises(EngineError, match=r"(?s)must not raise StopIteration.*Try: next\(iterator, None\)") as caught:
        engine.run([1], max_epochs=2)
    assert type(caught.value.__cause__) is StopIteration


def test_an_engine_cannot_run_inside_its_own_run():
    engine = Engine(lambda engine, batch: engine.run([1]))
    with pytest.raises(UsageError, match="cannot be run again"):
        engine.run([1, 2])
    other = Engine(lambda engine, batch: batch)
    engine = Engine(lambda engine, batch: other.run([batch, batch]).iteration)
    assert engine.run([1]).output == 2


@pytest.mark.parametrize("kind", ["fresh", "done", "paused", "failed"])
def test_an_engine_is_freed_by_reference_counting_alone(kind):
    engine = failing(2, ValueError) if kind == "failed" else Engine(lambda engine, batch: None)
    engine.add_event_handler(Events.STARTED | Events.ITERATION_COMPLETED(every=2), lambda e: None)
    if kind == "paused":
        engine.add_event_handler(Events.ITERATION_COMPLETED, lambda e: e.interrupt())
    try:
        if kind != "fresh":
            engine.run([1, 2, 3])
    except ValueError:
        pass
    gone = weakref.ref(engine)
    del engine
    assert gone() is None


def test_events_are_logged_only_if_the_logger_is_enabled_for_debug(caplog):
    engine = Engine(lambda engine, batch: None)
    assert engine.logger.name == "dark.engine.engine.Engine"
    with caplog.at_level("DEBUG", logger=engine.logger.name):
        engine.run([1])
    assert "0 | 0, firing Events.STARTED" in caplog.text
    assert "1 | 1, firing Events.ITERATION_COMPLETED" in caplog.text and "run finished" in caplog.text
    caplog.clear()
    engine.run([1], max_epochs=1)
    assert not caplog.text


def test_an_epoch_ends_if_a_handler_sets_a_length_below_its_iterations():
    engine = Engine(lambda engine, batch: None)
    engine.add_event_handler(Events.ITERATION_COMPLETED(once=3), lambda e: setattr(e.state, "epoch_length", 2))
    assert engine.run([1, 2, 3, 4], max_epochs=2).iteration == 5
