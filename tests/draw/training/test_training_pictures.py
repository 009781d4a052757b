"""Pictures of a training: learning curves, confusion matrices and loss landscapes."""

import sys

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import dark
from dark import nn
from dark.draw import confusion, curves, landscape
from dark.draw.training.confusion_matrix import confusion_counts, most_confused
from dark.draw.training.loss_landscape import evaluate, levels_of
from dark.draw.training.pca_plane import plane_of
from dark.errors import DrawingError, MissingExtraError, UsageError, ValueTypeError

RECORDS = [
    {"epoch": k, "train_loss": 2.0 / k, "test_loss": 2.0 / k + 0.1 * k, "test_accuracy": 1 - 0.5 / k}
    for k in range(1, 11)
]
VALLEY = [np.array([2.0, 1.0, 0.5]), np.array([1.0, 0.1, 0.2]), np.array([0.5, 0.3, 0.0]), np.zeros(3)]
classes = st.lists(st.tuples(st.integers(-3, 5), st.integers(-3, 5)), min_size=1, max_size=40)


def bowl(w):
    return w @ w + 1.0


def lines(picture):
    return [axes.lines for axes in picture.figure.axes]


# Learning curves.


def test_each_quantity_has_a_panel_and_each_part_of_the_data_a_line():
    loss, accuracy = curves(RECORDS).figure.axes
    assert [axes.get_ylabel() for axes in (loss, accuracy)] == ["loss", "accuracy"]
    assert [line.get_label() for line in loss.lines] == ["train", "test"]
    assert loss.lines[0].get_xydata().tolist() == [[k, 2.0 / k] for k in range(1, 11)]


def test_lines_differ_in_line_style_and_marker():
    train, test = lines(curves(RECORDS))[0]
    assert train.get_linestyle() != test.get_linestyle()
    assert train.get_marker() != test.get_marker()


def test_the_alternative_text_of_curves_has_their_extrema():
    assert curves(RECORDS, title="Digits").alt == (
        "Digits. Curves of 10 epochs. loss: train from 2 to 0.2; test from 2.1 to 1.2, lowest 0.9 in epoch 4. "
        "accuracy: test from 0.5 to 0.95."
    )


def test_epochs_are_counted_from_1_and_may_lack_a_number():
    picture = curves([{"loss": 3.0}, {}, {"loss": float("nan")}, {"loss": dark.Parameter(1.0)}])
    assert lines(picture)[0][0].get_xdata().tolist() == [1.0, 3.0, 4.0]
    assert picture.alt == "Curves of 4 epochs. loss: from 3 to 1."


def test_records_may_come_from_an_iterator():
    assert curves(iter(RECORDS)).alt == curves(RECORDS).alt


def test_a_line_without_a_finite_value_is_reported():
    assert curves([{"loss": float("inf")}]).alt == "Curves of 1 epoch. loss: without a finite value."


@pytest.mark.parametrize(
    ("records", "message"),
    [
        ([], r"must have a number to draw, got 0 without any\.\n  Expected: at least one mapping"),
        ([{"epoch": 1}], r"number to draw, got 1 without any"),
        ({"loss": [1.0, 2.0]}, r"record 1 is \{'loss': \[1\.0, 2\.0\]\}, with a value that is not a number"),
        ([{"loss": 1.0}, 3.0], r"record 2 is of type float, not a mapping\.\n  Expected: a mapping of names"),
    ],
)
def test_an_invalid_record_raises(records, message):
    with pytest.raises(DrawingError, match=message):
        curves(records)


# Confusion matrices.


@given(classes)
def test_the_confusion_matrix_counts_every_prediction_once(pairs):
    labels, predictions = np.array(pairs).T
    found = np.unique(np.array(pairs))
    counts = confusion_counts(labels, predictions, found)
    assert counts.sum() == len(pairs)
    assert np.trace(counts) == np.sum(labels == predictions)
    assert counts.sum(axis=1).tolist() == [np.sum(labels == c) for c in found]
    assert (confusion_counts(predictions, labels, found) == counts.T).all()


@given(classes)
def test_the_most_frequent_confusions_are_the_largest_off_diagonal_counts(pairs):
    counts = confusion_counts(*np.array(pairs).T, np.arange(-3, 6))
    wrong = counts[~np.eye(9, dtype=bool)]
    named = [counts[pair] for pair in most_confused(counts)]
    assert named == [n for n in sorted(wrong.tolist(), reverse=True)[:3] if n]


def test_every_cell_shows_its_count():
    picture = confusion([0, 0, 1, 1, 1], [0, 0, 1, 1, 0], names=("cat", "dog"))
    assert [text.get_text() for text in picture.figure.axes[0].texts] == ["2", "0", "1", "2"]
    assert picture.alt.endswith("4 correct (80.0%). Most frequent errors: dog predicted as cat (1 of 3).")


