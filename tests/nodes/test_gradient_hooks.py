"""Hooks of nodes: what they see and replace, when they are called, how they are removed."""

import copy
import gc
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dark
from dark.errors import GradientError, ShapeError, ValueTypeError
from dark.nodes import gradient_hooks, gradients


def recorded(node):
    """Add a hook that records gradients; return the list."""
    seen = []
    node.register_hook(lambda g: seen.append(g))
    return seen


def graph():
    """Return two leaves, a result that is used twice, and the root."""
    x, y = dark.Parameter(np.array([1.0, 2.0, 3.0])), dark.Parameter(2.0)
    z = x * y
    return x, y, z, dark.sum(z * z + 3 * z)


def test_a_hook_sees_the_complete_gradient_once_in_each_pass():
    x, y, z, root = graph()
    seen = [recorded(node) for node in (x, y, z, root)]
    root.backward()
    root.backward()
    assert [len(s) for s in seen] == [2, 2, 2, 2]
    dldz = 2 * z.value + 3
    for s, right in zip(seen, (2 * dldz, dldz @ x.value, dldz, 1.0)):
        np.testing.assert_array_equal(s[0], right)
        np.testing.assert_array_equal(s[1], right)
    np.testing.assert_array_equal(x.grad, 4 * dldz)


@given(st.lists(st.booleans(), min_size=4, max_size=4), st.booleans())
def test_a_hook_that_returns_nothing_changes_nothing(hooked, create_graph):
    plain, watched = graph(), graph()
    for node, has_hook in zip(watched, hooked):
        if has_hook:
            recorded(node)
    for nodes in (plain, watched):
        nodes[-1].backward(create_graph=create_graph)
    for a, b in zip(plain, watched):
        np.testing.assert_array_equal(dark.nodes.value_of(a.grad), dark.nodes.value_of(b.grad))
        assert type(a.grad) is type(b.grad)


@pytest.mark.parametrize("create_graph", [False, True])
def test_a_replacement_goes_on_to_the_inputs_and_to_grad(create_graph):
    x, y, z, root = graph()
    z.register_hook(lambda g: 10 * g)
    z.register_hook(lambda g: g + 1)
    root.backward(create_graph=create_graph)
    dldz = 10 * (2 * z.value + 3) + 1
    for node, right in ((z, dldz), (x, 2 * dldz), (y, dldz @ x.value)):
        np.testing.assert_allclose(dark.nodes.value_of(node.grad), right, rtol=1e-15)


def test_the_hook_of_a_leaf_is_called_before_its_gradient_is_added():
    x = dark.Parameter(3.0)
    x.grad = 100.0
    x.register_hook(lambda g: -g)
    (2 * x).backward()
    assert x.grad == 98.0
    x.backward(5.0)
    assert x.grad == 93.0


@pytest.mark.parametrize("replacement", [np.ones(3), np.ones(3, "f"), np.ones(3, int), 1.0, 1, np.float32(1)])
@pytest.mark.parametrize("create_graph", [False, True])
def test_a_replacement_is_an_array_or_one_number_for_all_elements(replacement, create_graph):
    x, y, z, root = graph()
    z.register_hook(lambda g: replacement)
    root.backward(create_graph=create_graph)
    grad = dark.nodes.value_of(x.grad)
    np.testing.assert_array_equal(grad, np.full(3, 2.0))
    assert grad.dtype == float and isinstance(x.grad, dark.Node) == create_graph


def test_a_node_is_a_replacement_by_its_value():
    x = dark.Parameter(np.ones(2))
    x.register_hook(lambda g: dark.exp(dark.Constant(g)))
    (x * np.array([0.0, 1.0])).sum().backward()
    np.testing.assert_allclose(x.grad, [1, np.e])
    assert type(x.grad) is np.ndarray


def test_with_create_graph_a_replacement_is_differentiated():
    x = dark.Parameter(2.0)
    y = x**3
    y.register_hook(lambda g: g * x)
    y.backward(create_graph=True)
    assert x.grad.value == 24.0  # 3 x^3
    first, x.grad = x.grad, None
    first.backward()
    assert x.grad == 36.0  # 9 x^2


def test_the_gradient_in_a_hook_is_read_only_and_can_be_kept():
    x, y, z, root = graph()
    seen = [recorded(node) for node in (x, z, root)]
    root.backward()
    before = [np.copy(s[0]) for s in seen]
    x.grad *= 0
    z.grad *= 0
    root.backward()
    for s, right in zip(seen, before):
        np.testing.assert_array_equal(s[0], right)
    x.register_hook(lambda g: g.fill(0))
    with pytest.raises(ValueError, match="read-only"):
        root.backward()


def test_a_replacement_that_is_written_again_later_is_copied():
    x, buffer = dark.Parameter(np.ones(3)), np.zeros(3)

    def hook(g):
        np.multiply(g, 2, out=buffer)
        return buffer

    x.register_hook(hook)
    dark.sum(x).backward()
    buffer[:] = 7
    np.testing.assert_array_equal(x.grad, np.full(3, 2.0))


def test_large_results_are_seen_before_their_gradient_is_released():
    x = dark.Parameter(np.ones(10_000))
    y = x * 2
    seen = recorded(y)
    (y * 3).sum().backward()
    np.testing.assert_array_equal(seen[0], np.full(10_000, 3.0))
    assert y.grad is None


