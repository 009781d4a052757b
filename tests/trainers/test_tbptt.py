"""Truncated backpropagation through time: chunks, their events, and where gradients stop."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dark
from dark import nn, optim
from dark.errors import ShapeError, UsageError, ValueTypeError
from dark.trainers import Tbptt_Events, create_supervised_tbptt_trainer
from dark.trainers.tbptt import chunks
from tests.examples import examples
from tests.trainers.make import weights


def recurrent(dim=0, kind=nn.RNN, rate=0.1):
    model = kind(2, 3, batch_first=dim == 1, seed=0)
    return model, optim.SGD(model.parameters(), rate)


def sequences(dim=0, n=1, length=7, seed=1):
    rng = np.random.default_rng(seed)
    shape = (length, 4) if dim == 0 else (4, length)
    return [(rng.normal(size=(*shape, 2)), rng.normal(size=(*shape, 3))) for _ in range(n)]


@examples(25)
@given(length=st.integers(1, 9), size=st.integers(1, 10), dim=st.sampled_from([0, 1]))
def test_a_trainer_computes_what_a_plain_loop_computes(length, size, dim):
    (model, optimizer), (other, its_optimizer) = recurrent(dim), recurrent(dim)
    data, losses, hidden = sequences(dim, length=length), [], None
    trainer = create_supervised_tbptt_trainer(model, optimizer, nn.MSELoss(), size, dim - 3)
    state = trainer.run(data)
    for start in range(0, length, size):
        part = np.s_[start : start + size] if dim == 0 else np.s_[:, start : start + size]
        its_optimizer.zero_grad()
        y_pred, hidden = other(data[0][0][part], hidden)
        hidden = dark.Constant(hidden.value)
        loss = nn.MSELoss()(y_pred, data[0][1][part])
        loss.backward()
        its_optimizer.step()
        losses.append(loss.value)
    assert state.output == sum(losses) / len(losses)
    assert weights(model) == weights(other)


@pytest.mark.parametrize("kind", [nn.LSTM, nn.GRU])
def test_any_structure_of_hidden_states_is_detached_and_passed_on(kind):
    model, optimizer = recurrent(kind=kind, rate=0.0)
    outputs = []
    trainer = create_supervised_tbptt_trainer(model, optimizer, lambda y, target: outputs.append(y) or y.sum(), 3)
    data = sequences()
    trainer.run(data)
    whole = model(data[0][0])[0].value
    np.testing.assert_allclose(np.concatenate([y.value for y in outputs]), whole, rtol=1e-12)


def test_events_are_counted_over_the_run_and_may_be_filtered():
    model, optimizer = recurrent()
    trainer = create_supervised_tbptt_trainer(model, optimizer, nn.MSELoss(), 3)
    seen, means = [], []
    trainer.add_event_handler(Tbptt_Events.TIME_ITERATION_STARTED, lambda e: seen.append(e.state.time_iteration))
    trainer.add_event_handler(
        Tbptt_Events.TIME_ITERATION_COMPLETED(every=2), lambda e: means.append((e.state.time_iteration, e.state.output))
    )
    trainer.run(sequences(n=2))
    assert seen == [1, 2, 3, 4, 5, 6] and [k for k, _ in means] == [2, 4, 6]
    assert all(type(loss) is float for _, loss in means)
    trainer.run(sequences(n=2))
    assert seen[6:] == [1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize(("size", "error"), [(0, UsageError), (2.5, ValueTypeError)])
def test_a_chunk_has_at_least_one_time_step(size, error):
    with pytest.raises(error, match=f"tbtt_step must be (1 or more|an integer), got {size}"):
        create_supervised_tbptt_trainer(*recurrent(), nn.MSELoss(), size)


def test_devices_are_refused():
    with pytest.raises(UsageError, match="create_supervised_tbptt_trainer: device must be the CPU, got 'cuda'"):
        create_supervised_tbptt_trainer(*recurrent(), nn.MSELoss(), 2, device="cuda")


@pytest.mark.parametrize(
    "x, y, axis, text",
    [
        ((5, 2), (4, 2), 0, "equal, positive numbers of time steps along axis 0, got 5 and 4"),
        ((0, 2), (0, 2), 0, "time steps along axis 0, got 0 and 0"),
        ((5, 2), (5,), 1, "inputs of shape \\(5, 2\\) and targets of shape \\(5,\\) must both have axis 1"),
    ],
)
def test_inputs_and_targets_have_equal_numbers_of_time_steps(x, y, axis, text):
    with pytest.raises(ShapeError, match=text):
        [*chunks(np.zeros(x), np.zeros(y), 2, axis)]


def test_a_batch_that_is_not_a_pair_is_refused():
    with pytest.raises(UsageError, match="a batch must be a pair .*, got a tuple of 3"):
        create_supervised_tbptt_trainer(*recurrent(), nn.MSELoss(), 2).run([(1, 2, 3)])