def test_correct_predictions_have_frames():
    assert len(confusion([0, 1, 2], [0, 1, 1]).figure.axes[0].patches) == 3


def test_a_confusion_matrix_without_errors_names_no_pair():
    assert (
        confusion(["b", "a"], ["b", "a"]).alt == "Confusion matrix of 2 predictions in 2 classes, 2 correct (100.0%)."
    )


def test_names_include_classes_that_do_not_occur_and_are_not_parsed_as_math():
    picture = confusion([0.0], dark.Constant(np.array([1])), names=("$x$", "no", "never"), title="Three")
    ticks = picture.figure.axes[0].get_xticklabels()
    assert [tick.get_text() for tick in ticks] == ["$x$", "no", "never"]
    assert picture.svg and picture.alt.startswith(
        "Three. Confusion matrix of 1 prediction in 3 classes, 0 correct (0.0%)."
    )


@pytest.mark.parametrize(
    ("labels", "predictions", "names", "message"),
    [
        (
            [0, 1],
            [0],
            None,
            r"1 or more, got 2 and 1\.\n  Expected: one prediction for each label",
        ),
        ([], [], None, r"labels have shape \(0,\) and dtype float64|got 0 and 0"),
        ([0, 1], np.zeros((2, 3)), None, r"predictions have shape \(2, 3\) and dtype float64(.|\n)*argmax"),
        ([0.5], [1], None, r"labels have shape \(1,\) and dtype float64, so they are not classes"),
        ([0, 2], [0, 1], "ab", r"none of the 2 names is for class 2\.\n"),
        (["a"], ["b"], ("a", "b"), r"none of the 2 names is for class a, b\.\n"),
        (range(50), range(50), None, r"50 classes are too many to draw\.\n  Expected: at most 40"),
    ],
)
def test_invalid_labels_predictions_or_names_raise(labels, predictions, names, message):
    with pytest.raises(DrawingError, match=message):
        confusion(np.array(labels), np.array(predictions), names)


# Loss landscapes.


@given(arrays(float, st.tuples(st.integers(3, 6), st.integers(2, 7)), elements=st.floats(-100, 100)))
def test_a_plane_contains_the_last_point_and_explains_the_stated_variance(points):
    sizes = np.linalg.svd(points - points[-1], compute_uv=False)
    assume(sizes[1] > 1e-3 * sizes[0] > 1e-9)
    plane = plane_of(points)
    np.testing.assert_allclose(plane.at(0.0, 0.0), points[-1])
    np.testing.assert_allclose(plane.directions @ plane.directions.T, np.eye(2), atol=1e-9)
    off = points - [plane.at(*pair) for pair in plane.coordinates]
    np.testing.assert_allclose(off @ plane.directions.T, 0, atol=1e-9)
    np.testing.assert_allclose(np.sum(off**2) / np.sum(sizes**2), 1 - sum(plane.explained), atol=1e-9)
    assert (plane.coordinates[0] <= 1e-9).all()


def test_a_path_in_two_dimensions_is_explained_completely():
    path = [np.array([0.0, 0.0]), np.array([2.0, 0.5]), np.array([2.0, 1.0])]
    plane = plane_of(path)
    np.testing.assert_allclose([plane.at(*pair) for pair in plane.coordinates], path, atol=1e-12)
    assert sum(plane.explained) == pytest.approx(1)


def test_points_keep_their_structure_and_dtype():
    path = [{"w": np.eye(2, dtype=np.float32) * k, "b": np.float64(k**2), "steps": k} for k in range(4)]
    point = plane_of(path).at(0.5, 0.1)
    assert list(point) == ["w", "b", "steps"]
    assert point["w"].dtype == np.float32 and point["w"].shape == (2, 2)
    assert point["steps"] == 3
    rows = plane_of([[p["w"], p["b"]] for p in path]).at(0.5, 0.1)
    np.testing.assert_array_equal(rows[0], point["w"])


def test_filter_normalized_directions_have_the_norms_of_the_weights():
    rng = np.random.default_rng(0)
    path = [{"weight": rng.normal(size=(3, 2, 2)), "bias": rng.normal(size=3)} for _ in range(5)]
    first = plane_of(path, filter_normalized=True).directions[0]
    rows, weights = first[:12].reshape(3, 4), path[-1]["weight"].reshape(3, 4)
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), np.linalg.norm(weights, axis=1))
    assert not first[12:].any()


def test_the_landscape_states_the_explained_variance_and_the_losses():
    picture = landscape(bowl, VALLEY, steps=4, title="Bowl")
    axes = picture.figure.axes[0]
    assert picture.alt.startswith("Bowl. Loss over the plane through the last point, along the first two principal")
    assert "The path goes in 3 steps from loss 6.25 to loss 1; on the plane" in picture.alt
    assert axes.get_xlabel() == "principal component 1: 98% of the variance"
    assert [t.get_text() for t in axes.get_legend().get_texts()] == ["start: loss 6.25", "end: loss 1"]
    assert [line.get_marker() for line in axes.lines] == ["o", "s", "D"]


