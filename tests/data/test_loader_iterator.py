"""Each iteration over a loader has its own position, independent of other iterations over the same loader."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dark.data import DataLoader
from dark.engine import DeterministicEngine, Engine, Events
from dark.errors import UsageError, ValueTypeError
from tests.data.comparison import assert_same, numbered, with_noise
from tests.examples import examples


def loader(n=7, seed=3):
    return DataLoader(numbered(n), 2, shuffle=True, seed=seed, transform=with_noise)


def test_the_state_of_the_only_iterator_is_that_of_the_loader():
    data = loader()
    batches = iter(data)
    assert batches.state_dict() == data.state_dict() == {
        "seed": 3, "epoch": 1, "position": 0, "items": 7, "batch_size": 2
    }  # fmt: skip
    for _ in batches:
        assert batches.state_dict() == data.state_dict()
    assert batches.state_dict()["position"] == 4


def test_other_iterations_do_not_change_the_position_of_an_iterator():
    data = loader()
    batches = iter(data)
    next(batches)
    [*data]
    state = batches.state_dict()
    assert (state["epoch"], state["position"], state["begun"]) == (1, 1, 2)
    data.load_state_dict({"seed": 8, "epoch": 9, "position": 0, "items": 7, "batch_size": 2})
    assert batches.state_dict()["seed"] == 3 and batches.state_dict()["position"] == 1


@examples(30)
@given(cut=st.integers(0, 4), others=st.integers(0, 3))
def test_an_iteration_is_resumed_and_later_epochs_follow_all_others(cut, others):
    data = loader()
    batches = iter(data)
    for _ in range(cut):
        next(batches)
    for _ in range(others):
        [*data]
    state = json.loads(json.dumps(batches.state_dict()))
    left, following = [*batches], [[*data], [*data]]
    again = loader(seed=99)
    again.load_state_dict(state)
    assert again.state_dict() == state
    if left:
        assert_same([*again], left)
    assert_same([[*again], [*again]], following)


def run(engine_class, length, epochs, kill=None, state=None):
    """Train and evaluate on the same loader every third iteration; return the batches of both, and a state."""
    data, seen, saved = loader(seed=99 if state else 3), [], []
    evaluator = Engine(lambda engine, batch: seen.append(("evaluated", batch)))
    trainer = engine_class(lambda engine, batch: seen.append(("trained", batch)))
    trainer.add_event_handler(Events.ITERATION_COMPLETED(every=3), lambda: evaluator.run(data))
    if kill:
        stop = lambda: (saved.append(json.loads(json.dumps(trainer.state_dict()))), trainer.terminate(True))
        trainer.add_event_handler(Events.ITERATION_COMPLETED(once=kill), stop)
    if state:
        trainer.load_state_dict(state)
    if not state or state["iteration"] < length * epochs:
        trainer.run(data, max_epochs=epochs, epoch_length=length)
    return seen, saved


@pytest.mark.parametrize("engine_class", [Engine, DeterministicEngine])
@examples(40)
@given(kill=st.integers(1, 12), length=st.integers(1, 6), epochs=st.integers(1, 3))
def test_an_evaluator_may_share_the_loader_of_a_trainer_that_is_killed_and_resumed(engine_class, kill, length, epochs):
    whole, _ = run(engine_class, length, epochs)
    before, states = run(engine_class, length, epochs, kill)
    after, _ = run(engine_class, length, epochs, state=states[0]) if states else ([], None)
    assert [who for who, _ in before + after] == [who for who, _ in whole]
    assert_same([batch for _, batch in before + after], [batch for _, batch in whole])


def test_an_iteration_can_be_ended():
    batches = iter(loader())
    next(batches)
    batches.close()
    assert next(batches, None) is None


@pytest.mark.parametrize("begun, error", [(-1, UsageError), ("2", ValueTypeError)])
def test_the_last_epoch_in_a_state_must_be_an_integer(begun, error):
    data = loader()
    with pytest.raises(error, match="DataLoader: begun must be (0 or more|an integer), got"):
        data.load_state_dict({**data.state_dict(), "begun": begun})
    assert data.epoch == 0


def test_a_state_may_omit_the_last_epoch_and_has_no_other_keys():
    data = loader()
    with pytest.raises(UsageError, match="the state must have .* got .*'ended'"):
        data.load_state_dict({**data.state_dict(), "ended": 1})
    data.load_state_dict({**data.state_dict(), "epoch": 4, "position": np.int64(1)})
    assert data.state_dict()["epoch"] == 4 and "begun" not in data.state_dict()


def test_the_position_of_a_finished_run_does_not_change_when_others_use_the_loader():
    data = loader()
    trainer = Engine(lambda engine, batch: None)
    trainer.run(data)
    state = trainer.state_dict()
    next(iter(data))
    assert trainer.state_dict() == state and state["dataloader"]["position"] == 4
    seen, again = [], Engine(lambda engine, batch: seen.append(batch))
    again.load_state_dict(state)
    again.run(loader(seed=99), max_epochs=2)
    others = loader()
    assert_same([[*others], [*others]][1], seen)


def test_data_set_during_a_run_saves_its_own_position():
    engine, data = Engine(lambda engine, batch: None), loader()
    engine.run(loader(seed=4))
    engine.set_data(data)
    assert engine.state_dict()["dataloader"]["seed"] == 3
