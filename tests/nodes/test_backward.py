"""The backward pass on graphs with shared nodes, its guarantees and its errors."""

import math
import sys

import numpy as np
import pytest

import dark
from dark.errors import GradientError, ValueTypeError


def gradients(f, *xs):
    parameters = [dark.Parameter(x) for x in xs]
    y = f(*parameters)
    y.backward()
    return y.value, *[p.grad for p in parameters]


def test_the_first_sample_has_the_values_and_gradients_of_its_picture():
    x = dark.Parameter(10)
    power = dark.pow(x, 2)
    product = dark.mul(2, power)
    fx = dark.add(product, 5)
    fx.backward()
    assert [n.value for n in (x, power, product, fx)] == [10, 100, 200, 205]
    assert [n.grad for n in (fx, product, power, x)] == [1, 1, 2, 40]
    assert [n.value for n in (*product.inputs, *fx.inputs) if isinstance(n, dark.Constant)] == [2, 5]


@pytest.mark.parametrize(
    ("f", "x", "value", "slope"),
    [
        (lambda x: (lambda a: 2 * a + a)(1 * x), 1, 3, 3),
        (lambda x: (lambda a: a + 2 * a)(1 * x), 1, 3, 3),
        (lambda x: (lambda a: a * a + a)(x**2), 2, 20, 36),
        (lambda x: (lambda a: a + a * a)(x**2), 2, 20, 36),
        (lambda x: (lambda a: a * a + a)(x**2), 3, 90, 114),
        (lambda x: (lambda u: (lambda v: v * u)(x + u))(x + x), 3, 54, 36),
        (lambda x: (lambda a: a - a)(3 * x), 2, 0, 0),
        (lambda x: (lambda a: a / a)(3 * x), 2, 1, 0),
        (lambda x: (lambda a: 10**7 * a + a)(1 * x), 1, 10000001, 10000001),
        (lambda x: 2**x, 3, 8, 8 * math.log(2)),
        (lambda x: x**x, 2, 4, 4 * (math.log(2) + 1)),
        (lambda x: x**0, 0, 1, 0),
        (lambda x: x**1, 0, 0, 1),
    ],
)
def test_shared_nodes_receive_every_gradient(f, x, value, slope):
    assert gradients(f, x) == pytest.approx((value, slope), rel=1e-12)


def test_a_result_that_is_used_twice_shows_the_sum():
    x = dark.Parameter(1)
    a = dark.mul(x, 3)
    dark.add(a, a).backward()
    assert a.grad == 2 and x.grad == 6


def test_a_plain_node_is_a_leaf_with_a_gradient():
    n = dark.Node(3.0)
    (n * n).backward()
    assert n.grad == 6


def test_a_parameter_is_its_own_graph():
    x = dark.Parameter(10)
    x.backward()
    assert x.grad == 1


def test_leaves_add_up_over_passes_and_results_do_not():
    x = dark.Parameter(10)
    fx = 2 * x**2 + 5
    seen = []
    for _ in range(3):
        fx.backward()
        seen.append((x.grad, fx.grad, fx.inputs[0].grad))
    assert seen == [(40, 1, 1), (80, 1, 1), (120, 1, 1)]
    fx.zero_grad()
    assert (x.grad, fx.grad) == (0, 0)
    fx.backward()
    assert x.grad == 40


def test_each_root_starts_from_its_own_one():
    x = dark.Parameter(10)
    p = dark.pow(x, 2)
    seen = []
    for root in (p, dark.mul(7, p), p):
        root.backward()
        seen.append(x.grad)
    assert seen == [20, 160, 180]


def test_a_gradient_can_be_given_and_assigned():
    x = dark.Parameter(10)
    (x * x).backward(gradient=3)
    assert x.grad == 60
    x.grad = 5
    x.grad = 5
    assert x.grad == 5
    x.grad = None
    (x * x).backward()
    assert x.grad == 20


def test_a_doubling_chain_costs_one_visit_a_node():
    x = dark.Parameter(1)
    y = x
    for _ in range(1000):
        y = y + y
    y.backward()
    assert x.grad == 2.0**1000
    y.zero_grad()
    assert x.grad == 0


def test_depth_is_not_limited():
    assert sys.getrecursionlimit() <= 3000
    x = dark.Parameter(1)
    y = x
    for _ in range(100_000):
        y = dark.add(y, 0.0)
    y.backward()
    assert x.grad == 1
    y.zero_grad()
    assert x.grad == 0
    assert len(dark.topological_order(y)) == 200_001


def test_a_value_changed_after_its_use_is_an_error_that_names_the_node():
    x = dark.Parameter(3, name="weight")
    y = x * x
    x.value = 100
    with pytest.raises(GradientError, match=r"Parameter 'weight'\(value=100\.0\) was changed after") as caught:
        y.backward()
    assert x.grad is None and y.grad is None
    assert "compute the result again" in str(caught.value)