def test_filter_normalized_directions_are_labeled():
    path = [[np.eye(3) + 0.1 * k * np.outer(p, p), p] for k, p in enumerate(VALLEY)]
    picture = landscape(lambda point: float(np.sum(point[0] ** 2)), path, steps=3, filter_normalized=True)
    assert "of the path, filter-normalized, with" in picture.alt
    assert picture.figure.axes[0].get_xlabel().startswith("filter-normalized component 1:")


def test_a_network_has_the_last_parameters_after_drawing():
    network, rng = nn.Linear(2, 1, seed=0), np.random.default_rng(0)
    path = [{name: rng.normal(size=p.shape) for name, p in network.named_parameters()} for _ in range(4)]

    def loss_at(state):
        network.load_state_dict(state)
        return dark.mean(network(np.eye(2)) ** 2)

    landscape(loss_at, path, steps=3)
    np.testing.assert_array_equal(network.weight.value, path[-1]["weight"])


def test_points_without_a_finite_loss_are_counted():
    picture = landscape(lambda w: np.inf if w[0] > 1.5 else bowl(w), VALLEY, steps=4)
    assert picture.alt.endswith("of 16 points.") and "The loss is not finite at" in picture.alt
    assert picture.svg
    assert landscape(lambda w: np.nan, VALLEY, steps=2).alt.endswith("not finite at 4 of 4 points.")


def test_a_constant_loss_has_no_contour_lines():
    assert landscape(lambda w: 1.0, VALLEY, steps=3).alt.endswith("on the plane the loss is between 1 and 1.")


@pytest.mark.parametrize(("low", "even"), [(0.001, "ratio"), (-1.0, "difference"), (0.5, "difference")])
def test_levels_are_geometric_only_if_the_loss_spans_orders_of_magnitude(low, even):
    levels = levels_of(np.array([low, 1.0]))
    gaps = levels[1:] / levels[:-1] if even == "ratio" else np.diff(levels)
    np.testing.assert_allclose(gaps, gaps[0])


@pytest.mark.parametrize(
    ("loss_at", "path", "settings", "message"),
    [
        (3.0, VALLEY, {}, r"loss_at must be callable, got 3\.0 \(float\)\.\n  Expected: loss_at\(point\)"),
        (bowl, VALLEY, {"steps": 1}, r"steps must be 2 or more, got 1\."),
        (bowl, VALLEY, {"steps": True}, r"steps must be an integer, got True \(bool\)\."),
        (bowl, 3.0, {}, r"path must be a sequence of points, got 3\.0 \(float\)\."),
        (bowl, [], {}, r"the path cannot be read: need at least one array"),
        (bowl, VALLEY[:2], {}, r"the 2 points of the path must not be collinear or equal(.|\n)*a copy"),
        (bowl, VALLEY[:1] * 5, {}, r"the 5 points of the path must not be collinear"),
        (bowl, [np.zeros(2), np.zeros(3)], {}, r"the path cannot be read: all input arrays must have the same shape"),
        (bowl, [*VALLEY, np.full(3, np.nan)], {}, r"the path contains numbers that are not finite"),
        (lambda w: w, VALLEY, {}, r"loss_at returned array\(\[(.|\n)*which is not a number(.|\n)*dark\.mean"),
    ],
)
def test_an_invalid_path_or_loss_raises(loss_at, path, settings, message):
    with pytest.raises((DrawingError, UsageError, ValueTypeError), match=message):
        landscape(loss_at, path, **settings)


# All pictures.


@pytest.mark.parametrize(
    "draw",
    [lambda: curves(RECORDS), lambda: confusion([0, 1], [1, 1]), lambda: landscape(bowl, VALLEY, steps=3)],
    ids=["curves", "confusion", "landscape"],
)
class TestEachPicture:
    @pytest.mark.long
    def test_files_are_reproducible(self, draw, tmp_path):
        for kind in ("svg", "png", "pdf"):
            files = [draw().save(tmp_path / f"{name}.{kind}") for name in "ab"]
            assert files[0].read_bytes() == files[1].read_bytes()

    def test_it_has_an_alternative_text(self, draw):
        picture = draw()
        assert f"<desc>{picture.alt}</desc>" in picture.svg
        assert picture._repr_mimebundle_()["text/plain"] == repr(picture) == picture.alt
        assert picture.title != "Picture" and f"<title>{picture.title}</title>" in picture.svg

    def test_without_matplotlib_the_error_names_the_extra(self, draw, monkeypatch):
        monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
        with pytest.raises(MissingExtraError, match=r"matplotlib is not installed(.|\n)*dark-course\[lab\]"):
            draw()


def test_a_loss_may_be_a_node():
    assert evaluate(lambda w: dark.sum(dark.Parameter(w) ** 2), np.array([3.0, 4.0])) == 25.0
