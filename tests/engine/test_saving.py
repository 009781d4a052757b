"""State dicts: their content, what is refused, and a run that resumes from one as if it had never stopped."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dark.data import DataLoader
from dark.engine import DeterministicEngine, Engine, Events, ResettableHandler, Serializable
from dark.errors import EngineError, UsageError, ValueTypeError
from tests.engine.traces import Traced


def make():
    return Engine(lambda engine, batch: None)


def test_a_state_dict_has_the_position_and_the_limit_of_the_run():
    engine = make()
    assert list(engine.state_dict().items()) == [("epoch_length", None), ("iteration", 0), ("max_epochs", None)]
    engine.load_state_dict(engine.state_dict())
    engine.run([1, 2, 3], max_epochs=2)
    assert dict(engine.state_dict()) == {"epoch_length": 3, "iteration": 6, "max_epochs": 2}
    engine.state.max_epochs = None
    engine.run([1, 2, 3], max_iters=4)
    assert dict(engine.state_dict()) == {"epoch_length": 3, "iteration": 4, "max_iters": 4}


def test_attributes_listed_by_the_user_are_saved():
    engine, other = make(), make()
    for each in (engine, other):
        each.state_dict_user_keys.append("alpha")
    engine.state.alpha, other.state.beta = 0.5, 7
    other.load_state_dict(engine.state_dict())
    assert (other.state.alpha, other.state.beta) == (0.5, 7)
    with pytest.raises(UsageError, match="Required user state attribute 'alpha' is absent"):
        other.load_state_dict(make().state_dict())
    engine.state_dict_user_keys.append("bata")
    with pytest.raises(UsageError, match="The state has no attribute 'bata' to save"):
        engine.state_dict()


@pytest.mark.parametrize(
    ("state", "error", "text"),
    [
        ("text", ValueTypeError, "Argument state_dict should be a dictionary, but given str"),
        ({}, UsageError, "Required state attribute 'epoch_length' is absent"),
        ({"epoch_length": 3}, UsageError, "Required state attribute 'iteration' is absent"),
        (
            {"epoch_length": 3, "iteration": 1},
            UsageError,
            r"exactly one of '\('max_epochs', 'max_iters'\)' keys; it has",
        ),
        ({"epoch_length": 3, "iteration": 1, "max_epochs": 1, "max_iters": 1}, UsageError, "exactly one of"),
        ({"epoch_length": 3, "iteration": 1, "epoch": 1, "max_epochs": 1}, UsageError, "Found both: iteration=1"),
        ({"epoch_length": 3, "iteration": -1, "max_epochs": 1}, UsageError, "State dictionary has iteration=-1"),
        ({"epoch_length": 3, "iteration": "4", "max_epochs": 5}, UsageError, "State dictionary has iteration='4'"),
        ({"epoch_length": 3, "epoch": 1.5, "max_epochs": 5}, UsageError, "State dictionary has epoch=1.5"),
        ({"epoch_length": None, "epoch": 2, "max_epochs": 3}, UsageError, "epoch_length must be a positive integer"),
        ({"epoch_length": 0, "iteration": 2, "max_epochs": 3}, UsageError, "epoch_length must be a positive integer"),
        ({"epoch_length": 3, "epoch": 4, "max_epochs": 3}, UsageError, "equal to the start epoch .*: 3 vs 4"),
        ({"epoch_length": 3, "iteration": 4, "max_iters": 3}, UsageError, "equal to the start iteration .*: 3 vs 4"),
        ({"epoch_length": 3, "iteration": 4, "max_epochs": 0}, UsageError, "max_epochs is invalid"),
        ({"epoch_length": 3, "iteration": 4, "max_epochs": 9, "place": 2}, UsageError, "place=2 with iteration"),
        ({"epoch_length": 3, "iteration": 4, "max_epochs": 9, "place": [1, 4]}, UsageError, r"place=\[1, 4\]"),
        ({"epoch_length": 3, "iteration": 4, "max_epochs": 9, "place": [-1, 0]}, UsageError, r"place=\[-1, 0\]"),
        ({"epoch_length": 3, "epoch": 4, "max_epochs": 9, "place": [4, 0]}, UsageError, "with epoch and"),
    ],
)
def test_an_invalid_state_dict_is_refused_and_changes_nothing(state, error, text):
    engine = make()
    engine.run([1, 2], max_epochs=3)
    before = dict(vars(engine.state))
    with pytest.raises(error, match=text):
        engine.load_state_dict(state)
    assert vars(engine.state) == before


def test_epochs_and_iterations_are_those_completed():
    engine = make()
    engine.load_state_dict({"epoch": 3, "max_epochs": 5, "epoch_length": 4})
    assert (engine.state.epoch, engine.state.iteration) == (3, 12)
    engine.load_state_dict({"iteration": 14, "max_iters": 50, "epoch_length": 4})
    assert (engine.state.epoch, engine.state.iteration, engine.state.max_epochs) == (3, 14, None)


def test_an_epoch_is_entered_again_for_its_remaining_iterations_and_plain_data_starts_over():
    seen, epochs = [], []
    engine = Engine(lambda engine, batch: seen.append((engine.state.epoch, engine.state.iteration, batch)))
    engine.add_event_handler(Events.EPOCH_STARTED, lambda e: epochs.append(e.state.epoch))
    engine.load_state_dict({"iteration": 5, "max_epochs": 3, "epoch_length": 3})
    engine.run([10, 20, 30])
    assert seen == [(2, 6, 10), (3, 7, 20), (3, 8, 30), (3, 9, 10)] and epochs == [2, 3]


def test_a_finished_state_starts_over_or_is_extended():
    engine = make()
    finished = {"epoch": 3, "max_epochs": 3, "epoch_length": 2}
    engine.load_state_dict(finished)
    assert engine.run([1, 2]).iteration == 2
    engine.load_state_dict(finished)
    assert engine.run([1, 2], max_epochs=5).iteration == 10


def test_a_state_saved_in_a_run_and_loaded_while_another_starts():
    saved = []
    engine = make()
    engine.add_event_handler(Events.ITERATION_COMPLETED(once=2), lambda e: saved.append(e.state_dict()))
    engine.run([1, 2, 3], max_epochs=2)
    other, seen = Engine(lambda engine, batch: seen.append(engine.state.iteration)), []
    other.add_event_handler(Events.STARTED, lambda e: e.load_state_dict(saved[0]))
    other.run([1, 2, 3], max_epochs=2)
    assert seen == [3, 4, 5, 6]


def loader(seed=3):
    noise = lambda item, generator: float(item) + generator.random()
    return DataLoader(np.arange(7), batch_size=2, shuffle=True, seed=seed, transform=noise)


def batches_of(engine_class, kill, length, epochs, state=None, seed=3):
    """Run until an iteration (None: to the end); return the batches and the state there."""
    batches, saved = [], []
    engine = engine_class(lambda engine, batch: batches.append(batch.tolist()))
    if kill:
        engine.add_event_handler(Events.ITERATION_COMPLETED(once=kill), lambda e: saved.append(e.state_dict()))
        engine.add_event_handler(Events.ITERATION_COMPLETED(once=kill), lambda e: e.terminate(skip_completed=True))
    if state:
        engine.load_state_dict(state)
        engine.run(loader(seed))
    else:
        engine.run(loader(seed), max_epochs=epochs, epoch_length=length)
    return batches, saved


@given(kill=st.integers(1, 12), length=st.none() | st.integers(1, 9), epochs=st.integers(1, 3))
def test_with_a_data_loader_a_run_killed_at_any_iteration_resumes_bit_for_bit(kill, length, epochs):
    whole, _ = batches_of(Engine, None, length, epochs)
    before, states = batches_of(Engine, kill, length, epochs)
    if states:
        after, _ = batches_of(Engine, None, length, epochs, states[0], seed=99)
        assert before + after == whole


@pytest.mark.parametrize("limit", [{"max_epochs": 2}, {"max_iters": 6}])
def test_after_the_last_iteration_of_an_epoch_only_its_end_is_left(limit):
    engine, saved = Traced(), []
    engine.add_event_handler(Events.ITERATION_COMPLETED(every=3), lambda e: saved.append(e.state_dict()))
    engine.run([1, 2, 3], **limit)
    assert [state["place"] for state in saved] == [[0, 3], [1, 3]]
    last = Traced()
    last.load_state_dict(saved[1])
    assert last.state_dict() == saved[1]
    last.run([1, 2, 3])
    ends = ("EPOCH_STARTED", "EPOCH_COMPLETED", "COMPLETED")
    assert last.trace == [("STARTED", 1, 6), *[(name, 2, 6) for name in ends]]
    assert last.run([1, 2, 3], **limit).iteration == 6 and last.names.count("ITERATION_COMPLETED") == 6, (
        "from the start"
    )


def test_a_new_run_forgets_the_position_of_a_loaded_state():
    engine = Traced()
    engine.load_state_dict({"epoch_length": 3, "iteration": 4, "max_epochs": 9, "place": [2, 2]})
    engine.state.max_epochs = None
    assert engine.run([1, 2, 3]).iteration == 3


@pytest.mark.parametrize("place", [[1, 1], [1, 1, True]])
def test_a_new_run_forgets_where_a_resumed_one_was_paused(place):
    engine, states = Traced(), []
    engine.load_state_dict({"epoch_length": 3, "iteration": 4, "max_epochs": 9, "place": place})
    with engine.add_event_handler(Events.EPOCH_STARTED, lambda e: e.interrupt()):
        engine.run([1, 2, 3])
    engine.state.max_epochs = None
    engine.trace.clear()
    engine.add_event_handler(Events.STARTED, lambda e: states.append(dict(e.state_dict())))
    engine.run([1, 2, 3])
    fresh = Traced()
    fresh.run([1, 2, 3])
    assert engine.trace == fresh.trace
    assert states == [{"epoch_length": 3, "iteration": 0, "max_epochs": 1}]


def test_a_handler_of_an_epochs_end_sees_the_output_if_it_was_saved():
    seen = []
    for keys in ([], ["output"]):
        engine, other, saved = Engine(lambda engine, batch: 10 * batch), make(), []
        for each in (engine, other):
            each.state_dict_user_keys.extend(keys)
        engine.add_event_handler(Events.ITERATION_COMPLETED(once=3), lambda e: saved.append(e.state_dict()))
        engine.run([1, 2, 3])
        other.add_event_handler(Events.EPOCH_COMPLETED, lambda e: seen.append(e.state.output))
        other.load_state_dict(saved[0])
        other.run([1, 2, 3])
    assert seen == [None, 30]


class Unknown:
    """Data without a length."""

    def __iter__(self):
        return iter(range(5))


class Pairs:
    """A batch sampler without a length."""

    def __iter__(self):
        return iter(np.arange(10).reshape(5, 2).tolist())


def of_unknown_length(data, engine_class, kill=None, state=None):
    seen, states = [], []
    engine = engine_class(lambda engine, batch: seen.append(np.ravel(batch).tolist()))
    if kill:
        engine.add_event_handler(Events.ITERATION_COMPLETED(once=kill), lambda e: states.append(e.state_dict()))
        engine.add_event_handler(Events.ITERATION_COMPLETED(once=kill), engine.terminate)
    if state:
        engine.load_state_dict(state)
    engine.run(data, max_epochs=3)
    return seen, states


@pytest.mark.parametrize(
    ("make_data", "engine_class"),
    [(lambda: DataLoader(range(10), batch_sampler=Pairs(), seed=1), Engine), (Unknown, DeterministicEngine)],
)
@given(kill=st.integers(1, 15))
def test_a_first_epoch_of_unknown_length_resumes_if_the_data_can(make_data, engine_class, kill):
    before, (state,) = of_unknown_length(make_data(), engine_class, kill)
    after, _ = of_unknown_length(make_data(), engine_class, state=state)
    assert before + after == of_unknown_length(make_data(), engine_class)[0]


def test_a_first_epoch_of_unknown_length_is_refused_if_the_data_cannot_resume():
    _, (state,) = of_unknown_length(Unknown(), Engine, kill=2)
    engine = make()
    engine.load_state_dict(state)
    with pytest.raises(EngineError, match="The state is 2 iterations inside a first epoch whose length is not known"):
        engine.run(Unknown())
    engine.load_state_dict(state)
    assert engine.run(Unknown(), epoch_length=5).iteration == 15


def test_a_state_written_manually_moves_a_data_loader_to_the_iteration():
    whole, _ = batches_of(Engine, None, None, 3)
    after, _ = batches_of(Engine, None, None, 3, {"iteration": 6, "epoch_length": 4, "max_epochs": 3})
    assert after == whole[6:]


def test_the_position_of_a_loader_passes_through_an_engine_that_has_not_run():
    _, (state,) = batches_of(Engine, 5, None, 3)
    assert state["dataloader"]["position"] == 1 and state["dataloader"]["epoch"] == 2
    engine = make()
    engine.load_state_dict(state)
    assert engine.state_dict() == state


def test_the_position_of_the_iterator_precedes_that_of_the_data():
    class Data:
        def __iter__(self):
            return Position()

        def load_state_dict(self, state):
            self.loaded = state

    class Position:
        def __next__(self):
            return 1

        def __iter__(self):
            return self

        def state_dict(self):
            return {"here": 5}

    engine, saved = make(), []
    engine.add_event_handler(Events.ITERATION_COMPLETED(once=2), lambda e: saved.append(e.state_dict()))
    engine.run(Data(), epoch_length=3)
    assert saved[0]["dataloader"] == {"here": 5}
    data = Data()
    engine.load_state_dict(saved[0])
    engine.run(data)
    assert data.loaded == {"here": 5}


def test_serializable_and_resettable_handlers_have_interfaces():
    class Empty(Serializable):
        _state_dict_one_of_opt_keys = ((),)

    with pytest.raises(NotImplementedError):
        Serializable().state_dict()
    with pytest.raises(UsageError, match="Empty group found in 'Empty._state_dict_one_of_opt_keys'"):
        Empty().load_state_dict({})
    with pytest.raises(TypeError, match="abstract"):
        ResettableHandler()
