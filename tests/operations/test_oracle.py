"""Every operation that PyTorch has: values and gradients in float64 and float32, at kinks and limits."""

import math
from itertools import product

import numpy as np
import pytest

import dark
from tests.operations.cases import OPERATIONS, Case, arity, each_case
from tests.operations.numerics import assert_close, gradients, weights
from tests.operations.oracle import beside

pytestmark = [pytest.mark.oracle, pytest.mark.filterwarnings("ignore:.*degrees of freedom:UserWarning")]
torch = pytest.importorskip("torch", reason="the oracle extra (PyTorch) is not installed")
EDGES = [0.0, 1.0, -1.0, 2.0, -2.0, 0.5, 1000.0, -1000.0, 0.1]


def right_answers(case, x):
    shape = case.apply(*x).shape
    return beside(torch, case, x, weights(shape))


@each_case
def test_values_and_gradients_are_pytorchs(case):
    x = case.draw()
    value, grads = right_answers(case, x)
    y, leaves = gradients(case.apply, x)
    assert_close(y.value, value, 1e-12)
    for leaf, right in zip(leaves, grads):
        assert_close(leaf.grad, right, 1e-11)


@each_case
def test_values_and_gradients_are_pytorchs_in_float32(case):
    x = case.draw(np.float32)
    value, grads = right_answers(case, x)
    y, leaves = gradients(case.apply, x)
    assert y.dtype == value.dtype == np.float32
    assert_close(y.value, value, 1e-4)
    for leaf, right in zip(leaves, grads):
        assert leaf.grad.dtype == right.dtype or not right.any()
        assert_close(leaf.grad, right, 1e-3)


@pytest.mark.parametrize("op", [op for op in OPERATIONS.values() if op.elementwise], ids=lambda op: op.__name__)
def test_gradients_at_kinks_ties_and_borders_are_pytorchs(op):
    inputs = arity(op)
    for settings in [s for shapes, s in op.samples if shapes == ()] or [{}]:
        for x in product(EDGES if inputs < 3 else EDGES[:5], repeat=inputs):
            case = Case(op, ((),) * inputs, settings)
            leaves = [dark.Parameter(v) for v in x]
            y = case.apply(*leaves)
            y.backward()
            value, grads = beside(torch, case, [np.float64(v) for v in x], np.float64(1.0))
            pairs = [(y.value, value), *zip([leaf.grad for leaf in leaves], grads)]
            for actual, right in pairs[: 1 if np.isnan(value) else None]:  # no derivative where the value is NaN
                both_nan = math.isnan(actual) and math.isnan(right)
                assert both_nan or math.isclose(actual, right, rel_tol=1e-9, abs_tol=1e-13), (x, settings, actual)
