"""Arrays of other libraries as inputs, and nodes that other libraries read: only those that carry no gradient."""

import operator

import numpy as np
import pytest

import dark
from dark.errors import DarkError, OperationError, ValueTypeError

VALUE = np.array([1.0, 2.0, 3.0])
REFUSED = "(?s)cannot convert a node to an array: it would be detached from the graph.*Expected: .*Try: x.value"


class Foreign:
    """An array that another library holds, read by `__array__`."""

    def __init__(self, value=VALUE):
        self.held = value

    def __array__(self, dtype=None, copy=None):
        return np.array(self.held, dtype)


class Exchanged:
    """An array that another library holds, read by DLPack alone."""

    def __dlpack__(self, **settings):
        return VALUE.__dlpack__(**settings)

    def __dlpack_device__(self):
        return VALUE.__dlpack_device__()


class OnTheDevice:
    """An array that cannot be read from where it is."""

    def __array__(self, dtype=None, copy=None):
        raise TypeError("copy it to host memory first")


def without_gradient():
    """Return nodes that carry no gradient, all of the same value."""
    x = dark.Parameter(VALUE)
    with dark.no_grad():
        result = 1.0 * x
    frozen = dark.Parameter(VALUE, requires_grad=False)
    return [dark.Constant(VALUE), x.detach(), result, frozen, 1.0 * dark.Constant(VALUE)]


@pytest.mark.parametrize("node", without_gradient(), ids=["Constant", "detached", "no_grad", "frozen", "of constants"])
def test_a_node_without_a_gradient_is_an_array(node):
    for found in (np.asarray(node), np.array(node), node.numpy(), np.from_dlpack(node)):
        assert type(found) is np.ndarray and np.array_equal(found, VALUE)
    assert np.asarray(node, np.float32).dtype == np.float32 and node.tolist() == VALUE.tolist()
    assert np.array([node, node]).shape == (2, 3) and not np.shares_memory(np.array(node), np.asarray(node))
    array = np.zeros(3)
    array[:] = node
    array[0] = node[1]
    assert array.tolist() == [2.0, 2.0, 3.0]


def test_an_array_shares_memory_with_a_leaf():
    c = dark.Constant(VALUE)
    np.asarray(c)[0] = 5.0
    assert c.value[0] == 5.0 and VALUE[0] == 1.0


def test_a_scalar_without_a_gradient_is_an_array_of_no_dimension():
    c = dark.Constant(2.0)
    assert np.asarray(c).shape == () and np.asarray(c) == 2.0 == c.numpy() == c.tolist() and np.from_dlpack(c) == 2.0


def test_a_node_with_a_gradient_is_refused_in_words():
    x = dark.Parameter(VALUE)
    for node in (x, 2 * x, dark.Parameter(1.0)):
        for use in (
            lambda n=node: np.asarray(n), lambda n=node: np.array([n]), lambda n=node: n.numpy(),
            lambda n=node: np.from_dlpack(n),
        ):  # fmt: skip
            with pytest.raises(OperationError, match=REFUSED):
                use()
    assert x.tolist() == [1.0, 2.0, 3.0] and (2 * x).tolist() == [2.0, 4.0, 6.0] and dark.Parameter(1.0).tolist() == 1.0


def test_a_function_that_is_differentiated_converts_no_variable():
    for use in (np.asarray, lambda x: x.numpy(), lambda x: x.tolist()):
        with pytest.raises(OperationError, match=r"(?s)Expected: .*Try: "):
            dark.grad(lambda x, use=use: np.sum(x * np.sum(use(x))))(VALUE)
    assert dark.grad(lambda x: np.sum(x * np.asarray(dark.Constant(VALUE))))(VALUE).tolist() == [1.0, 2.0, 3.0]


def test_the_length_of_a_scalar_is_a_type_error_as_in_numpy():
    for use in (len, iter, list, lambda x: [*x]):
        with pytest.raises(ValueTypeError, match=r"(?s)len: a scalar has no length.*Expected: a node.*Try: x.item\(\)"):
            use(dark.Parameter(3.0))
    assert issubclass(ValueTypeError, TypeError)


@pytest.mark.parametrize("make", [Foreign, Exchanged])
def test_an_array_of_another_library_is_an_input(make):
    x, other = dark.Parameter([1.0, 1.0, 2.0]), make()
    for sign in (operator.add, operator.sub, operator.mul, operator.truediv, operator.pow, operator.matmul):
        assert np.array_equal(sign(x, other).value, sign(x.value, VALUE))
        assert np.array_equal(sign(other, x).value, sign(VALUE, x.value))
    for leaf in (dark.Constant(other), dark.Parameter(other)):
        assert np.array_equal(leaf.value, VALUE) and not np.shares_memory(leaf.value, VALUE)
    assert np.array_equal(dark.concatenate([x, other]).value, np.concatenate([x.value, VALUE]))
    (x * other).sum().backward()
    assert x.grad.tolist() == VALUE.tolist()