def test_hooks_are_called_in_passes_that_set_no_grad():
    x = dark.Parameter(2.0)
    y = x**2
    seen_x, seen_y = recorded(x), recorded(y)
    assert gradients(y * 3, 1.0, [x]) == [12.0]
    assert (seen_x, seen_y) == ([12.0], [3.0])
    assert gradients(y * 3, 1.0, [y]) == [3.0]
    assert (seen_x, seen_y) == ([12.0], [3.0, 3.0])
    x.register_hook(lambda g: -g)
    assert gradients(y * 3, 1.0, [x]) == [-12.0] and x.grad is None


def test_the_hooks_of_a_leaf_that_is_not_asked_for_are_not_called():
    x, y = dark.Parameter(2.0), dark.Parameter(3.0)
    seen = recorded(y)
    assert gradients(x * y, 1.0, [x]) == [3.0]
    assert seen == []


def test_hooks_inside_a_function_that_is_differentiated():
    def f(x):
        y = x**2
        y.register_hook(lambda g: 10 * g)
        return 3 * y

    assert dark.grad(f)(2.0) == 120.0
    assert dark.grad(dark.grad(f))(2.0) == 60.0


def test_a_hook_that_raises_changes_no_gradient():
    x, y, z, root = graph()
    root.backward()
    before = [node.grad for node in (x, y, z)]

    def hook(g):
        raise KeyError("of the user")

    z.register_hook(hook)
    with pytest.raises(KeyError, match="of the user") as caught:
        root.backward()
    assert caught.value.__notes__[0].startswith("in a hook of Node(value=")
    assert all(node.grad is g for node, g in zip((x, y, z), before))
    assert not dark.nodes.mode.create_graph


def test_handles_remove_their_hook_once():
    x = dark.Parameter(1.0)
    seen = []
    first = x.register_hook(lambda g: seen.append("first"))
    with x.register_hook(lambda g: seen.append("second")) as second:
        x.backward()
    first.remove()
    first.remove()
    second.remove()
    x.backward()
    assert seen == ["first", "second"]


def test_a_hook_may_remove_itself():
    x, seen = dark.Parameter(1.0), []

    def hook(g):
        seen.append(g)
        handle.remove()

    handle = x.register_hook(hook)
    after = recorded(x)
    x.backward()
    x.backward()
    assert (seen, after) == ([1.0], [1.0, 1.0])


@pytest.mark.long
def test_hooks_of_nodes_that_are_gone_cost_nothing():
    gc.collect()
    before = len(gradient_hooks.alive)
    x, y, z, root = graph()
    handles = [node.register_hook(print) for node in (x, z)]
    assert len(gradient_hooks.alive) == before + 2
    handles[0].remove()
    assert len(gradient_hooks.alive) == before + 1
    del x, y, z, root
    gc.collect()
    assert len(gradient_hooks.alive) == before
    handles[1].remove()  # after the node is gone


def test_copies_and_pickles_of_a_leaf_have_no_hooks():
    x = dark.Parameter(1.0)
    seen = recorded(x)
    for other in (copy.copy(x), copy.deepcopy(x), pickle.loads(pickle.dumps(x))):
        other.backward()
    assert seen == []


def test_what_cannot_be_a_hook_is_refused():
    x = dark.Parameter(np.ones(2))
    for node in (dark.Constant(1.0), dark.Parameter(1.0, requires_grad=False)):
        with pytest.raises(GradientError, match="does not require grad, so that the hook would never be called"):
            node.register_hook(print)
    with pytest.raises(ValueTypeError, match="register_hook: hook must be callable, got 3"):
        x.register_hook(3)
    with pytest.raises(ValueTypeError, match="must accept 1 positional argument"):
        x.register_hook(lambda: None)


@pytest.mark.parametrize(
    ("replacement", "error"), [(np.ones(3), ShapeError), ("1", ValueTypeError), ([1.0, 2.0], ValueTypeError)]
)
@pytest.mark.parametrize("create_graph", [False, True])
def test_what_cannot_be_a_gradient_is_refused(replacement, error, create_graph):
    x = dark.Parameter(np.ones(2))
    x.register_hook(lambda g: replacement)
    with pytest.raises(error, match="grad: cannot") as caught:
        dark.sum(x).backward(create_graph=create_graph)
    assert caught.value.__notes__[-1].startswith("in a hook of Parameter") and x.grad is None


@pytest.mark.long
@pytest.mark.oracle
@given(st.integers(0, 2**16), st.booleans())
def test_replacements_equal_those_of_pytorch(seed, through_grad):
    torch = pytest.importorskip("torch", reason="the oracle extra (PyTorch) is not installed")
    rng = np.random.default_rng(seed)
    a, b, factors = rng.normal(size=(2, 3)), rng.normal(size=3), rng.normal(size=5)

    def run(x, y):
        z = x * y
        w = z * z
        root = (w * y + z).sum()
        for node, k in zip((x, y, z, w, root), factors):
            node.register_hook(lambda g, k=k: None if k < -0.5 else g * k)
        return root

    x, y = dark.Parameter(a), dark.Parameter(b)
    s, t = torch.tensor(a, requires_grad=True), torch.tensor(b, requires_grad=True)
    if through_grad:
        found, right = gradients(run(x, y), 1.0, [x, y]), torch.autograd.grad(run(s, t), [s, t])
    else:
        run(x, y).backward(), run(s, t).backward()
        found, right = [x.grad, y.grad], [s.grad, t.grad]
    for g, h in zip(found, right):
        np.testing.assert_allclose(g, h.numpy(), rtol=1e-12, atol=1e-12)
