"""Nodes: what they hold, show, accept and refuse; the switches `no_grad`, `is_training`, `anomaly`."""

import threading

import numpy as np
import pytest

import dark
from dark.errors import AnomalyError, GradientError, OperationError, ValueTypeError


def test_a_new_leaf_shares_nothing_with_another():
    a, b = dark.Parameter(1), dark.Parameter(1)
    assert a.inputs == () and a.op is None and a.grad is None and a.inputs is not None
    assert a != b and a == a and len({a, b}) == 2


@pytest.mark.parametrize("value", ["a", [1, 2], None, True, 1j, np.array([1.0, 2.0]), np.bool_(True), {}])
def test_what_is_no_real_number_is_refused(value):
    with pytest.raises(ValueTypeError, match="Parameter: cannot use .*\n  Expected: one real number"):
        dark.Parameter(value)
    with pytest.raises(ValueTypeError, match="mul: cannot use"):
        dark.mul(dark.Parameter(2), value)
    x = dark.Parameter(2)
    with pytest.raises(ValueTypeError, match="Parameter: cannot use"):
        x.value = value
    assert x.value == 2


def test_a_node_as_a_value_is_refused_with_advice():
    with pytest.raises(ValueTypeError, match=r"`\.value`"):
        dark.Parameter(dark.Parameter(2))


def test_an_integer_too_large_for_a_float_is_refused():
    with pytest.raises(ValueTypeError, match="an integer of 1329 bits is too large"):
        dark.Parameter(10**400)


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
    with pytest.raises(OperationError, match="numpy.sinh does not work on nodes.*\n.*\n.*tanh"):
        np.sinh(x)
    with pytest.raises(OperationError, match=r"numpy.add does not work"):
        np.add.reduce(x)
    assert np.greater(x, 1) and np.sign(x) == 1


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
    with pytest.raises(GradientError, match="takes no gradient"):
        quiet().backward()


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