def test_lists_of_such_arrays_are_stacked():
    assert np.array_equal(dark.Constant([Foreign(), Foreign()]).value, [VALUE, VALUE])
    assert np.array_equal(dark.Parameter([dark.Constant(1.0), dark.Constant(2.0)]).value, [1.0, 2.0])


def test_integers_index_and_masks_select():
    x = dark.Parameter(VALUE)
    assert x[Foreign(np.array([2, 0]))].value.tolist() == [3.0, 1.0]
    assert x[Foreign(np.array([True, False, True]))].value.tolist() == [1.0, 3.0]


def test_what_cannot_be_read_or_is_not_a_number_is_refused_in_words():
    x = dark.Parameter(VALUE)
    for use in (lambda: x + OnTheDevice(), lambda: dark.Constant(OnTheDevice())):
        with pytest.raises(ValueTypeError, match="(?s)cannot convert .*OnTheDevice.*copy it to host.*Try: x.cpu"):
            use()
    for value in (np.array(["a"]), np.array([1j]), np.array([None])):
        with pytest.raises(ValueTypeError, match="(?s)cannot use .*Foreign.* as a value.*Expected: .*Try: "):
            x + Foreign(value)


@pytest.mark.oracle
def test_tensors_of_pytorch_are_inputs_and_read_nodes():
    torch = pytest.importorskip("torch", reason="the oracle extra (PyTorch) is not installed")
    x, t = dark.Parameter(VALUE), torch.tensor([1.0, 2.0, 4.0])
    for sign in (operator.add, operator.sub, operator.mul, operator.truediv, operator.pow, operator.matmul):
        assert np.array_equal(sign(x, t).value, sign(VALUE, t.numpy())) and isinstance(sign(x, t), dark.Node)
        assert np.array_equal(sign(t, x).value, sign(t.numpy(), VALUE)) and isinstance(sign(t, x), dark.Node)
    assert dark.Constant([t, t]).shape == (2, 3) and dark.Parameter(t).dtype == np.float32
    assert x[torch.tensor([2, 0])].value.tolist() == [3.0, 1.0]
    assert (x + torch.tensor(2)).value.tolist() == [3.0, 4.0, 5.0]
    assert torch.equal(torch.from_dlpack(x.detach()), torch.tensor(VALUE))
    assert torch.equal(torch.as_tensor(x.detach()), torch.tensor(VALUE))
    for use in (lambda: torch.from_dlpack(x), lambda: torch.as_tensor(x), lambda: torch.tensor(2 * x)):
        with pytest.raises(OperationError, match=REFUSED):
            use()
    learned = torch.ones(3, requires_grad=True)
    for use in (lambda: x + learned, lambda: learned + x, lambda: dark.Constant(learned), lambda: x[learned]):
        with pytest.raises(ValueTypeError, match="(?s)must not require grad, got a Tensor of another library.*detach"):
            use()
    for other in (t.bfloat16(), torch.eye(3).to_sparse(), torch.ones(3, device="meta"), [learned, learned]):
        with pytest.raises(DarkError, match="(?s)Constant: .*Expected: .*Try: "):
            dark.Constant(other)


def test_arrays_of_jax_are_inputs_and_read_nodes():
    jax = pytest.importorskip("jax")
    x, j = dark.Parameter(VALUE), jax.numpy.array([1.0, 2.0, 4.0])
    for sign in (operator.add, operator.mul, operator.matmul):
        assert np.array_equal(sign(x, j).value, sign(VALUE, np.asarray(j)))
        assert isinstance(sign(j, x), dark.Node) and np.array_equal(sign(j, x).value, sign(np.asarray(j), VALUE))
    assert np.array_equal(jax.numpy.asarray(x.detach()), VALUE.astype(np.float32))
    with pytest.raises(OperationError, match=REFUSED):
        jax.numpy.asarray(x)


def test_matplotlib_draws_what_carries_no_gradient_and_gets_a_refusal_in_words():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    pyplot = pytest.importorskip("matplotlib.pyplot")
    figure, axes = pyplot.subplots()
    for node in without_gradient():
        (line,) = axes.plot(node)
        assert np.asarray(line.get_ydata()).tolist() == VALUE.tolist()
        axes.scatter(node, node)
        axes.hist(node)
    axes.imshow(dark.Constant(np.ones((2, 2))))
    x = dark.Parameter(VALUE)
    for use in (
        axes.plot, axes.hist, lambda p: axes.scatter(p, p), lambda p: axes.plot(2 * p), lambda p: axes.plot(p[0])
    ):  # fmt: skip
        with pytest.raises(DarkError, match=r"(?s)Expected: .*Try: .*x\.(value|detach\(\))"):
            use(x)
    pyplot.close(figure)
