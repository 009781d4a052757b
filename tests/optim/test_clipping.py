"""Gradient clipping: PyTorch's values, and errors."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dark
from dark.errors import GradientError, UsageError, ValueTypeError
from dark.optim import clip_grad_norm, clip_grad_value
from tests.optim.settings import parameters

norms = st.sampled_from([1.0, 2.0, 3.5, math.inf])


def given_gradients(seed, scale=1.0):
    members = parameters(seed)
    rng = np.random.default_rng(seed)
    for p in members[1:]:
        p.grad = scale * rng.normal(size=p.shape) if p.ndim else scale * float(rng.normal())
    return members


def flat_gradients(members):
    return np.concatenate([np.ravel(p.grad) for p in members if p.grad is not None])


@given(seed=st.integers(0, 1000), p=norms, bound=st.floats(0, 20), scale=st.sampled_from([1e-200, 1e-3, 1.0, 1e200]))
def test_the_norm_is_that_of_all_numbers_and_no_longer_than_the_bound(seed, p, bound, scale):
    members = given_gradients(seed, scale if p in (2.0, math.inf) else 1.0)
    before = flat_gradients(members)
    largest = np.abs(before).max()
    total = clip_grad_norm(members, bound, p)
    assert total == pytest.approx(largest * np.linalg.norm(before / largest, p), rel=1e-12)
    after = flat_gradients(members)
    np.testing.assert_allclose(after, before * min(1.0, bound / (total + 1e-6)), rtol=1e-12)


@pytest.mark.oracle
@given(seed=st.integers(0, 1000), p=norms, bound=st.floats(0, 20))
def test_both_kinds_of_clipping_are_pytorchs(seed, p, bound):
    torch = pytest.importorskip("torch", reason="the oracle extra (PyTorch) is not installed")
    members = given_gradients(seed)
    theirs = [torch.zeros(q.shape, dtype=torch.float64, requires_grad=True) for q in members]
    for q, mine in zip(theirs, members):
        q.grad = None if mine.grad is None else torch.tensor(mine.grad, dtype=torch.float64)
    total = torch.nn.utils.clip_grad_norm_(theirs, bound, p)
    assert clip_grad_norm((p for p in members), bound, p) == pytest.approx(total.item(), rel=1e-12)
    assert_same_gradients(members, theirs)
    torch.nn.utils.clip_grad_value_(theirs, 0.3)
    clip_grad_value(members, 0.3)
    assert_same_gradients(members, theirs)


def assert_same_gradients(own, theirs):
    for p, q in zip(own, theirs):
        assert (p.grad is None) == (q.grad is None)
        if p.grad is not None:
            np.testing.assert_allclose(p.grad, q.grad.numpy(), rtol=1e-12)


def test_types_stay_and_arrays_are_changed_in_place():
    w, x, y = dark.Parameter(np.zeros(2, np.float32)), dark.Parameter(1.0), dark.Parameter(2.0)
    w.grad, x.grad = np.array([30.0, 40.0], np.float32), 0.0
    kept = w.grad
    (y**2).backward(create_graph=True)
    y.grad = y.grad * 0.0
    assert clip_grad_norm([w, x, y], 5.0) == pytest.approx(50.0)
    assert w.grad is kept and kept.tolist() == pytest.approx([3.0, 4.0]) and kept.dtype == np.float32
    assert type(x.grad) is float and y.grad == 0
    clip_grad_value(w, 3.5)
    assert kept.tolist() == pytest.approx([3.0, 3.5])


def test_a_constant_array_is_left_alone():
    w = dark.Parameter(np.zeros(3))
    w.grad = np.broadcast_to(2.0, 3)
    clip_grad_value([w], 1.0)
    assert w.grad.tolist() == [1, 1, 1]


def test_norms_that_are_not_finite_pass_or_are_refused():
    w = dark.Parameter(np.zeros(2))
    w.grad = np.array([1.0, np.inf])
    assert clip_grad_norm([w], 1.0) == np.inf and w.grad[0] == 0 and math.isnan(w.grad[1])
    assert math.isnan(clip_grad_norm([w], 1.0)) and np.isnan(w.grad).all()
    w.grad = np.array([1.0, np.nan])
    with pytest.raises(GradientError, match="the norm of the gradients must be finite, but is nan"):
        clip_grad_norm([w], 1.0, error_if_nonfinite=True)
    assert w.grad[0] == 1


def test_no_gradient_at_all_is_a_norm_of_0():
    assert clip_grad_norm([dark.Parameter(1)], 1.0) == 0


def test_invalid_arguments_are_refused():
    with pytest.raises(UsageError, match="max_norm must be 0 or more, got -1"):
        clip_grad_norm([dark.Parameter(1)], -1)
    with pytest.raises(UsageError, match="norm_type must be greater than 0, got 0"):
        clip_grad_norm([dark.Parameter(1)], 1, 0)
    with pytest.raises(UsageError, match="clip_value must be 0 or more, got -1"):
        clip_grad_value([dark.Parameter(1)], -1)
    with pytest.raises(UsageError, match=r"3 \(int\) is not a Parameter"):
        clip_grad_value([3], 1)
    with pytest.raises(ValueTypeError, match=r"max_norm must be a number, got None"):
        clip_grad_norm([dark.Parameter(1)], None)
    with pytest.raises(ValueTypeError, match=r"norm_type must be a number, got 'two' \(str\)"):
        clip_grad_norm([dark.Parameter(1)], 1, "two")
    with pytest.raises(UsageError, match=r"Linear.* is not a Parameter.*\n.*\n.*module.parameters\(\)"):
        clip_grad_norm(dark.nn.Linear(2, 1), 1)


def test_an_array_of_no_dimension_is_not_a_list_of_parameters():
    for clip in (clip_grad_norm, clip_grad_value):
        with pytest.raises(UsageError, match=r"array\(1.\) is not a Parameter"):
            clip(np.array(1.0), 1.0)


def test_a_bound_that_is_too_large_for_a_float_is_infinite():
    w = dark.Parameter(np.zeros(2))
    w.grad = np.array([3.0, 4.0])
    for bound in (10**400, 10**5000):
        assert clip_grad_norm([w], bound) == 5.0 and clip_grad_norm([w], 1e9, bound) == 4.0
        clip_grad_value([w], bound)
        with pytest.raises(UsageError, match=r"max_norm must be 0 or more, got an integer of \d+ bits.\n"):
            clip_grad_norm([w], -bound)
    assert w.grad.tolist() == [3, 4]


def test_the_maximum_norm_may_be_given_as_a_string():
    w = dark.Parameter(np.zeros(2))
    w.grad = np.array([1.0, -3.0])
    assert clip_grad_norm([w], 10.0, "inf") == 3.0
