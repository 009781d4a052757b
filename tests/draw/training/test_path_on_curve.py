"""A path on a curve, and the class diagram: pictures that are not computational graphs."""

import sys
from math import inf, nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dark
from dark.draw import hierarchy, path_on_curve
from dark.draw.training.path_on_curve import evaluate, numbered_points
from dark.errors import DrawingError, MissingExtraError


def square(x):
    return 2 * x**2 + 5


PATH = [10 * 0.6**k for k in range(31)]


@pytest.fixture
def picture():
    return path_on_curve(square, PATH, title="Down the hill")


def labels_of(picture):
    axes = picture.figure.axes[0]
    legend = [text.get_text() for text in axes.get_legend().get_texts()]
    return [note.get_text() for note in axes.texts], legend


def test_start_end_and_steps_are_labeled(picture):
    notes, legend = labels_of(picture)
    assert notes == ["end", "start", "1", "2", "3", "4", "5"]
    assert legend == ["start: x = 10, f(x) = 205", "after 30 steps: x = 2.211e-06, f(x) = 5"]


def test_start_and_end_differ_in_marker(picture):
    markers = [line.get_marker() for line in picture.figure.axes[0].lines]
    assert markers == ["None", "o", "s", "D"]


def test_the_figure_has_an_alternative_text(picture):
    assert picture.alt == (
        "Down the hill. Curve with a path of 30 steps: from x = 10, f(x) = 205 to x = 2.21074e-06, f(x) = 5."
    )
    assert f"<desc>{picture.alt}</desc>" in picture.svg
    bundle = picture._repr_mimebundle_()
    assert f'alt="{picture.alt}"' in bundle["text/html"]
    assert bundle["text/plain"] == repr(picture) == picture.alt


@pytest.mark.long
def test_files_are_reproducible(tmp_path):
    for kind in ("svg", "png", "pdf"):
        files = [path_on_curve(square, PATH).save(tmp_path / f"{n}.{kind}") for n in "ab"]
        assert files[0].read_bytes() == files[1].read_bytes()


def test_on_a_rising_path_start_is_labeled_below_and_end_above():
    labels = path_on_curve(square, [10 * (-1.04) ** k for k in range(21)]).figure.axes[0].texts
    heights = {note.get_text(): note.xyann[1] for note in labels}
    assert heights["start"] < 0 < heights["end"]
    assert all(heights[name] > 0 for name in heights if name.isdigit())


@pytest.mark.parametrize("ratio", [0.6, -0.8, -1.04, 0.92])
def test_labels_do_not_overlap(ratio):
    figure = path_on_curve(square, [10 * ratio**k for k in range(21)]).figure
    figure.draw_without_rendering()
    labels = [note.get_window_extent() for note in figure.axes[0].texts]
    assert len(labels) > 4
    assert not [(a, b) for k, a in enumerate(labels) for b in labels[:k] if a.overlaps(b)]


def test_functions_and_paths_of_nodes_are_drawn():
    def f(x):
        return dark.add(dark.mul(2, dark.pow(x, 2)), 5)

    path = dark.minimize(f, 10, steps=3)
    assert path_on_curve(f, path).alt == path_on_curve(square, [10, 6, 3.6, 2.16]).alt
    assert path_on_curve(square, [dark.Parameter(1.0)]).alt.startswith("Curve with a path of 0 steps")


def test_one_point_has_only_a_start():
    notes, legend = labels_of(path_on_curve(square, [3.0]))
    assert notes == ["start"]
    assert legend == ["start: x = 3, f(x) = 23"]


def test_points_without_a_finite_value_are_omitted():
    picture = path_on_curve(lambda x: 1 / x, [1.0, 0.0, nan, inf, 2.0])
    assert "path of 1 steps" not in picture.alt
    assert "path of 1 step: from x = 1, f(x) = 1 to x = 2, f(x) = 0.5" in picture.alt


def test_a_value_that_overflows_or_is_outside_the_domain_is_nan():
    def root(x):
        raise ValueError("math domain error")

    assert [str(evaluate(f, 1e200)) for f in (root, square, lambda x: x**3)] == ["nan"] * 3


@pytest.mark.parametrize("path", [[], [nan, inf]])
def test_a_path_without_points_raises(path):
    with pytest.raises(DrawingError, match="no point of the path can be drawn"):
        path_on_curve(square, path)


def test_without_matplotlib_the_error_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(MissingExtraError, match=r"matplotlib is not installed(.|\n)*dark-course\[lab\]"):
        path_on_curve(square, PATH)


def test_an_unknown_suffix_raises(picture, tmp_path):
    with pytest.raises(DrawingError, match=r"'a.dot' has the unknown suffix '.dot'"):
        picture.save(tmp_path / "a.dot")


@given(st.lists(st.tuples(st.floats(-1e6, 1e6), st.floats(-1e6, 1e6)), min_size=1, max_size=30))
def test_numbered_points_are_distinct_inner_points(points):
    chosen = numbered_points(points)
    assert chosen == sorted(set(chosen))
    assert all(0 < i < len(points) - 1 for i in chosen)


def test_the_class_diagram_shows_every_class():
    drawing = hierarchy()
    for name in ("Node", "Constant", "Parameter", "Operation"):
        assert f">{name}<" in drawing.svg
        assert name in drawing.alt
        assert name in drawing.text
    assert "label=<" not in drawing.source
    assert drawing.svg.count('class="edge"') == drawing.svg.count('<path fill="none"') == 3


def test_the_class_diagram_agrees_with_the_classes():
    assert issubclass(dark.Constant, dark.Node)
    assert issubclass(dark.Parameter, dark.Node)
    assert not issubclass(dark.Operation, dark.Node)
    assert all(hasattr(dark.Node(1.0), field) for field in ("op", "inputs", "value", "grad"))
    assert all(hasattr(dark.Operation, field) for field in ("apply", "differentiate"))


@pytest.mark.parametrize(
    ("f", "path", "message"),
    [
        (None, [1.0], r"f is not a function but of type NoneType"),
        (abs, 3.0, r"the path 3\.0 is not a sequence of numbers"),
        (abs, ["a"], r"the path \['a'\] is not a sequence of numbers"),
        (abs, [None], r"not a sequence of numbers(.|\n)*path_on_curve\(f, \["),
        (lambda x: None, [1.0], r"f\(1\) returned None, which is not a number"),
        (lambda x: [x], [2.0], r"f\(2\) returned \[2\.0\], which is not a number"),
        (
            lambda x: dark.Parameter([x, x] * np.ones(2)),
            [2.0],
            r"returned array\(\[2\., 2\.\]\)(.|\n)*dark\.sum",
        ),
    ],
)
def test_an_invalid_function_or_path_raises(f, path, message):
    with pytest.raises(DrawingError, match=message):
        path_on_curve(f, path)


def test_an_error_inside_the_function_propagates():
    with pytest.raises(KeyError):
        path_on_curve(lambda x: {}[x], [1.0])


def test_omitted_points_are_counted():
    picture = path_on_curve(lambda x: x * x, [1.0, 2.0, 1e200, nan])
    assert picture.alt.endswith("to x = 2, f(x) = 4. 2 of 4 points omitted: not finite.")
    assert picture.figure.axes[0].get_legend().get_texts()[-1].get_text().startswith("2 of 4 points omitted")
    assert picture.svg


def test_a_diverging_path_is_drawn_up_to_the_largest_number():
    assert path_on_curve(lambda x: x, [1.0, 1e299, 1.5e308]).svg
