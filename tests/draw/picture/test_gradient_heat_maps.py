"""Heat maps of gradients: next to that of the value, in pictures, film strips and the widget."""

import re
from itertools import pairwise
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dark
from dark.draw import Box, draw, draw_boxes
from tests.draw.student import Node, OneNumber, Parameter

SVG = "{http://www.w3.org/2000/svg}"


def node_of(svg, i):
    root = ElementTree.fromstring(svg)
    return next(g for g in root.iter(SVG + "g") if (g.get("id") or "").endswith(f"node-{i}"))


def maps_in(node):
    return [g for g in node.iter(SVG + "g") if g.get("class") == "dark-heat"]


def position_of(heat):
    return [float(heat.find(SVG + "rect").get(key)) for key in ("x", "y", "width", "height")]


def signs_in(heat):
    return "".join(path.get("d") for path in heat.findall(SVG + "path") if path.get("stroke-width") == "1")


def fields_of(node):
    """Return the left and right edges of the fields of a record, and its lower edge."""
    outline = next(e for e in node if e.tag in (SVG + "polygon", SVG + "path"))
    numbers = [float(n) for n in re.findall(r"-?\d+(?:\.\d+)?", outline.get("points") or outline.get("d"))]
    lines = [float(e.get("points").split()[0].split(",")[0]) for e in node.findall(SVG + "polyline")]
    edges = sorted([min(numbers[::2]), *lines, max(numbers[::2])])
    return list(pairwise(edges)), max(numbers[1::2])


@given(st.sampled_from(["parameter", "result"]), st.sampled_from([None, "wrong", "now"]), st.integers(1, 20),
       st.integers(7, 20), st.booleans(), st.none() | st.just("w"), st.sampled_from([0.0, np.nan, np.inf]))  # fmt: skip
@pytest.mark.long
def test_two_heat_maps_are_in_their_fields_at_the_same_height(kind, mark, rows, columns, flat, name, odd):
    value = np.arange(rows * columns, dtype=float).reshape((-1,) if flat else (rows, columns)) - 3
    grad = value[::-1] * 2
    grad.flat[0] = odd
    node = node_of(draw_boxes([Box(kind, None, value, grad, name, (), mark)]).svg, 0)
    fields, foot = fields_of(node)
    heats = [position_of(heat) for heat in maps_in(node)]
    assert len(heats) == 2 and heats[0][1:] == heats[1][1:]
    lowest_line = max(
        float(text.get("y")) for text in node.findall(SVG + "text") if text.text not in (".", "first wrong", "now")
    )
    for (left, top, wide, tall), (begin, end) in zip(heats, (fields[-3], fields[-1]), strict=True):
        assert begin < left and left + wide < end
        assert lowest_line < top and top + tall < foot


def test_the_sign_of_a_gradient_is_visible_without_color():
    grad = np.array([[-1.0, 2.0, -3.0, 4.0], [np.nan, np.inf, -np.inf, 0.0]])
    value, gradient = maps_in(node_of(draw_boxes([Box("parameter", None, np.ones((2, 4)), grad)]).svg, 0))
    assert signs_in(value) == ""
    assert (signs_in(gradient).count("h"), signs_in(gradient).count("m"), signs_in(gradient).count("a")) == (3, 1, 8)


def test_nan_and_infinite_gradients_are_counted_in_picture_alternative_text_and_table():
    grad = np.array([np.nan, np.inf, -np.inf, 0, 1, 2, 3, 4.0])
    drawing = draw_boxes([Box("parameter", None, np.ones(8), grad)])
    assert [t.text for t in node_of(drawing.svg, 0).findall(SVG + "text")][-2:] == ["2 infinite", "1 NaN"]
    assert "gradient float64 (8,) with min -inf, mean nan, max inf, 2 infinite, 1 NaN" in drawing.alt
    assert "-inf  nan  inf  2 infinite  1 NaN" in drawing.text


def count_of_maps(value, grad, **settings):
    drawing = draw_boxes([Box("result", "+", value, grad)], **settings)
    return len(maps_in(node_of(drawing.svg, 0)))


@pytest.mark.parametrize(
    ("value", "maps"),
    [
        (3.0, 0), (np.array(3.0), 0), (np.zeros((0, 4)), 0), (np.ones(6), 0), (np.ones(7), 2), (np.zeros((3, 3)), 2),
        (np.ones((3, 3), dtype="float32"), 2), (np.arange(9), 2), (np.arange(9) > 4, 2), (np.arange(9) * 1j, 2),
        (np.ones((2, 3, 4)), 0), (np.full((3, 4), np.nan), 2), (np.full(8, -np.inf), 2), (np.array(["a"] * 9), 0),
        (np.ones((1000, 1)), 2), (np.ones((1, 1000)), 2),
    ],
)  # fmt: skip
def test_number_of_heat_maps_by_shape_and_dtype(value, maps):
    assert count_of_maps(value, value) == maps
    assert count_of_maps(value, None) == count_of_maps(value, value, gradients=False) == maps / 2


def test_complex_arrays_are_summarized_by_their_magnitudes():
    text = draw_boxes([Box("constant", None, np.arange(9) * 1j)]).text
    assert "complex128 (9,)  0  4  8  of |z|" in text


def test_a_gradient_whose_shape_differs_from_the_value_is_shown():
    for value, maps in ((np.ones((20, 20)), 2), (np.ones(2), 1), (1.0, 1)):
        assert count_of_maps(value, np.ones((3, 4))) == maps
    assert count_of_maps(np.ones((3, 4)), 1.0) == 1


def test_the_picture_of_a_million_elements_is_as_small_as_one_of_ten_thousand():
    def picture(side):
        w = dark.Parameter(np.linspace(-1, 1, side * side).reshape(side, side), name="w")
        y = dark.sum(w * w)
        y.backward()
        return draw(y).svg

    large = picture(1000)
    assert len(maps_in(node_of(large, 0))) == 2
    assert abs(len(large) - len(picture(100))) < 1000


def sum_of_squares():
    v = dark.Parameter(np.arange(8.0) - 3, name="v")
    y = (v * v).sum()
    y.backward()
    return draw(y)


def test_heat_maps_of_a_film_strip_show_the_accumulated_gradient():
    strip = sum_of_squares().steps()
    counts = [len(maps_in(node_of(picture, 0))) for picture in strip.pictures]
    assert counts == [1, 1, 2]
    value, grad = maps_in(node_of(strip.pictures[-1], 0))
    assert signs_in(grad).count("h") == signs_in(value).count("h") == 3
    assert position_of(grad)[1:] == position_of(value)[1:]


def test_the_widget_has_each_distinct_heat_map_once():
    step_widget = sum_of_squares().widget()
    assert step_widget.maps[0] == "" and all('class="dark-heat"' in text for text in step_widget.maps[1:])
    assert len(step_widget.maps) == len(set(step_widget.maps)) == 3
    assert [len(frame["maps"]) for frame in step_widget.frames] == [3, 3, 3]
    assert [frame["maps"][0] for frame in step_widget.frames] == [0, 0, 2]


def test_a_film_strip_shows_a_scalar_with_an_array_gradient():
    a = Parameter(1.0, grad=np.ones(9), name="a")
    pictures = draw(Node(2.0, OneNumber(), (a,), grad=np.ones(9), name="y")).steps().pictures
    texts = [text.text for text in node_of(pictures[0], 1).findall(SVG + "text")]
    assert texts == ["y = 2", "onenumber", "grad (9,)", "min 1", "mean 1", "max 1"]
