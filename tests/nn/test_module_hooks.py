"""Hooks of modules: what they are called with, what they replace, how they are removed; the same with PyTorch."""

import copy
import gc
import pickle
import weakref
from typing import NamedTuple

import numpy as np
import pytest

import dark
from dark import nn
from dark.errors import GradientError, ShapeError, UsageError, ValueTypeError


class Scaled(nn.Module):
    """Calls a function with its weight and its inputs."""

    def __init__(self, function, parameter=dark.Parameter):
        super().__init__()
        self.function, self.weight = function, parameter(2.0)

    def forward(self, *inputs, **settings):
        """Return what the function returns."""
        return self.function(self.weight, *inputs, **settings)


def ones(requires_grad=True):
    return dark.Parameter(np.ones(2), requires_grad=requires_grad)


def array(g):
    """Return a gradient of either library as an array."""
    return None if g is None else g.detach().numpy().copy() if hasattr(g, "detach") else np.array(g)


def test_forward_hooks_see_module_inputs_and_output_in_order():
    layer, seen = nn.Linear(2, 1), []
    layer.register_forward_hook(lambda module, args, output: seen.append(("second", module, args, output)))
    layer.register_forward_hook(lambda module, args, output: seen.append(("third",)))
    layer.register_forward_hook(lambda module, args, output: seen.append(("first",)), prepend=True)
    layer.register_forward_pre_hook(lambda module, args: seen.append(("before", module, args)))
    x = np.ones((3, 2))
    y = layer(x)
    assert [name for name, *_ in seen] == ["before", "first", "second", "third"]
    assert seen[0][1:] == (layer, (x,)) and seen[2][1] is layer and seen[2][2] == (x,) and seen[2][3] is y


def test_forward_hooks_replace_inputs_and_output():
    layer = nn.Identity()
    layer.register_forward_pre_hook(lambda module, args: args[0] + 1)
    layer.register_forward_pre_hook(lambda module, args: (args[0] * 10,))
    layer.register_forward_hook(lambda module, args, output: (output, args))
    layer.register_forward_hook(lambda module, args, output: None)
    assert layer(2.0) == (30.0, (30.0,))


def test_with_kwargs_hooks_see_and_replace_keyword_arguments():
    module, seen = Scaled(lambda w, x, *, y: x * y), []
    module.register_forward_pre_hook(lambda m, args: seen.append(args))
    module.register_forward_hook(lambda m, args, output: seen.append(args))
    module.register_forward_pre_hook(lambda m, a, k: (a, {"y": k["y"] + 1}), with_kwargs=True)
    module.register_forward_pre_hook(lambda m, a, k: None, with_kwargs=True)
    module.register_forward_hook(lambda m, a, k, output: (output, k), with_kwargs=True)
    assert module(3.0, y=1.0) == (6.0, {"y": 2.0}) and seen == [(3.0,), (3.0,)]


@pytest.mark.parametrize("returned", [1.0, (1.0, {}), ((1.0,), 2), ((1.0,), {}, 3)])
def test_with_kwargs_a_hook_returns_both(returned):
    module = nn.Identity()
    module.register_forward_pre_hook(lambda m, a, k: returned, with_kwargs=True)
    with pytest.raises(UsageError, match="the hook of Identity must return None or a pair, got") as caught:
        module(1.0)
    assert "in Identity()" in caught.value.__notes__


def test_hooks_with_always_call_are_called_after_an_error_too():
    def fail(w, x):
        raise KeyError("of the user")

    module, seen = Scaled(fail), []
    module.register_forward_hook(lambda m, a, output: seen.append("never"))
    module.register_forward_hook(lambda m, a, output: seen.append(output), always_call=True)
    module.register_forward_hook(lambda m, a, k, output: 1 / 0, always_call=True, with_kwargs=True)
    with pytest.raises(KeyError, match="of the user") as caught:
        module(1.0)
    assert seen == [None]
    assert caught.value.__notes__[0] == "a hook with always_call raised ZeroDivisionError('division by zero')"
    module.function = lambda w, x: x
    with pytest.raises(ZeroDivisionError):
        module(5.0)
    assert seen == [None, "never", 5.0]


def test_a_hook_that_raises_names_the_module():
    net = nn.Sequential(nn.Linear(2, 2), nn.ReLU())
    net[1].register_forward_hook(lambda m, a, output: {}["missing"])
    with pytest.raises(KeyError) as caught:
        net(np.ones((1, 2)))
    assert caught.value.__notes__[0] == "in ReLU()"


