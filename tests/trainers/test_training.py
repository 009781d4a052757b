"""A supervised trainer equals a plain loop; its arguments, and what it refuses."""

from collections import namedtuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dark
from dark import nn, optim
from dark.engine import DeterministicEngine, Engine, Events
from dark.errors import UsageError, ValueTypeError
from dark.trainers import create_supervised_trainer, supervised_training_step
from tests.examples import examples
from tests.trainers.make import batches, network, weights


def plain_loop(model, optimizer, data, group, epochs):
    """Train with a plain loop, without a trainer."""
    losses, done = [], 0
    for _ in range(epochs):
        for x, y in data:
            if done % group == 0:
                optimizer.zero_grad()
            loss = nn.MSELoss()(model(x), y)
            (loss / group).backward()
            done += 1
            if done % group == 0:
                optimizer.step()
            losses.append(loss.value)
    return losses


@examples(25)
@given(n=st.integers(1, 7), group=st.integers(1, 4), epochs=st.integers(1, 3))
def test_a_trainer_computes_what_a_plain_loop_computes(n, group, epochs):
    (model, optimizer), (other, its_optimizer), losses = network(), network(), []
    trainer = create_supervised_trainer(model, optimizer, nn.MSELoss(), gradient_accumulation_steps=group)
    trainer.add_event_handler(Events.ITERATION_COMPLETED, lambda engine: losses.append(engine.state.output))
    trainer.run(batches(n), max_epochs=epochs)
    assert losses == plain_loop(other, its_optimizer, batches(n), group, epochs)
    assert weights(model) == weights(other)


def test_accumulated_gradients_are_those_of_one_large_batch():
    (model, optimizer), (other, its_optimizer) = network(), network()
    data = batches(3)
    whole = tuple(np.concatenate(parts) for parts in zip(*data))
    create_supervised_trainer(model, optimizer, nn.MSELoss(), gradient_accumulation_steps=3).run(data)
    create_supervised_trainer(other, its_optimizer, nn.MSELoss()).run([whole])
    for p, q in zip(model.parameters(), other.parameters()):
        np.testing.assert_allclose(p.value, q.value, rtol=1e-12)


def test_an_incomplete_accumulation_takes_no_step():
    (model, optimizer), before = network(), weights(network()[0])
    create_supervised_trainer(model, optimizer, nn.MSELoss(), gradient_accumulation_steps=3).run(batches(2))
    assert weights(model) == before


def test_arrays_of_a_batch_become_constants_and_outputs_plain():
    seen, Pair = [], namedtuple("Pair", "scores rest")
    model, optimizer = network()

    def output(x, y, y_pred, loss):
        seen.extend([x, y, y_pred, loss])
        return {"pair": Pair(y_pred, [y, "name", None]), "weight": model[0].weight, "loss": loss}

    trainer = create_supervised_trainer(model, optimizer, nn.MSELoss(), output_transform=output)
    state = trainer.run(batches(1))
    assert [type(node) for node in seen] == [dark.Constant, dark.Constant, dark.Node, dark.Node]
    pair, weight, loss = state.output.values()
    assert type(pair) is Pair and type(pair.scores) is type(pair.rest[0]) is np.ndarray
    assert pair.rest[1:] == ["name", None] and type(loss) is float
    before = weight.copy()
    trainer.run(batches(1))
    assert (weight == before).all()  # a parameter's array is copied: optimizer steps change it in place


def test_inputs_may_be_dicts_and_lists_and_other_values_are_unchanged():
    class Joined(nn.Module):
        def __init__(self):
            super().__init__()
            self.layer = nn.Linear(2, 1, seed=0)

        def forward(self, parts):
            assert type(parts["names"]) is np.ndarray and parts["deep"][1] == 3
            return self.layer(parts["x"]) + parts["deep"][0]

    model = Joined()
    trainer = create_supervised_trainer(model, optim.SGD(model.parameters(), lr=0.1), nn.MSELoss())
    inputs = {"x": np.ones((3, 2)), "deep": [np.zeros((3, 1)), 3], "names": np.array(["a", "b", "c"])}
    assert type(trainer.run([(inputs, np.zeros((3, 1)))]).output) is float


