"""Training loops without an engine: steps, two calls, and notes."""

import numpy as np
import pytest

from dark import nn, optim
from dark.engine import Events
from dark.monitor import Monitor, Note

EVERY = Events.ITERATION_COMPLETED(every=3)


def network():
    return nn.Sequential(nn.Linear(3, 4, seed=0), nn.ReLU(), nn.Linear(4, 1, seed=1))


def train(net, step, steps=12):
    """Train; `step` is called with the loss and with the function that updates the weights."""
    optimizer, rng = optim.SGD(net.parameters(), lr=0.05), np.random.default_rng(0)
    for k in range(1, steps + 1):
        x = rng.normal(size=(8, 3))
        loss = ((net(x) - x.sum(1, keepdims=True)) ** 2).mean()

        def update(loss=loss):
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()

        step(k, loss, update)
    return [p.value.tobytes() for p in net.parameters()]


def in_a_step(monitor):
    def step(k, loss, update):
        with monitor.step(loss):
            update()

    return step


def in_two_calls(monitor):
    monitor.begin()

    def step(k, loss, update):
        update()
        if k % 3 == 0:
            monitor.record(k, scalars=loss)
        else:
            monitor.end()
        monitor.begin()

    return step


def of(folder, make):
    net = network()
    monitor = Monitor(net)
    with Note(folder) as note:
        monitor.attach(event=EVERY, note=note)
        weights = train(net, make(monitor))
    return weights, Note.load(folder), monitor


def test_steps_and_two_calls_have_the_same_records_and_change_nothing(tmp_path):
    plain = train(network(), lambda k, loss, update: update())
    first, by_step, monitor = of(tmp_path / "step", in_a_step)
    second, by_calls, _ = of(tmp_path / "calls", in_two_calls)
    assert first == second == plain
    assert monitor.records == 4 and monitor.loop.number == monitor.recorded.iteration == 12
    assert by_step.scalar_dict["loss"].steps.tolist() == [3, 6, 9, 12]
    assert {"dead/1", "update_ratio/0.weight"} <= by_step.scalar_dict.keys()
    for name, found in by_step.scalar_dict.items():
        np.testing.assert_array_equal(found.values, by_calls.scalar_dict[name].values, err_msg=name)
    assert {"activations/1", "gradients/2.weight"} <= by_step.tensor_dict.keys()


def test_a_note_may_be_attached_to_the_loop_at_a_cadence_of_its_own(tmp_path):
    net = network()
    monitor = Monitor(net)
    monitor.attach(event=EVERY)
    with Note(tmp_path) as note:
        note.attach(monitor.loop, Events.ITERATION_COMPLETED(every=2), monitor, when_nan=True)
        train(net, in_a_step(monitor))
    run = Note.load(tmp_path)
    assert run.scalar_dict["loss"].steps.tolist() == [2, 4, 6, 8, 10, 12] and monitor.records == 8
    np.testing.assert_array_equal(run.tensor_dict["weights/0.weight"].at(12), net[0].weight.value)


def test_without_attach_every_fiftieth_step_is_recorded():
    net = network()
    monitor = Monitor(net)
    train(net, in_a_step(monitor), 120)
    assert monitor.records == 2 and monitor.recorded.iteration == 100


def test_the_loss_may_be_set_within_the_block():
    net = network()
    monitor = Monitor(net)
    monitor.attach(event=Events.ITERATION_COMPLETED)
    for value in (3.0, {"kl": np.float32(2.0), "parts": "words"}):
        with monitor.step() as step:
            net(np.ones((2, 3))).mean().backward()
            step.loss = value
    assert step.number == 2 and {"kl": 2.0}.items() <= monitor.scalars().items() and "loss" not in monitor.scalars()


def test_an_exception_ends_the_observation_and_is_not_recorded():
    net = network()
    monitor = Monitor(net)
    monitor.attach(event=Events.ITERATION_COMPLETED)
    with pytest.raises(KeyError), monitor.step():
        raise KeyError("a mistake in the loop")
    assert monitor.records == 0 and all(not vars(m).get("_hooks") for m in net.modules())
    train(net, in_a_step(monitor), 2)
    assert monitor.records == 2 and "activations/0#2" not in monitor.tensors()


def test_detaching_ends_the_observation_and_attaching_begins_it_again():
    net = network()
    monitor = Monitor(net)
    with monitor.attach(event=Events.ITERATION_COMPLETED):
        train(net, in_a_step(monitor), 2)
    assert all(not vars(m).get("_hooks") for m in net.modules())
    monitor.attach(event=Events.ITERATION_COMPLETED)
    train(net, in_a_step(monitor), 1)
    assert monitor.records == 3 and "activations/0" in monitor.tensors()


def test_a_step_is_recorded_anew_if_it_is_recorded_twice():
    net = network()
    monitor = Monitor(net)
    monitor.record(1)
    net[0].weight.value = np.ones((4, 3))
    monitor.record(1)
    assert monitor.records == 2 and (monitor.tensors()["weights/0.weight"] == 1).all()
