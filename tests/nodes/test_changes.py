"""Arrays that users take from nodes: what may be written into, and what a backward pass notices."""

import math
import sys
import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dark
from dark import Constant, Parameter
from dark.errors import GradientError, OperationError, ValueTypeError


def test_an_array_written_into_between_forward_and_backward_is_noticed():
    x = Parameter(np.array([1.0, 2.0, 3.0]))
    y = (x * x).sum()
    x.value[0] = 100
    with pytest.raises(GradientError, match=r"was changed after .* was computed from it"):
        y.backward()
    assert x.grad is None


def test_an_array_of_a_constant_is_watched_too():
    x, c = Parameter(2.0), Constant(np.ones(3))
    y = (x * c).sum()
    c.value[:] = 7
    with pytest.raises(GradientError, match=r"Constant.* was changed after"):
        y.backward()


def test_reading_a_value_does_not_disturb_a_pass():
    x = Parameter(np.array([1.0, math.nan]))
    y = (x * 3).sum()
    assert x.value.shape == (2,)
    y.backward()
    assert x.grad.tolist() == [3, 3]


def test_a_value_written_into_before_the_forward_pass_is_the_value():
    x = Parameter(np.zeros(2))
    x.value[:] = [1, 2]
    y = (x * x).sum()
    x.value.sum()
    y.backward()
    assert x.grad.tolist() == [2, 4]


def test_the_update_of_a_training_in_place_is_allowed_after_the_pass_and_makes_older_results_stale():
    x = Parameter(np.ones(2))
    y = (x * x).sum()
    y.backward()
    x.value -= 0.5 * x.grad
    assert x.value.tolist() == [0, 0]
    with pytest.raises(GradientError, match="was changed after"):
        y.backward()


@given(st.lists(st.sampled_from(["read", "write", "set", "compute"]), max_size=12))
def test_a_pass_is_refused_exactly_if_the_leaf_was_changed_since_the_forward_pass(steps):
    x, results, at = Parameter(np.zeros(3)), [], 0.0
    for k, step in enumerate(steps, 1):
        if step == "read":
            x.value.sum()
        elif step == "write":
            x.value[k % 3] = at = float(k)
        elif step == "set":
            x.value = np.full(3, at := float(k))
        else:
            results.append(((x * x).sum(), at))
    for y, then in results:
        if then == at:
            y.backward()
        else:
            with pytest.raises(GradientError, match="was changed after"):
                y.backward()


def test_the_array_of_a_result_is_read_only_so_that_a_view_cannot_change_its_owner():
    x = Parameter(np.arange(4.0))
    y = x[1:]
    with pytest.raises(ValueError, match="read-only"):
        y.value += 1
    with pytest.raises(GradientError, match="the value of a result cannot be set"):
        y.value = np.zeros(3)
    (y * y).sum().backward()
    assert x.value.tolist() == [0, 1, 2, 3] and x.grad.tolist() == [0, 2, 4, 6]


def test_a_constant_copies_its_array_and_an_operand_shares_it():
    array = np.ones(2)
    c = Constant(array)
    array[:] = 7
    assert c.value.tolist() == [1, 1]
    assert (Parameter(1.0) * array).value.tolist() == [7, 7]


def test_a_result_without_gradient_is_computed_without_a_copy():
    with dark.no_grad():
        y = dark.exp(Parameter(np.ones(3)))
    y.value[0] = 5  # nothing was computed from it
    assert isinstance(y, Constant) and y.value[0] == 5


class WritesForward(dark.Operation):
    """Multiply in place."""

    @staticmethod
    def _f(x):
        x *= 2
        return x

    @staticmethod
    def _df(dldy, y, x):
        return (2 * dldy,)


class WritesBackward(dark.Operation):
    """Double, with a derivative that writes into the gradient it is given."""

    @staticmethod
    def _f(x):
        return 2 * x

    @staticmethod
    def _df(dldy, y, x):
        dldy *= 2
        return (dldy,)


def test_a_rule_that_writes_into_its_inputs_is_refused_and_changes_nothing():
    x = Parameter(np.array([3.0]))
    with pytest.raises(OperationError, match=r"WritesForward\._f must not write into an array that it is given"):
        WritesForward.apply(x)
    y = (x**2 + WritesBackward.apply(x)).sum()
    with pytest.raises(OperationError, match=r"WritesBackward\._df must not write into an array that it is given"):
        y.backward()
    assert x.value.tolist() == [3.0] and x.grad is None


class HasValue:
    """An object of another library with a private attribute of the same name."""

    _value = 2.0
    requires_grad = True


@pytest.mark.parametrize("other", [HasValue(), type("Quiet", (), {"_value": 2.0})()], ids=["requires_grad", "plain"])
@pytest.mark.parametrize(
    "use", [lambda x, o: x * o, lambda x, o: o * x, lambda x, o: dark.exp(o), lambda x, o: dark.where(True, x, o)]
)
def test_only_nodes_are_nodes(use, other):
    with pytest.raises(ValueTypeError, match="cannot use"):
        use(Parameter(1.5), other)


@pytest.mark.parametrize("x", [1000.0, np.array([1000.0]), np.float32(1000)], ids=["float", "array", "float32"])
def test_errstate_raises_forward_as_numpy_does(x):
    node = Parameter(x)
    with np.errstate(all="raise"), pytest.raises(FloatingPointError, match="overflow"):
        dark.exp(node)
    with np.errstate(divide="raise"), pytest.raises(FloatingPointError, match="divide by zero"):
        node / (node * 0.0)
    with np.errstate(all="ignore"):
        assert np.all(dark.exp(node).value == math.inf)


def test_errstate_raises_backward_as_numpy_does():
    x = Parameter(0.0)
    y = dark.sqrt(x)
    with np.errstate(divide="raise"), pytest.raises(FloatingPointError, match="divide by zero"):
        y.backward()
    y.backward()
    assert x.grad == math.inf


@pytest.mark.parametrize("value", [1.0, np.ones(200)], ids=["number", "array"])
def test_threads_lose_no_gradients(value):
    p, passes, threads = Parameter(value), 2000, 4
    start = threading.Barrier(threads)

    def work():
        start.wait()
        y, dldy = p * 1.0, np.ones_like(value)
        for _ in range(passes):
            y.backward(dldy)

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        team = [threading.Thread(target=work) for _ in range(threads)]
        for thread in team:
            thread.start()
        for thread in team:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert np.all(p.grad == passes * threads)
