"""Every operation: its values against NumPy, for all kinds of input."""

import inspect
import math
from itertools import product

import numpy as np
import pytest

import dark
from dark.nodes import value_of
from dark.nodes.protocols import FUNCTIONS, UFUNCS
from tests.operations.cases import OPERATIONS, arity, as_list, cases_of, each_case, function_of, joins, numpy_function
from tests.operations.numerics import assert_close

NUMBERS = [0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 3.0, 1e-9, 1e-300, 1e300, -1e300, math.inf, -math.inf, math.nan]


def test_every_operation_has_a_function_with_an_example_and_is_tested():
    for name, op in OPERATIONS.items():
        function = function_of(op)
        assert ">>>" in inspect.getdoc(function)
        assert getattr(dark, name) is op
        assert cases_of(op), f"{name} is not elementwise; it needs `samples`, or nothing tests it"


@each_case
def test_the_value_is_numpys(case):
    f, x = numpy_function(case.op), case.draw()
    if f is None:
        pytest.skip("NumPy has no such function, and no formula of it is written down")
    right = f(*x, **case.settings)
    y = case.apply(*x).value
    assert_close(y, right, 1e-13)
    if np.ndim(right):
        assert y.dtype == right.dtype


@pytest.mark.parametrize("op", [op for op in OPERATIONS.values() if op.elementwise], ids=lambda op: op.__name__)
def test_values_are_numpys_for_numbers_of_all_magnitudes(op):
    f = numpy_function(op)
    inputs = arity(op)
    for settings in [s for shapes, s in op.samples if shapes == ()] or [{}]:
        for x in product(NUMBERS if inputs < 3 else NUMBERS[::3], repeat=inputs):
            y = op.apply(*[dark.Parameter(v) for v in x], **settings).value
            with np.errstate(all="ignore"):
                array = op.apply(*[np.array([v]) for v in x], **settings).value[0]
                right = array if f is None else float(f(*map(np.float64, x), **settings))
            assert type(y) is float
            if op is dark.Pow and x == (-math.inf, 0.5):
                continue  # inf or NaN: NumPy's numbers and arrays differ
            for actual in (y, float(array)):
                same = (math.isnan(actual) and math.isnan(right)) or math.isclose(actual, right, rel_tol=4e-15)
                assert same, (x, settings, actual, right)


@each_case
def test_float32_inputs_give_float32_results(case):
    x = case.draw(np.float32)
    y = case.apply(*x)
    assert y.dtype == np.float32
    assert_close(y.value, case.apply(*[v.astype(float) for v in x]).value, 1e-4)


@each_case
def test_python_floats_do_not_promote_float32_and_numbers_in_float64_do(case):
    if not case.op.elementwise:
        return
    x = [float(v) if np.ndim(v) == 0 else v.astype(np.float32) for v in case.draw()]
    plain, strong = [
        case.apply(*[kind(v) if type(v) is float else dark.Parameter(v) for v in x]) for kind in (float, dark.Parameter)
    ]
    if all(type(v) is float for v in x):
        assert type(strong.value) is float or strong.ndim
    else:
        assert plain.dtype == np.float32
        assert strong.dtype == (np.float64 if float in map(type, x) else np.float32)


@each_case
def test_non_contiguous_inputs_give_the_same_values(case):
    x = case.draw()
    scattered = [np.repeat(np.asarray(v).T, 2, axis=0)[::2].T if np.ndim(v) else v for v in x]
    assert_close(case.apply(*scattered).value, case.apply(*x).value, 1e-14)


@each_case
def test_inputs_are_not_modified(case):
    x = case.draw()
    copies = [np.array(v) for v in x]
    case.apply(*[dark.Parameter(v) for v in x])
    case.apply(*x)
    for v, copy in zip(x, copies):
        np.testing.assert_array_equal(v, copy)


@each_case
def test_numpys_own_function_builds_the_operation_on_nodes(case):
    nodes = [dark.Parameter(v) for v in case.draw()]
    for ufunc, op in UFUNCS.items():
        if op is case.op:
            assert ufunc(*nodes, **case.settings).op is op
    for function, actual in FUNCTIONS.items():
        if actual is function_of(case.op) and case.op.__name__ not in ("Where", "EinSum", "Eigh", "QR", "SVD"):
            y = (as_list(function) if joins(case.op) else function)(*nodes, **case.settings)
            np.testing.assert_array_equal(y.value, case.apply(*nodes).value)


