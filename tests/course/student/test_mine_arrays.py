"""Laws of the engine that modules after 04 stand on: operations of modules 01 to 04 on arrays, by `mine()`."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import dark
from dark.course.lessons.library import load_module
from dark.course.student.mine import mine_before

numbers = arrays(float, st.sampled_from([(), (3,), (2, 3), (1, 3), (2, 1, 3)]), elements=st.integers(-30, 30))
NUDGE = 1e-6


@pytest.fixture(scope="module")
def mine(tmp_path_factory):
    """The names that a student has in a new kernel after module 04, here with no answers."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("work"))
        patch.setenv("DARK_SOLUTIONS", "")
        yield mine_before(load_module("05"))


def off_kinks(x):
    """Return numbers that are none of the integers, so neither 0 nor a tie."""
    return x / 10 + 0.037


ONE = {
    "x ** 2": lambda lib, x: x**2,
    "x ** 3.0": lambda lib, x: x**3.0,
    "2 ** x": lambda lib, x: 2**x,
    "1 / x": lambda lib, x: 1 / x,
    "abs(x)": lambda lib, x: abs(x),
    "exp": lambda lib, x: lib.exp(x),
    "log of x * x": lambda lib, x: lib.log(x * x),
    "tanh": lambda lib, x: lib.tanh(x),
    "sigmoid": lambda lib, x: lib.sigmoid(x),
    "relu": lambda lib, x: lib.relu(x),
    "x ** x of positive": lambda lib, x: (x * x) ** (x / 5),
}
TWO = {
    "x / z": lambda lib, x, z: x / z,
    "maximum": lambda lib, x, z: lib.maximum(x, z),
    "x ** 2 - z": lambda lib, x, z: x**2 - z,
}


def gradients(lib, f, inputs):
    """Return the value of a weighted sum of f, and the gradient of each input."""
    nodes = [lib.Parameter(x) for x in inputs]
    y = f(lib, *nodes)
    weights = np.cos(np.arange(np.size(y.value))).reshape(np.shape(y.value))
    root = getattr(lib, "sum_of", dark.sum)(y * weights)
    root.backward()
    return [np.asarray(root.value), *(np.asarray(node.grad) for node in nodes)]


def differences(mine, f, inputs):
    """Measure the derivative with respect to every number of every input, from values alone."""
    for k, x in enumerate(inputs):
        measured = np.zeros(np.shape(x))
        for place in np.ndindex(np.shape(x)):
            ends = []
            for sign in (1, -1):
                moved = np.array(x)
                moved[place] += sign * NUDGE
                ends.append(gradients(mine, f, [*inputs[:k], moved, *inputs[k + 1 :]])[0])
            measured[place] = (ends[0] - ends[1]) / NUDGE / 2
        yield measured


def agree(mine, f, *inputs):
    yours = gradients(mine, f, inputs)
    for a, b in zip(yours, gradients(dark, f, inputs), strict=True):
        assert np.shape(a) == np.shape(b)
        np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-12)
    for a, b in zip(yours[1:], differences(mine, f, inputs), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("formula", ONE)
@given(x=numbers)
def test_operations_on_arrays_have_the_gradients_of_the_reference(mine, formula, x):
    agree(mine, ONE[formula], off_kinks(x))


@pytest.mark.parametrize("formula", TWO)
@given(x=numbers, z=numbers)
def test_operations_of_two_broadcast_arrays_have_the_gradients_of_the_reference(mine, formula, x, z):
    agree(mine, TWO[formula], off_kinks(x), off_kinks(z) + 0.0171)


@given(
    front=st.sampled_from([((), ()), ((2,), ()), ((), (3,)), ((2, 1), (3,)), ((1,), (2,))]),
    first=st.integers(-9, 9),
)
def test_matrix_products_of_stacks_have_the_gradients_of_the_reference(mine, front, first):
    shapes = (*front[0], 2, 3), (*front[1], 3, 4)
    a, b = (np.sin(first + np.arange(np.prod(s, dtype=int))).reshape(s) for s in shapes)
    agree(mine, lambda lib, a, b: a @ b, a, b)
    agree(mine, lambda lib, a, b: lib.matmul(a, b) ** 2, a, b)


INDICES = [0, -1, slice(1, None), [0, 0, 1], (slice(None), [2, 0, 2]), ([0, 1, 0], [1, 1, 1]), (..., None, 1)]


@pytest.mark.parametrize("index", INDICES, ids=str)
@given(x=arrays(float, (2, 3), elements=st.integers(-30, 30)))
def test_parts_by_an_index_have_the_gradients_of_the_reference(mine, index, x):
    agree(mine, lambda lib, x: x[index] * x[index], off_kinks(x))


def test_at_kinks_and_ties_arrays_keep_the_conventions_of_numbers(mine):
    for x in (0.0, np.zeros(2)):
        for operation in (mine.relu, mine.absolute):
            p = mine.Parameter(x)
            mine.sum_of(operation(p)).backward()
            assert np.all(p.grad == 0)
        a, b = mine.Parameter(x), mine.Parameter(x)
        mine.sum_of(mine.maximum(a, b)).backward()
        assert np.all(a.grad == 0.5) and np.all(b.grad == 0.5)


def test_the_sigmoid_of_large_numbers_does_not_overflow(mine):
    assert mine.sigmoid(np.array([-800.0, 0.0, 800.0])).value.tolist() == [0, 0.5, 1]
    assert mine.sigmoid(-40.0).value == pytest.approx(np.exp(-40), rel=1e-12)


def test_second_derivatives_of_powers_work_on_numbers_and_arrays(mine):
    for value in (3.0, -2.0, np.array([3.0, -2.0, 0.5])):
        x = mine.Parameter(value)
        second = mine.gradient(mine.gradient(x**3, x), x)
        np.testing.assert_allclose(second.value, 6 * np.asarray(value))


def test_the_gradient_of_an_exponent_is_nan_where_the_base_is_not_positive(mine):
    x, n = mine.Parameter([-2.0, 0.0, 3.0]), mine.Parameter([2.0, 2.0, 2.0])
    mine.sum_of(x**n).backward()
    assert x.grad.tolist() == [-4, 0, 6]
    np.testing.assert_allclose(n.grad, [np.nan, np.nan, 9 * np.log(3)])


def test_an_index_is_a_setting_and_stays_an_integer(mine):
    labels = np.array([2, 0])
    y = mine.Parameter([1.0, 2.0, 3.0])[labels]
    assert y.settings["index"].dtype.kind == "i" and len(y.inputs) == 1
    assert y.value.tolist() == [3, 1]
