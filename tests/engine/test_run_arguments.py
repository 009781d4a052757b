"""The arguments of `run`: a new run, one that continues, or an error that changes nothing."""

import pytest

from dark.engine import Engine, Events, State
from dark.errors import UsageError, ValueTypeError
from tests.engine.traces import at


def make(batches=None):
    return Engine(lambda engine, batch: None if batches is None else batches.append(batch))


def place(state):
    return state.epoch, state.iteration


def test_a_run_returns_the_state_with_the_users_attributes():
    engine = make()
    engine.state.mine, before = 5, engine.state
    engine.state.metrics["accuracy"] = 0.5
    assert engine.run([1]) is before and before.mine == 5 and before.metrics == {"accuracy": 0.5}


def test_a_new_run_without_limit_is_one_epoch():
    engine = make()
    assert place(engine.run([1, 2], max_epochs=3)) == (3, 6)
    assert place(engine.run([1, 2])) == (1, 2) and engine.state.max_epochs == 1
    engine = make()
    engine.run([1, 2], max_iters=3)
    assert place(engine.run([1, 2])) == (1, 2) and engine.state.max_iters is None


def test_a_larger_limit_continues_an_equal_one_restarts_a_smaller_one_is_refused():
    engine = make()
    engine.run([1, 2], max_epochs=5)
    epochs = []
    engine.add_event_handler(Events.EPOCH_STARTED, lambda e: epochs.append(e.state.epoch))
    assert place(engine.run([1, 2], max_epochs=7)) == (7, 14) and epochs == [6, 7]
    with pytest.raises(UsageError, match="(?s)greater than or equal to the start epoch .* 3 vs 7.*max_epochs = None"):
        engine.run([1, 2], max_epochs=3)
    assert place(engine.run([1, 2], max_epochs=7)) == (7, 14) and len(epochs) == 9
    engine.state.max_epochs = None
    assert place(engine.run([1, 2], max_epochs=3)) == (3, 6)


def test_the_mode_is_changed_only_after_a_reset():
    engine = make()
    engine.run([1, 2], max_epochs=2)
    with pytest.raises(UsageError, match="To switch from max_epochs to max_iters mode"):
        engine.run([1, 2], max_iters=9)
    engine.state.max_epochs = None
    engine.run([1, 2], max_iters=9)
    with pytest.raises(UsageError, match="To switch from max_iters to max_epochs mode"):
        engine.run([1, 2], max_epochs=9)
    engine.state.max_iters = None
    assert place(engine.run([1, 2], max_epochs=2)) == (2, 4)


def test_a_reset_of_max_iters_also_resets_max_epochs_that_followed_from_it():
    engine = make()
    with pytest.warns(UserWarning, match="can not provide data anymore"):
        engine.run(iter([1, 2]), max_iters=3)
    assert engine.state.max_epochs == 2
    with pytest.raises(UsageError, match="To switch from max_iters"):
        engine.run(iter([1, 2]), max_epochs=2)
    engine.state.max_iters = None
    assert place(engine.run([1, 2], max_iters=3)) == (2, 3) and engine.state.max_epochs is None


@pytest.mark.parametrize(
    ("arguments", "error", "text"),
    [
        ({"data": print}, ValueTypeError, "Argument data should be iterable"),
        ({"data": [1], "max_epochs": 1, "max_iters": 1}, UsageError, "mutually exclusive"),
        ({"data": [1], "max_epochs": 0}, UsageError, "max_epochs is invalid.*got 0"),
        ({"data": [1], "max_iters": 0}, UsageError, "max_iters is invalid.*got 0"),
        ({"data": [1], "max_epochs": 1.5}, ValueTypeError, "run: argument max_epochs must be an integer, got 1.5"),
        ({"data": [1], "epoch_length": "1"}, ValueTypeError, "run: argument epoch_length must be an integer, got '1'"),
        ({"data": [1], "epoch_length": 0}, UsageError, "zero size"),
        ({"data": []}, UsageError, "zero size"),
        ({}, UsageError, "epoch_length should be provided if data is None"),
    ],
)
def test_invalid_arguments_are_refused_and_change_nothing(arguments, error, text):
    engine = make()
    with pytest.raises(error, match=text):
        engine.run(**arguments)
    assert vars(engine.state) == vars(State()) and engine.last_event_name is None
    assert engine.run([1]).iteration == 1