def test_numpys_where_and_clip_build_the_operation_on_nodes():
    x = dark.Parameter(np.array([-1.0, 0.5, 2.0]))
    y = np.where(x > 0, x, 0.0)
    assert y.op is dark.Where
    np.testing.assert_array_equal(y.value, [0, 0.5, 2])
    for y in (np.clip(x, 0, 1), np.clip(x, a_min=0, a_max=1), np.clip(x, min=0, max=1)):
        assert y.op is dark.Clip
        np.testing.assert_array_equal(y.value, [0, 0.5, 1])


@pytest.mark.parametrize("f", [np.fabs, np.radians, np.degrees])
def test_numpys_aliases_work(f):
    x = dark.Parameter(np.array([-1.0, 2.0]))
    assert_close(f(x).value, f(x.value), 1e-15)
    assert_close(np.float_power(dark.Parameter(2.0), x).value, [0.5, 4], 1e-15)


def test_comparisons_return_bools():
    x = dark.Parameter(np.array([-1.0, 0.5, 2.0]))
    for mask in (x > 0, np.greater(x, 0), np.less(0, x), x >= dark.Parameter(0.5), ~np.less_equal(x, 0)):
        assert type(mask) is np.ndarray and mask.dtype == bool
    assert (dark.Parameter(2.0) < 3) is True
    np.testing.assert_array_equal(x > np.array([0, 1, 1]), [False, False, True])


def test_the_error_function_is_accurate_on_arrays():
    x = np.concatenate([np.linspace(-7, 7, 4001), np.logspace(-300, 0, 50), [np.inf, -np.inf]])
    np.testing.assert_allclose(dark.erf(x).value, [math.erf(v) for v in x], rtol=1e-14)
    assert dark.erf(x[:3].astype(np.float16)).dtype == np.float16


def test_a_condition_is_any_nonzero_value():
    assert dark.where(2, 1.0, 3.0).value == 1 and dark.where(np.bool_(False), 1.0, 3.0).value == 3
    np.testing.assert_array_equal(dark.where(dark.Constant(np.array([0, 2])), 1.0, 3.0).value, [3, 1])
    condition = np.array([True, False])
    x = dark.Parameter(np.ones(2))
    y = dark.where(condition, x, 0.0)
    condition[:] = False  # after the fact: the graph keeps what was chosen
    y.backward(np.ones(2))
    np.testing.assert_array_equal(x.grad, [1, 0])


def test_invalid_arguments_of_elementwise_functions_are_errors():
    with pytest.raises(dark.errors.ValueTypeError, match=r"where: cannot use 'yes' \(str\)"):
        dark.where("yes", 1.0, 2.0)
    with pytest.raises(dark.errors.UsageError, match="gelu: invalid approximate 'erf'"):
        dark.gelu(1.0, approximate="erf")
    with pytest.raises(dark.errors.ShapeError, match=r"maximum: shapes \(2,\) and \(3,\) do not match"):
        dark.maximum(np.ones(2), dark.Parameter(np.ones(3)))
    with pytest.raises(dark.errors.ShapeError, match=r"where: .*do not match"):
        dark.where(np.array([True, False]), dark.Parameter(np.ones(3)), 0.0)


def test_the_frobenius_norm_of_a_matrix():
    x = np.arange(12.0).reshape(2, 2, 3)
    assert np.linalg.norm(dark.Parameter(x[0]), "fro").value == pytest.approx(np.linalg.norm(x[0], "fro"), rel=1e-15)
    assert_close(dark.norm(x, "fro", axis=(1, 2)).value, np.linalg.norm(x, "fro", axis=(1, 2)), 1e-15)
    with pytest.raises(dark.errors.ValueTypeError, match="vector_norm: ord must be a number, got 'fro'"):
        dark.norm(x, "fro", axis=1)


