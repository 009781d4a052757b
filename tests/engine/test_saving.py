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
        (
            {"epoch_length": 3, "iteration": -1, "max_epochs": 1},
            UsageError,
            "State dictionary must have a valid iteration, got -1",
        ),
        (
            {"epoch_length": 3, "iteration": "4", "max_epochs": 5},
            UsageError,
            "State dictionary must have a valid iteration, got '4'",
        ),
        (
            {"epoch_length": 3, "epoch": 1.5, "max_epochs": 5},
            UsageError,
            "State dictionary must have a valid epoch, got 1.5",
        ),
        ({"epoch_length": None, "epoch": 2, "max_epochs": 3}, UsageError, "epoch_length must be a positive integer"),
        ({"epoch_length": 0, "iteration": 2, "max_epochs": 3}, UsageError, "epoch_length must be a positive integer"),
        ({"epoch_length": 3, "epoch": 4, "max_epochs": 3}, UsageError, "equal to the start epoch .*: 3 vs 4"),
        ({"epoch_length": 3, "iteration": 4, "max_iters": 3}, UsageError, "equal to the start iteration .*: 3 vs 4"),
        ({"epoch_length": 3, "iteration": 4, "max_epochs": 0}, UsageError, "max_epochs is invalid"),
        (
            {"epoch_length": 3, "iteration": 4, "max_epochs": 9, "place": 2},
            UsageError,
            "a valid place, got 2 with iteration",
        ),
        (
            {"epoch_length": 3, "iteration": 4, "max_epochs": 9, "place": [1, 4]},
            UsageError,
            r"a valid place, got \[1, 4\]",
        ),
        (
            {"epoch_length": 3, "iteration": 4, "max_epochs": 9, "place": [-1, 0]},
            UsageError,
            r"a valid place, got \[-1, 0\]",
        ),
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


@pytest.mark.parametrize("data", [[10, 20, 30], (10, 20, 30), range(10, 40, 10), np.array([10, 20, 30])])
def test_an_epoch_is_entered_again_for_its_remaining_iterations_and_a_sequence_goes_on(data):
    seen, epochs = [], []
    engine = Engine(lambda engine, batch: seen.append((engine.state.epoch, engine.state.iteration, batch)))
    engine.add_event_handler(Events.EPOCH_STARTED, lambda e: epochs.append(e.state.epoch))
    engine.load_state_dict({"iteration": 5, "max_epochs": 3, "epoch_length": 3})
    engine.run(data)
    assert seen == [(2, 6, 30), (3, 7, 10), (3, 8, 20), (3, 9, 30)] and epochs == [2, 3]


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


def test_a_state_that_is_loaded_when_an_epoch_has_started_is_refused():
    state, engine = {"epoch_length": 3, "iteration": 2, "max_epochs": 2}, make()
    handle = engine.add_event_handler(Events.EPOCH_STARTED(once=2), lambda e: e.load_state_dict(state))
    with pytest.raises(EngineError, match=r"A handler of EPOCH_STARTED must not load a state(.|\n)*engine.terminate"):
        engine.run([1, 2, 3], max_epochs=3)
    handle.remove()
    engine.load_state_dict(state)
    assert engine.run([1, 2, 3]).iteration == 6


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
    with pytest.warns(UserWarning, match="2 batches of the data were consumed, and Unknown has no position"):
        _, (state,) = of_unknown_length(Unknown(), Engine, kill=2)
    engine = make()
    engine.load_state_dict(state)
    with pytest.raises(
        EngineError,
        match="The state is 2 iterations inside a first epoch, so its length or the data's position must be known",
    ):
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


def stopped(data, stop, **limits):
    """Return the batches that were seen until an iteration, and the state there."""
    seen, states, engine = [], [], None

    def step(engine, batch):
        seen.append(int(np.ravel(batch)[0]))

    engine = Engine(step)

    @engine.on(Events.ITERATION_COMPLETED(once=stop))
    def halt(engine):
        states.append(engine.state_dict())
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        engine.run(data, **limits)
    assert dict(engine.state_dict()) == dict(states[0])  # also once the run has ended
    return seen, states[0]


def resumed(data, state, **limits):
    seen = []
    engine = Engine(lambda engine, batch: seen.append(int(np.ravel(batch)[0])))
    engine.load_state_dict(state)
    engine.run(data, **limits)
    return seen


@pytest.mark.parametrize("data", [[0, 1, 2, 3, 4], (0, 1, 2), range(7), np.arange(4)])
@pytest.mark.parametrize("epoch_length", [None, 1, 3, 9])
@pytest.mark.parametrize("limit", [{"max_epochs": 3}, {"max_iters": 11}])
def test_a_run_over_a_sequence_goes_on_with_the_next_batch(data, epoch_length, limit):
    whole = []
    engine = Engine(lambda engine, batch: whole.append(int(batch)))
    count = engine.run(data, epoch_length=epoch_length, **limit).iteration
    for stop in range(1, count):
        before, state = stopped(data, stop, epoch_length=epoch_length, **limit)
        assert before + resumed(data, state) == whole
        state.pop("batches", None)  # as it was saved by earlier versions
        assert before + resumed(data, state) == whole


