"""Errors of loss functions: unequal shapes, invalid targets, arguments out of range."""

import numpy as np
import pytest

import dark
from dark import losses
from dark.errors import ShapeError, UsageError, ValueTypeError
from tests.losses.random_cases import CASES, name_of

SIGNS = np.array([1.0, -1.0, 1.0])
COLUMN = np.array([[1.0], [-1.0], [1.0]])
PAIRS = [
    losses.mse, losses.l1, losses.huber, losses.smooth_l1, losses.kl_div, losses.binary_cross_entropy,
    losses.binary_cross_entropy_with_logits, losses.hinge, losses.hinge_embedding,
]  # fmt: skip


@pytest.mark.parametrize("loss", PAIRS)
@pytest.mark.parametrize("as_parameter", [False, True])
def test_a_column_and_a_row_do_not_broadcast(loss, as_parameter):
    for x, t in ((COLUMN, SIGNS), (SIGNS, COLUMN), (SIGNS, 1.0)):
        shapes = rf"{loss.__name__}: shapes must be equal, got input \({x.shape[0]},.*\), target \(.*\)\."
        with pytest.raises(ShapeError, match=shapes):
            loss(dark.Parameter(x) if as_parameter else x, t)


def test_both_shapes_are_named():
    with pytest.raises(
        ShapeError, match=r"mse: shapes must be equal, got input \(3, 1\), target \(3,\)\.\n  Expected: equal shapes"
    ):
        losses.mse(COLUMN, SIGNS)
    with pytest.raises(ShapeError, match=r"equal, got anchor \(1, 2\), positive \(1, 2\), negative \(2,\)"):
        losses.triplet_margin(np.ones((1, 2)), np.ones((1, 2)), np.ones(2))


@pytest.mark.parametrize("loss", [losses.cross_entropy, losses.nll, losses.multi_margin])
def test_classes_that_do_not_match_the_logits_are_refused(loss):
    who, x = loss.__name__, np.zeros((2, 3))
    with pytest.raises(ShapeError, match=rf"{who}: an input of shape \(2, 3\) .* indices of shape \(3,\)"):
        loss(x, np.array([0, 1, 2]))
    with pytest.raises(ShapeError, match=rf"{who}: an input of shape \(2, 3\) .* indices of shape \(2, 1\)"):
        loss(x, np.array([[0], [1]]))
    with pytest.raises(ShapeError, match=rf"{who}: an input of shape \(\)"):
        loss(1.0, np.array(0))
    with pytest.raises(
        ValueTypeError,
        match=rf"{who}: target classes must be from 0 to 2, got 0 to 3.\n.*0 to 2, as the input",
    ):
        loss(x, np.array([0, 3]))
    with pytest.raises(ValueTypeError, match=rf"{who}: target classes must be from 0 to 2, got -1 to 1"):
        loss(x, np.array([-1, 1]))
    with pytest.raises(ValueTypeError, match=rf"{who}: the target must be integers, got .*0\., 1\."):
        loss(x, np.array([0.0, 1.0]))
    with pytest.raises(ValueTypeError, match=rf"{who}: the target must be integers"):
        loss(x, [True, False])
    with pytest.raises(
        ShapeError, match=rf"{who}: weight must have one element for each of 3 classes, got shape \(2,\)"
    ):
        loss(x, np.array([0, 1]), weight=np.ones(2))


RAGGED = [[1, 2], [3]]


@pytest.mark.parametrize("loss", [losses.cross_entropy, losses.nll, losses.multi_margin, losses.cosine_embedding])
def test_a_target_of_lists_of_different_lengths_is_refused(loss):
    inputs = [np.zeros((2, 3))] * (2 if loss is losses.cosine_embedding else 1)
    with pytest.raises(
        ValueTypeError, match=rf"{loss.__name__}: cannot convert the target.*\n.*lists of equal lengths"
    ):
        loss(*inputs, RAGGED)


def test_settings_of_classes_are_checked():
    x, t = np.zeros((2, 3)), np.array([0, 1])
    with pytest.raises(UsageError, match=r"cross_entropy: label_smoothing must be from 0 to 1, got 1\.5"):
        losses.cross_entropy(x, t, label_smoothing=1.5)
    with pytest.raises(UsageError, match="cross_entropy: label_smoothing must be a finite number, got nan"):
        losses.cross_entropy(x, t, label_smoothing=np.nan)
    with pytest.raises(UsageError, match="ignore_index=1 is not supported for a target of probabilities"):
        losses.cross_entropy(x, np.ones((2, 3)) / 3, ignore_index=1)
    with pytest.raises(ValueTypeError, match="nll: ignore_index must be an integer, got 0.5"):
        losses.nll(x, t, ignore_index=0.5)
    with pytest.raises(ShapeError, match=r"multi_margin: input must have one or two axes, got shape \(2, 3, 1\)"):
        losses.multi_margin(np.zeros((2, 3, 1)), t)
    with pytest.raises(UsageError, match="multi_margin: p must be 1 or 2, got 3"):
        losses.multi_margin(x, t, p=3)


@pytest.mark.parametrize("case", [case for case in CASES if case.function is not losses.triplet_margin], ids=name_of)
def test_a_prediction_in_the_place_of_the_target_is_refused(case):
    *inputs, target = case.inputs()
    order = rf"{case.function.__name__}: the target must not require grad if the input does not\."
    prediction = dark.Parameter(inputs[0]) * 1.0
    for settings in case.each():
        with pytest.raises(UsageError, match=rf"{order}\n  Expected: .*\(input.*, target\).*\n  Try: swap"):
            case.function(*([target] if len(inputs) == 1 else [target, target]), prediction, **settings)


