"""The heat map of a gradient: beside that of the value, on one level, in pictures, films and the widget."""

import re
import time
from itertools import pairwise
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dark
from dark.draw import Box, draw, draw_boxes
from dark.draw.graph import layout
from tests.draw.student import Node, OneNumber, Parameter

SVG = "{http://www.w3.org/2000/svg}"


def node_of(svg, i):
    root = ElementTree.fromstring(svg)
    return next(g for g in root.iter(SVG + "g") if (g.get("id") or "").endswith(f"node-{i}"))


def maps_in(node):
    return [g for g in node.iter(SVG + "g") if g.get("class") == "dark-heat"]


def place_of(heat):
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
def test_two_heat_maps_lie_in_their_fields_on_one_level(kind, mark, rows, columns, flat, name, odd):
    value = np.arange(rows * columns, dtype=float).reshape((-1,) if flat else (rows, columns)) - 3
    grad = value[::-1] * 2
    grad.flat[0] = odd
    node = node_of(draw_boxes([Box(kind, None, value, grad, name, (), mark)]).svg, 0)
    fields, foot = fields_of(node)
    heats = [place_of(heat) for heat in maps_in(node)]
    assert len(heats) == 2 and heats[0][1:] == heats[1][1:]
    words = max(
        float(text.get("y")) for text in node.findall(SVG + "text") if text.text not in (".", "first wrong", "now")
    )
    for (left, top, wide, tall), (begin, end) in zip(heats, (fields[-3], fields[-1]), strict=True):
        assert begin < left and left + wide < end
        assert words < top and top + tall < foot


def test_the_sign_of_a_gradient_is_seen_without_colour():
    grad = np.array([[-1.0, 2.0, -3.0, 4.0], [np.nan, np.inf, -np.inf, 0.0]])
    value, gradient = maps_in(node_of(draw_boxes([Box("parameter", None, np.ones((2, 4)), grad)]).svg, 0))
    assert signs_in(value) == ""
    assert (signs_in(gradient).count("h"), signs_in(gradient).count("m"), signs_in(gradient).count("a")) == (3, 1, 8)


def test_nan_and_infinite_entries_of_a_gradient_are_counted_in_picture_sentence_and_text():
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
def test_heat_maps_by_shape_and_type(value, maps):
    assert count_of_maps(value, value) == maps
    assert count_of_maps(value, None) == count_of_maps(value, value, gradients=False) == maps / 2


def test_complex_numbers_are_told_by_their_magnitudes():
    text = draw_boxes([Box("constant", None, np.arange(9) * 1j)]).text
    assert "complex128 (9,)  0  4  8  of |z|" in text


def test_a_gradient_of_another_shape_than_the_value_shows_as_it_is():
    for value, maps in ((np.ones((20, 20)), 2), (np.ones(2), 1), (1.0, 1)):
        assert count_of_maps(value, np.ones((3, 4))) == maps
    assert count_of_maps(np.ones((3, 4)), 1.0) == 1


def test_arrays_of_a_million_numbers_are_drawn_in_a_moment():
    w = dark.Parameter(np.linspace(-1, 1, 10**6).reshape(1000, 1000), name="w")
    y = dark.sum(w * w)
    y.backward()
    start = time.perf_counter()
    assert len(maps_in(node_of(draw(y).svg, 0))) == 2
    assert time.perf_counter() - start < 1


def film():
    v = dark.Parameter(np.arange(8.0) - 3, name="v")
    y = (v * v).sum()
    y.backward()
    return draw(y)


def test_the_heat_maps_of_a_film_show_the_sum_so_far():
    strip = film().steps()
    counts = [len(maps_in(node_of(picture, 0))) for picture in strip.pictures]
    assert counts == [1, 1, 2]
    value, grad = maps_in(node_of(strip.pictures[-1], 0))
    assert signs_in(grad).count("h") == signs_in(value).count("h") == 3
    assert place_of(grad)[1:] == place_of(value)[1:]


def test_the_widget_holds_each_heat_map_of_a_gradient_once():
    stepper = film().widget()
    assert stepper.maps[0] == "" and all('class="dark-heat"' in text for text in stepper.maps[1:])
    assert len(stepper.maps) == len(set(stepper.maps)) == 3
    assert [len(frame["maps"]) for frame in stepper.frames] == [3, 3, 3]
    assert [frame["maps"][0] for frame in stepper.frames] == [0, 0, 2]


def test_a_film_goes_on_where_a_number_has_the_gradient_of_an_array():
    a = Parameter(1.0, grad=np.ones(9), name="a")
    pictures = draw(Node(2.0, OneNumber(), (a,), grad=np.ones(9), name="y")).steps().pictures
    texts = [text.text for text in node_of(pictures[0], 1).findall(SVG + "text")]
    assert texts == ["y = 2", "onenumber", "grad (9,)", "min 1", "mean 1", "max 1"]


@pytest.mark.skipif(layout.which("dot") is None, reason="needs the program `dot`")
def test_on_paper_the_heat_maps_stand_where_they_stand_on_the_screen(tmp_path, monkeypatch):
    sources, run = [], layout.run_dot
    monkeypatch.setattr(layout, "run_dot", lambda dot, *rest, **more: sources.append(dot) or run(dot, *rest, **more))
    film().save(tmp_path / "a.png")
    frames = re.findall(r'^"frame 0([ab])" \[pos="([-\d.]+),([-\d.]+)!"', sources[-1], re.M)
    assert [name for name, _, _ in frames] == ["a", "b"]
    assert frames[0][2] == frames[1][2] and float(frames[0][1]) < float(frames[1][1])
