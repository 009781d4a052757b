"""Nodes: what they hold, show, accept and refuse; the switches `no_grad`, `is_training`, `anomaly`."""

import copy
import pickle
import threading
from fractions import Fraction

import numpy as np
import pytest

import dark
from dark.errors import AnomalyError, GradientError, OperationError, UsageError, ValueTypeError


def test_a_new_leaf_shares_nothing_with_another():
    a, b = dark.Parameter(1), dark.Parameter(1)
    assert a.inputs == () and a.op is None and a.grad is None and a.inputs is not None
    assert a != b and a == a and len({a, b}) == 2


@pytest.mark.parametrize("name", [np.ones(2), 3, ["x"]])
def test_a_name_that_is_not_a_string_is_refused(name):
    for leaf in (dark.Parameter, dark.Constant):
        with pytest.raises(ValueTypeError, match=rf"(?s)^{leaf.__name__}: name must be a string, got .*a string.*Try:"):
            leaf(1.0, name=name)


NO_NUMBERS = ["a", [1, [2]], ["a"], None, 1j, np.array([1j, 2.0]), np.array(["a"]), np.array([None]), {}]


@pytest.mark.parametrize("value", NO_NUMBERS)
def test_a_value_that_is_not_a_real_number_raises(value):
    with pytest.raises(ValueTypeError, match="Parameter: cannot use .*\n  Expected: one real number"):
        dark.Parameter(value)
    with pytest.raises(ValueTypeError, match="mul: cannot use"):
        dark.mul(dark.Parameter(2), value)
    x = dark.Parameter(2)
    with pytest.raises(ValueTypeError, match="Parameter: cannot use"):
        x.value = value
    assert x.value == 2


def test_lists_of_numbers_become_an_array():
    for value in ([1, 2], (1, 2), [[1, 2], [3, 4.5]], [np.ones(2), np.zeros(2)], []):
        x = dark.Parameter(value)
        assert x.value.dtype == float and x.value.tolist() == np.array(value).tolist()
        assert np.array_equal(dark.Constant(value).value, np.array(value))
    x.value = [5]
    assert x.value.tolist() == [5.0]
    with pytest.raises(ValueTypeError, match=r"mul: cannot use \[1, 2\] \(list\)"):
        dark.mul(x, [1, 2])


def test_a_bool_cannot_be_a_parameter_but_counts_as_one_or_zero_in_an_operation():
    with pytest.raises(ValueTypeError, match="Parameter: cannot use True"):
        dark.Parameter(True)
    x = dark.Parameter(3)
    y = x * (x > 2)
    y.backward()
    assert y.value == 3 and x.grad == 1


def test_a_node_as_a_value_is_refused_with_advice():
    with pytest.raises(ValueTypeError, match=r"`\.value`"):
        dark.Parameter(dark.Parameter(2))


def test_an_integer_too_large_for_a_float_is_refused():
    for value in (10**400, Fraction(10**400)):
        with pytest.raises(ValueTypeError, match="is too large for a float"):
            dark.Parameter(value)


@pytest.mark.parametrize(
    ("value", "kind"),
    [(3, float), (3.0, float), (np.float64(3), float), (np.int32(3), float), (np.float32(3), np.float32)],
)
def test_floats_stay_floats_and_float32_stays_float32(value, kind):
    x = dark.Parameter(value)
    y = dark.tanh(x * 2 + 1) / x**2
    y.backward()
    assert type(x.value) is type(y.value) is type(x.grad) is kind


def test_repr_and_format_show_value_operation_and_gradient():
    x = dark.Parameter(10, name="x")
    y = x * 2
    assert repr(x) == "Parameter 'x'(value=10.0)"
    y.backward()
    assert repr(x) == "Parameter 'x'(value=10.0, grad=2.0)"
    assert repr(y) == "Node(value=20.0, operation=mul, grad=1.0)"
    assert f"{x:.2f}" == "10.00" and f"{x}" == repr(x)


def test_signs_build_the_same_graph_as_functions():
    x = dark.Parameter(3.0)
    pairs = [
        (x + 1, dark.add(x, 1)), (1 + x, dark.add(1, x)), (x - 1, dark.sub(x, 1)), (1 - x, dark.sub(1, x)),
        (x * 2, dark.mul(x, 2)), (2 * x, dark.mul(2, x)), (x / 2, dark.div(x, 2)), (2 / x, dark.div(2, x)),
        (x**2, dark.pow(x, 2)), (2**x, dark.pow(2, x)), (-x, dark.neg(x)), (abs(x), dark.abs(x)),
    ]  # fmt: skip
    for sign, function in pairs:
        assert sign.op is function.op and sign.value == function.value
        assert [n.value for n in sign.inputs] == [n.value for n in function.inputs]
    assert +x is x


def test_comparisons_and_conversions_look_at_the_value():
    x = dark.Parameter(2.5)
    assert x < 3 and x <= 2.5 and x > dark.Constant(1) and x >= 2 and not x < 2
    assert float(x) == 2.5 and int(x) == 2 and bool(x) and not dark.Constant(0)
    assert max(dark.Constant(1), x) is x