CASES = {
    "an input that does not require grad": (lambda w, x, y: x * y * w, lambda one: (one(), one(False)), 0),
    "an input that is not used": (lambda w, x, y: x * w, lambda one: (one(), one()), 0),
    "an input that is not a node": (lambda w, x, k: x * w * k, lambda one: (one(), 3), 0),
    "an output that is not used": (lambda w, x: (x * w, x * x), lambda one: (one(),), 0),
    "outputs that are not nodes": (lambda w, x: (x * w, None, 3), lambda one: (one(),), 0),
    "a nested output": (lambda w, x: (x * w, (x * x, x)), lambda one: (one(),), 0),
    "no input that requires grad": (lambda w, x: x * w, lambda one: (one(False),), 0),
    "no input": (lambda w: w * 3, lambda one: (), 0),
    "one node twice": (lambda w, x, y: x * y * w, lambda one: (one(),) * 2, 0),
    "the input as output": (lambda w, x: x, lambda one: (one(),), 0),
    "an output that does not depend on the input": (lambda w, x: (w * 1, x * 1), lambda one: (one(),), 0),
    "the second output": (lambda w, x, y: (x * 1, x * w * y), lambda one: (one(), one()), 1),
    "a list": (lambda w, x: [x * w], lambda one: (one(),), 0),
}