def test_the_argument_precedes_the_length_of_the_data_and_that_the_previous_length():
    engine = make()
    assert engine.run([1, 2, 3], epoch_length=2).epoch_length == 2
    assert engine.run([1, 2, 3]).epoch_length == 3
    assert engine.run([1, 2, 3], epoch_length=2).epoch_length == 2
    assert engine.run(iter([1, 2, 3])).epoch_length == 2  # as given before


def test_a_length_that_was_found_is_not_kept_for_other_data():
    engine = make()
    assert engine.run(iter([1, 2, 3])).iteration == 3
    assert engine.run(iter([1, 2])).iteration == 2 == engine.state.epoch_length
    assert engine.run([1, 2, 3]).iteration == 3
    assert engine.run(iter([1, 2])).iteration == 2
    assert engine.run(epoch_length=4).iteration == 4


def test_a_length_that_raises_a_type_error_is_unknown():
    class Stream:
        def __len__(self):
            raise TypeError("a stream")

        def __iter__(self):
            return iter([1, 2])

    assert make().run(Stream()).epoch_length == 2


def test_a_run_that_continues_keeps_its_epoch_length():
    engine = make()
    engine.run([1, 2, 3], max_epochs=1)
    with pytest.raises(UsageError, match="epoch_length should be same as in the state, but given 10 vs 3"):
        engine.run([1, 2, 3], max_epochs=2, epoch_length=10)
    with pytest.warns(UserWarning, match="continues with epochs of 3 iterations, .* this data has 2"):
        assert engine.run([1, 2], max_epochs=2).iteration == 6
    assert engine.run([1, 2], max_epochs=3, epoch_length=3).iteration == 9


def test_a_run_that_continues_without_data_uses_the_previous_data():
    batches = []
    engine = make(batches)
    engine.run([1, 2], max_epochs=1)
    engine.run(max_epochs=2)
    assert batches == [1, 2, 1, 2]


def test_a_state_written_manually_needs_an_epoch_length_without_data():
    engine = make()
    engine.state = State(max_epochs=5)
    with pytest.raises(UsageError, match="epoch_length should be provided if data is None"):
        engine.run(max_epochs=5)
    assert engine.run([1, 2]).epoch_length == 2


def test_terminate_before_a_run_has_no_effect():
    engine = make()
    engine.terminate()
    engine.interrupt()
    assert engine.run([1, 2]).iteration == 2


def test_a_terminated_run_continues_with_a_full_next_epoch_and_the_data_from_its_start():
    batches = []
    engine = make(batches)
    at(engine, Events.ITERATION_COMPLETED, lambda e: e.terminate(), once=14)
    assert place(engine.run(range(10), max_epochs=4)) == (2, 14)
    batches.clear()
    assert place(engine.run(range(10), max_epochs=4)) == (4, 34)
    assert batches == [*range(10)] * 2


def test_after_an_epoch_was_cut_short_the_next_ones_are_full():
    engine = make()
    with engine.add_event_handler(Events.ITERATION_COMPLETED(once=2), engine.terminate_epoch):
        assert place(engine.run(range(5), max_epochs=2)) == (2, 7)
    assert place(engine.run(range(5), max_epochs=3)) == (3, 12)


def test_other_data_is_taken_from_the_next_batch_on():
    batches = []
    engine = make(batches)
    at(engine, Events.ITERATION_COMPLETED, lambda e: e.set_data([7, 8, 9]), once=2)
    engine.run([1, 2, 3], max_epochs=2)
    assert batches == [1, 2, 7, 8, 9, 7]


@pytest.mark.parametrize("data", [5, None])
def test_data_that_cannot_be_iterated_over_is_not_set(data):
    engine = make()
    engine.set_data([7, 8])
    with pytest.raises(ValueTypeError, match=f"data should be iterable, got {data}"):
        engine.set_data(data)
    assert engine.state.dataloader == [7, 8]


def test_data_set_before_a_run_precedes_its_argument():
    batches = []
    engine = make(batches)
    engine.set_data([7, 8])
    engine.run([1, 2])
    assert batches == [7, 8]