def test_classes_are_targets_too():
    model, optimizer = network()
    trainer = create_supervised_trainer(model, optimizer, nn.CrossEntropyLoss())
    data = [(np.eye(3), np.array([0, 1, 1]))]
    assert trainer.run(data, max_epochs=100).output < 0.01


def test_model_fn_and_the_transforms_may_be_given():
    model, optimizer = network()
    calls = []

    def prepare(batch, device, non_blocking):
        calls.append((device, non_blocking))
        return batch["x"], batch["y"]

    trainer = create_supervised_trainer(
        model, optimizer, nn.MSELoss(), device="cpu", non_blocking=True, prepare_batch=prepare,
        model_fn=lambda model, x: (model(x), "more"), model_transform=lambda output: output[0],
        output_transform=lambda x, y, y_pred, loss: y_pred.shape,
    )  # fmt: skip
    x, y = batches(1)[0]
    assert trainer.run([{"x": x, "y": y}]).output == (4, 2)
    assert calls == [("cpu", True)]


def test_the_model_is_in_training_mode_and_the_engine_deterministic_if_requested():
    model, optimizer = network()
    trainer = create_supervised_trainer(model, optimizer, nn.MSELoss(), deterministic=True)
    modes = []
    trainer.add_event_handler(Events.ITERATION_STARTED, lambda: model.eval())
    trainer.add_event_handler(Events.ITERATION_COMPLETED, lambda: modes.append(model.training))
    trainer.run(batches(2))
    assert modes == [True, True] and type(trainer) is DeterministicEngine
    assert type(create_supervised_trainer(model, optimizer, nn.MSELoss())) is Engine


@pytest.mark.parametrize(
    "arguments, text",
    [
        ({"device": "cuda"}, "create_supervised_trainer: device must be the CPU, got 'cuda'"),
        ({"amp_mode": "amp"}, "amp_mode must be None, got 'amp'"),
        ({"scaler": True}, "scaler argument is True, but amp_mode is None"),
        ({"gradient_accumulation_steps": 0}, "Gradient Accumulation steps can't be <= 0: .* is 0"),
        ({"gradient_accumulation_steps": 1.5}, "Gradient Accumulation steps can't be <= 0: .* is 1.5"),
        ({"prepare_batch": lambda batch: batch}, "as prepare_batch: it takes parameters \\(batch\\)"),
        ({"output_transform": lambda x, y: x}, "as output_transform: it takes parameters \\(x, y\\)"),
    ],
)
def test_what_a_trainer_refuses(arguments, text):
    model, optimizer = network()
    with pytest.raises(UsageError, match=text):
        create_supervised_trainer(model, optimizer, nn.MSELoss(), **arguments)


def test_the_step_alone_refuses_the_same():
    model, optimizer = network()
    with pytest.raises(UsageError, match="supervised_training_step: device must be the CPU, got 'cuda:0'"):
        supervised_training_step(model, optimizer, nn.MSELoss(), "cuda:0")
    with pytest.raises(UsageError, match="supervised_training_step: Gradient Accumulation"):
        supervised_training_step(model, optimizer, nn.MSELoss(), gradient_accumulation_steps=-1)


def test_a_loss_that_is_a_plain_number_is_refused():
    model, optimizer = network()
    trainer = create_supervised_trainer(model, optimizer, lambda y_pred, y: 0.5)
    with pytest.raises(ValueTypeError, match=r"loss_fn must return a node, but returned 0.5 \(float\)"):
        trainer.run(batches(1))


@pytest.mark.parametrize("batch, text", [({"x": 1, "y": 2}, "a dict of 2"), ((1, 2, 3), "a tuple of 3"), (5, "a int")])
def test_a_batch_that_is_not_a_pair_is_refused(batch, text):
    model, optimizer = network()
    with pytest.raises(UsageError, match=f"prepare_batch: a batch must be a pair .*, got {text}"):
        create_supervised_trainer(model, optimizer, nn.MSELoss()).run([batch])