def test_numpy_functions_work_on_nodes():
    x = dark.Parameter(2.0)
    for numpy_way, our_way in [
        (np.exp(x), dark.exp(x)),
        (np.float64(2) * x, dark.mul(2, x)),
        (np.maximum(x, 1.0), dark.maximum(x, 1.0)),
        (np.power(x, 3), x**3),
    ]:
        assert numpy_way.op is our_way.op and numpy_way.value == our_way.value
    with pytest.raises(OperationError, match="numpy.spacing does not support nodes.*\n.*\n"):
        np.spacing(x)
    with pytest.raises(OperationError, match=r"(?s)numpy.add.reduce does not support nodes.*use sum"):
        np.add.reduce(x)
    assert np.greater(x, 1) and np.sign(x) == 1
    with pytest.raises(OperationError, match="cannot convert a node to an array"):
        np.array(x)


def test_equality_with_numbers_is_of_values_and_of_two_nodes_is_identity():
    x = dark.Parameter(1.0)
    assert x == np.float64(1) and np.float64(1) == x and x != np.float64(2) and np.float64(2) != x
    assert [bool(x == np.float64(1)), bool(np.float64(2) == x)] == [True, False]
    assert x not in [np.float64(2), dark.Parameter(1.0)] and x in [x] and x in [np.float64(1)]
    assert np.any(x == np.array([1.0])) and not np.any(x == np.array([2.0]))


def test_a_leaf_is_copied_and_pickled_and_a_result_is_not():
    x = dark.Parameter(np.array([1.0, 2.0]), name="x", requires_grad=True)
    for _ in range(5):
        x.value = x.value + 1
    x.grad = np.array([3.0, 4.0])
    for again in (copy.copy(x), copy.deepcopy(x), pickle.loads(pickle.dumps(x))):
        assert again.name == "x" and np.array_equal(again.value, x.value) and np.array_equal(again.grad, x.grad)
        (again * 2).sum().backward()
        assert np.array_equal(again.grad, [5, 6])
    assert not pickle.loads(pickle.dumps(dark.Parameter(1, requires_grad=False))).requires_grad
    assert pickle.loads(pickle.dumps(dark.Constant(2))).value == 2
    with pytest.raises(GradientError, match="a result cannot be copied or pickled"):
        copy.deepcopy(x * 2)


def test_detach_cuts_the_graph():
    x = dark.Parameter(3, name="x")
    y = x * x.detach()
    y.backward()
    assert x.grad == 3 and x.detach().name == "x"


def test_no_grad_nests_decorates_and_belongs_to_one_thread():
    x = dark.Parameter(3)

    @dark.no_grad()
    def quiet():
        return x * x

    with dark.no_grad():
        with dark.no_grad():
            pass
        assert (x * x).op is None and not dark.is_training
        seen = []
        thread = threading.Thread(target=lambda: seen.append((x * x).op))
        thread.start()
        thread.join()
        assert seen[0] is not None
    assert quiet().op is None and quiet().value == 9
    assert (x * x).op is not None and dark.is_training
    with pytest.raises(ZeroDivisionError), dark.no_grad():
        1 / 0
    assert dark.is_training
    with pytest.raises(GradientError, match="does not require grad"):
        quiet().backward()


def test_no_grad_is_entered_again_and_decorates_without_brackets():
    x = dark.Parameter(3)
    switch = dark.no_grad()
    with switch, switch:
        assert (x * x).op is None
    assert dark.is_training

    @dark.no_grad
    def quiet():
        return x * x

    assert quiet().op is None and dark.is_training

    def numbers():
        yield x * x

    with pytest.raises(UsageError, match="numbers is a generator"):
        dark.no_grad(numbers)


def test_is_training_can_be_set_as_in_the_tutorial():
    x = dark.Parameter(10)
    dark.is_training = False
    try:
        y = dark.pow(x, 2)
        with pytest.raises(GradientError, match="its graph was not recorded"):
            y.backward()
    finally:
        dark.is_training = True
    assert dark.pow(x, 2).op is not None


def test_anomaly_names_the_first_operation_that_made_a_nan():
    x = dark.Parameter(-1)
    assert np.isnan(dark.log(x).value)
    with dark.anomaly():
        with pytest.raises(AnomalyError, match="log: made a NaN from -1.0"):
            dark.exp(dark.log(x))
        with pytest.raises(AnomalyError, match="add: passed on a NaN from nan, 1.0"):
            dark.Parameter(float("nan")) + 1
        zero = dark.Parameter(0.0)
        y = dark.sqrt(zero) * 0.0
        with pytest.raises(AnomalyError, match="the derivative of sqrt: made a NaN"):
            y.backward()
    assert zero.grad is None


def test_a_star_import_leaves_pythons_own_functions_alone():
    names = {}
    exec("from dark import *", names)
    assert names["Parameter"] is dark.Parameter and names["exp"] is dark.exp
    assert not {"abs", "max", "min", "pow", "sum", "sys"} & set(names)


@pytest.mark.parametrize("value", [1j, np.complex128(1j), np.array([1j]), np.complex64(1j)])
def test_complex_numbers_are_refused_with_a_way_out(value):
    for use in (dark.Parameter, dark.Constant, lambda v: dark.Parameter(1.0) * v, lambda v: v + dark.Parameter(1.0)):
        with pytest.raises(ValueTypeError, match=r"(?s)cannot use .*1\.?j.*x\.real and x\.imag"):
            use(value)