def test_integers_and_bools_are_reduced_as_numbers():
    whole, truth = np.array([[1, 2], [3, 4]]), np.array([True, False])
    assert dark.logsumexp(whole).value == pytest.approx(dark.logsumexp(whole.astype(float)).value, rel=1e-15)
    assert type(dark.logsumexp(2).value) is float
    assert dark.max(truth).value == 1.0 and dark.min(truth).value == 0.0
    assert type(dark.max(truth).value) is float


@pytest.mark.parametrize("wrong", [dark.Parameter(0.2), "0.2", None, np.ones(2)], ids=str)
def test_a_setting_that_is_not_differentiable_must_be_a_number(wrong):
    x = dark.Parameter(np.ones(3))
    for use, who in (
        (lambda: dark.leaky_relu(x, wrong), "leaky_relu: slope"), (lambda: dark.elu(x, wrong), "elu: alpha"),
        (lambda: dark.var(x, ddof=wrong), "var: ddof"), (lambda: dark.std(x, ddof=wrong), "std: ddof"),
    ):  # fmt: skip
        expected = f"(?s){who} (must be a number, got|is|must not require grad).*Expected: a number"
        with pytest.raises(dark.errors.ValueTypeError, match=expected):
            use()
    assert dark.leaky_relu(-1.0, np.float32(0.5)).value == -0.5


def large_halves(*shape, scale=300.0):
    """Draw values of float16 whose squares overflow."""
    return np.asarray(np.random.default_rng(0).uniform(-scale, scale, shape), np.float16)


MANY = np.zeros((1, 70000), np.float16)  # the sum of their exponentials overflows
LABELS = np.array([0, 2, 1])


@pytest.mark.parametrize(
    ("f", "x"),
    [
        (dark.attention, [large_halves(4, 3, scale=9)] * 3),
        (lambda q, k, v: dark.attention(q, k, v, causal=True), [large_halves(2, 4, 8, scale=30)] * 3),
        (dark.layer_norm, [large_halves(3, 5), large_halves(5, scale=2), large_halves(5, scale=2)]),
        (dark.batch_norm, [large_halves(6, 3), large_halves(3, scale=2), large_halves(3, scale=2)]),
        (dark.batch_norm, [large_halves(4, 3, 2, 2), large_halves(3, scale=2), large_halves(3, scale=2)]),
        (dark.softmax, [large_halves(3, 5, scale=9)]), (dark.log_softmax, [large_halves(3, 5, scale=3e4)]),
        (lambda x: dark.softmax(x) * 1000.0, [MANY]), (dark.logsumexp, [MANY]),
        (lambda x: dark.log_softmax(x)[:, :3], [MANY]),
        (lambda x: dark.losses.cross_entropy(x, np.array([1])), [MANY]), (dark.std, [large_halves(6, 3)]),
        (lambda x: dark.losses.cross_entropy(x, LABELS), [large_halves(3, 4, scale=20)]),
        (lambda x: dark.losses.cross_entropy(x, LABELS, reduction="none"), [large_halves(3, 4, scale=20)]),
        (lambda x: dark.var(x / 4.0, 0), [large_halves(6, 3)]), (dark.mean, [large_halves(2, 70000, scale=9)]),
        (lambda x: dark.avg_pool2d(x, 2), [large_halves(1, 2, 4, 4, scale=6e4)]),
    ],
)  # fmt: skip
def test_float16_is_right_where_only_what_is_computed_in_between_overflows(f, x):
    for create_graph in (False, True):
        halves, doubles = [[dark.Parameter(v.astype(kind)) for v in x] for kind in (np.float16, float)]
        with np.errstate(under="ignore"):
            for leaves in (halves, doubles):
                y = f(*leaves)
                y.backward(np.ones(y.shape, y.dtype)[()], create_graph=create_graph)
                leaves.append(y)
        assert halves[-1].dtype == np.float16
        np.testing.assert_allclose(halves[-1].value, doubles[-1].value, rtol=4e-3, atol=4e-3)
        for p, q in zip(halves[:-1], doubles[:-1]):
            g, right = value_of(p.grad), value_of(q.grad)
            assert p.grad.dtype == np.float16
            np.testing.assert_allclose(g, right, rtol=0.02, atol=0.01 * max(0.05, np.abs(right).max()))
