"""The backward pass on arrays: shapes, types, memory of their own, and passes that fail."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

import dark
from dark.errors import AnomalyError, GradientError, OperationError, ShapeError, ValueTypeError
from dark.nodes import gradients, value_of
from dark.nodes.memory import KEEP_GRAD_UP_TO

FLOATS = (np.float16, np.float32, np.float64, np.longdouble)


def operation(partials=None, df=None, f=lambda *x: x[0], elementwise=False):
    """Make an operation of a user, with partials or with a `_df`."""
    rules = {"_f": staticmethod(f)}
    rules |= {"_df": partials} if partials else {"_df": staticmethod(df)}
    return type("Own", (dark.Operation,), rules, elementwise=elementwise)


def numbers(*shape, seed=0, dtype=float):
    return np.asarray(np.random.default_rng(seed).uniform(0.5, 1.5, shape), dtype)


# Shapes


@given(arrays.mutually_broadcastable_shapes(num_shapes=2, max_dims=4, max_side=4, min_side=0), st.integers(0, 99))
def test_unbroadcast_is_the_adjoint_of_broadcasting(shapes, seed):
    x, g = numbers(*shapes.input_shapes[0], seed=seed), numbers(*shapes.result_shape, seed=seed + 1)
    back = dark.nodes.unbroadcast(g, x.shape)
    assert np.shape(back) == x.shape
    assert np.sum(back * x) == pytest.approx(np.sum(g * np.broadcast_to(x, g.shape)), rel=1e-12)


@pytest.mark.parametrize("kind", FLOATS)
@given(shapes=arrays.mutually_broadcastable_shapes(num_shapes=3, max_dims=3, max_side=3, min_side=0))
def test_a_gradient_has_the_shape_and_the_type_of_its_leaf(kind, shapes):
    leaves = [dark.Parameter(numbers(*shape, dtype=kind)) for shape in shapes.input_shapes]
    y = dark.sum(leaves[0] * leaves[1] + leaves[2] / leaves[1])
    for create_graph in (False, True):
        for p in leaves:
            p.grad = None
        y.backward(create_graph=create_graph)
        for p in leaves:
            gradient = value_of(p.grad)
            assert np.shape(gradient) == p.shape and type(gradient) is type(p.value)
            assert np.asarray(gradient).dtype == p.dtype


def test_a_gradient_that_does_not_fit_is_an_error_that_names_the_derivative():
    x = dark.Parameter(numbers(2, 3))
    y = operation(df=lambda dldy, y, x: (np.ones((3, 2)),)).apply(x)
    with pytest.raises(ShapeError, match=r"shape \(3, 2\) to an input of shape \(2, 3\)") as caught:
        y.sum().backward()
    assert "in the derivative of own" in caught.value.__notes__
    assert x.grad is None and y.grad is None


@pytest.mark.parametrize("create_graph", [False, True])
@pytest.mark.parametrize(("start", "shape"), [(2.0, (5,)), (2.0, (1,)), (np.ones(3), (5, 3))])
def test_axes_of_a_gradient_that_neither_input_nor_result_has_are_refused(start, shape, create_graph):
    x = dark.Parameter(start)
    y = operation(df=lambda dldy, y, x: (np.ones(shape),)).apply(x)
    with pytest.raises(ShapeError, match=r"(?s)derivative of own must fit an input of shape .*, got shape .*Try:"):
        y.sum().backward(create_graph=create_graph)
    assert x.grad is None


@pytest.mark.parametrize("value", [3.0, np.float32(3)])
def test_a_rule_that_returns_a_0_dimensional_array_gives_a_number(value):
    x = dark.Parameter(value)
    dark.reshape(x * x, (1, 1)).backward()
    assert x.grad == 6 and type(x.grad) is type(value)
    x.grad = None
    operation(df=lambda dldy, y, x: (np.array(5),)).apply(x).backward()
    assert x.grad == 5 and type(x.grad) is type(value)


def test_partials_written_with_numpy_give_floats_on_floats():
    x = dark.Parameter(0.5)
    y = operation((lambda dldy, y, x: dldy * np.cos(x),), f=np.sin, elementwise=True).apply(x)
    y.backward()
    y.backward()
    assert type(x.grad) is float and x.grad == 2 * np.cos(0.5)


def test_one_number_for_a_whole_array_is_spread_and_can_be_added_to():
    x = dark.Parameter(np.ones(3))
    y = operation((lambda dldy, y, x: np.array(2.0),), f=np.sum).apply(x)
    (y + x.sum() + y).backward()
    assert x.grad.tolist() == [3.0, 3.0, 3.0]


def test_a_rule_on_numbers_that_reduces_arrays_is_not_taken_for_one_on_numbers_alone():
    Average = operation((lambda dldy, y, x: dldy / x.size,), f=lambda x: x.mean(), elementwise=True)
    x = dark.Parameter(np.ones(4))
    (Average.apply(x) * 2).backward()
    assert x.grad.tolist() == [0.5] * 4


@pytest.mark.parametrize("shape", [(), (1,), (1, 1)])
def test_a_root_with_one_element_needs_no_gradient(shape):
    x = dark.Parameter(numbers(*shape, dtype=np.float32)[()])
    y = x * x
    y.backward()
    assert x.grad == 2 * x.value and x.grad.shape == shape and x.grad.dtype == np.float32
    assert y.grad.shape == shape and y.grad.dtype == np.float32


def test_a_root_with_several_elements_needs_a_gradient_of_its_shape():
    x = dark.Parameter(np.ones((2, 3)))
    with pytest.raises(GradientError, match=r"(?s)gradient must be given.*sum or mean"):
        (x * x).backward()
    with pytest.raises(ShapeError, match=r"gradient must have the shape of the root, \(2, 3\), got \(3,\)"):
        (x * x).backward(gradient=np.ones(3))
    assert x.grad is None


@pytest.mark.parametrize("seed", [np.arange(3), np.array([True, False, True]), np.arange(3.0)])
def test_a_given_gradient_is_cast_to_the_dtype_of_the_root(seed):
    x = dark.Parameter(np.ones(3, np.float32))
    for root, times in ((x, 1), (x * 2, 2)):
        x.grad = None
        root.backward(gradient=seed)
        assert root.grad.dtype == x.grad.dtype == np.float32
        assert x.grad.tolist() == (times * seed.astype(float)).tolist()


def test_an_input_of_integers_or_bools_is_a_constant_without_gradient():
    x = dark.Parameter(np.ones(3, np.float32))
    y = x * np.arange(3, dtype=np.int8) * np.array([True, True, False])
    y.sum().backward()
    assert y.dtype == np.float32 and x.grad.tolist() == [0, 1, 0] and x.grad.dtype == np.float32


def test_empty_arrays_pass():
    x = dark.Parameter(np.ones((0, 3)))
    b = dark.Parameter(np.ones(3))
    (x * b).sum().backward()
    assert x.grad.shape == (0, 3) and b.grad.tolist() == [0, 0, 0]


def test_big_endian_arrays_are_converted_to_the_byte_order_of_the_machine():
    for kind in (">f2", ">f4", ">f8"):
        x = dark.Parameter(numbers(2, 3).astype(kind))
        assert x.dtype.isnative and (x * x).max(0).dtype == x.dtype
        x.value = numbers(2, 3).astype(kind)
        assert x.dtype.isnative
    y = x * np.arange(3, dtype=">i4") * dark.Constant(np.ones(3, ">f8"))
    assert y.inputs[1].dtype.isnative and y.inputs[0].inputs[1].dtype == np.int32
    y.backward(np.ones((2, 3), ">f8"))
    assert x.grad.dtype.isnative and x.grad.tolist() == [[0, 1, 2]] * 2


def test_subclasses_of_arrays_become_plain_arrays():
    class Odd(np.ndarray):
        """An array that multiplies in its own way."""

        def __mul__(self, other):
            raise AssertionError

    x = dark.Parameter(np.ones((2, 2)))
    y = x * np.ones((2, 2)).view(Odd)
    assert type(y.value) is np.ndarray and type(y.inputs[1].value) is np.ndarray
    with pytest.raises(ValueTypeError, match=r"(?s)Constant: cannot use .*masked.*filled"):
        dark.Constant(np.ma.masked_array([1.0, 2.0], [True, False]))


# Memory of their own


def sharing(x, y):
    """Write a few graphs in which gradients could meet: sums, views, repetition, sharing."""
    a = 3 * x
    v = dark.reshape(a, (3, 2))
    return [
        x + y, x - y, a + a, dark.transpose(a) + dark.transpose(y), v + 2 * v, x + x + x, a * a + a,
        dark.broadcast_to(x, (4, 2, 3)), dark.reshape(x, (6,)), x.sum(axis=0), (x.T @ y).T, x * 1.0,
        dark.mean(x, axis=1), dark.maximum(x, y),
    ]  # fmt: skip


@pytest.mark.parametrize("which", range(14))
def test_no_gradient_shares_its_memory_with_another_array(which):
    x, y = dark.Parameter(numbers(2, 3)), dark.Parameter(numbers(2, 3, seed=1))
    root = sharing(x, y)[which]
    seed = numbers(*root.shape)
    root.backward(gradient=seed)
    first = x.grad
    root.backward(gradient=seed)
    nodes = dark.topological_order(root)
    grads = [n.grad for n in nodes if isinstance(n.grad, np.ndarray)] + [first]
    others = [n.value for n in nodes if isinstance(n.value, np.ndarray)] + [seed]
    assert not any(np.shares_memory(a, b) for a, b in itertools.combinations(grads, 2))
    assert not any(np.shares_memory(a, b) for a in grads for b in others)
    assert all(g.flags.writeable for g in grads)
    assert np.array_equal(x.grad, 2 * first)


def test_gradients_through_views_add_up():
    x = dark.Parameter(np.array([1.0]))
    a = 3 * x
    v = dark.reshape(a, (1, 1))
    (v + 2 * v).sum().backward()
    assert v.grad.item() == 3 and a.grad.item() == 3 and x.grad.item() == 9
    y = dark.reshape(x, (1, 1))
    x.grad = None
    y.backward()
    y.zero_grad()
    y.backward()
    assert x.grad.tolist() == [1]


def test_an_array_that_a_rule_keeps_is_never_added_to():
    kept = np.ones(3)
    rules = [
        operation(df=lambda dldy, y, x: (kept,)),
        operation((lambda dldy, y, x, factor: factor,), f=lambda x, factor: x),
        operation((lambda dldy, y, x: x,)),
        operation((lambda dldy, y, x: y,)),
    ]
    for rule in rules:
        x = dark.Parameter(np.ones(3))
        settings = {"factor": kept} if rule is rules[1] else {}
        y = rule.apply(x, **settings)
        (y + x + rule.apply(x, **settings)).sum().backward()
        assert kept.tolist() == x.value.tolist() == y.value.tolist() == [1, 1, 1]
        assert x.grad.tolist() == [3, 3, 3]


def test_a_rule_may_send_one_array_to_several_inputs():
    def both(dldy, y, a, b):
        return made.setdefault("once", 2.0 * dldy)

    made = {}
    a, b = dark.Parameter(np.ones(3)), dark.Parameter(np.ones(3))
    y = operation((both, both)).apply(a, b)
    (a.sum() + y.sum()).backward()
    assert a.grad.tolist() == [3, 3, 3] and b.grad.tolist() == [2, 2, 2]
    assert not np.shares_memory(a.grad, b.grad)


# Passes that fail


class Fails(dark.Operation):
    """The identity, whose derivative fails."""

    @staticmethod
    def _f(x):
        return x

    @staticmethod
    def _df(dldy, y, x):
        raise RuntimeError("no")


def test_an_error_in_the_middle_of_a_pass_changes_no_gradient():
    x, b = dark.Parameter(np.ones((100, 100))), dark.Parameter(np.ones(100))
    assert x.size > KEEP_GRAD_UP_TO
    h = x * b
    h.name = "hidden"
    first = h.sum()
    first.backward()
    root = (Fails.apply(h * 2.0) + h + b).sum()
    before = {n: n.grad for n in dark.topological_order(root)}
    copies = {n: np.copy(g) for n, g in before.items() if g is not None}
    with pytest.raises(RuntimeError, match="no"):
        root.backward()
    for n, g in before.items():
        assert n.grad is g
        assert g is None or np.array_equal(g, copies[n])


def test_a_gradient_that_cannot_be_added_leaves_all_others_as_they_were():
    x, b = dark.Parameter(np.ones(3)), dark.Parameter(np.ones(3))
    x.grad, b.grad = np.zeros(3), np.ones(3)
    b.value = np.ones(1)
    y = (x * b).sum()
    with pytest.raises(ShapeError, match=r"cannot add a gradient of shape \(1,\) to the grad of .*, of shape \(3,\)"):
        y.backward()
    assert x.grad.tolist() == [0, 0, 0] and y.grad is None


def test_a_gradient_of_another_shape_or_kind_cannot_be_set():
    x = dark.Parameter(np.ones(3))
    with pytest.raises(ShapeError, match=r"grad: cannot set a gradient of shape \(2,\) for .* of shape \(3,\)"):
        x.grad = np.ones(2)
    with pytest.raises(ValueTypeError, match="grad: cannot use 'steep'"):
        x.grad = "steep"
    x.grad = 2
    assert x.grad.tolist() == [2, 2, 2]


def test_a_gradient_that_was_cleared_is_zeros_of_the_value_s_shape_and_type():
    x = dark.Parameter(np.ones((2, 3), np.float32))
    x.sum().backward()
    before = x.grad
    x.zero_grad()
    assert x.grad.dtype == np.float32 and not x.grad.any() and x.grad.shape == (2, 3)
    assert before.all(), "what was taken earlier stays"
    x.grad[0] += 1  # it is an array like others
    x.sum().backward()
    assert x.grad.tolist() == [[2, 2, 2], [1, 1, 1]]


@pytest.mark.parametrize("first", ["one number for all", "an array"])
@pytest.mark.parametrize("second", ["one number for all", "an array"])
def test_floats_that_stand_for_constant_arrays_are_added_to_arrays(first, second):
    x = dark.Parameter(np.ones(3, np.float32))
    x.zero_grad()
    for kind in (first, second):
        (x.sum() if kind == "one number for all" else (x * np.float32([1, 1, 1])).sum()).backward()
    assert x.grad.tolist() == [2, 2, 2] and x.grad.dtype == np.float32


def test_inside_anomaly_a_change_in_place_is_found():
    x = dark.Parameter(np.ones(3), name="x")
    with dark.anomaly():
        y = (x * x).sum()
        x.value[1] = 5
        with pytest.raises(GradientError, match="Parameter 'x'.* was changed after"):
            y.backward()


def test_gradients_that_overflow_where_numpy_is_told_to_raise_change_nothing():
    x = dark.Parameter(np.full(3, 1e-3, np.float32))
    y = (x * np.float32(3e38) + x * np.float32(3e38)).sum()
    with np.errstate(over="raise"), pytest.raises(FloatingPointError):
        y.backward()
    assert x.grad is None and y.grad is None


def test_a_large_result_forgets_what_an_earlier_pass_left_there():
    x = dark.Parameter(np.ones(KEEP_GRAD_UP_TO + 1))
    y = x * 2
    y.grad = np.ones(KEEP_GRAD_UP_TO + 1)
    y.sum().backward()
    assert y.grad is None


# Gradients as nodes


def test_gradients_as_nodes_keep_float32():
    x = dark.Parameter(numbers(2, 3, dtype=np.float32))
    w = dark.Parameter(numbers(3))
    y = (dark.maximum(x * w, 0.5 * x) ** 3 * np.array([[True], [False]])).sum()
    y.backward(create_graph=True)
    assert x.grad.dtype == np.float32 and w.grad.dtype == np.float64
    gradient, x.grad, w.grad = x.grad, None, None
    (gradient * gradient).sum().backward()
    assert x.grad.dtype == np.float32 and w.grad.dtype == np.float64
    assert w.grad.shape == (3,) and np.any(w.grad)


def test_a_cast_sends_the_gradient_back_in_the_type_it_came_from():
    x = dark.Parameter(np.ones(3, np.float32))
    y = (x.astype(float) ** 2).sum()
    y.backward()
    assert type(y.value) is float and x.grad.dtype == np.float32 and x.grad.tolist() == [2, 2, 2]
    s = dark.Parameter(2.0)
    y = s.astype(np.float32) * s.astype(np.float32)
    y.backward()
    assert type(y.value) is np.float32 and type(s.grad) is float and s.grad == 4
    if hasattr(np, "astype"):
        assert np.astype(x, np.float64).dtype == np.float64
    for kind in (int, bool, complex):
        with pytest.raises(ValueTypeError, match=r"(?s)astype: .* is not a floating-point dtype.*x\.value\.astype"):
            x.astype(kind)


NARROW = st.sampled_from([np.float16, np.float32]).flatmap(
    lambda kind: st.sampled_from([kind(1.5), np.array([0.25, 2], kind), np.array([[3]], kind)])
)
OTHERS = st.sampled_from([
    2, 0.5, True, 1 / 3, np.float64(1 / 3), np.array(1 / 3), np.float32(0.1), np.int8(3), np.int64(3), np.uint32(2),
    np.array(2), np.array([1.0, 0.1]), np.array([1, 2], np.float32), np.array([1, 2], np.int8), np.bool_(True),
])  # fmt: skip


@given(
    NARROW, OTHERS, st.booleans(), st.booleans(),
    st.sampled_from([np.add, np.multiply, np.divide, np.maximum, np.power, np.hypot, np.logaddexp]),
)  # fmt: skip
def test_dtypes_are_promoted_as_in_numpy(x, other, as_node, turned, f):
    given_other = dark.Constant(other) if as_node and not isinstance(other, (bool, np.bool_)) else other
    if isinstance(given_other, dark.Node):
        other = np.asarray(given_other.value)[()]  # a number in a node is one in float64
    p = dark.Parameter(x)
    y, right = (f(given_other, p), f(other, x)) if turned else (f(p, given_other), f(x, other))
    assert y.dtype == right.dtype
    np.testing.assert_allclose(y.value, right, rtol=2 * np.finfo(right.dtype).eps)


def test_derivatives_of_promoted_results_are_computed_in_float64():
    for x, s in ((np.float32(1.1), 1 / 3), (np.array([1.1, 2.2], np.float32), 1 / 3), (np.float16(1.1), 1e-7)):
        p, q = dark.Parameter(x), dark.Parameter(s)
        y = np.sum(p * p * q * q)
        y.backward(create_graph=True)
        assert type(y.value) is float and p.grad.dtype == p.dtype and q.grad.dtype == np.float64
        wide = np.asarray(x, float) ** 2 if x.dtype == np.float16 else np.asarray(x * x, float)
        np.testing.assert_allclose(q.grad.value, 2 * s * wide.sum(), rtol=1e-3)
        second = dark.hessian(lambda q, p=p: np.sum(p.value * p.value * q * q))(s)
        np.testing.assert_allclose(second, 2 * np.sum((x * x).astype(float)), rtol=1e-12)


def test_python_numbers_do_not_widen_a_second_derivative():
    x = dark.Parameter(np.array([0.5, 2], np.float32))
    y = (0.1 * x**2 / 3.0 + 2**x + x**2.0 - 1).sum()
    y.backward(create_graph=True)
    (x.grad * x.grad).sum().backward()
    assert y.dtype == np.float32 and all(n.dtype == np.float32 or n.op is None for n in dark.nodes.topological_order(y))


def test_float_power_computes_in_float64():
    x = dark.Parameter(np.array([0.1, 3], np.float32))
    y = np.float_power(x, 2)
    assert y.dtype == np.float64 and y.value.tolist() == np.float_power(x.value, 2).tolist()
    y.sum().backward()
    assert x.grad.dtype == np.float32 and np.allclose(x.grad, [0.2, 6])
    assert np.float_power(2, dark.Parameter(np.float32(3))).dtype == np.float64


def test_derivatives_of_derivatives_of_arrays():
    x = dark.Parameter(numbers(2, 2))
    y, seen = (x**4).sum(), []
    for _ in range(3):
        x.grad = None
        y.backward(create_graph=True)
        seen.append(x.grad)
        y = x.grad.sum()
    v = x.value
    for got, right in zip(seen, (4 * v**3, 12 * v**2, 24 * v)):
        assert np.allclose(got.value, right, rtol=1e-12)


def test_a_rule_that_leaves_the_nodes_cannot_be_differentiated_again():
    x = dark.Parameter(2.0)
    y = operation(df=lambda dldy, y, x: (dldy * math.cos(x),), f=lambda x: math.sin(x)).apply(x)
    y.backward()
    assert x.grad == math.cos(2.0)
    with pytest.raises(OperationError, match=r"(?s)convert a node to a Python number.*np\.cos\(x\) instead of math"):
        y.backward(create_graph=True)
    assert x.grad == math.cos(2.0) and float(x) == 2.0


def test_gradients_change_no_grad():
    x, w = dark.Parameter(numbers(3)), dark.Parameter(numbers(3, seed=1))
    z = dark.Parameter(1.0)
    h = x * w
    y = (h * h).sum()
    assert np.allclose(gradients(y, 1.0, [h])[0], 2 * h.value)
    gx, gz = gradients(y, 1.0, [x, z])
    assert gz is None and np.allclose(gx, 2 * h.value * w.value)
    assert x.grad is w.grad is h.grad is y.grad is None
    assert gradients(y, 1.0, [z]) == [None] and gradients(y, 2.0, [y]) == [2.0]


# Anomalies


def test_anomaly_names_the_first_operation_on_arrays_that_makes_a_nan():
    x = dark.Parameter(np.array([1.0, -1.0]))
    with np.errstate(invalid="ignore"), dark.anomaly():
        with pytest.raises(AnomalyError, match=r"log: made a NaN from .*array"):
            dark.exp(dark.log(x) * 2)
        with pytest.raises(AnomalyError, match="add: passed on a NaN"):
            dark.Parameter(np.array([np.nan, 1.0])) + x
        dark.exp(x)


@pytest.mark.parametrize("create_graph", [False, True])
def test_anomaly_names_the_first_derivative_on_arrays_that_makes_a_nan(create_graph):
    x = dark.Parameter(np.array([0.0, 4.0]))
    with np.errstate(divide="ignore", invalid="ignore"), dark.anomaly():
        y = (dark.sqrt(x) * np.array([0.0, 1.0])).sum()
        with pytest.raises(AnomalyError, match="(the derivative of sqrt|div): made a NaN"):
            y.backward(create_graph=create_graph)
        assert x.grad is None
        dark.sqrt(x + 1.0).sum().backward()
    assert np.allclose(x.grad, 0.5 / np.sqrt(x.value + 1.0))


# What is set from outside


def test_a_gradient_that_is_set_is_an_array_of_its_own_in_the_type_of_the_value():
    given = np.array([1, 2, 3])
    p, q, s = dark.Parameter(np.ones(3, np.float32)), dark.Parameter(np.ones(3)), dark.Parameter(np.float32(2))
    p.grad = q.grad = given
    assert p.grad.dtype == np.float32 and q.grad.dtype == np.float64
    assert not np.shares_memory(q.grad, given) and not np.shares_memory(p.grad, q.grad)
    wide = np.ones(3)
    q.grad = wide
    wide[:] = 7
    assert q.grad.tolist() == [1, 1, 1]
    p.grad, s.grad = np.float32(2), 3
    assert p.grad.tolist() == [2, 2, 2] and type(s.grad) is np.float32
    (p * 1).sum().backward()
    assert p.grad.dtype == np.float32 and p.grad.tolist() == [3, 3, 3]


def test_a_gradient_that_is_a_node_does_not_change_with_the_array_that_was_given():
    x, given = dark.Parameter(np.ones(3)), np.ones(3)
    (x * 1.0).backward(given, create_graph=True)
    x.grad = None
    x.backward(given, create_graph=True)
    given[:] = 7
    assert x.grad.value.tolist() == [1, 1, 1]


def test_inside_anomaly_a_result_that_was_changed_in_place_is_found_though_nothing_was_computed_from_it():
    with dark.anomaly():
        y = dark.exp(dark.Parameter(np.ones(2)))
        y._value[0] = 5  # as an operation could that shares memory; `y.value` is read-only
        with pytest.raises(GradientError, match="operation=exp.* was changed after it was computed"):
            y.backward(np.ones(2))


def test_inside_anomaly_a_gradient_that_is_nan_from_the_start_is_not_blamed_on_an_operation():
    x = dark.Parameter(1.0)
    with dark.anomaly(), pytest.raises(AnomalyError, match="^backward: passed on a NaN from nan"):
        (x * 2).backward(math.nan)
    assert x.grad is None


def test_a_detached_copy_does_not_change_with_its_parameter():
    x = dark.Parameter(np.ones(3))
    kept = x.detach()
    x.value -= 1
    assert kept.value.tolist() == [1, 1, 1] and x.value.tolist() == [0, 0, 0]


def test_user_defined_rules_may_return_an_array_that_is_used_again():
    kept = np.ones(3)

    class Both(dark.Operation):
        _f = staticmethod(lambda a, b: a + b)
        _df = (lambda dldy, y, a, b: kept, lambda dldy, y, a, b: kept)

    a, b = dark.Parameter(np.zeros(3)), dark.Parameter(np.zeros(3))
    both = Both.apply(a, b)
    dark.sum(both + Both.apply(a, both)).backward()
    assert not np.shares_memory(a.grad, b.grad) and not np.shares_memory(a.grad, kept)
    assert a.grad.tolist() == [2] * 3 and b.grad.tolist() == kept.tolist() == [1] * 3
