"""NumPy's functions that stack, shift, sort and take diagonals: values, linear gradients, errors."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

import dark
from dark.errors import OperationError, ShapeError, UsageError, ValueTypeError
from tests.examples import examples
from tests.operations.torch_comparison import compare

LINEAR = [
    lambda f, x: f.ravel(x),
    lambda f, x: f.ravel(x, order="F"),
    lambda f, x: f.atleast_1d(x),
    lambda f, x: f.atleast_2d(x),
    lambda f, x: f.atleast_3d(x, x)[1],
    lambda f, x: f.hstack([x, x]),
    lambda f, x: f.vstack([x, x]),
    lambda f, x: f.dstack((x, x)),
    lambda f, x: f.column_stack([x, x]),
    lambda f, x: f.roll(x, 1),
    lambda f, x: f.roll(x, -2, axis=0),
    lambda f, x: f.roll(x, 1, axis=(0, -1)),
    lambda f, x: f.roll(x, (1, 3), axis=-1),
    lambda f, x: f.roll(x, 1, axis=()),
    lambda f, x: f.diff(x),
    lambda f, x: f.diff(x, 0),
    lambda f, x: f.diff(x, n=2, axis=0),
    lambda f, x: f.diff(x, 3, prepend=1.0, append=x),
    lambda f, x: f.tril(x),
    lambda f, x: f.tril(x, 1),
    lambda f, x: f.triu(x, k=-1),
    lambda f, x: f.sort(x),
    lambda f, x: f.sort(x, axis=0, kind="stable"),
    lambda f, x: f.sort(x, None),
    lambda f, x: f.diag(x[..., 0].reshape(-1), k=1),
    lambda f, x: f.diag(x.reshape(-1, x.shape[-1]), k=-1),
    lambda f, x: f.diagonal(f.atleast_2d(x), 1),
    lambda f, x: f.diagonal(f.atleast_3d(x), -1, axis1=2, axis2=0),
    lambda f, x: f.trace(f.atleast_2d(x)),
    lambda f, x: f.trace(f.atleast_3d(x), offset=1, axis1=-1, axis2=1),
    lambda f, x: f.kron(x, 2.0),
    lambda f, x: f.kron(np.array([[1, 2]], np.float32), x),
    lambda f, x: f.inner(x, np.ones((2, x.shape[-1]), np.float32)),
    lambda f, x: f.inner(2.0, x),
]
some_arrays = arrays.arrays(
    np.float32, arrays.array_shapes(max_dims=3, max_side=4), elements=st.floats(-9, 9, width=32), unique=True
)


@pytest.mark.parametrize("call", LINEAR)
@examples(20)
@given(x=some_arrays)
def test_dark_and_numpy_functions_on_nodes_give_numpys_values(call, x):
    right = call(np, x)
    for y in (call(dark, dark.Parameter(x)), call(np, dark.Parameter(x)), call(dark, x)):
        assert isinstance(y, dark.Node) and y.dtype == right.dtype
        np.testing.assert_allclose(y.value, right, rtol=1e-6, atol=1e-5, strict=bool(np.shape(right)))


@pytest.mark.parametrize("call", LINEAR)
@examples(20)
@given(x=some_arrays, data=st.data())
def test_the_gradient_is_the_transpose_of_the_forward_pass(call, x, data):
    x = np.argsort(np.argsort(x, axis=None)).reshape(x.shape).astype(np.float32)  # distinct integers
    p, origin = dark.Parameter(x), call(np, np.zeros_like(x))  # a pad adds what x = 0 gives
    y = call(np, p)
    v = data.draw(arrays.arrays(np.float32, y.shape, elements=st.integers(-3, 3)))
    y.backward(gradient=v if y.shape else float(v))
    assert p.grad.dtype == np.float32 and p.grad.shape == x.shape
    assert np.sum((y.value - origin) * v) == np.sum(p.value * p.grad)


@pytest.mark.parametrize("shape", [(0,), (0, 2), (2, 0), (0, 0), (2, 0, 3)])
@pytest.mark.parametrize("call", LINEAR)
def test_empty_arrays_give_what_numpy_gives(call, shape):
    x = np.zeros(shape)
    try:
        right = call(np, x)
    except (ValueError, IndexError):
        with pytest.raises((ShapeError, dark.errors.IndexingError)):
            call(np, dark.Parameter(x))
        return
    p = dark.Parameter(x)
    y = call(np, p)
    np.testing.assert_array_equal(y.value, right, strict=bool(np.shape(right)))
    y.backward(np.ones(y.shape) if y.shape else None)
    assert p.grad.shape == shape


@pytest.mark.parametrize("kind", [float, np.float32])
def test_scalars_become_arrays_and_their_gradients_stay_numbers(kind):
    x = dark.Parameter(kind(2.0))
    for f, shape in (
        (np.atleast_1d, (1,)), (np.atleast_2d, (1, 1)), (np.atleast_3d, (1, 1, 1)), (np.ravel, (1,)),
        (lambda x: np.hstack([x, 1.0]), (2,)), (lambda x: np.vstack([x, x]), (2, 1)), (lambda x: np.roll(x, 1), ()),
        (lambda x: np.dstack([x]), (1, 1, 1)), (lambda x: np.kron(x, 3.0), ()), (lambda x: np.inner(x, x), ()),
        (np.cumprod, (1,)), (lambda x: np.sort(x, None), (1,)), (lambda x: np.column_stack([x, 2.0]), (1, 2)),
    ):  # fmt: skip
        x.grad, y = None, f(x)
        y.backward(np.ones(y.shape) if y.shape else None)
        assert y.shape == shape and type(x.grad) is kind and x.grad > 0


def test_one_input_of_atleast_is_returned_as_it_is_and_several_as_a_tuple():
    x, y = dark.Parameter(np.ones((2, 2))), dark.Parameter(1.0)
    assert np.atleast_1d(x) is np.atleast_2d(x) is x
    both = np.atleast_2d(x, y)
    assert type(both) is tuple and both[0] is x and both[1].shape == (1, 1)
    assert type(dark.atleast_1d(np.ones(2))) is dark.Constant


def test_arrays_nodes_and_numbers_are_stacked_together():
    x = dark.Parameter(np.array([1.0, 2.0]))
    y = np.vstack([x, np.zeros((1, 2)), np.array([3.0, 4.0]) * x])
    y.backward(np.ones((3, 2)))
    assert x.grad.tolist() == [4, 5]
    np.testing.assert_array_equal(np.hstack([x, 3.0]).value, [1, 2, 3])
    np.testing.assert_array_equal(np.vstack(dark.Parameter(np.eye(2))).value, np.eye(2))  # its rows


@pytest.mark.oracle
@pytest.mark.parametrize(
    ("actual", "reference", "shapes"),
    [
        (lambda *x: np.hstack(x), lambda *x: _torch().hstack(x), [(2, 3), (2, 1)]),
        (lambda *x: np.vstack(x), lambda *x: _torch().vstack(x), [(3,), (2, 3)]),
        (lambda *x: np.dstack(x), lambda *x: _torch().dstack(x), [(2, 3), (2, 3)]),
        (lambda *x: np.column_stack(x), lambda *x: _torch().column_stack(x), [(3,), (3, 2)]),
        (lambda x: np.diag(x, 1), lambda x: x.diag(1), [(3,)]),
        (lambda x: np.diag(x, -1), lambda x: x.diag(-1), [(3, 4)]),
        (lambda x: np.trace(x), lambda x: x.trace(), [(3, 4)]),
        (lambda x: np.linalg.diagonal(x, offset=1), lambda x: _torch().linalg.diagonal(x, offset=1), [(2, 3, 4)]),
        (lambda x: np.linalg.trace(x), lambda x: x.diagonal(0, -2, -1).sum(-1), [(2, 3, 4)]),
        (lambda x: np.tril(x, -1), lambda x: x.tril(-1), [(2, 3, 3)]),
        (lambda x: np.triu(x), lambda x: x.triu(), [(4, 3)]),
        (lambda x: np.roll(x, (1, -2), (0, 1)), lambda x: x.roll((1, -2), (0, 1)), [(2, 3)]),
        (lambda x: np.diff(x, 2, prepend=x[:1], axis=0), lambda x: x.diff(2, 0, prepend=x[:1]), [(4, 3)]),
        (lambda x: np.sort(x, 0), lambda x: x.sort(0).values, [(4, 3)]),
        (np.kron, lambda a, b: _torch().kron(a, b), [(2, 3), (2, 2, 2)]),
        (np.inner, lambda a, b: _torch().inner(a, b), [(2, 3), (4, 3)]),
        (lambda x: np.cumprod(x, 1), lambda x: x.cumprod(1), [(2, 4)]),
        (lambda x: x.ravel("F"), lambda x: x.T.reshape(-1), [(2, 3)]),
    ],
)
def test_value_gradient_and_second_derivative_are_pytorchs(actual, reference, shapes):
    compare(actual, reference, *shapes)


def _torch():
    return pytest.importorskip("torch", reason="the oracle extra (PyTorch) is not installed")


def test_differences_end_when_nothing_is_left():
    x = dark.Parameter(np.ones((2, 3)))
    assert np.diff(x, 5).shape == np.diff(x.value, 5).shape == (2, 0)
    assert np.diff(x, 2**40).shape == (2, 0) and np.diff(x, 9, axis=0).shape == (0, 3)


def test_of_equal_elements_the_first_gets_the_gradient_of_the_first_position():
    x = dark.Parameter(np.array([2.0, 1.0, 2.0, 1.0, 2.0]))
    np.sort(x).backward(np.array([1.0, 2.0, 3.0, 4.0, 5.0]))
    assert x.grad.tolist() == [3, 1, 4, 2, 5]


def test_nan_is_sorted_last_and_passes_the_gradient_on():
    x = dark.Parameter(np.array([np.nan, 2.0, -np.inf]))
    y = np.sort(x)
    y.backward(np.array([1.0, 2.0, 3.0]))
    np.testing.assert_array_equal(y.value, [-np.inf, 2, np.nan])
    assert x.grad.tolist() == [3, 2, 1]


def test_what_a_triangle_leaves_out_hides_nan():
    x = dark.Parameter(np.full((2, 2), np.nan))
    y = np.tril(x, -1)
    y.backward(np.array([[np.nan, np.inf], [1.0, np.nan]]))
    assert y.value[0].tolist() == [0, 0] and x.grad.tolist() == [[0, 0], [1, 0]]


def test_arrays_like_a_node_can_be_written_to_and_are_constant():
    x = dark.Parameter(np.ones((2, 3), np.float32))
    for made, right in (
        (np.zeros_like(x), np.zeros((2, 3), np.float32)), (np.ones_like(x, dtype=int), np.ones((2, 3), int)),
        (np.full_like(x, [1, 2, 3]), np.array([[1, 2, 3]] * 2, np.float32)),
        (np.ones_like(x, shape=(2,)), np.ones(2, np.float32)), (dark.zeros_like(dark.Parameter(2.0)), np.zeros(())),
    ):  # fmt: skip
        assert type(made) is np.ndarray
        np.testing.assert_array_equal(made, right, strict=True)
    assert np.empty_like(x).shape == (2, 3) and np.empty_like(x).dtype == np.float32
    mask = np.zeros_like(x)
    mask[0] = 5
    (mask * x).sum().backward()
    assert x.grad.tolist() == [[5, 5, 5], [0, 0, 0]]


M, V, S = dark.Parameter(np.ones((2, 3))), dark.Parameter(np.ones(3)), dark.Parameter(1.0)


@pytest.mark.parametrize(
    ("wrong", "kind", "text"),
    [
        (lambda: dark.hstack([]), ShapeError, "hstack: the sequence must not be empty"),
        (lambda: dark.vstack([]), ShapeError, "vstack: the sequence must not be empty"),
        (lambda: np.hstack([M, V]), ShapeError, r"concatenate: shapes \(2, 3\) and \(3,\) do not match"),
        (lambda: np.vstack([M, np.ones(2)]), ShapeError, r"concatenate: shapes \(2, 3\) and \(1, 2\)"),
        (lambda: dark.hstack(np.array(2.0)), ValueTypeError, "hstack: array.2.. is not a sequence"),
        (lambda: dark.dstack(3), ValueTypeError, "dstack: 3 .int. is not a sequence"),
        (lambda: dark.column_stack([[1.0], M]), ValueTypeError, r"cannot use \[1.0\]"),
        (lambda: dark.atleast_1d([1.0]), ValueTypeError, r"atleast_1d: cannot use \[1.0\]|reshape: cannot use"),
        (lambda: np.diag(S), ShapeError, r"diag: .* got shape \(\).\n  Expected: a vector or a matrix"),
        (lambda: np.diag(M, 0.5), ValueTypeError, "diag: k must be an integer, got 0.5"),
        (lambda: np.diagonal(V), ShapeError, r"diagonal: the input must have at least two axes, got shape \(3,\)"),
        (lambda: M.diagonal(axis1=1, axis2=-1), ShapeError, r"diagonal: duplicate axes in \(1, -1\)"),
        (lambda: M.trace(axis2=2), ShapeError, "diagonal: axis 2 is out of bounds"),
        (lambda: np.trace(M, True), ValueTypeError, "diagonal: offset must be an integer, got True"),
        (lambda: np.trace(M, dtype=np.float32), OperationError, "numpy.trace: on nodes it takes no argument 'dtype'"),
        (lambda: np.tril(S), ShapeError, "tril: the input must have an axis, got a scalar"),
        (lambda: np.triu(M, None), ValueTypeError, "triu: k must be an integer, got None"),
        (lambda: np.roll(M, 0.5), ValueTypeError, "roll: shift must be an integer, got 0.5"),
        (lambda: np.roll(M, 1, 2), ShapeError, "roll: axis 2 is out of bounds"),
        (lambda: np.roll(M, (1, 2, 3), ()), ShapeError, "roll: shift and axis must have equal lengths, got 3 and 0"),
        (
            lambda: np.roll(M, (1, 2, 3), (0, 1)),
            ShapeError,
            "roll: shift and axis must have equal lengths, got 3 and 2",
        ),
        (lambda: np.diff(M, -1), UsageError, "diff: n must be 0 or more, got -1"),
        (lambda: np.diff(S), ShapeError, "diff: axis -1 is out of bounds.*a scalar has no axes"),
        (lambda: np.diff(M, prepend=V), ShapeError, "concatenate: axis 1 is out of bounds for shape .3,."),
        (lambda: np.sort(S), ShapeError, "sort: axis -1 is out of bounds"),
        (lambda: np.sort(M, kind="bubble"), UsageError, "sort: invalid kind 'bubble'"),
        (lambda: np.sort(M, stable=1), ValueTypeError, "sort: stable must be a bool, got 1"),
        (lambda: np.sort(M, order="x"), OperationError, "numpy.sort: on nodes it takes no argument 'order'"),
        (lambda: np.cumprod(M, 2), ShapeError, "cumprod: axis 2 is out of bounds"),
        (lambda: M.ravel("K"), UsageError, "ravel: invalid order 'K'"),
        (lambda: np.inner(M, np.ones(2)), ShapeError, r"inner: shapes \(2, 3\) and \(2,\) do not match"),
        (lambda: dark.inner([1.0], M), ValueTypeError, r"inner: cannot use \[1.0\]"),
        (lambda: dark.kron(M, "2"), ValueTypeError, r"kron: cannot use '2'"),
        (
            lambda: np.full_like(M, np.ones(2)),
            ValueTypeError,
            r"full_like: could not broadcast .*arguments of np.full_like",
        ),
        (lambda: np.ones_like(M, dtype="number"), ValueTypeError, "ones_like: data type 'number'"),
        (lambda: np.zeros_like(M, shape=0.5), ValueTypeError, "zeros_like: shape must be an integer, got 0.5"),
        (lambda: np.full_like(np.ones(2), S), OperationError, r"copyto.*use where, or fill \* ones_like"),
    ],
)
def test_invalid_arguments_are_errors_in_three_parts(wrong, kind, text):
    with pytest.raises(kind, match=f"(?s){text}") as caught:
        wrong()
    assert "\n  Expected: " in str(caught.value) and "\n  Try: " in str(caught.value)
