"""NumPy's functions that are not linear, or not everywhere: cumprod, remainders, nan_to_num, products; high orders."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

import dark
from dark.errors import OperationError, UsageError, ValueTypeError
from tests.examples import examples

X = np.array([[0.5, -1.3, 2.0], [1.7, 0.4, -0.6]])


def weighted(f):
    """Return a scalar function with nonzero derivatives of any order: a weighted sum of cubes."""
    return lambda x: (np.cos(np.arange(f(x).size).reshape(f(x).shape)) * f(x) ** 3).sum()


@pytest.mark.parametrize(
    "f",
    [
        lambda x: np.cumprod(x), lambda x: np.cumprod(x, axis=0), lambda x: x.cumprod(-1),
        lambda x: np.cumprod(x * np.array([[1.0, 0, 1], [1, 1, 0]]), axis=1), lambda x: np.sort(x, axis=0),
        lambda x: x % 0.35, lambda x: 5.03 % x, lambda x: np.fmod(x, -0.35), np.nan_to_num,
        lambda x: np.kron(x, x[:, 0]), lambda x: np.inner(x, x), lambda x: np.trace(x, 1),
        lambda x: np.diag(x[0] * x[1]),
        lambda x: np.diff(x, prepend=x[:, :1] ** 2), lambda x: np.roll(x, 1) * np.triu(x),
        lambda x: np.hstack([x, np.vstack([x, x[0]])[1:]]),
    ],
)  # fmt: skip
def test_the_third_derivative_equals_finite_differences(f):
    report = dark.gradcheck(dark.grad(weighted(f)), X, second=True)
    assert report.ok, report


@pytest.mark.parametrize("zeros", [(), (0,), (3,), (1, 2), (0, 1, 2, 3)])
@pytest.mark.parametrize("axis", [0, None])
def test_the_gradient_of_cumprod_is_right_where_elements_are_0(zeros, axis):
    x = np.array([2.0, -3.0, 0.5, 4.0])
    x[list(zeros)] = 0
    assert dark.gradcheck(lambda x: np.cumprod(x, axis), x, second=True).ok
    assert dark.gradcheck(dark.grad(lambda x: (np.cumprod(x, axis) ** 2).sum()), x, second=True).ok


@pytest.mark.oracle
@examples(50)
@given(
    arrays.arrays(float, st.tuples(st.integers(1, 3), st.integers(1, 6)), elements=st.sampled_from([0.0, 1, -2, 0.5]))
)
def test_the_gradient_of_cumprod_is_pytorchs(x):
    torch = pytest.importorskip("torch", reason="the oracle extra (PyTorch) is not installed")
    p, t = dark.Parameter(x), torch.tensor(x, requires_grad=True)
    weights = np.cos(np.arange(x.size)).reshape(x.shape)
    (np.cumprod(p, 1) * weights).sum().backward()
    (t.cumprod(1) * torch.tensor(weights)).sum().backward()
    np.testing.assert_allclose(p.grad, t.grad.numpy(), rtol=1e-12, atol=1e-12)


def test_the_gradient_of_cumprod_is_right_where_the_product_underflows_or_overflows():
    x = dark.Parameter(np.array([1e-200, 1e-200, 3.0]))
    np.cumprod(x).backward(np.ones(3))
    assert x.grad[0] == 1 and x.grad[1] == pytest.approx(4e-200) and x.grad[2] == 0
    x = dark.Parameter(np.array([1e200, 1e200, 0.5]))
    with np.errstate(over="ignore"):
        np.cumprod(x).backward(np.ones(3))
    np.testing.assert_allclose(x.grad, [1.5e200, 1.5e200, np.inf], rtol=1e-14)


numbers = st.floats(-8, 8).map(lambda v: round(v, 3))


@examples(200)
@given(a=numbers, b=numbers.filter(lambda b: abs(b) > 0.01))
def test_a_remainder_and_its_derivatives_are_those_of_its_formula(a, b):
    for f, round_ in ((np.remainder, np.floor), (np.fmod, np.trunc)):
        x, y = dark.Parameter(a), dark.Parameter(b)
        z = f(x, y)
        z.backward()
        assert z.value == f(a, b) and type(z.value) is float and x.grad == 1
        assert a + y.grad * b == pytest.approx(z.value, abs=1e-12)  # the derivative is minus the quotient
        assert abs(-y.grad - round_(a / b)) in (0, 1)  # a / b may be rounded up to an integer


def test_the_operator_takes_nodes_numbers_and_arrays_on_both_sides():
    x, m = dark.Parameter(np.array([5.0, -5.0])), np.array([3.0, 3.0])
    for y, right in ((x % 3, x.value % 3), (7 % x, 7 % x.value), (x % m, x.value % m), (m % x, m % x.value)):
        assert y.op is dark.Remainder
        np.testing.assert_array_equal(y.value, right)
    x = dark.Parameter(7.5)
    y = x
    y %= 2
    y.backward()
    assert (y.value, x.value, x.grad) == (1.5, 7.5, 1.0)
    assert (dark.Parameter(np.float32(5.5)) % 2).dtype == np.float32


@pytest.mark.parametrize("create_graph", [False, True])
@pytest.mark.parametrize("f", [np.remainder, np.fmod])
def test_the_remainder_of_a_division_by_0_is_nan(f, create_graph):
    x, y = dark.Parameter(5.0), dark.Parameter(0.0)
    z = f(x, y)
    z.backward(create_graph=create_graph)
    slope = y.grad.value if create_graph else y.grad
    assert np.isnan(z.value) and np.isnan(slope)
    with pytest.warns(RuntimeWarning, match="invalid value"):
        assert np.isnan(f(dark.Parameter(np.ones(1)), 0.0).value).all()


def test_nan_and_infinity_are_replaced_and_get_no_gradient():
    x = dark.Parameter(np.array([1.0, np.nan, np.inf, -np.inf], np.float32))
    for settings in ({}, {"nan": 7.0}, {"posinf": 1e3, "neginf": -5}, {"nan": np.inf}):
        x.grad, y = None, np.nan_to_num(x, **settings)
        y.backward(np.ones(4, np.float32))
        np.testing.assert_array_equal(y.value, np.nan_to_num(x.value, **settings), strict=True)
        assert x.grad.tolist() == [1, 0, 0, 0]
    number = dark.Parameter(np.nan)
    y = np.nan_to_num(number, nan=2.0)
    y.backward()
    assert (y.value, number.grad) == (2.0, 0.0)
    assert dark.nan_to_num(np.array([np.nan, 3.0])).value.tolist() == [0, 3]


def test_nan_to_num_refuses_to_change_a_value_in_place_and_nodes_as_replacements():
    x = dark.Parameter(np.ones(2))
    with pytest.raises(UsageError, match="(?s)nan_to_num: .*in place.*Expected: copy=True.*Try: x = np.nan_to_num"):
        np.nan_to_num(x, copy=False)
    for wrong in (None, "0", True):
        with pytest.raises(
            ValueTypeError, match=f"(?s)nan_to_num: nan must be a number, got {wrong!r}.*Expected: a number"
        ):
            np.nan_to_num(x, nan=wrong)
    with pytest.raises(ValueTypeError, match="nan_to_num: .* is too large for a float"):
        np.nan_to_num(x, posinf=10**400)
    with pytest.raises(ValueTypeError, match="nan_to_num: cannot use None"):
        dark.nan_to_num(None)
    with pytest.raises(ValueTypeError, match="nan_to_num: nan must be a number, got Parameter"):
        np.nan_to_num(x, nan=dark.Parameter(0.0))


@pytest.mark.parametrize(
    "shapes", [((), ()), ((), (3,)), ((2,), (3,)), ((2, 3), (2,)), ((1, 2), (3, 1, 2)), ((0, 2), (2, 2))]
)
def test_the_kronecker_product_has_numpys_shape_and_values(shapes):
    a, b = (np.random.default_rng(k).normal(size=shape) for k, shape in enumerate(shapes))
    y = np.kron(dark.Parameter(a), b)
    np.testing.assert_array_equal(y.value, np.kron(a, b), strict=bool(y.shape))
    assert dark.gradcheck(np.kron, a, b).ok


@pytest.mark.parametrize(
    "shapes", [((), ()), ((), (3,)), ((3,), (3,)), ((2, 3), (3,)), ((2, 3), (4, 1, 3)), ((2, 0), (3, 0))]
)
def test_the_inner_product_has_numpys_shape_and_values(shapes):
    a, b = (np.random.default_rng(k).normal(size=shape) for k, shape in enumerate(shapes))
    np.testing.assert_allclose(np.inner(a, dark.Parameter(b)).value, np.inner(a, b), rtol=1e-14)
    assert dark.gradcheck(np.inner, a, b).ok


def test_integer_division_is_refused_with_the_values_as_advice():
    with pytest.raises(OperationError, match="np.floor_divide of x.value; it has no gradient"):
        np.floor_divide(dark.Parameter(7.0), 2)
    with pytest.raises(OperationError, match="use x % y, and np.floor_divide of the values"):
        np.divmod(dark.Parameter(7.0), 2)
