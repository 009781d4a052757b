"""Indexing: NumPy's values for any index, its adjoint, errors that show the index."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

import dark
from dark.errors import IndexingError, ShapeError, ValueTypeError
from dark.operations.arrays.index_checks import flat_indices
from tests.operations.torch_comparison import compare

SHAPES = arrays.array_shapes(max_dims=3, max_side=4)
EMPTY = st.sampled_from([(3, 0), (3, 0, 2), (2, 3, 0), (0,), (0, 2)])


@given(EMPTY, st.data())
def test_an_axis_of_length_0_beside_the_indexed_ones_has_an_empty_gradient(shape, data):
    n = shape[0]
    rows = np.array(data.draw(st.lists(st.integers(-n, n - 1), max_size=3)) if n else [], int)
    counts = data.draw(st.lists(st.integers(0, 2), min_size=n, max_size=n))
    for f in (
        lambda x: x[rows], lambda x: x[rows, ...], lambda x: x[..., None][rows], lambda x: np.take(x, rows, axis=0),
        lambda x: np.repeat(x, counts, axis=0), lambda x: x[np.ones(n, bool)],
        lambda x: dark.scatter_add(x[rows], rows, shape),
    ):  # fmt: skip
        for create_graph in (False, True):
            x = dark.Parameter(np.zeros(shape))
            (f(x) ** 2).sum().backward(create_graph=create_graph)
            assert x.grad.shape == shape and isinstance(x.grad, dark.Node) is create_graph
        assert dark.hessian(lambda x: (f(x) ** 2).sum())(np.zeros(shape)).shape == shape + shape


@st.composite
def integers_mixed_with_slices(draw, shape):
    """Draw for each of the first axes an integer, a slice, None, or an array; the arrays broadcast."""
    entries = []
    for n in shape[: draw(st.integers(1, len(shape)))]:
        if draw(st.booleans()):
            entries.append(None)
        position = st.integers(-n, n - 1)
        row, column = (arrays.arrays(np.intp, s, elements=position) for s in [(3,), (2, 1)])
        entries.append(draw(st.one_of(position, st.slices(n), row, column)))
    return tuple(entries)


def masks(shape):
    """Draw a mask for the first axes, alone or with a slice after it."""
    return st.integers(1, len(shape)).flatmap(lambda k: arrays.arrays(bool, shape[:k]))


def indices(shape):
    """Draw any valid index of an array of that shape."""
    return st.one_of(
        arrays.basic_indices(shape, allow_newaxis=True),
        arrays.integer_array_indices(shape),
        integers_mixed_with_slices(shape),
        masks(shape),
        masks(shape).map(lambda m: (None, m, Ellipsis)),
    )


@st.composite
def arrays_and_indices(draw):
    shape = draw(SHAPES)
    return np.arange(1.0, 1 + np.prod(shape)).reshape(shape), draw(indices(shape))


@given(drawn=arrays_and_indices())
def test_values_are_numpys_and_repeated_elements_add_their_gradients(drawn):
    x, index = drawn
    p = dark.Parameter(x)
    y = p[index]
    np.testing.assert_array_equal(y.value, x[index])
    y.backward(gradient=np.ones(y.shape) if y.shape else 1.0)
    right = np.zeros(x.shape)
    np.add.at(right, index, 1.0)
    np.testing.assert_array_equal(p.grad, right)


@given(drawn=arrays_and_indices(), data=st.data())
def test_scatter_add_is_the_transpose_of_indexing(drawn, data):
    x, index = drawn
    v = data.draw(arrays.arrays(float, x[index].shape, elements=st.integers(-9, 9)))
    assert np.sum(dark.getitem(x, index).value * v) == np.sum(x * dark.scatter_add(v, index, x.shape).value)


@given(drawn=arrays_and_indices())
def test_flat_indices_select_what_numpy_selects(drawn):
    x, index = drawn
    right = np.arange(x.size).reshape(x.shape)[index]
    np.testing.assert_array_equal(flat_indices(index, x.shape), right)


@given(drawn=arrays_and_indices())
def test_second_derivatives_use_the_same_index(drawn):
    x, index = drawn
    p = dark.Parameter(x)
    dark.sum(p[index] ** 3).backward(create_graph=True)
    first, p.grad = p.grad, None
    dark.sum(first * x).backward()
    right = np.zeros(x.shape)
    np.add.at(right, index, 1.0)  # how often each place was chosen
    np.testing.assert_allclose(first.value, 3 * x**2 * right)
    np.testing.assert_allclose(p.grad, 6 * x * x * right)


def test_a_repeated_index_adds_its_gradients():  # FR-43
    x = dark.Parameter(np.array([1.0, 2.0]))
    x[[0, 0]].sum().backward()
    assert x.grad.tolist() == [2, 0]


def test_the_gradient_of_a_mask_is_scattered():  # FR-44
    x = dark.Parameter(np.array([-1.0, 2.0, 3.0]))
    (x[x > 0] ** 2).sum().backward()
    assert x.grad.tolist() == [0, 4, 6]


def test_modifying_an_index_array_later_changes_no_gradient():
    x, index, mask = dark.Parameter(np.zeros(3)), np.array([0, 1]), np.array([True, False, False])
    y = x[index].sum() + x[mask].sum()
    index[:], mask[:] = 2, True
    y.backward()
    assert x.grad.tolist() == [2, 1, 0]


def test_float32_is_kept():
    x = dark.Parameter(np.ones((3, 2), np.float32))
    y = x[[0, 0]] * x[1] * x[2, 1]
    y.sum().backward()
    assert y.value.dtype == x.grad.dtype == np.float32
    assert x[0, 0].value.dtype == np.float32


def test_iteration_and_len_use_the_first_axis():
    x = dark.Parameter(np.arange(6.0).reshape(3, 2))
    a, b, c = x
    assert len(x) == 3 and [row.value.tolist() for row in x] == [[0, 1], [2, 3], [4, 5]]
    (a * b + c).sum().backward()
    assert x.grad.tolist() == [[2, 3], [0, 1], [1, 1]]


def test_a_scalar_accepts_only_empty_indices():
    x = dark.Parameter(2.0)
    assert type(x[()].value) is float and x[None].shape == (1,) and x[..., None, None].shape == (1, 1)
    x[None].sum().backward()
    assert x.grad == 1.0 and type(x.grad) is float
    with pytest.raises(ValueTypeError, match="len: a scalar has no length"):
        list(x)


def test_nodes_that_hold_integers_are_valid_indices():
    x = dark.Parameter(np.arange(4.0))
    assert x[dark.Constant(2)].value == 2.0
    assert x[: dark.Constant(2)].value.tolist() == [0, 1]
    assert x[dark.Constant(np.array([3, 3]))].value.tolist() == [3, 3]
    assert dark.take(x, dark.Constant(np.array([[1]]))).value.tolist() == [[1]]
    assert x[np.int32(1)].value == x[np.array(1)].value == 1.0
    assert x[[]].shape == (0,) and x[np.True_].shape == (1, 4)


@given(data=st.data(), shape=SHAPES)
def test_take_and_gather_are_numpys(data, shape):
    x = np.arange(1.0, 1 + np.prod(shape)).reshape(shape)
    axis = data.draw(st.integers(-x.ndim, x.ndim - 1))
    places = st.integers(-shape[axis], shape[axis] - 1)
    rows = data.draw(st.one_of(places, arrays.arrays(np.intp, st.sampled_from([(3,), (2, 2), (0,)]), elements=places)))
    np.testing.assert_array_equal(np.take(dark.Parameter(x), rows, axis=axis).value, np.take(x, rows, axis=axis))
    lengths = [n if data.draw(st.booleans()) else 1 for n in shape]
    lengths[axis] = 2
    own = data.draw(arrays.arrays(np.intp, tuple(lengths), elements=places))
    np.testing.assert_array_equal(
        np.take_along_axis(dark.Parameter(x), own, axis=axis).value, np.take_along_axis(x, own, axis=axis)
    )


def test_without_an_axis_take_and_gather_flatten():
    x = np.arange(6.0).reshape(2, 3)
    assert dark.take(x, [5, 0]).value.tolist() == [5, 0]
    assert dark.gather(x, [5, 0], axis=None).value.tolist() == [5, 0]


@pytest.mark.oracle
@pytest.mark.parametrize(
    ("actual", "reference"),
    [
        (lambda x: x[1:, ::2], lambda x: x[1:, ::2]),
        (lambda x: x[..., None, 1], lambda x: x[..., None, 1]),
        (lambda x: x[[0, 0, 2]], lambda x: x[[0, 0, 2]]),
        (lambda x: x[[0, 0, 1], :, [1, 1, 0]], lambda x: x[[0, 0, 1], :, [1, 1, 0]]),
        (lambda x: x[x > 0], lambda x: x[x > 0]),
        (lambda x: dark.take(x, [[1, 1], [0, 3]], axis=1), lambda x: x[:, [[1, 1], [0, 3]]]),
        (lambda x: dark.gather(x, PLACES, axis=1), lambda x: x.gather(1, _tensor(PLACES))),
        (lambda x: dark.scatter_add(x, [1, 1, 0], (2, 4, 2)),
         lambda x: _zeros(2, 4, 2).index_add(0, _tensor([1, 1, 0]), x)),
    ],
)  # fmt: skip
def test_value_gradient_and_second_derivative_are_pytorchs(actual, reference):
    compare(actual, reference, (3, 4, 2))


PLACES = np.array([[[0, 1], [0, 0]]] * 3)


def _tensor(values):
    return pytest.importorskip("torch", reason="the oracle extra (PyTorch) is not installed").tensor(values)


def _zeros(*shape):
    return pytest.importorskip("torch").zeros(*shape, dtype=pytest.importorskip("torch").float64)


X = dark.Parameter(np.ones((2, 3)))


@pytest.mark.parametrize(
    ("wrong", "text"),
    [
        (lambda: X[5], r"getitem: index \[5\] for shape \(2, 3\): index 5 is out of bounds for axis 0 with size 2\."),
        (lambda: X[0, ..., 1:, 0], r"getitem: index \[0, ..., 1:, 0\] for shape \(2, 3\): too many indices"),
        (lambda: X[:, [0, 7]], r"getitem: index \[:, array\(\[0, 7\]\)\] for shape \(2, 3\): index 7 is out of bounds"),
        (lambda: X[[0, 1], [0, 1, 2]], r"shape mismatch: indexing arrays"),
        (lambda: X[np.array([True] * 3)], "boolean index did not match"),
        (lambda: dark.Parameter(1.0)[0], r"getitem: index \[0\] for shape \(\): too many indices"),
        (lambda: X[1.0], r"getitem: 1.0 \(float\) is not a valid index.\n  Expected: integers, slices"),
        (lambda: X[dark.Parameter(0.5)], r"getitem: 0.5 \(float\) is not a valid index"),
        (lambda: X[0:1.5], r"getitem: 1.5 \(float\) is not a valid index"),
        (lambda: X[[0.5]], r"getitem: \[0.5\] \(list\) is not a valid index"),
        (lambda: X[[[0], [1, 2]]], "is not a valid index"),
        (lambda: X["a"], r"getitem: 'a' \(str\) is not a valid index"),
        (lambda: dark.take(X, [5], axis=1), r"take: index \[:, array\(\[5\]\)\] for shape \(2, 3\): index 5 is out"),
        (lambda: dark.take(X, [True, False], axis=0), r"take: invalid indices"),
        (lambda: dark.gather(X, [[9]]), r"gather: .* for shape \(2, 3\): index 9 is out of bounds"),
        (lambda: dark.scatter_add(np.ones(3), 9, (4,)), r"scatter_add: index \[9\] for shape \(4,\): index 9"),
    ],
)
def test_an_invalid_index_is_shown_with_the_shape(wrong, text):
    with pytest.raises(IndexingError, match=text) as caught:
        wrong()
    assert isinstance(caught.value, (IndexError, ShapeError))
    assert "\n  Expected: " in str(caught.value) and "\n  Try: " in str(caught.value)


@pytest.mark.parametrize(
    ("wrong", "text"),
    [
        (lambda: X[::0], "getitem: .* slice step cannot be zero"),
        (lambda: dark.take(X, 0, axis=2), r"take: axis 2 is out of bounds for shape \(2, 3\)"),
        (lambda: dark.gather(X, [0, 1]), r"gather: indices must have 2 axes, as the array, got shape \(2,\)"),
        (lambda: dark.scatter_add(np.ones(3), [0, 1], (4,)), r"scatter_add: invalid shape \(3,\)"),
    ],
)
def test_mismatches_are_shape_errors(wrong, text):
    with pytest.raises(ShapeError, match=text):
        wrong()