def test_a_step_without_a_new_forward_pass_is_an_error():
    x = dark.Parameter(3)
    y = x * x
    y.backward()
    x.value = x.value - 0.1 * x.grad
    with pytest.raises(GradientError, match="was changed after"):
        y.backward()
    assert x.grad == 6


def test_the_value_of_a_result_cannot_be_set():
    y = dark.Parameter(3) * 2
    with pytest.raises(GradientError, match="value of a result cannot be set"):
        y.value = 7
    assert y.value == 6


def test_constants_do_not_require_grad_and_their_graphs_are_not_recorded():
    x = dark.Parameter(2)
    c = dark.mul(dark.Constant(2), 3)
    y = dark.mul(c, x)
    y.backward()
    assert isinstance(c, dark.Constant) and c.op is None and c.grad is None and x.grad == 6
    with pytest.raises(GradientError, match="it does not depend on a Parameter that does"):
        c.backward()
    with pytest.raises(GradientError, match="a Constant does not require grad"):
        c.grad = 1.0
    c.grad = None


def test_a_frozen_parameter_does_not_require_grad():
    x = dark.Parameter(3, requires_grad=False)
    w = dark.Parameter(2)
    (w * x).backward()
    assert x.grad is None and w.grad == 3
    with pytest.raises(GradientError, match="does not require grad"):
        dark.mul(x, 2).backward()


def test_a_derivative_of_a_derivative():
    x = dark.Parameter(0.5)
    y = dark.tanh(x) * x**3 / (x + 2)
    seen = []
    for _ in range(3):
        x.grad = None
        y.backward(create_graph=True)
        y = x.grad
        seen.append(y.value)
    h = 1e-4
    f = lambda v: math.tanh(v) * v**3 / (v + 2)
    second = (f(0.5 + h) - 2 * f(0.5) + f(0.5 - h)) / h**2
    assert seen[0] == pytest.approx(dark.slope(f, 0.5), rel=1e-8)
    assert seen[1] == pytest.approx(second, rel=1e-5)
    assert seen[2] == pytest.approx(2.2317439961901337, rel=1e-9)


def test_a_failing_rule_leaves_every_gradient_as_it_was():
    class Broken(dark.Operation):
        @staticmethod
        def _f(x):
            return x

        @staticmethod
        def _df(dldy, y, x):
            raise RuntimeError("no")

    x = dark.Parameter(3)
    (x * x).backward()
    y = x + Broken.apply(x * 2)
    with pytest.raises(RuntimeError, match="no"):
        y.backward()
    assert x.grad == 6 and y.grad is None


def test_a_rule_may_return_a_plain_array_where_nodes_are_asked_for():
    class Floor(dark.Operation):
        def _f(x):
            return np.floor(x)

        def _df(dldy, y, x):
            return (np.zeros(np.shape(x)),)

    for f in (lambda x: Floor.apply(x) + Floor.apply(x) + x * x, lambda x: x * x + (Floor.apply(x) + Floor.apply(x))):
        x = dark.Parameter(np.array([1.5, -2.0]))
        dark.sum(f(x)).backward(create_graph=True)
        np.testing.assert_array_equal(x.grad.value, [3, -4])


@pytest.mark.parametrize("start", [1.0, np.float32(1), np.ones(2), np.ones(2, np.float32)])
def test_gradients_that_depend_on_nothing_are_nodes_where_nodes_are_asked_for(start):
    class Zero(dark.Operation):
        _f = staticmethod(lambda x: 0.0 * x)
        _df = (lambda dldy, y, x: 0.0,)

    for f in (lambda x: np.where(False, x, 2.0), lambda x: np.where(True, 2.0, x), Zero.apply):
        x = dark.Parameter(start)
        np.sum(f(x)).backward(create_graph=True)
        assert isinstance(x.grad, dark.Node) and x.grad.dtype == x.dtype and x.grad.shape == x.shape
        assert not np.any(x.grad.value)


@pytest.mark.parametrize("turned", [False, True])
def test_a_number_that_came_back_as_an_array_and_a_node_add_up(turned):
    x = dark.Parameter(np.array([1.0, 2.0, 3.0]))
    a = x * 1.0
    parts = dark.sum(a**3), dark.where(False, dark.max(a), 1.0)  # what is not chosen gets the number 0
    dark.add(*(parts[::-1] if turned else parts)).backward(create_graph=True)
    assert x.grad.value.tolist() == [3, 12, 27]


@pytest.mark.parametrize("thing", [2.0, None, [1.0]], ids=str)
def test_the_order_of_what_is_not_a_node_is_refused(thing):
    with pytest.raises(ValueTypeError, match="topological_order: .* is not a node"):
        dark.topological_order(thing)
