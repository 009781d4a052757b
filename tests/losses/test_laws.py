"""Laws of every loss: reductions agree, gradients equal finite differences, fused operations their composition."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dark
from dark import losses
from dark.losses.binary_cross_entropy import composed
from tests.losses.random_cases import CASES, name_of

each_case = pytest.mark.parametrize("case", CASES, ids=name_of)
sizes = st.integers(1, 5)


@each_case
def test_the_sum_and_the_mean_are_those_of_the_single_losses(case):
    x = case.inputs(seed=1)
    for settings in case.settings:
        each = case.function(*x, **settings, reduction="none").value
        assert case.function(*x, **settings, reduction="sum").item() == pytest.approx(np.sum(each), rel=1e-13)
        if not {"weight", "ignore_index"} & settings.keys():
            assert case.function(*x, **settings).item() == pytest.approx(np.mean(each), rel=1e-13)


@each_case
def test_the_gradients_equal_finite_differences(case):
    x = case.inputs(seed=2)
    free = [k for k, v in enumerate(x) if case.takes_gradient(k, v)]

    def loss(*p):
        return case.function(*[p[free.index(k)] if k in free else v for k, v in enumerate(x)], **settings)

    for settings in case.each():
        if settings["reduction"] != "none" and not math.isnan(case.function(*x, **settings).item()):
            assert dark.gradcheck(loss, *[x[k] for k in free])


@each_case
def test_the_gradient_of_the_single_losses_is_that_of_their_weighted_sum(case):
    x = case.inputs(seed=3)
    for settings in case.settings:
        p, q = ([dark.Parameter(v) if case.takes_gradient(k, v) else v for k, v in enumerate(x)] for _ in range(2))
        each = case.function(*p, **settings, reduction="none")
        w = np.cos(np.arange(each.size)).reshape(each.shape)
        each.backward(w[()])
        (w * case.function(*q, **settings, reduction="none")).sum().backward()
        for a, b in zip(p, q):
            if isinstance(a, dark.Node):
                np.testing.assert_allclose(a.grad, b.grad, rtol=1e-13, atol=1e-15)


def twice(f, x):
    """Return value, gradient, and the gradient of the sum of its squares."""
    p = dark.Parameter(x)
    y = f(p)
    y.backward(np.cos(np.arange(y.size)).reshape(y.shape)[()])
    plain, p.grad = p.grad, None
    y.backward(np.cos(np.arange(y.size)).reshape(y.shape)[()], create_graph=True)
    first, p.grad = p.grad, None
    np.testing.assert_allclose(first.value, plain, rtol=1e-12, atol=1e-14)
    total = (first**2).sum()
    if total.requires_grad:
        total.backward()
    return y.value, plain, np.zeros(np.shape(x)) if p.grad is None else p.grad


def assert_equal_twice(f, g, x):
    for a, b in zip(twice(f, x), twice(g, x)):
        np.testing.assert_allclose(a, b, rtol=1e-11, atol=1e-13)


@given(n=sizes, k=sizes, seed=st.integers(0, 99), reduction=st.sampled_from(["mean", "sum", "none"]), data=st.data())
def test_cross_entropy_is_the_negative_likelihood_of_the_logarithm_of_the_softmax(n, k, seed, reduction, data):
    rng = np.random.default_rng(seed)
    x, target = rng.normal(size=(n, k)) * 5, rng.integers(0, k, n)
    settings = {"reduction": reduction}
    if data.draw(st.booleans()):
        settings["weight"] = rng.uniform(0.1, 2, k)
    if data.draw(st.booleans()):
        settings["ignore_index"] = int(target[0])
        target[-1] = (target[0] + 1) % k
    if settings.get("ignore_index") == target[-1]:
        del settings["ignore_index"]  # nothing would be left
    assert_equal_twice(
        lambda p: losses.cross_entropy(p, target, **settings),
        lambda p: losses.nll(dark.log_softmax(p), target, **settings),
        x,
    )


@given(n=sizes, seed=st.integers(0, 99), reduction=st.sampled_from(["mean", "sum", "none"]), weighted=st.booleans())
def test_binary_cross_entropy_with_logits_equals_its_composition(n, seed, reduction, weighted):
    rng = np.random.default_rng(seed)
    x, t = rng.normal(size=n) * 5, rng.uniform(0, 1, n)
    weights = {"weight": rng.uniform(0, 2, n), "pos_weight": rng.uniform(0.5, 3, n)} if weighted else {}

    def plain(p):
        each = composed(p, t, weights.get("pos_weight")) * weights.get("weight", 1.0)
        return {"mean": each.mean, "sum": each.sum, "none": lambda: each}[reduction]()

    assert_equal_twice(
        lambda p: losses.binary_cross_entropy_with_logits(p, t, **weights, reduction=reduction), plain, x
    )


@given(n=sizes, k=st.integers(2, 5), seed=st.integers(0, 99), smoothing=st.sampled_from([0.0, 0.1, 0.5]))
def test_classes_are_probabilities_with_a_single_1(n, k, seed, smoothing):
    rng = np.random.default_rng(seed)
    x, target = rng.normal(size=(n, k, 2)), rng.integers(0, k, (n, 2))
    hot = np.moveaxis(np.eye(k)[target], -1, 1)
    for reduction in ("mean", "sum", "none"):
        settings = {"reduction": reduction, "label_smoothing": smoothing}
        assert_equal_twice(
            lambda p: losses.cross_entropy(p, target, **settings), lambda p: losses.cross_entropy(p, hot, **settings), x
        )


@given(n=sizes, seed=st.integers(0, 99))
def test_logits_of_one_outcome_are_two_classes_of_which_one_has_the_logit_0(n, seed):
    rng = np.random.default_rng(seed)
    x, t = rng.normal(size=n) * 5, rng.integers(0, 2, n)
    assert_equal_twice(
        lambda p: losses.binary_cross_entropy_with_logits(p, t),
        lambda p: losses.cross_entropy(dark.stack([0 * p, p], axis=1), t),
        x,
    )


@given(x=st.floats(-1e300, 1e300), t=st.sampled_from([0.0, 1.0]))
def test_binary_logits_of_all_sizes_cost_what_lies_on_the_wrong_side(x, t):
    p = dark.Parameter(x)
    loss = losses.binary_cross_entropy_with_logits(p, t)
    loss.backward()
    wrong = -x if t else x
    assert loss.item() == pytest.approx(max(wrong, 0) + math.log1p(math.exp(-abs(x))), rel=1e-15)
    slope = 1 / (1 + math.exp(-wrong)) if wrong > -700 else 0
    assert abs(p.grad) == pytest.approx(slope, rel=1e-14, abs=1e-300) and p.grad * (0.5 - t) >= 0


@given(delta=st.floats(0.1, 10), d=st.floats(-50, 50))
def test_huber_is_the_half_square_near_0_and_a_line_far_from_it(delta, d):
    p = dark.Parameter(d)
    loss = losses.huber(p, 0.0, delta=delta)
    loss.backward()
    right = d * d / 2 if abs(d) <= delta else delta * (abs(d) - delta / 2)
    assert loss.item() == pytest.approx(right, rel=1e-12, abs=1e-300)
    assert p.grad == pytest.approx(max(-delta, min(delta, d)))
    assert losses.smooth_l1(d, 0.0, beta=delta).item() * delta == pytest.approx(right, rel=1e-12, abs=1e-300)


@given(seed=st.integers(0, 99))
def test_a_distribution_has_no_divergence_from_itself_and_some_from_every_other(seed):
    rng = np.random.default_rng(seed)
    p, q = rng.dirichlet(np.ones(4)), rng.dirichlet(np.ones(4))
    assert losses.kl_div(np.log(p), p, reduction="sum").item() == pytest.approx(0, abs=1e-15)
    assert losses.kl_div(np.log(p), q, reduction="sum").item() > 0
    logs = losses.kl_div(np.log(p), np.log(q), reduction="sum", log_target=True).item()
    assert losses.kl_div(np.log(p), q, reduction="sum").item() == pytest.approx(logs, rel=1e-12)
