"""Every operation of the package: value against NumPy, gradient against differences and PyTorch, edges."""

import inspect
import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import dark
from dark.nodes.node import UFUNCS
from dark.operations import all_operations

OPERATIONS = {op.__name__: op for op in all_operations()}
numbers = st.floats(-3, 3, allow_subnormal=False)


def arity(op):
    return len(op._partials)


def numpy_function(op):
    return next((u for u, o in UFUNCS.items() if o is op), lambda x: np.maximum(x, 0.0))


@pytest.mark.parametrize("name", OPERATIONS)
@settings(max_examples=50, deadline=None)
@given(data=st.data())
def test_the_value_is_numpys(name, data):
    op = OPERATIONS[name]
    x = data.draw(st.lists(st.floats(), min_size=arity(op), max_size=arity(op)))
    with np.errstate(all="ignore"):
        right = float(numpy_function(op)(*map(np.float64, x)))
    y = op.apply(*[dark.Parameter(v) for v in x]).value
    assert type(y) is float
    assert (math.isnan(y) and math.isnan(right)) or math.isclose(y, right, rel_tol=1e-14)


@pytest.mark.parametrize("name", OPERATIONS)
@settings(max_examples=50, deadline=None)
@given(data=st.data())
def test_the_gradient_equals_central_differences(name, data):
    op = OPERATIONS[name]
    x = data.draw(st.lists(numbers, min_size=arity(op), max_size=arity(op)))
    if name in ("Log", "Sqrt", "Pow"):
        x[0] = abs(x[0]) + 0.1
    if name in ("Abs", "Relu"):
        assume(abs(x[0]) > 1e-3)
    if name in ("Maximum", "Minimum"):
        assume(abs(x[0] - x[1]) > 1e-3)
    if name == "Div":
        assume(abs(x[1]) > 0.1)
    assert dark.gradcheck(op.apply, *x, tolerance=1e-5)


@pytest.mark.parametrize("name", OPERATIONS)
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_the_second_derivative_is_the_derivative_of_the_first(name, data):
    op = OPERATIONS[name]
    x = data.draw(st.lists(st.floats(0.3, 2.0), min_size=arity(op), max_size=arity(op), unique=True))
    assume(len(x) == 1 or abs(x[0] - x[1]) > 1e-3)

    def first(*nodes):
        leaves = [dark.Parameter(v) for v in map(float, nodes)]
        op.apply(*leaves).backward(create_graph=True)
        return leaves[0]

    leaf = [dark.Parameter(v) for v in x]
    op.apply(*leaf).backward(create_graph=True)
    gradient = leaf[0].grad
    if not isinstance(gradient, dark.Node) or not gradient.requires_grad:
        second = 0.0
    else:
        leaf[0].grad = None
        gradient.backward()
        second = 0.0 if leaf[0].grad is None else leaf[0].grad
    measured = dark.slope(lambda v: first(v, *x[1:]).grad, x[0], 1e-5)
    assert second == pytest.approx(measured, rel=1e-4, abs=1e-4)


@pytest.mark.oracle
@pytest.mark.parametrize("name", OPERATIONS)
@settings(max_examples=50, deadline=None)
@given(data=st.data())
def test_value_and_gradient_are_pytorchs_even_at_kinks_and_borders(name, data):
    torch = pytest.importorskip("torch", reason="the oracle extra (PyTorch) is not installed")
    op = OPERATIONS[name]
    edge = st.sampled_from([0.0, 1.0, -1.0, 2.0, -2.0, 0.5, 1000.0])
    x = data.draw(st.lists(st.one_of(edge, numbers), min_size=arity(op), max_size=arity(op)))
    mine = [dark.Parameter(v) for v in x]
    y = op.apply(*mine)
    y.backward()
    theirs = [torch.tensor(v, dtype=torch.float64, requires_grad=True) for v in x]
    function = {"Neg": torch.neg, "Div": torch.div}.get(name) or getattr(torch, name.lower())
    z = function(*theirs)
    z.backward()
    for ours, right in [(y.value, z.item()), *((m.grad, t.grad.item()) for m, t in zip(mine, theirs))]:
        assert (math.isnan(ours) and math.isnan(right)) or math.isclose(ours, right, rel_tol=1e-12), (x, ours, right)


@pytest.mark.parametrize(
    ("f", "x", "slopes"),
    [
        (dark.abs, (3,), (1,)), (dark.abs, (-3,), (-1,)), (dark.abs, (0,), (0,)),
        (dark.relu, (0,), (0,)), (dark.relu, (2,), (1,)), (dark.relu, (-2,), (0,)),
        (dark.maximum, (3, 2), (1, 0)), (dark.maximum, (2, 3), (0, 1)), (dark.maximum, (2, 2), (0.5, 0.5)),
        (dark.minimum, (2, 3), (1, 0)), (dark.minimum, (2, 2), (0.5, 0.5)),
        (dark.maximum, (math.inf, math.inf), (0.5, 0.5)),
        (dark.pow, (0, 0), (0, 0)), (dark.pow, (0, 0.5), (math.inf, 0)), (dark.pow, (0, -1), (-math.inf, -math.inf)),
        (dark.div, (1, 0), (math.inf, -math.inf)), (dark.log, (0,), (math.inf,)), (dark.sqrt, (0,), (math.inf,)),
        (dark.exp, (1000,), (math.inf,)),
    ],
)  # fmt: skip
def test_the_conventions_at_kinks_ties_and_borders(f, x, slopes):
    leaves = [dark.Parameter(v) for v in x]
    f(*leaves).backward()
    assert tuple(p.grad for p in leaves) == slopes


def test_a_root_of_a_negative_number_is_nan_not_complex():
    x = dark.Parameter(-8)
    y = x ** (1 / 3)
    y.backward()
    assert math.isnan(y.value) and math.isnan(x.grad)


def test_no_gradient_is_computed_for_an_input_that_takes_none(monkeypatch):
    def fail(*x):
        raise AssertionError("asked for the gradient of a constant")

    monkeypatch.setattr(dark.Pow, "_partials", (dark.Pow._partials[0], fail))
    x = dark.Parameter(3)
    dark.pow(x, 2).backward()
    assert x.grad == 6


def test_every_operation_has_a_function_with_an_example():
    for name in OPERATIONS:
        function = getattr(dark, name.lower())
        assert ">>>" in inspect.getdoc(function)
        assert getattr(dark, name) is OPERATIONS[name]
