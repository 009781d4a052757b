"""Observers of the calls of modules, and calls without hooks."""

import numpy as np
import pytest

from dark import nn
from dark.errors import ValueTypeError
from dark.nn.observing import ForwardObserver, without_hooks


def test_an_observer_sees_calls_until_it_is_removed_and_leaves_no_trace():
    net, seen = nn.Sequential(nn.Linear(2, 3, seed=0), nn.ReLU()), []
    before = [list(vars(m)) for m in net.modules()]
    observer = ForwardObserver(lambda module, args, kwargs, output: seen.append((module, args, kwargs, output)) or 7)
    with observer.attach(net.modules()):
        y = net(np.ones((1, 2)))
    assert [(module, len(args), kwargs) for module, args, kwargs, _ in seen] == [
        (net[0], 1, {}), (net[1], 1, {}), (net, 1, {}),
    ]  # fmt: skip
    assert seen[-1][3] is y
    net(np.ones((1, 2)))
    assert len(seen) == 3 and [list(vars(m)) for m in net.modules()] == before


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_two_observers_and_a_hook_are_removed_in_any_order(order):
    layer, seen = nn.ReLU(), []
    observers = [ForwardObserver(lambda *given, k=k: seen.append(k)) for k in (0, 1)]
    for observer in observers:
        observer.attach([layer])
    handle = layer.register_forward_hook(lambda *given: seen.append("hook"))
    layer(1.0)
    observers[order[0]].remove()
    layer(1.0)
    observers[order[1]].remove()
    observers[order[1]].remove()
    layer(1.0)
    handle.remove()
    layer(1.0)
    assert seen == [0, 1, "hook", order[1], "hook", "hook"]


def test_hooks_are_suspended_and_restored():
    layer, seen = nn.ReLU(), []
    handle = layer.register_forward_hook(lambda module, args, output: seen.append("outer"))
    with without_hooks([layer, nn.ReLU()]):
        layer.register_forward_hook(lambda module, args, output: seen.append("inner"))
        layer(1.0)
    layer(1.0)
    handle.remove()
    layer(1.0)
    assert seen == ["inner", "outer"]


def test_a_function_of_other_arguments_is_refused():
    with pytest.raises(ValueTypeError, match="ForwardObserver: function must accept 4"):
        ForwardObserver(lambda module: None)