def backward(library, function, inputs, used, hook):
    """Return the gradients of the inputs and the weight, and what the hook was called with."""
    if library == "dark":
        module, args = Scaled(function), inputs(ones)
    else:
        import torch

        class Theirs(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.weight = torch.nn.Parameter(torch.tensor(2.0, dtype=torch.float64))

            def forward(self, *args):
                return function(self.weight, *args)

        module = Theirs()
        args = inputs(lambda grad=True: torch.ones(2, dtype=torch.float64, requires_grad=grad))
    seen = []

    def record(m, grad_input, grad_output):
        seen.append(tuple([array(g) for g in part] for part in (grad_input, grad_output)))
        return hook(grad_input)

    module.register_full_backward_hook(record)
    output = module(*args)
    (output[used] if isinstance(output, (tuple, list)) else output).sum().backward()
    grads = [getattr(x, "grad", None) for x in (*args, module.weight)]
    return [array(g) for g in grads], seen


@pytest.mark.long
@pytest.mark.oracle
@pytest.mark.filterwarnings("ignore:.*backward hook:UserWarning")
@pytest.mark.parametrize("hook", [lambda grads: None, lambda grads: tuple([g if g is None else g * 3 for g in grads])])
@pytest.mark.parametrize("case", CASES)
def test_backward_hooks_see_and_replace_what_they_do_in_pytorch(case, hook):
    pytest.importorskip("torch", reason="the oracle extra (PyTorch) is not installed")
    grads, seen = backward("dark", *CASES[case], hook)
    right, wanted = backward("torch", *CASES[case], hook)
    assert len(seen) == len(wanted) == (case != "a list")
    for own, theirs in zip([*grads, *[g for call in seen for p in call for g in p]],
                           [*right, *[g for call in wanted for p in call for g in p]], strict=True):  # fmt: skip
        if own is None or theirs is None:
            assert own is theirs is None
        else:
            np.testing.assert_array_equal(own, theirs)


def test_a_backward_hook_waits_for_the_gradients_of_all_inputs():
    module, seen = Scaled(lambda w, x, y: (x * y).sum() + (x * x).sum()), []
    module.register_full_backward_hook(lambda m, i, o: seen.append((m, [g.tolist() for g in i], o)))
    x, y = ones(), dark.Parameter(np.array([3.0, 4.0]))
    (module(x, y) * 5).backward()
    assert seen == [(module, [[25.0, 30.0], [5.0, 5.0]], (5.0,))]


def test_backward_hooks_are_called_in_order_and_none_is_a_gradient_of_zeros():
    module, seen = Scaled(lambda w, x, y: w * x * y), []
    module.register_full_backward_hook(lambda m, i, o: (i[0] * 3, None))
    module.register_full_backward_hook(lambda m, i, o: seen.append(i))
    module.register_full_backward_hook(lambda m, i, o: [i[0] + 1, i[1]], prepend=True)
    x, y = ones(), ones()
    module(x, y).sum().backward()
    assert seen[0][0].tolist() == [9.0, 9.0] and seen[0][1] is None
    assert x.grad.tolist() == [9.0, 9.0] and y.grad.tolist() == [0.0, 0.0]


def test_backward_hooks_of_the_layers_of_a_network():
    net, seen = nn.Sequential(nn.Linear(2, 3, seed=0), nn.Tanh(), nn.Linear(3, 1, seed=1)), {}
    plain = copy.deepcopy(net)
    for name, module in net.named_modules():
        module.register_full_backward_hook(lambda m, i, o, name=name: seen.update({name: (i, o)}))
    x = np.random.default_rng(0).normal(size=(4, 2))
    net(x).sum().backward()
    plain(x).sum().backward()
    for p, q in zip(net.parameters(), plain.parameters()):
        np.testing.assert_array_equal(p.grad, q.grad)
    assert set(seen) == {"2", "1", "0", ""}
    assert seen["0"][0] == (None,) == seen[""][0] and seen["1"][0][0].shape == (4, 3)
    np.testing.assert_array_equal(seen["2"][0][0], seen["1"][1][0])
    np.testing.assert_array_equal(seen["0"][1][0], seen["1"][0][0])


def test_with_create_graph_backward_hooks_get_and_return_nodes():
    module = Scaled(lambda w, x: w * x**2)
    module.register_full_backward_hook(lambda m, i, o: (i[0] * 3,))
    x = dark.Parameter(5.0)
    (first,) = dark.nodes.gradients(module(x), 1.0, [x], create_graph=True)
    assert first.value == 60.0
    first.backward()
    assert x.grad == 12.0  # the hook is not called: this pass does not come through the output


def test_backward_hooks_are_called_by_grad_but_not_for_the_weights_alone():
    module, seen = Scaled(lambda w, x: w * x), []
    module.register_full_backward_hook(lambda m, i, o: seen.append(o))
    with dark.no_grad():
        assert dark.grad(module)(3.0) == 2.0 and seen == [(1.0,)]
    x = ones()
    dark.nodes.gradients(module(x).sum(), 1.0, [module.weight])
    assert len(seen) == 1


def test_a_pass_that_fails_changes_nothing_and_leaves_no_gradients_behind():
    module, seen = Scaled(lambda w, x: (w * x, x * x)), []
    module.register_full_backward_hook(lambda m, i, o: seen.append(o))
    x = ones()
    first, second = module(x)
    handle = x.register_hook(lambda g: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        (first + second).sum().backward()
    handle.remove()
    assert x.grad is None is module.weight.grad
    first.sum().backward()
    assert seen[1][1] is None


class Pair(NamedTuple):
    first: object
    second: object


def test_named_tuples_stay_and_other_outputs_pass_with_a_warning():
    module, seen = Scaled(lambda w, x: Pair(w * x, x)), []
    module.register_full_backward_hook(lambda m, i, o: seen.append(o))
    assert type(module(ones())) is Pair
    module.function = lambda w, x: {"y": w * x}
    with pytest.warns(UserWarning, match="Scaled: its backward hooks are not called, as it returned"):
        module(ones())["y"].sum().backward()
    with dark.no_grad():
        module(ones())
    assert seen == []


def test_a_recurrent_layer_has_hooks_for_its_sequence():
    layer, seen = nn.LSTM(2, 3, seed=0), []
    layer.register_full_backward_hook(lambda m, i, o: seen.append(o))
    y, (h, c) = layer(dark.Parameter(np.ones((4, 1, 2))))
    (y.sum() + h.sum()).backward()
    assert seen[0][0].shape == (4, 1, 3) and seen[0][1] is None


def test_without_a_graph_backward_hooks_are_not_called():
    layer = nn.Linear(2, 1)
    layer.register_full_backward_hook(lambda m, i, o: 1 / 0)
    with dark.no_grad():
        assert isinstance(layer(np.ones((1, 2))), dark.Constant)
    layer.requires_grad_(False)
    assert layer(np.ones((1, 2))).op is None


@pytest.mark.parametrize(
    ("returned", "error", "message"),
    [
        ((1.0, 2.0), UsageError, "the hook of Scaled must return None or 1 gradient, got 2 gradients"),
        (1.0, UsageError, "the hook of Scaled must return None or 1 gradient, got 1.0"),
        ((np.ones(3),), ShapeError, "cannot set a gradient of shape"),
        (("1",), ValueTypeError, "grad: cannot use '1'"),
    ],
)
def test_what_a_backward_hook_cannot_return(returned, error, message):
    module = Scaled(lambda w, x: w * x)
    module.register_full_backward_hook(lambda m, i, o: returned)
    x = ones()
    with pytest.raises(error, match=message) as caught:
        module(x).sum().backward()
    assert "in a backward hook of Scaled()" in caught.value.__notes__
    assert x.grad is None is module.weight.grad


def test_a_gradient_for_an_input_that_has_none_is_refused():
    module = Scaled(lambda w, x: w * x)
    module.register_full_backward_hook(lambda m, i, o: (np.ones(2),))
    with pytest.raises(UsageError, match="must return None for argument 0, which has no gradient"):
        module(np.ones(2)).sum().backward()


def test_handles_remove_hooks_and_a_module_without_hooks_is_as_before():
    layer, seen = nn.Linear(2, 1), []
    with (
        layer.register_forward_hook(lambda *given: seen.append("forward")),
        layer.register_full_backward_hook(lambda *given: seen.append("backward")),
        layer.register_forward_pre_hook(lambda *given: seen.append("before")),
    ):
        layer(np.ones((1, 2))).backward()
    y = layer(np.ones((1, 2)))
    y.backward()
    assert seen == ["before", "forward", "backward"]
    assert [n.op.__name__ for n in dark.topological_order(y) if n.op] == ["Linear"]


def test_a_hook_that_removes_itself_does_not_skip_the_next():
    layer, seen = nn.Identity(), []

    def once(module, args, output):
        seen.append("once")
        handle.remove()

    handle = layer.register_forward_hook(once)
    layer.register_forward_hook(lambda *given: seen.append("always"))
    layer(1.0), layer(1.0)
    assert seen == ["once", "always", "always"]


@pytest.mark.long
def test_a_graph_with_backward_hooks_is_freed_without_the_garbage_collector():
    module = Scaled(lambda w, x, y: (w * x, x * y))
    module.register_full_backward_hook(lambda m, i, o: None)
    gc.collect()
    gc.disable()
    try:
        x = ones()
        first, second = module(x * 1, x * 2)
        freed = weakref.ref(next(iter(first.inputs[0]._hooks)))  # of the join of the outputs
        (first + second).sum().backward()
        del first, second
        assert freed() is None
    finally:
        gc.enable()


def report(module, *given):
    """Count the calls, as a function that can be pickled."""
    module.calls = getattr(module, "calls", 0) + 1


@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda module: pickle.loads(pickle.dumps(module))])
def test_copies_and_pickles_of_a_module_have_its_hooks(duplicate):
    layer = nn.Linear(2, 1)
    keys = list(layer.state_dict())
    layer.handle = layer.register_forward_hook(report)
    layer.register_full_backward_hook(report)
    other = duplicate(layer)
    other(np.ones((1, 2))).backward()
    assert other.calls == 2 and not hasattr(layer, "calls")
    other.handle.remove()  # the handle of the copy
    other(np.ones((1, 2)))
    layer(np.ones((1, 2)))
    assert other.calls == 2 and layer.calls == 1
    assert list(layer.state_dict()) == list(other.state_dict()) == keys
    assert repr(layer) == repr(nn.Linear(2, 1))


