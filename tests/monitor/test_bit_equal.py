"""A training computes the same with and without a monitor, bit for bit, whatever the network."""

import random

import numpy as np
import pytest

from dark.engine import Events
from dark.monitor import Kind, Monitor
from tests.monitor.networks import KINDS, states

EVERY = [Events.ITERATION_COMPLETED(every=2), Events.ITERATION_COMPLETED, Events.EPOCH_COMPLETED]


def run(kind, event=None, monitors=1, epochs=2, rules=(("*", Kind.TYPE_I),)):
    """Train with monitors, or without; return what can be seen afterwards, and the monitors."""
    random.seed(0)
    np.random.seed(0)
    model, trainer, data, axis = KINDS[kind]()
    made = [Monitor(model, monitor_activations=list(rules), sample_axis=axis, sample_num=2) for _ in range(monitors)]
    read, engine = [], getattr(trainer, "engine", trainer)
    if event is not None:
        for monitor in made:
            monitor.attach(trainer, event)
            engine.add_event_handler(event, lambda engine, m: read.append((m.scalars(), m.tensors())), monitor)
    losses = []
    engine.add_event_handler(Events.ITERATION_COMPLETED, lambda e: losses.append(e.state.output))
    trainer.run(data, max_epochs=epochs)
    return (states(model), losses, np.random.random(3).tolist(), random.random()), made, read


@pytest.mark.parametrize("kind", KINDS)
def test_a_training_with_statistics_and_exemplars_is_the_training_without(kind):
    plain, _, _ = run(kind)
    both = [("*dropout*", Kind.TYPE_I), (lambda path, module, output: 1 + ("head" in path or "0" in path))]
    for rules in ([("*", Kind.TYPE_I)], [("*", Kind.TYPE_II)], both):
        observed, (monitor,), read = run(kind, EVERY[0], rules=rules)
        assert observed == plain
        assert read and monitor.dropped == {}
        expected = {("*", Kind.TYPE_I): "activations/", ("*", Kind.TYPE_II): "samples/"}.get(rules[0], "")
        assert any(name.startswith(expected) for name in monitor.tensors())


@pytest.mark.parametrize(
    "event", EVERY + [Events.ITERATION_COMPLETED(lambda engine, n: n % 3 == 1)], ids=["2", "1", "epoch", "function"]
)
def test_so_is_one_with_two_monitors_at_any_event(event):
    plain, _, _ = run("feed-forward")
    observed, (first, second), read = run("feed-forward", event, monitors=2, rules=[("*", 2)])
    assert observed == plain and read
    assert first.scalars().keys() == second.scalars().keys()
    np.testing.assert_equal(first.tensors(), second.tensors())
    np.testing.assert_equal(first.scalars(), second.scalars())


@pytest.mark.parametrize("rules", [[("*", 1)], [("*", 2)]], ids=["statistics", "exemplars"])
def test_hooks_of_others_are_called_as_without_a_monitor_and_stay(rules):
    calls = {}
    for event in (None, EVERY[1]):
        model, trainer, data, _ = KINDS["feed-forward"]()
        seen = calls.setdefault(event, [])
        handles = [m.register_forward_hook(lambda m, x, y, seen=seen: seen.append(type(m).__name__)) for m in model]
        model[1].register_forward_pre_hook(lambda module, args: (args[0] * 2,))
        if event is not None:
            monitor = Monitor(model, monitor_activations=rules)
            monitor.attach(trainer, event)
        trainer.run(data)
        for handle in handles:
            handle.remove()
        count = len(seen)
        model.eval()(data[0][0])
        assert len(seen) == count
    assert calls[None] == calls[EVERY[1]] and len(calls[None]) == 4 * 7


def test_modules_have_no_trace_of_a_monitor_afterwards():
    model, trainer, data, _ = KINDS["feed-forward"]()
    before = [list(vars(m)) for m in model.modules()]
    monitor = Monitor(model)
    monitor.attach(trainer, Events.ITERATION_COMPLETED(every=2))
    within = []
    trainer.add_event_handler(Events.ITERATION_COMPLETED(once=1), lambda: within.append([*vars(model[1])]))
    trainer.run(data, max_epochs=2)
    assert [list(vars(m)) for m in model.modules()] == before and within == [list(vars(model[1]))]


def test_an_exception_in_a_step_leaves_the_monitor_usable():
    model, trainer, data, _ = KINDS["feed-forward"]()
    monitor = Monitor(model)
    monitor.attach(trainer, Events.ITERATION_COMPLETED)
    with pytest.raises(Exception, match="in Linear"):
        trainer.run([data[0], (data[0][0][:, :, :2], data[0][1]), data[0]])
    trainer.state.max_epochs = None
    trainer.run(data)
    assert set(monitor.stats_dict) >= {"activations/1", "activations/6"} and "activations/1#2" not in monitor.stats_dict


def test_the_monitor_and_the_handle_detach():
    model, trainer, data, _ = KINDS["feed-forward"]()
    monitor = Monitor(model)
    with monitor.attach(trainer, Events.ITERATION_COMPLETED):
        trainer.run(data)
    count = monitor.stats_dict["activations/1"].count
    monitor.attach(trainer, Events.ITERATION_COMPLETED)
    monitor.detach()
    trainer.run(data, max_epochs=2)
    assert monitor.stats_dict["activations/1"].count == count == 4
    assert not trainer.has_event_handler(monitor.record)
