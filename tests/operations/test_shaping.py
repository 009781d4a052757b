"""Shapes, axes, concatenation and repetition: NumPy's values and errors, PyTorch's gradients, no aliasing."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

import dark
from dark.errors import DarkError, ShapeError, UsageError, ValueTypeError
from tests.examples import examples
from tests.operations.torch_comparison import compare

CALLS = [
    lambda f, x: f.reshape(x, -1),
    lambda f, x: f.reshape(x, (x.shape[-1], -1)),
    lambda f, x: f.expand_dims(x, (0, -1)),
    lambda f, x: f.squeeze(f.expand_dims(x, 1), axis=1),
    lambda f, x: f.broadcast_to(x, (2, *x.shape)),
    lambda f, x: f.transpose(x),
    lambda f, x: f.swapaxes(x, 0, -1),
    lambda f, x: f.moveaxis(x, 0, -1),
    lambda f, x: f.flip(x),
    lambda f, x: f.flip(x, -1),
    lambda f, x: f.concatenate([x, x], axis=-1),
    lambda f, x: f.concatenate([x, x], axis=None),
    lambda f, x: f.stack([x, x, x], axis=-1),
    lambda f, x: f.split(x, [1, 2], axis=-1)[1],
    lambda f, x: f.split(x, x.shape[0])[-1],
    lambda f, x: f.pad(x, 1),
    lambda f, x: f.pad(x, (0, 2), constant_values=3.0),
    lambda f, x: f.repeat(x, 2),
    lambda f, x: f.repeat(x, 2, axis=-1),
    lambda f, x: f.repeat(x, np.arange(x.shape[0]), axis=0),
    lambda f, x: f.tile(x, 2),
    lambda f, x: f.tile(x, (2, 1, 2)),
]
some_arrays = arrays.arrays(
    np.float32, arrays.array_shapes(max_dims=3, max_side=4), elements=st.floats(-9, 9, width=32)
)


@pytest.mark.parametrize("call", CALLS)
@examples(20)
@given(x=some_arrays)
def test_dark_and_numpy_functions_on_nodes_give_numpys_values(call, x):
    right = call(np, x)
    for y in (call(dark, dark.Parameter(x)), call(np, dark.Parameter(x)), call(dark, x)):
        assert y.value.dtype == np.float32
        np.testing.assert_array_equal(y.value, right, strict=True)


@pytest.mark.parametrize("call", CALLS)
@examples(20)
@given(x=some_arrays, data=st.data())
def test_the_gradient_is_the_transpose_of_the_forward_pass(call, x, data):
    p, origin = dark.Parameter(np.round(x)), call(np, np.zeros_like(x))  # a pad adds what x = 0 gives
    y = call(dark, p)
    v = data.draw(arrays.arrays(np.float32, y.shape, elements=st.integers(-3, 3)))
    y.backward(gradient=v)
    assert p.grad.dtype == np.float32 and p.grad.shape == x.shape
    assert np.sum((y.value - origin) * v) == np.sum(p.value * p.grad)


@pytest.mark.oracle
@pytest.mark.parametrize(
    ("actual", "reference", "shapes"),
    [
        (lambda x: dark.reshape(x, (3, -1)), lambda x: x.reshape(3, -1), [(2, 3, 2)]),
        (lambda x: dark.transpose(x, (2, 0, 1)), lambda x: x.permute(2, 0, 1), [(2, 3, 4)]),
        (lambda x: dark.moveaxis(x, (0, 1), (-1, 0)), lambda x: x.movedim((0, 1), (-1, 0)), [(2, 3, 4)]),
        (lambda x: dark.broadcast_to(x, (4, 2, 3)), lambda x: x.expand(4, 2, 3), [(2, 1)]),
        (lambda x: dark.flip(x, (0, 1)), lambda x: x.flip(0, 1), [(2, 3)]),
        (lambda *x: dark.concatenate(x, 1), lambda *x: _torch().cat(x, 1), [(2, 3), (2, 1), (2, 2)]),
        (lambda a, b: dark.concatenate([a, b, a], 0), lambda a, b: _torch().cat([a, b, a], 0), [(2, 3), (1, 3)]),
        (lambda *x: dark.stack(x, -1), lambda *x: _torch().stack(x, -1), [(2, 3), (2, 3)]),
        (lambda x: _product(dark.split(x, 3, 1)), lambda x: _product(x.chunk(3, 1)), [(2, 6)]),
        (lambda x: dark.pad(x, ((1, 2), (0, 3))), lambda x: _torch().nn.functional.pad(x, (0, 3, 1, 2)), [(2, 3)]),
        (lambda x: dark.repeat(x, 3, 1), lambda x: x.repeat_interleave(3, 1), [(2, 3)]),
        (lambda x: dark.repeat(x, [2, 0, 1], 1), lambda x: x[:, [0, 0, 2]], [(2, 3)]),
        (lambda x: dark.tile(x, (2, 3, 2)), lambda x: x.tile(2, 3, 2), [(2, 3)]),
    ],
)
def test_value_gradient_and_second_derivative_are_pytorchs(actual, reference, shapes):
    compare(actual, reference, *shapes)


def _torch():
    return pytest.importorskip("torch", reason="the oracle extra (PyTorch) is not installed")


def _product(parts):
    a, b, c = parts
    return a * b * c


def test_gradients_of_views_are_not_one_array():  # FR-10
    x = dark.Parameter(np.ones(3), name="x")
    v = dark.reshape(x, (3, 1))
    dark.sum(dark.reshape(3 * x, (3, 1)) + 2 * v).backward()
    assert v.grad.tolist() == [[2], [2], [2]] and x.grad.tolist() == [5, 5, 5]

    m = dark.Parameter(np.ones((2, 2)))
    t = m.T
    dark.sum(t + 5 * dark.transpose(2 * m)).backward()
    assert (t.grad == 1).all() and (m.grad == 11).all()


@pytest.mark.parametrize("view", [lambda x: x.reshape(4), lambda x: x.T, lambda x: x[::-1], lambda x: dark.flip(x)])
def test_clearing_the_input_keeps_the_gradient_of_its_view(view):  # FR-10
    x = dark.Parameter(np.ones((2, 2)))
    y = view(x)
    y.backward(gradient=np.ones(y.shape))
    assert not np.shares_memory(x.grad, y.grad)
    x.zero_grad()
    y.backward(gradient=np.ones(y.shape))
    assert (x.grad == 1).all() and (y.grad == 1).all()


@pytest.mark.parametrize(
    "join", [lambda x: dark.concatenate(x, 0), lambda x: dark.stack(x, 1), np.concatenate, np.stack]
)
def test_nodes_and_arrays_are_joined_and_arrays_get_no_gradient(join):
    x = dark.Parameter(np.ones((2, 3)))
    y = join([np.zeros((2, 3)), x, dark.Constant(np.zeros((2, 3)))])
    before, g, after = y.op.differentiate(y, np.ones(y.shape))
    assert before is after is None and g.shape == (2, 3)


def test_one_node_may_be_joined_with_itself():
    x = dark.Parameter(np.ones(2))
    (dark.concatenate([x, x]) * np.array([1.0, 2, 3, 4])).sum().backward()
    assert x.grad.tolist() == [4, 6]


def test_scalars_are_stacked_and_their_gradients_are_floats():
    a, b = dark.Parameter(2.0), dark.Parameter(3.0)
    (dark.stack([a, 1, b]) ** 2).sum().backward()
    assert (a.grad, b.grad) == (4.0, 6.0) and type(a.grad) is float


def test_a_scalar_is_reshaped_repeated_and_broadcast():
    x = dark.Parameter(2.0)
    for y, n in [(dark.reshape(x, (1, 1)), 1), (dark.repeat(x, 3), 3), (dark.tile(x, (2, 2)), 4), (x.reshape(()), 1),
                 (dark.broadcast_to(x, (5,)), 5), (dark.expand_dims(x, 0), 1), (dark.flip(x), 1)]:  # fmt: skip
        x.grad = None
        y.backward(gradient=np.ones(y.shape) if y.shape else 1.0)
        assert x.grad == n and type(x.grad) is float


X, V, S = dark.Parameter(np.ones((2, 3))), dark.Parameter(np.ones(3)), dark.Parameter(1.0)


@pytest.mark.parametrize(
    ("wrong", "text"),
    [
        (lambda: dark.reshape(X, (4,)), r"reshape: invalid shape \(2, 3\): .*size 6 into shape \(4,\)"),
        (lambda: dark.reshape(X, (-1, -1)), "can only specify one unknown"),
        (lambda: dark.reshape(S, (2,)), r"reshape: cannot reshape a scalar to shape \(2,\)"),
        (lambda: dark.reshape(S, (-1, -1)), "reshape: cannot reshape a scalar"),
        (lambda: dark.expand_dims(X, 4), r"expand_dims: axis 4 is out of bounds for shape \(2, 3\) with 1 added"),
        (lambda: dark.squeeze(X, 0), r"squeeze: invalid shape \(2, 3\)"),
        (
            lambda: dark.squeeze(X, 2),
            r"squeeze: axis 2 is out of bounds for shape \(2, 3\).\n  Expected: an axis from -2 to 1",
        ),
        (lambda: dark.broadcast_to(X, (3, 3)), r"broadcast_to: shape \(2, 3\) does not broadcast to shape \(3, 3\)"),
        (lambda: dark.broadcast_to(V, (1, 1)), r"broadcast_to: shape \(3,\) does not broadcast to shape \(1, 1\)"),
        (lambda: dark.transpose(X, (0, 0)), r"transpose: duplicate axes in \(0, 0\)"),
        (lambda: dark.transpose(X, (0,)), r"transpose: axes \(0,\) do not match shape \(2, 3\)"),
        (lambda: dark.swapaxes(X, 0, 2), "swapaxes: axis 2 is out of bounds"),
        (
            lambda: dark.moveaxis(X, (0, 1), 0),
            r"moveaxis: source and destination must have equal lengths, got \(0, 1\) and \(0,\)",
        ),
        (lambda: dark.flip(S, 0), "flip: axis 0 is out of bounds.*\n  Expected: an array; a scalar has no axes"),
        (lambda: dark.concatenate([X, V]), r"concatenate: shapes \(2, 3\) and \(3,\) do not match"),
        (lambda: dark.concatenate([X, X], axis=2), "concatenate: axis 2 is out of bounds"),
        (lambda: dark.concatenate([S, S]), "concatenate: axis 0 is out of bounds"),
        (lambda: dark.concatenate([]), "concatenate: the sequence must not be empty"),
        (lambda: dark.stack([X, V]), r"stack: shapes \(2, 3\) and \(3,\) do not match"),
        (lambda: dark.stack([X], axis=3), "stack: axis 3 is out of bounds"),
        (lambda: dark.split(X, 2, 1), r"split: cannot split shape \(2, 3\) into 2 equal parts along axis 1"),
        (lambda: dark.split(X, 0), "into 0 equal parts"),
        (lambda: dark.split(X, 2, 2), "split: axis 2 is out of bounds"),
        (lambda: dark.pad(X, -1), r"pad: invalid widths -1 for shape \(2, 3\)"),
        (lambda: dark.pad(X, ((1, 1),) * 3), "pad: invalid widths"),
        (lambda: dark.repeat(X, [1, 2], axis=1), r"repeat: invalid shape \(2, 3\)"),
        (lambda: dark.tile(X, -1), r"tile: reps must not be negative, got \(-1,\)"),
    ],
)
def test_mismatches_are_shape_errors_that_name_the_operation(wrong, text):
    with pytest.raises(ShapeError, match=text) as caught:
        wrong()
    assert "\n  Expected: " in str(caught.value) and "\n  Try: " in str(caught.value)


@pytest.mark.parametrize(
    ("wrong", "text"),
    [
        (lambda: dark.reshape(X, 1.5), r"reshape: shape must be an integer, got 1.5 \(float\)"),
        (lambda: dark.flip(X, "0"), r"flip: axis must be an integer, got '0' \(str\)"),
        (lambda: dark.split(X, 1.5), "split: indices_or_sections must be an integer, got 1.5"),
        (lambda: dark.concatenate(3), "concatenate: 3 .int. is not a sequence"),
        (lambda: dark.repeat(X, 1.5), "repeat: repeats must be an integer, got 1.5"),
        (lambda: dark.pad(X, 1.5), "pad: pad_width must be integers, got 1.5 .float."),
        (lambda: dark.pad(X, 1, constant_values=S), "pad: constant_values must be a number, got .*Parameter"),
    ],
)
def test_arguments_of_the_wrong_type_are_named(wrong, text):
    with pytest.raises(ValueTypeError, match=text):
        wrong()


@pytest.mark.parametrize("n", [2**63, 2**70])
@pytest.mark.parametrize(
    "call",
    [
        np.repeat, np.tile, np.pad, np.split, lambda x, n: np.repeat(x, [n, 1]), lambda x, n: np.reshape(x, (n,)),
        lambda x, n: np.broadcast_to(x, (n, 2)), lambda x, n: x[n], lambda x, n: np.take(x, n),
        lambda x, n: dark.scatter_add(x, [0, 1], n), np.expand_dims,
    ],
)  # fmt: skip
def test_an_integer_that_numpy_cannot_hold_is_refused(call, n):
    with pytest.raises(DarkError, match=r"(?s)Expected: .*Try: "):
        call(dark.Parameter(np.ones(2)), n)


def test_arguments_of_odd_kinds_are_accepted_or_named():
    x = dark.Parameter(np.ones(4))
    assert np.pad(x, np.uint64(1)).shape == np.pad(x, np.array([1, 1], np.uint64)).shape == (6,)
    for call in (np.split, np.pad):
        with pytest.raises(DarkError, match=r"(?s)Expected: .*Try: "):
            call(x, [[1, 2], [3]])


def test_an_unsupported_mode_of_pad_is_an_error():
    with pytest.raises(UsageError, match="pad: mode 'reflect' is not supported.\n  Expected: mode 'constant'"):
        np.pad(X, 1, mode="reflect")


def test_a_dict_of_pad_widths_is_an_error():
    with pytest.raises(ShapeError, match=r"pad: invalid widths \{0: 1\} for shape \(2, 3\)"):
        dark.pad(X, {0: 1})


def test_the_number_of_parts_may_be_a_numpy_integer():
    assert [part.shape for part in dark.split(X, np.array(3), axis=1)] == [(2, 1)] * 3