def test_what_cannot_be_a_hook_is_refused():
    layer = nn.Linear(2, 1)
    for register, count in (
        (layer.register_forward_pre_hook, 2), (layer.register_forward_hook, 3), (layer.register_full_backward_hook, 3),
    ):  # fmt: skip
        with pytest.raises(ValueTypeError, match="hook must be callable, got None"):
            register(None)
        with pytest.raises(ValueTypeError, match=f"must accept {count} positional arguments"):
            register(lambda: None)
        with pytest.raises(ValueTypeError, match="prepend must be a bool, got 1"):
            register(lambda *given: None, prepend=1)
    with pytest.raises(ValueTypeError, match="with_kwargs must be a bool, got 1"):
        layer.register_forward_hook(lambda *given: None, with_kwargs=1)
    with pytest.raises(ValueTypeError, match="must accept 4 positional arguments"):
        layer.register_forward_hook(lambda module, args, output: None, with_kwargs=True)
    with pytest.raises(ValueTypeError, match="always_call must be a bool, got 'yes'"):
        layer.register_forward_hook(lambda *given: None, always_call="yes")


def test_joined_nodes_have_no_gradients_outside_a_backward_pass():
    layer = nn.Identity()
    layer.register_full_backward_hook(lambda *given: None)
    part = layer(dark.Parameter(1.0))
    for node in (part, part.inputs[0]):
        with pytest.raises(GradientError, match="its gradients are known during a backward pass only"):
            node.op.differentiate(node, 1.0)
