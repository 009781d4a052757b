"""Inception score, encoding accuracy and sliced Wasserstein distance: values, conventions and errors."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import softmax
from scipy.stats import entropy, wasserstein_distance

from dark import nn
from dark.engine import Engine
from dark.errors import NotComputableError, ShapeError, UsageError, ValueTypeError
from dark.metrics import EncodingAccuracy, InceptionScore, SlicedWassersteinDistance
from dark.metrics.generative.pyramid import enlarged, laplacian_pyramid, patches_of
from dark.metrics.generative.sliced_wasserstein import distances

few = settings(max_examples=10, deadline=None)
seeds = st.integers(0, 999)


def result(metric, output):
    metric.update(output)
    return metric.compute()


@few
@given(seed=seeds, scale=st.sampled_from([0.1, 1.0, 30.0]))
def test_inception_score_is_the_exponential_of_the_mean_divergence_of_all_samples(seed, scale):
    logits = scale * np.random.default_rng(seed).normal(size=(12, 5))
    rows = softmax(logits, axis=1)
    expected = np.exp(entropy(rows, rows.mean(axis=0)[None], axis=1).mean())
    assert result(InceptionScore(lambda x: softmax(x, axis=1)), logits) == pytest.approx(expected, rel=1e-10)
    assert result(InceptionScore(lambda x: x, from_logits=True), logits) == pytest.approx(expected, rel=1e-10)


def test_inception_score_is_between_one_and_the_number_of_classes():
    assert result(InceptionScore(lambda x: np.full((len(x), 4), 0.25)), np.ones(6)) == 1
    assert result(InceptionScore(lambda x: np.eye(4)[x]), np.array([0, 1, 2, 3])) == pytest.approx(4)


def test_inception_score_is_not_the_mean_of_the_scores_of_batches():
    def batches_of_one_class(sizes):
        score, start = InceptionScore(lambda x: np.eye(2)[x]), 0
        for size in sizes:
            score.update((np.arange(start, start + size) >= 3).astype(int))
            start += size
        return score.compute()

    assert batches_of_one_class([6]) == pytest.approx(2)
    assert batches_of_one_class([3, 3]) == batches_of_one_class([1, 4, 1]) == pytest.approx(2)


@pytest.mark.long
@pytest.mark.oracle
def test_inception_score_is_that_of_ignite():
    torch, ignite = pytest.importorskip("torch"), pytest.importorskip("ignite.metrics")
    rows = softmax(np.random.default_rng(1).normal(size=(20, 7)), axis=1)
    oracle = ignite.InceptionScore(num_features=7, feature_extractor=torch.nn.Identity())
    oracle.update(torch.from_numpy(rows))
    assert result(InceptionScore(lambda x: x), rows) == pytest.approx(oracle.compute(), rel=1e-10)


def test_networks_are_called_in_evaluation_mode_and_keep_their_mode():
    dropout, linear = nn.Dropout(0.9, seed=0), nn.Linear(3, 3, seed=0)
    network = nn.Sequential(dropout, linear)
    linear.eval()
    seen = []
    dropout.register_forward_hook(lambda module, inputs, output: seen.append(module.training))
    x = np.random.default_rng(2).normal(size=(5, 3))
    score = result(InceptionScore(network, from_logits=True), x)
    assert score == result(InceptionScore(network, from_logits=True), x)
    assert 0 <= result(EncodingAccuracy(network, network, network), (x, np.zeros(5, int))) <= 1
    assert seen == [False] * 5
    assert (network.training, dropout.training, linear.training) == (True, True, False)


def test_the_mode_is_restored_after_an_error():
    network = nn.Linear(3, 3, seed=0)
    with pytest.raises(Exception, match="Expected"):
        InceptionScore(network).update(np.ones((2, 4)))
    assert network.training


def test_encoding_accuracy_classifies_the_generated_code():
    accuracy = EncodingAccuracy(
        classifier=lambda x: np.eye(10)[np.rint(x).astype(int)], encoder=lambda x: x / 10, generator=lambda z: 10 * z
    )
    engine = Engine(lambda engine, batch: {"x": np.arange(4.0), "y": np.array([0, 1, 2, 9])})
    accuracy.attach(engine, "encoding")
    assert engine.run([0, 1]).metrics == {"encoding": 0.75}


def test_metrics_of_samples_on_an_engine_with_outputs_by_name():
    rng = np.random.default_rng(6)
    batches = [{"y_pred": rng.random((n, 1, 16, 16)), "y": rng.random((n, 1, 16, 16))} for n in (3, 1, 4)]
    engine = Engine(lambda engine, batch: batch)
    swd().attach(engine, "swd")
    InceptionScore(lambda x: x.mean(axis=(1, 2)), from_logits=True).attach(engine, "score")
    found = engine.run(batches).metrics
    assert found["swd"]["swd_fake_16x16"] == found["swd_fake_16x16"] == found["swd_fake"] > 0
    assert 1 <= found["score"] <= 16
    whole = tuple(np.concatenate([batch[key] for batch in batches]) for key in ("y_pred", "y"))
    assert result(swd(), whole) == found["swd"]


@few
@given(seed=seeds, counts=st.tuples(st.integers(1, 7), st.integers(1, 7)))
def test_distances_of_projections_are_those_of_scipy(seed, counts):
    rng = np.random.default_rng(seed)
    a, b = (rng.normal(size=(3, count)) for count in counts)
    expected = [wasserstein_distance(*rows) for rows in zip(a, b)]
    np.testing.assert_allclose(distances(a, b), expected, rtol=1e-10, atol=1e-14)


@few
@given(seed=seeds, size=st.tuples(st.integers(6, 20), st.integers(6, 20)))
def test_the_levels_of_a_pyramid_add_up_to_the_image(seed, size):
    images = np.random.default_rng(seed).random((2, 3, *size))
    levels = laplacian_pyramid(images, 3)
    whole = levels[-1]
    for level in levels[-2::-1]:
        whole = level + enlarged(whole, level.shape)
    np.testing.assert_allclose(whole, images, atol=1e-12)


def test_a_constant_image_has_details_only_in_the_last_level():
    levels = laplacian_pyramid(np.full((1, 1, 17, 12), 3.0), 3)
    assert [level.shape[2:] for level in levels] == [(17, 12), (9, 6), (5, 3)]
    assert all(np.allclose(level, 0, atol=1e-12) for level in levels[:-1]) and np.allclose(levels[-1], 3)


def swd(**settings):
    return SlicedWassersteinDistance(**{"num_projections": 64, "patches_per_image": 16, **settings})


def test_distance_of_equal_images_is_zero_and_grows_with_the_noise():
    rng = np.random.default_rng(3)
    real = np.cumsum(rng.normal(size=(12, 1, 32, 32)), axis=3) / 5
    found = [result(swd(), (real + noise * rng.normal(size=real.shape), real))["swd_fake"] for noise in (0, 0.1, 1)]
    assert found[0] == 0 < found[1] < found[2]


def test_distances_of_each_level_come_with_those_of_real_images():
    rng = np.random.default_rng(4)
    found = result(swd(), (rng.random((4, 2, 33, 32)), rng.random((8, 2, 33, 32))))
    assert [*found] == [f"swd_{kind}{level}" for level in ("", "_33x32", "_17x16") for kind in ("fake", "real")]
    assert found["swd_fake"] == pytest.approx((found["swd_fake_33x32"] + found["swd_fake_17x16"]) / 2)
    assert all(value > 0 for value in found.values())


def test_a_patch_holds_a_window_of_each_channel():
    level = 100 * np.arange(3)[:, None, None] + 10.0 * np.arange(9)[:, None] + np.arange(9)  # channel, row, column
    (found,) = patches_of([level], 5, 4, seed=0, checksum=1)
    assert found.shape == (5, 3, 4, 4)
    assert (found - found[:, :1, :1, :1] == level[:, :4, :4]).all()


def test_another_seed_draws_other_patches_and_directions():
    rng = np.random.default_rng(5)
    pair = rng.random((2, 6, 1, 16, 16))
    first = result(swd(seed=1), tuple(pair))
    assert result(swd(seed=1), tuple(pair)) == first != result(swd(seed=2), tuple(pair))


IMAGES = np.ones((2, 1, 16, 16))
ERRORS = {
    "InceptionScore: classifier must be callable, got '": (
        lambda: InceptionScore("network"), ValueTypeError,
    ),
    "InceptionScore: from_logits must be a bool, got 1": (lambda: InceptionScore(len, from_logits=1), ValueTypeError),
    r"the classifier must return a row for each of 3 samples, got shape \(3,\)": (
        lambda: InceptionScore(lambda x: x).update(np.ones(3)), ShapeError,
    ),
    r"the classifier must return a row for each of 3 samples, got shape \(1, 2\)": (
        lambda: InceptionScore(lambda x: np.ones((1, 2))).update(np.ones(3)), ShapeError,
    ),
    r"rows with sums from -1 to 1 and values from -1(.|\n)*Try: from_logits=True": (
        lambda: InceptionScore(lambda x: x).update(np.array([[1.0, 0.0], [0.0, -1.0]])), UsageError,
    ),
    "rows with sums from 2 to 2": (lambda: InceptionScore(lambda x: x).update(np.ones((3, 2))), UsageError),
    "rows with sums from nan to nan": (
        lambda: InceptionScore(lambda x: x).update(np.full((3, 2), np.nan)), UsageError,
    ),
    "InceptionScore: cannot update with an output of 2 items": (
        lambda: InceptionScore(len).update((1, 2)), ValueTypeError,
    ),
    "InceptionScore: cannot update with an output of float": (lambda: InceptionScore(len).update(0.5), ValueTypeError),
    "EncodingAccuracy: generator must be callable, got None": (
        lambda: EncodingAccuracy(len, len, None), ValueTypeError,
    ),
    r"EncodingAccuracy: the classifier must return a row for each of 4 samples, got shape \(4,\)": (
        lambda: EncodingAccuracy(abs, abs, abs).update((np.ones(4), np.ones(4, int))), ShapeError,
    ),
    "SlicedWassersteinDistance: patch_size must be 1 or more, got 0": (lambda: swd(patch_size=0), UsageError),
    "SlicedWassersteinDistance: seed must be 0 or more, got -1": (lambda: swd(seed=-1), UsageError),
    r"must be images of one shape, got \(2, 1, 16, 16\) and \(2, 16, 16\)": (
        lambda: swd().update((IMAGES, IMAGES[:, 0])), ShapeError,
    ),
    r"got .* and \(2, 1, 16, 15\).(.|\n)*of one shape": (
        lambda: swd().update((IMAGES, IMAGES[..., 1:])), ShapeError,
    ),
    r"at least 7 × 7.\n  Try: .*patch_size=3, for small images": (
        lambda: swd(resolution_min=2).update((IMAGES[..., 6:, 6:], IMAGES[..., 6:, 6:])), ShapeError,
    ),
}  # fmt: skip


@pytest.mark.parametrize("message", ERRORS)
def test_invalid_arguments_and_batches_raise(message):
    call, error = ERRORS[message]
    with pytest.raises(error, match=message):
        call()


def test_the_shape_of_images_and_the_number_of_classes_must_not_change():
    distance, score = swd(), InceptionScore(lambda x: x)
    distance.update((IMAGES, IMAGES))
    with pytest.raises(ShapeError, match=r"and had the shape \(1, 16, 16\) each before"):
        distance.update((IMAGES[..., 1:], IMAGES[..., 1:]))
    score.update(np.eye(2))
    with pytest.raises(ShapeError, match="InceptionScore: the classifier returned 3 classes, and 2 before"):
        score.update(np.eye(3))
    assert len(distance._real) == 1 and score.compute() == pytest.approx(2)


def test_one_real_image_cannot_be_halved():
    distance = swd()
    distance.update((IMAGES, IMAGES[:1]))
    with pytest.raises(NotComputableError, match="it has 2 generated and 1 real images"):
        distance.compute()