def test_the_order_is_told_only_where_gradients_tell_it():
    x, t = np.array([0.25, 0.75]), np.array([0.0, 1.0])
    p, q = dark.Parameter(x), dark.Parameter(t)
    for loss in (losses.mse, losses.binary_cross_entropy, losses.kl_div):
        assert loss(x, t).item() == loss(p, t).item() == loss(p, q).item()
        with dark.no_grad():
            assert loss(x, q).item() == loss(x, t).item()
    loss = losses.l1(dark.Parameter(x), q)  # as the error advises, where the target is what is learned
    loss.backward()
    assert q.grad.tolist() == [-0.5, 0.5]


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_an_unknown_reduction_is_refused(case):
    with pytest.raises(UsageError, match=r"invalid reduction 'avg'[^$]*one of (batchmean, )?mean, sum, none"):
        case.function(*case.inputs(), reduction="avg")


def test_a_near_miss_of_a_reduction_is_offered():
    with pytest.raises(UsageError, match="Try: mean"):
        losses.mse(SIGNS, SIGNS, reduction="means")


def test_weights_must_broadcast_to_the_losses():
    who = "binary_cross_entropy_with_logits"
    for name in ("weight", "pos_weight"):
        with pytest.raises(
            ShapeError, match=rf"{who}: weights of shape \(2,\) cannot be broadcast to losses of shape \(3,\)"
        ):
            losses.binary_cross_entropy_with_logits(SIGNS, SIGNS, **{name: np.ones(2)})
        with pytest.raises(
            ShapeError, match=rf"{who}: weights of shape \(3, 3\) cannot be broadcast to losses of shape \(3,\)"
        ):
            losses.binary_cross_entropy_with_logits(SIGNS, SIGNS, **{name: np.ones((3, 3))})
    for loss in (losses.mse, losses.l1, losses.huber):
        with pytest.raises(
            ShapeError, match=rf"{loss.__name__}: shapes must be equal, got input \(3,\), weight \(1,\)"
        ):
            loss(SIGNS, SIGNS, weight=np.ones(1))


def test_probabilities_lie_between_0_and_1():
    x, bad = np.array([0.5, 0.5]), np.array([0.5, 1.5])
    with pytest.raises(
        ValueTypeError, match=r"binary_cross_entropy: input must be in \[0, 1\], got values from 0\.5 to 1\.5"
    ):
        losses.binary_cross_entropy(bad, x)
    with pytest.raises(
        ValueTypeError, match=r"binary_cross_entropy: target must be in \[0, 1\], got values from 0\.5 to 1\.5"
    ):
        losses.binary_cross_entropy(x, bad)
    with pytest.raises(ValueTypeError, match="input must be in .*, got values from nan to nan"):
        losses.binary_cross_entropy(x * np.nan, x)


@pytest.mark.parametrize("loss", [losses.hinge, losses.hinge_embedding])
def test_signs_are_1_and_minus_1(loss):
    with pytest.raises(
        ValueTypeError, match=rf"{loss.__name__}: the target must contain only 1 and -1, got .*0\.[^$]*2 \* target - 1"
    ):
        loss(SIGNS, np.array([0.0, 1.0, 1.0]))


def test_pairs_of_vectors_are_checked():
    a = np.ones((2, 3))
    for b, t in ((np.ones((2, 2)), [1, 1]), (a, [1]), (a, [[1], [1]])):
        with pytest.raises(
            ShapeError, match=r"cosine_embedding: inputs of shapes \(2, 3\) and .* do not match a target of shape"
        ):
            losses.cosine_embedding(a, b, np.array(t))
    with pytest.raises(ValueTypeError, match="cosine_embedding: the target must contain only 1 and -1"):
        losses.cosine_embedding(a, a, np.array([1, 0]))
    with pytest.raises(ShapeError, match="triplet_margin: expected vectors, got three 0-d inputs"):
        losses.triplet_margin(1.0, 1.0, 1.0)


def test_settings_that_must_be_positive():
    with pytest.raises(UsageError, match="huber: delta must be greater than 0, got 0"):
        losses.huber(SIGNS, SIGNS, delta=0)
    with pytest.raises(UsageError, match="smooth_l1: beta must be 0 or more, got -1"):
        losses.smooth_l1(SIGNS, SIGNS, beta=-1)
    for setting in ({"margin": 0.0}, {"p": -1}):
        with pytest.raises(UsageError, match=f"triplet_margin: {next(iter(setting))} must be greater than 0, got"):
            losses.triplet_margin(COLUMN, COLUMN, COLUMN, **setting)


@pytest.mark.parametrize("loss", [*PAIRS, losses.cross_entropy])
def test_an_input_that_is_not_a_number_is_refused_by_the_name_of_the_loss(loss):
    with pytest.raises(ValueTypeError, match=rf"{loss.__name__}: cannot use 'text' \(str\)"):
        loss("text", SIGNS)


@pytest.mark.parametrize(
    ("loss", "setting"),
    [
        (losses.huber, "delta"),
        (losses.smooth_l1, "beta"),
        (lambda x, t, **s: losses.triplet_margin(x, x, x, **s), "margin"),
        (lambda x, t, **s: losses.cross_entropy(x, np.array([0, 1]), **s), "label_smoothing"),
    ],
)
def test_a_setting_that_is_not_a_number_is_refused(loss, setting):
    with pytest.raises(ValueTypeError, match=f"{setting} must be a number, got 'a'"):
        loss(np.ones((2, 3)), np.ones((2, 3)), **{setting: "a"})