@pytest.mark.parametrize("epoch_length", [5, 4, 3, 2])
def test_a_sequence_goes_on_after_an_epoch_was_cut_short(epoch_length):
    def run(stop=None):
        seen = []
        engine = Engine(lambda engine, batch: seen.append(batch))
        engine.add_event_handler(Events.ITERATION_COMPLETED(once=1), engine.terminate_epoch)
        if stop:
            engine.add_event_handler(Events.ITERATION_COMPLETED(once=stop), engine.terminate)
        engine.run(range(5), max_epochs=4, epoch_length=epoch_length)
        return seen, engine.state_dict()

    whole, _ = run()
    assert epoch_length > 2 or run(stop=5)[1]["batches"] == [4, 5]
    for stop in range(2, len(whole)):
        before, state = run(stop)
        other = make()
        other.load_state_dict(state)
        assert other.state_dict() == state and before + resumed(range(5), state) == whole


def test_a_state_that_was_loaded_replaces_the_position_of_an_engine_that_has_run():
    engine = make()
    engine.run(range(5), max_iters=3)
    state = {"iteration": 7, "epoch_length": 5, "max_epochs": 3}
    engine.load_state_dict(state)
    assert engine.state_dict() == state


@pytest.mark.parametrize("event", [Events.GET_BATCH_STARTED, Events.GET_BATCH_COMPLETED, Events.ITERATION_COMPLETED])
def test_data_that_was_set_within_a_run_has_its_own_position(event):
    def run(stop=None):
        seen, states = [], []
        engine = Engine(lambda engine, batch: seen.append(batch))
        engine.add_event_handler(event(once=3), lambda engine: engine.set_data([10, 20, 30, 40, 50, 60, 70]))
        if stop:
            engine.add_event_handler(Events.ITERATION_COMPLETED(once=stop), lambda e: states.append(e.state_dict()))
            engine.add_event_handler(Events.ITERATION_COMPLETED(once=stop), engine.terminate)
        engine.run([1, 2, 3, 4], max_epochs=3)
        return seen, states

    whole, _ = run()
    for stop in range(5, 12):
        before, (state,) = run(stop)
        assert before + resumed([10, 20, 30, 40, 50, 60, 70], state) == whole


def test_a_state_of_another_length_is_named_and_goes_on_if_it_can():
    _, state = stopped(range(5), 7, max_epochs=3, epoch_length=6)
    assert "batches" not in state  # it follows from the iteration
    state["batches"] = [2, 5]
    with pytest.warns(UserWarning, match="after batch 2 of 5, and this data has 4 batches: the run continues after"):
        assert resumed(range(4), state)[:3] == [2, 3, 0]
    state["batches"] = [4, 5]
    with pytest.warns(UserWarning, match="this data has 3 batches: the run begins with its first batch"):
        assert resumed(range(3), state)[:2] == [0, 1]
    assert resumed([7], {"iteration": 3, "epoch_length": 2, "max_epochs": 3}) == [7, 7, 7]


@pytest.mark.parametrize("batches", [3, [1], [1, -2], [3, 2], ["a", "b"], [1, 2, 3]])
def test_an_invalid_position_in_a_sequence_is_refused(batches):
    engine = make()
    with pytest.raises(UsageError, match="State dictionary must have valid batches, got "):
        engine.load_state_dict({"iteration": 1, "epoch_length": 3, "max_epochs": 2, "batches": batches})
    assert engine.state.iteration == 0


def test_a_state_over_a_list_continues_over_a_loader():
    _, state = stopped([0, 1, 2, 3], 6, max_epochs=3)
    loader = DataLoader(np.arange(4), batch_size=1)
    assert resumed(loader, state) == [2, 3, 0, 1, 2, 3]


@pytest.mark.parametrize(
    "make_data", [lambda: iter(range(9)), lambda: (k for k in range(9)), Unknown, lambda: dict.fromkeys(range(5))]
)
def test_data_without_a_position_is_warned_of_once_where_it_matters(make_data):
    engine = make()
    engine.add_event_handler(Events.ITERATION_COMPLETED, lambda engine: engine.state_dict() and None)
    with pytest.warns(UserWarning) as caught:
        engine.run(make_data(), max_epochs=2, epoch_length=4)
    found = [str(warning.message) for warning in caught if "has no position" in str(warning.message)]
    assert len(found) == 1 and "begins with the first batch that its data gives" in found[0]


@pytest.mark.parametrize("make_data", [Unknown, lambda: dict.fromkeys(range(5))])
def test_a_state_at_the_end_of_a_pass_is_not_warned_of(make_data):
    engine = make()
    engine.add_event_handler(Events.EPOCH_COMPLETED, lambda engine: engine.state_dict() and None)
    engine.run(make_data(), max_epochs=3)
    assert engine.state.iteration == 15


@pytest.mark.parametrize("make_data", [lambda: iter(range(6)), lambda: [1, 2, 3], lambda: range(2)])
def test_a_state_of_a_run_that_is_done_is_not_warned_of(make_data):
    engine = make()
    engine.run(make_data(), max_epochs=2, epoch_length=3)
    assert dict(engine.state_dict()) == {"epoch_length": 3, "iteration": 6, "max_epochs": 2}


def test_an_empty_sequence_is_refused_also_when_a_run_resumes():
    engine = make()
    with pytest.raises(UsageError, match="Input data has zero size"):
        engine.run([])
    engine.load_state_dict({"iteration": 1, "epoch_length": 3, "max_epochs": 2})
    with pytest.warns(UserWarning, match="Data iterator can not provide data anymore"):
        engine.run([])
