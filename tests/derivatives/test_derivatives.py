"""Gradients, Jacobians, Hessians and products: finite differences, PyTorch to third order, nesting, errors."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dark
from dark.errors import ShapeError, UsageError, ValueTypeError

A = np.array([[0.4, -0.3, 0.2], [0.1, 0.5, -0.6], [0.7, 0.2, 0.3]])
POINT = np.array([0.3, -0.5, 0.8])


def bowl(x, np=np):
    """A smooth function of a vector of 3, computed by NumPy or another library."""
    return np.sum(np.tanh(A @ x) * np.exp(0.3 * x)) + np.sum(x**3) * x[0]


def field(x, np=np):
    """A function from vectors of 3 to vectors of 2."""
    return np.stack([np.sum(np.tanh(x) * x), np.exp(x[0]) * x[2]])


def differences(f, x, nudge=1e-5):
    """Compute the Jacobian of `f` by central finite differences."""
    x = np.asarray(x)
    columns = []
    for k in range(x.size):
        step = np.zeros(x.size)
        step[k] = nudge
        step = step.reshape(x.shape)
        columns.append((np.asarray(f(x + step)) - np.asarray(f(x - step))) / (2 * nudge))
    return np.moveaxis(np.reshape(columns, x.shape + np.shape(columns[0])), range(x.ndim), range(-x.ndim, 0))


# Against finite differences


@given(st.lists(st.floats(-1, 1), min_size=3, max_size=3).map(np.array))
def test_gradient_jacobian_and_hessian_equal_finite_differences(x):
    value, gradient = dark.value_and_grad(bowl)(x)
    assert value == pytest.approx(bowl(x))
    assert np.allclose(gradient, differences(bowl, x), atol=1e-8)
    assert np.allclose(dark.jacobian(field)(x), differences(field, x), atol=1e-8)
    assert np.allclose(dark.hessian(bowl)(x), differences(dark.grad(bowl), x), atol=1e-8)


@given(st.lists(st.floats(-1, 1), min_size=6, max_size=6).map(np.array))
def test_products_equal_the_matrix_times_the_vector(both):
    x, v = both[:3], both[3:]
    assert np.allclose(dark.hvp(bowl, x, v), dark.hessian(bowl)(x) @ v, atol=1e-12)
    assert np.allclose(dark.jvp(field, x, v), dark.jacobian(field)(x) @ v, atol=1e-12)
    assert dark.jvp(bowl, x, v) == pytest.approx(dark.grad(bowl)(x) @ v, abs=1e-12)


@given(st.floats(-2, 2))
def test_derivatives_of_floats_are_floats_to_fourth_order(x):
    f = lambda x: dark.exp(2 * x)
    for order in range(5):
        y = f(dark.Parameter(x)) if order == 0 else f(x)
        y = dark.nodes.value_of(y)
        assert type(y) is float and y == pytest.approx(2**order * np.exp(2 * x))
        f = dark.grad(f)


# Against PyTorch


@pytest.mark.oracle
def test_derivatives_of_arrays_equal_pytorchs_to_third_order():
    torch = pytest.importorskip("torch", reason="the oracle extra (PyTorch) is not installed")
    f = lambda x: torch.sum(torch.tanh(torch.tensor(A) @ x) * torch.exp(0.3 * x)) + torch.sum(x**3) * x[0]
    x, v = torch.tensor(POINT), torch.tensor([1.0, -2.0, 0.5], dtype=torch.float64)
    functions = torch.func
    second = functions.jacrev(functions.jacrev(f))
    for mine, theirs in [
        (dark.grad(bowl)(POINT), functions.grad(f)(x)),
        (dark.hessian(bowl)(POINT), second(x)),
        (dark.jacobian(dark.hessian(bowl))(POINT), functions.jacrev(second)(x)),
        (dark.hvp(bowl, POINT, v.numpy()), second(x) @ v),
        (dark.grad(lambda x: dark.sum(dark.hvp(bowl, x, v.numpy()) ** 2))(POINT),
         functions.grad(lambda x: torch.sum((second(x) @ v) ** 2))(x)),
        (dark.jvp(dark.grad(bowl), POINT, v.numpy()), second(x) @ v),
    ]:  # fmt: skip
        assert np.allclose(mine, theirs.numpy(), rtol=1e-10, atol=1e-12)


@pytest.mark.oracle
@given(st.floats(0.3, 1.7), st.floats(0.3, 1.7))
def test_scalar_derivatives_equal_pytorchs_to_third_order(a, b):
    torch = pytest.importorskip("torch", reason="the oracle extra (PyTorch) is not installed")
    mine = lambda a, b: dark.tanh(a * b) / (a + dark.exp(b)) + a**b
    theirs = lambda a, b: torch.tanh(a * b) / (a + torch.exp(b)) + a**b
    x = [torch.tensor(v, dtype=torch.float64) for v in (a, b)]
    for arguments in ((0,), (0, 1), (0, 1, 1), (1, 0, 1), (0, 0, 0)):
        f, g = mine, theirs
        for k in arguments:
            f, g = dark.grad(f, k), torch.func.grad(g, k)
        assert f(a, b) == pytest.approx(g(*x).item(), rel=1e-9, abs=1e-9)


# Arguments and results


def test_a_tuple_of_arguments_returns_a_tuple_in_that_order():
    f = lambda a, b, c: dark.sum(a * b) * c
    a, b = np.array([1.0, 2.0]), np.array([3.0, 4.0])
    by_c, by_a = dark.grad(f, argument=(2, 0))(a, b, 5.0)
    assert by_c == 11 and type(by_c) is float and by_a.tolist() == [15, 20]
    value, (by_b,) = dark.value_and_grad(f, argument=(1,))(a, b, c=5.0)
    assert value == 55 and by_b.tolist() == [5, 10]
    blocks = dark.hessian(f, argument=(0, 2))(a, b, 5.0)
    assert blocks[0][0].tolist() == [[0, 0], [0, 0]]
    assert blocks[0][1].tolist() == blocks[1][0].tolist() == [3, 4] and blocks[1][1] == 0
    matrices = dark.jacobian(lambda a, b: a * b, argument=(0, 1))(a, 3.0)
    assert matrices[0].tolist() == [[3, 0], [0, 3]] and matrices[1].tolist() == [1, 2]
    assert dark.hvp(f, (a, b, 5.0), (a, b, 0.0))[2] == 22
    assert dark.jvp(lambda a, b: a * b, (2.0, 3.0), (1.0, 10.0)) == 23


def test_other_floats_are_passed_as_constants_and_other_values_unchanged():
    def kinds(x, *others, last):
        seen.append([type(v) for v in (*others, last)])
        return x

    seen = []
    dark.grad(kinds)(1.0, 2.0, np.float32(2), np.ones(2), np.arange(2), 2, "two", None, last=3.0)
    assert seen == [[dark.Constant] * 3 + [np.ndarray, int, str, type(None), float]]

    def f(x, axis, *, twice):
        return dark.sum(dark.sum(x, axis)) * (2 if twice else 1)

    assert dark.grad(f)(np.ones((2, 1)), 1, twice=True).tolist() == [[2], [2]]
    assert dark.jacobian(lambda x, words: x * len(words))(1.0, ["a", "b"]) == 2


def test_the_gradient_of_an_unused_argument_is_zero():
    x = np.ones((2, 1), np.float32)
    for f in (lambda a, b: b * 2, lambda a, b: dark.Constant(3)):
        assert dark.grad(f)(1.0, 2.0) == 0.0 and type(dark.grad(f)(1.0, 2.0)) is float
        assert dark.grad(f)(x, 2.0).tolist() == [[0], [0]] and dark.grad(f)(x, 2.0).dtype == np.float32
        assert dark.hessian(f)(x, 2.0).shape == (2, 1, 2, 1) and not dark.hessian(f)(x, 2.0).any()
        assert dark.jacobian(f)(x, 2.0).shape == (2, 1)
        assert dark.hvp(f, (x, 2.0), (x, 1.0))[0].tolist() == [[0], [0]]
        assert dark.jvp(lambda a: f(a, dark.Constant(2)), x, x) == 0
        assert dark.grad(dark.grad(f))(1.0, 2.0) == 0
    for zero in (
        dark.jacobian(lambda x: dark.Constant(3))(1.0), dark.hessian(lambda x: x * 2)(1.0),
        dark.jacobian(dark.jacobian(lambda x: x * 2))(1.0), dark.hessian(lambda a, b: a * a, (0, 1))(1.0, 2.0)[1][1],
    ):  # fmt: skip
        assert zero == 0 and type(zero) is float
    assert dark.jvp(lambda x: dark.Constant(np.arange(3)), x, x).tolist() == [0, 0, 0]
    assert dark.jvp(lambda x: dark.Constant(x.value), x, x).shape == (2, 1)


def test_derivatives_keep_dtype_and_shape_of_the_argument():
    for x in (np.float32(2), np.ones((1, 1), np.float32), np.ones((0, 2)), np.ones((2, 1, 2))):
        f = lambda x: dark.sum(x**2 * x)
        gradient = dark.grad(f)(x)
        assert gradient.shape == x.shape and gradient.dtype == x.dtype and type(gradient) is type(x)
        hessian = dark.hessian(f)(x)
        assert hessian.shape == x.shape * 2 and hessian.dtype == x.dtype
        product = dark.hvp(f, x, np.ones(x.shape))
        assert product.shape == x.shape and product.dtype == x.dtype
        assert dark.jacobian(lambda x: x * 2)(x).shape == x.shape * 2
        assert dark.jvp(lambda x: x * 2, x, x).shape == x.shape


def test_a_result_with_one_element_may_have_axes():
    value, gradient = dark.value_and_grad(lambda x: x @ x.T)(np.array([[1.0, 2.0]]))
    assert value.tolist() == [[5]] and gradient.tolist() == [[2, 4]]


def test_results_share_no_memory_and_no_node_is_modified():
    w, x = dark.Parameter(np.ones(3)), np.ones(3)
    with dark.no_grad():
        plain = dark.grad(lambda x: dark.sum(x * w))(x)
    for gradient in (plain, dark.grad(lambda x: dark.sum(x * w))(x).value):
        assert not np.shares_memory(gradient, w.value) and not np.shares_memory(gradient, x)
    dark.hessian(lambda x: dark.sum(x**2 * w))(x)
    assert w.grad is None


def test_name_and_signature_of_the_function_are_kept():
    def loss(x):
        """How far off."""
        return x * x

    for made in (d(loss) for d in (dark.grad, dark.value_and_grad, dark.jacobian, dark.hessian)):
        assert made.__name__ == "loss" and made.__wrapped__ is loss


# Nodes, and derivatives inside derivatives


def test_nodes_in_nodes_out():
    x = dark.Parameter(3.0)
    for answer in (
        dark.grad(lambda x: x**2)(x), dark.value_and_grad(lambda x: x**2)(x)[1], dark.jacobian(lambda x: x**2)(x),
        dark.hessian(lambda x: x**3 / 3)(x), dark.hvp(lambda x: x**2 * x, x, 1 / 3), dark.jvp(lambda x: x**2, x, 1.0),
    ):  # fmt: skip
        x.grad = None
        assert isinstance(answer, dark.Node) and answer.value == pytest.approx(6)
        answer.backward()
        assert x.grad == pytest.approx(2)
    x.grad = None
    with dark.no_grad():
        assert isinstance(dark.grad(lambda x: x**2)(x), dark.Constant)
        assert dark.grad(lambda x: x**2)(3.0) == 6.0
    assert isinstance(dark.grad(lambda x: x**2)(dark.Constant(3)), dark.Node) and x.grad is None


def test_a_direction_may_be_a_node():
    v = dark.Parameter(np.array([1.0, 2.0]))
    dark.sum(dark.hvp(lambda x: dark.sum(x**3), np.array([1.0, 1.0]), v)).backward()
    assert v.grad.tolist() == [6, 6]


def test_derivatives_with_respect_to_different_variables_are_not_confused():
    d = dark.grad
    assert d(lambda x: x * d(lambda y: x + y)(1.0))(1.0) == 1
    assert d(lambda x: x * d(lambda y: x * y)(2.0))(3.0) == 6
    assert d(lambda x: d(lambda y: x * y)(x))(3.0) == 1
    assert d(lambda x: d(lambda y: y * y * x)(x))(3.0) == 12
    assert d(lambda x: x * d(lambda y: y * y)(2.0))(3.0) == 4
    x = dark.Parameter(3.0)
    assert d(lambda y: x * y)(x).value == 3 and d(lambda y: x * y)(2.0).value == 3.0


def derivatives(f):
    """Return every derivative of a scalar function, as functions of the point."""
    return [
        dark.grad(f), lambda x: dark.value_and_grad(f)(x)[1], lambda x: dark.value_and_grad(f)(x)[0], dark.jacobian(f),
        lambda x: dark.hessian(lambda v: f(v) * v)(x), lambda x: dark.hvp(lambda v: f(v) * v, x, 0.5),
        lambda x: dark.jvp(f, x, 0.5),
    ]  # fmt: skip


def test_derivatives_of_a_function_that_uses_parameters_are_nodes_that_reach_them():
    p, c = dark.Parameter(2.0), dark.Constant(2.0)
    for with_p, with_c in zip(derivatives(lambda v: p * v * p), derivatives(lambda v: c * v * c)):
        answer, plain = with_p(3.0), with_c(3.0)
        assert isinstance(answer, dark.Node) and type(plain) is float and answer.value == plain
        p.grad = None
        answer.backward()
        assert p.grad == plain  # each is a multiple of p ** 2, so its derivative is 2 / p of it
        with dark.no_grad():
            assert with_p(3.0) == plain and type(with_p(3.0)) is float
    p.requires_grad = False
    assert type(dark.grad(lambda v: p * v)(3.0)) is float


def test_a_derivative_that_uses_a_parameter_in_two_ways_counts_both():
    p = dark.Parameter(2.0)
    (p * dark.grad(lambda v: p * v)(2.0)).backward()
    assert p.grad == 4
    q, half = dark.Parameter(np.array([1.0, 2.0])), dark.Parameter(0.5)
    scaled = half * q  # computed before, outside
    dark.sum(dark.grad(lambda v: dark.sum(scaled * v**2))(np.array([3.0, 4.0]))).backward()
    assert q.grad.tolist() == [3, 4] and half.grad == 2 * 3 + 2 * 2 * 4
    assert isinstance(dark.grad(lambda v: half)(1.0), dark.Node)


def test_variables_of_an_inner_derivative_are_not_taken_for_parameters():
    answer = dark.grad(lambda x: x * dark.jvp(lambda y: y * y, 2.0, 1.0) * dark.hvp(lambda y: y**3, 2.0, 1.0))(3.0)
    assert type(answer) is float and answer == 48


@pytest.mark.oracle
def test_a_gradient_penalty_equals_pytorchs():
    torch = pytest.importorskip("torch", reason="the oracle extra (PyTorch) is not installed")
    weight, x = np.linspace(-1, 1, 6).reshape(3, 2), np.array([0.3, -0.7])
    p = dark.Parameter(weight)
    slope = dark.grad(lambda v: dark.sum(dark.tanh(p @ v)))(x)
    dark.sum(slope * slope).backward()
    q = torch.tensor(weight, requires_grad=True)
    torch.sum(torch.func.grad(lambda v: torch.tanh(q @ v).sum())(torch.tensor(x)) ** 2).backward()
    np.testing.assert_allclose(p.grad, q.grad.numpy(), rtol=1e-12)


def test_an_exception_restores_the_state_of_the_thread():
    def fails(x):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        dark.grad(fails)(1.0)
    assert dark.is_training and type(dark.grad(lambda x: x * x)(1.0)) is float
    with dark.no_grad():
        with pytest.raises(ZeroDivisionError):
            dark.grad(fails)(1.0)
        assert not dark.is_training


def test_newtons_method_minimizes_the_rosenbrock_function():
    valley = lambda x: (1 - x[0]) ** 2 + 100 * (x[1] - x[0] ** 2) ** 2
    x = np.array([-1.2, 1.0])
    for _ in range(7):
        x = x - np.linalg.solve(dark.hessian(valley)(x), dark.grad(valley)(x))
    assert np.allclose(x, [1, 1], atol=1e-10)


# Errors


def test_the_gradient_of_a_non_scalar_function_is_an_error():
    for derivative in (dark.grad, dark.value_and_grad, dark.hessian):
        with pytest.raises(
            ShapeError, match=rf"(?s){derivative.__name__}: .* shape \(2,\).*a single element.*dark\.jacobian"
        ):
            derivative(lambda x: x * 2)(np.ones(2))
    with pytest.raises(ShapeError, match=r"hvp: .* shape \(2,\)"):
        dark.hvp(lambda x: x * 2, np.ones(2), np.ones(2))


@pytest.mark.parametrize("derivative", [dark.grad, dark.value_and_grad, dark.jacobian, dark.hessian])
def test_invalid_functions_and_arguments_are_errors(derivative):
    name = derivative.__name__
    with pytest.raises(UsageError, match=rf"(?s){name}: 3\.0 \(float\) is not callable.*without calling f"):
        derivative(3.0)
    for argument in (1.0, "x", None, True, [0, 1], ([0],)):
        with pytest.raises(
            ValueTypeError, match=rf"(?s){name}: argument must be an integer.*integer, 0 or more.*argument=\(0, 1\)"
        ):
            derivative(lambda x: x, argument)
    with pytest.raises(UsageError, match=f"{name}: argument must be 0 or more, got -1"):
        derivative(lambda x: x, -1)
    for argument in ((), (0, 0)):
        with pytest.raises(UsageError, match=f"(?s){name}: invalid argument=.*distinct indices"):
            derivative(lambda x: x, argument)
    with pytest.raises(
        UsageError, match=rf"(?s){name}: the function must return a node, got 6\.0 \(float\).*a node, computed"
    ):
        derivative(lambda x: x.value * 2)(3.0)
    with pytest.raises(UsageError, match=f"{name}: no positional argument 1; .* with 1 positional arguments"):
        derivative(lambda x: x * x, argument=1)(3.0)
    with pytest.raises(UsageError, match="called with 0 positional arguments"):
        derivative(lambda x: x * x)(x=3.0)
    with pytest.raises(ValueTypeError, match="an array of int64 cannot require grad"):
        derivative(lambda x: x * x)(np.arange(3))
    for tree in ([1.0, 2.0], {"w": 1.0}, 1j):
        with pytest.raises(ValueTypeError, match=f"{name}: cannot use .*{type(tree).__name__}"):
            derivative(lambda x: x)(tree)


@pytest.mark.parametrize("product", [dark.hvp, dark.jvp])
def test_the_shape_of_the_direction_must_be_that_of_the_point(product):
    name, f = product.__name__, lambda *x: dark.sum(x[0] * x[-1])
    with pytest.raises(ShapeError, match=rf"{name}: a direction must have the point's shape \(3,\), got \(2,\)"):
        product(f, np.ones(3), np.ones(2))
    for v in (1.0, (1.0,), (1.0, 1.0, 1.0)):
        with pytest.raises(
            UsageError, match=f"{name}: each of 2 arguments needs a direction, got {len(v) if type(v) is tuple else 1}"
        ):
            product(f, (1.0, 1.0), v)
    with pytest.raises(UsageError, match="is not callable"):
        product(1.0, 2.0, 3.0)
    with pytest.raises(UsageError, match="the function must return a node"):
        product(lambda x: 1.0, 2.0, 3.0)
