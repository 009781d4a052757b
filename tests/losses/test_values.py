"""Losses of chosen values, and the types of inputs they accept."""

import inspect
import math

import numpy as np
import pytest

import dark
from dark import losses
from dark.losses import binary_cross_entropy_with_logits as bce_with_logits
from dark.losses import cross_entropy, mse, nll
from tests.losses.random_cases import CASES, name_of

FUNCTIONS = [getattr(losses, name) for name in losses.__all__]


def with_gradient(loss, x, *others, **settings):
    p = dark.Parameter(np.asarray(x, dtype=float))
    y = loss(p, *others, **settings)
    y.backward()
    return y.item(), p.grad


def test_every_loss_is_tested_here_and_has_an_example():
    assert {case.function for case in CASES} == set(FUNCTIONS) - {losses.hinge}  # which PyTorch calls by another name
    assert all(">>>" in inspect.getdoc(loss) for loss in FUNCTIONS)


@pytest.mark.parametrize(
    ("logits", "target", "value", "slopes"),
    [
        ([[1, 2, 3]], [2], 0.4076060, [[0.0900306, 0.2447285, -0.3347591]]),
        ([[2, 1, 0.1]], [0], 0.4170300, [[-0.3409989, 0.2424330, 0.0985659]]),
        ([[1000, 0]], [0], 0, [[0, 0]]),
        ([[-1000, -1000]], [0], math.log(2), [[-0.5, 0.5]]),
        ([[-800, 0]], [0], 800, [[-1, 1]]),
    ],
)
def test_cross_entropy_of_known_numbers(logits, target, value, slopes):
    loss, gradient = with_gradient(cross_entropy, logits, np.array(target))
    assert loss == pytest.approx(value, abs=1e-7)
    np.testing.assert_allclose(gradient, slopes, atol=1e-7)


@pytest.mark.parametrize(
    ("logit", "target", "value", "slope"),
    [(0, 1, math.log(2), -0.5), (40, 0, 40, 1), (-30, 1, 30, -1), (-800, 1, 800, -1), (800, 0, 800, 1), (800, 1, 0, 0)],
)
def test_binary_cross_entropy_of_known_numbers(logit, target, value, slope):
    assert dark.losses.binary_cross_entropy_with_logits is bce_with_logits
    loss, gradient = with_gradient(bce_with_logits, [logit], np.array([target]))
    assert loss == pytest.approx(value, abs=1e-12) and gradient == pytest.approx([slope], abs=1e-12)


def test_squares_of_known_numbers():
    loss, gradient = with_gradient(mse, [[1], [2]], np.array([[0], [4]]))
    assert loss == 2.5 and gradient.tolist() == [[1], [-2]]


def test_an_ignored_row_contributes_nothing_whatever_it_contains():
    logits, target = np.array([[np.nan, 0.0], [0.0, 0.0]]), np.array([-100, 1])
    for settings in ({}, {"label_smoothing": 0.1}, {"weight": np.array([2.0, 3.0])}):
        loss, gradient = with_gradient(cross_entropy, logits, target, **settings)
        assert loss == pytest.approx(math.log(2))
        np.testing.assert_array_equal(gradient[0], 0)
        assert np.isfinite(gradient[1]).all()


def test_the_gradient_of_a_probability_is_that_of_the_bounded_logarithms():
    """PyTorch's derivative is infinite here, although its loss is linear in the target, too."""
    t = dark.Parameter(np.array([0.5]))
    losses.binary_cross_entropy(dark.Parameter(np.array([0.0])), t).backward()
    assert t.grad.tolist() == [100]


@pytest.mark.parametrize("target", [[2, 0], (2, 0), np.array([2, 0], np.uint8), dark.Constant(np.array([2, 0]))])
@pytest.mark.parametrize("loss", [cross_entropy, nll, losses.multi_margin])
def test_classes_may_be_of_any_integer_dtype(loss, target):
    x = np.array([[1.0, 2.0, 3.0], [2.0, 1.0, 0.0]])
    assert loss(x, target).item() == loss(x, np.array([2, 0])).item()


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_logits_of_integers_count_as_floats(case):
    x = [v if k and v.dtype.kind == "f" else np.round(v).astype(int) for k, v in enumerate(case.inputs())]
    y = case.function(*x)
    assert y.value == case.function(*[v.astype(float) if k == 0 else v for k, v in enumerate(x)]).value


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_a_target_of_another_type_leaves_the_type_of_the_input(case):
    x = case.inputs()
    if case.function in (losses.cosine_embedding, losses.triplet_margin):
        return  # what they are given are all inputs
    for settings in case.each():
        y = case.function(dark.Parameter(x[0].astype(np.float32)), *x[1:], **settings)
        assert y.dtype == np.float32


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_inputs_are_unchanged_and_a_second_pass_adds_the_same_gradient(case):
    x = case.inputs()
    copies = [v.copy() for v in x]
    given = [dark.Parameter(v) if case.takes_gradient(k, v) else v for k, v in enumerate(x)]
    y = case.function(*given)
    y.backward()
    first = [p.grad.copy() if np.ndim(p.grad) else p.grad for p in given if isinstance(p, dark.Node)]
    y.backward()
    for p, g in zip([p for p in given if isinstance(p, dark.Node)], first):
        np.testing.assert_allclose(p.grad, 2 * g, rtol=1e-14)
    for v, copy in zip(x, copies):
        np.testing.assert_array_equal(v, copy)


def test_without_a_graph_a_loss_is_a_constant():
    x = dark.Parameter(np.ones((2, 2)))
    with dark.no_grad():
        assert isinstance(cross_entropy(x, np.array([0, 1])), dark.Constant)
        assert isinstance(bce_with_logits(x, np.ones((2, 2))), dark.Constant)
    assert isinstance(mse(np.ones(2), np.zeros(2)), dark.Constant)


def test_a_classifier_of_one_example_needs_no_batch():
    assert cross_entropy(np.array([1.0, 2.0, 3.0]), 2).item() == pytest.approx(0.4076060)
    assert cross_entropy(np.array([1.0, 2.0, 3.0]), np.array(2), reduction="none").shape == ()
